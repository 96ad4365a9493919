"""Whether the name of a field says that its value is a secret.

Names are read as words (`apiKey`, `API-KEY` and `x_api_key` are api, key), and the last words decide: `password` is
one, `password_hint`, `max_tokens`, `next_page_token` and `classname` are not.

Never: looks at the value.
Spec: ruling 10 (metadata keys and values, tool arguments; markers match words).
"""

from __future__ import annotations

from recollect.core.write.secret_rules.rule import compiled

# Last words of a name, and the code they give. The longest match wins, so order within a length does not matter.
_ENDINGS: dict[tuple[str, ...], str] = {
    ("password",): "password",
    ("passwd",): "password",
    ("passwort",): "password",
    ("pwd",): "password",
    ("passcode",): "password",
    ("pass",): "password",
    ("passphrase",): "passphrase",
    ("pass", "phrase"): "passphrase",
    ("pin",): "pin",
    ("pin", "code"): "pin",
    ("secret",): "secret",
    ("secrets",): "secret",
    ("secret", "value"): "secret",
    ("credential",): "credential",
    ("credentials",): "credential",
    ("creds",): "credential",
    ("token",): "token",
    ("jwt",): "token",
    ("api", "key"): "api_key",
    ("apikey",): "api_key",
    ("api", "keys"): "api_key",
    ("access", "key"): "api_key",
    ("accesskey",): "api_key",
    ("secret", "key"): "api_key",
    ("secretkey",): "api_key",
    ("private", "key"): "api_key",
    ("privatekey",): "api_key",
    ("account", "key"): "api_key",
    ("auth", "key"): "api_key",
    ("master", "key"): "api_key",
    ("encryption", "key"): "api_key",
    ("signing", "key"): "api_key",
    ("license", "key"): "api_key",
    ("authorization",): "authorization_header",
    ("authorisation",): "authorization_header",
    ("auth",): "authorization_header",
    ("cookie",): "session_cookie",
    ("set", "cookie"): "session_cookie",
    ("session", "id"): "session_cookie",
    ("sessionid",): "session_cookie",
    ("ssn",): "us_ssn",
    ("social", "security", "number"): "us_ssn",
    ("cvv",): "card_security_code",
    ("cvc",): "card_security_code",
    ("card", "number"): "payment_card",
    ("cardnumber",): "payment_card",
    ("iban",): "iban",
    ("passport",): "passport",
    ("passport", "number"): "passport",
    ("seed", "phrase"): "seed_phrase",
    ("mnemonic",): "seed_phrase",
    ("recovery", "phrase"): "seed_phrase",
    ("connection", "string"): "credential",
}

# Names that end like a secret and are none.
_HARMLESS: frozenset[tuple[str, ...]] = frozenset(
    {
        ("page", "token"),
        ("next", "token"),
        ("continuation", "token"),
        ("sync", "token"),
        ("per", "token"),
        ("first", "token"),
        ("last", "token"),
        ("stop", "token"),
        ("eos", "token"),
        ("bos", "token"),
        ("pad", "token"),
        ("unk", "token"),
        ("boarding", "pass"),
        ("ski", "pass"),
        ("did", "pass"),
        ("requires", "auth"),
        ("uses", "auth"),
        ("has", "password"),
        ("forgot", "password"),
        ("forgotten", "password"),
        ("requires", "password"),
        ("show", "password"),
        ("gpio", "pin"),
    }
)


def name_words(name: str) -> tuple[str, ...]:
    """The words of a name in camel case, snake case, kebab case or dotted."""
    spaced = compiled(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])").sub(" ", name[-200:])
    return tuple(compiled(r"[a-z]+").findall(spaced.lower()))


def name_code(name: str) -> str:
    """The code of a telling name, or the empty string."""
    words = name_words(name)
    if words[-2:] in _HARMLESS:
        return ""
    for size in (3, 2, 1):
        code = _ENDINGS.get(words[-size:]) if len(words) >= size else None
        if code:
            return code
    return ""
