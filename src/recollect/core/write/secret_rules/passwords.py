"""Whether what follows "password is", "token:" or "api key =" is a value or talk about one.

A value in quotes, one with a digit or a symbol in it, or one with a capital inside is believed. A plain word counts
only at the end of a clause, behind an owner ("my", "our"), and when it is not one of the words people use to talk
about passwords ("wrong", "required", "expired"). Code that fetches a value (`get_password()`, `os.environ[…]`) and
placeholders (`***`, `${VAR}`) are never values.

Never: looks further than the sentence around the value.
Spec: ruling 10 (markers match words, not substrings); reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.checks import holds_placeholder, is_placeholder
from recollect.core.write.secret_rules.names import name_words
from recollect.core.write.secret_rules.rule import Hit, compiled
from recollect.core.write.secret_rules.words import (
    HARMLESS_SUFFIXES,
    NOT_A_PASSWORD,
    SMALL_WORDS,
    TALKING_ENDINGS,
    UNITS,
)

# Unquoted values that name a value held elsewhere: calls, attributes, subscripts, variables, paths.
_CODE = (
    r"(?is:[a-z_][\w.]*[(\[{].*|[a-z_]\w*(?:\.[a-z_]\w*)+;?"
    r"|(?:os|process|self|this|config|settings|env|req|request|args)\b.*|_*[a-z]+(?:_[a-z]+)+_*;?"
    r"|[@&$(\[{|!/].*|\w+::.*|[fbru]{0,2}[\"'].*|https?:.*|--.*|[a-z_]\w*=[a-z_].*|\.\.?/.*)"
)
_MEASURE = r"v?[0-9]+(?:[.,:/-][0-9]+)*(?:%|x|\+|st|nd|rd|th|s|k|m|h|d|ms|px|am|pm)?"
_ALGORITHM = (
    r"(?:sha|md|argon|utf|base|oauth|tls|aes|rsa|hs|rs|es|pbkdf|scrypt|bcrypt|blake|win|http|ipv|web|log4j|s|wpa|ed|x"
    r"|curve|chacha|luks|tpm|fido|secp|p)-?[0-9]{0,5}[a-z]{0,3}(?:[-.][a-z0-9]{1,8}){0,3}|[0-9]fa|[0-9]-?(?:step|factor).*"
)
# One or two digits beside a word, a date, a number with its unit: names and measures, not keys.
_NAME_OR_DATE = r"[a-z_-]+[0-9]{1,2}|[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9]+[a-z_-]+"
_TELLING = r"[0-9].*[0-9]|[0-9@$#%^&*!+=|].*[A-Z@$#%^&*!+=|]"
_NAME_ENDS = (
    r"[=:>,?(]|\b(?:is|are|was|were|has|have|had|might|may|could|must|will|should|used|it|for|to|of|on|at|in|as)\b"
)
_OWNER = r"\b(?:my|our|his|her|their|wifi|wi-fi|login|root|admin|for the)\b"


def _is_quoted(hit: Hit) -> bool:
    return hit.head[-1:] in ("'", '"', "`") and hit.text[hit.end : hit.end + 1] == hit.head[-1:]


def _is_listed(hit: Hit) -> bool:
    """`("password", "…")`: arguments of a call, or neighbours in any list of words."""
    return hit.head.rstrip("\"' ").endswith(",")


def _measures(hit: Hit) -> bool:
    """A number that counts characters or days, a percentage, a range, a version, a date: not a value."""
    value = hit.value.lower()
    if compiled(_MEASURE).fullmatch(value) is None:
        return False
    plain = value.isdigit() and len(value) >= 4
    return not plain or hit.after(12).strip().startswith(UNITS)


def _names_algorithm(value: str) -> bool:
    """`sha256`, `utf-8`, `oauth2`, `md5`: names with digits in them."""
    return compiled(_ALGORITHM).fullmatch(value) is not None


def _harmless_name(hit: Hit) -> bool:
    """`password_hash = …`, `accessKeyName=…`, "token count: …": the name's last part says it is no secret."""
    words = name_words(compiled(_NAME_ENDS).split(hit.head, maxsplit=1)[0])
    return bool(words) and words[-1] in HARMLESS_SUFFIXES


def _is_nothing(hit: Hit) -> bool:
    """Placeholders, measures, names of algorithms, names of other things: never a value, quoted or not."""
    return _means_nothing(hit) or _harmless_name(hit)


def _means_nothing(hit: Hit) -> bool:
    lowered = hit.value.lower().rstrip("!")
    if is_placeholder(lowered) or holds_placeholder(lowered) or compiled(r"[\s+.,;:()=-]+").fullmatch(lowered):
        return True
    if "password" in lowered and lowered.isalpha():
        return True  # `challengePassword`: a name for one
    return _measures(hit) or _names_algorithm(lowered)


def _mixes(value: str) -> bool:
    """Letters and digits together."""
    return compiled(r"[0-9]").search(value) is not None and compiled(r"[^\W\d_]").search(value) is not None


def _shaped(value: str) -> bool:
    """A digit, a symbol or a capital inside: nobody writes a sentence's next word like that."""
    return compiled(r"[0-9@$#%^&*!~+=_?|\\]|[a-z][A-Z]").search(value.strip("-'/.!?*_~")) is not None


def ends_clause(hit: Hit) -> bool:
    """Whether the sentence pauses or ends behind the value."""
    rest = hit.after(8)
    following = rest.strip(" \t")[:1]
    return following in ("", ".", ",", ";", "!", "\n", "\r", ")", "]", "}", "|") or rest.startswith((" and ", " but "))


def _has_owner(hit: Hit) -> bool:
    """Whether the sentence says whose password it is, or what it opens."""
    sentence = compiled(r"[.!?\n]").split(hit.before(80))[-1]
    return compiled(_OWNER).search(sentence) is not None


def _plain_word(hit: Hit, *, owner_needed: bool) -> bool:
    """Whether a word of letters alone is a password rather than talk about one."""
    word = hit.value.lower().strip("-'!")
    if not word.replace("-", "").isalpha() or len(word) < 4 or not ends_clause(hit):
        return False
    if "-" in word:
        return word.count("-") >= 2 and not any(part in SMALL_WORDS for part in word.split("-"))
    if word in NOT_A_PASSWORD or word.endswith(TALKING_ENDINGS):
        return False
    return not owner_needed or _has_owner(hit)


def spoken_password(hit: Hit) -> bool:
    """The value of "my password is …"."""
    value = hit.value
    if len(value) < 3 or _is_nothing(hit) or value.lower().rstrip("!") in NOT_A_PASSWORD:
        return False
    if _is_quoted(hit):
        return len(value) >= 4
    if compiled(_CODE).fullmatch(value) and not _mixes(value):
        return False
    return _shaped(value) or _plain_word(hit, owner_needed=True)


def used_password(hit: Hit) -> bool:
    """The value of "log in with password …": in quotes or with enough digits, since anything may follow that phrase."""
    value = hit.value
    telling = len(value) >= 6 and _mixes(value) and compiled(_TELLING).search(value) is not None
    return (_is_quoted(hit) or telling) and spoken_password(hit)


def assigned_password(hit: Hit) -> bool:
    """The value of "password: …" and `password = …`."""
    value = hit.value
    if len(value) < 3 or _is_nothing(hit) or value.lower() in NOT_A_PASSWORD:
        return False
    # "pass" alone is a filter, a mountain and a test result as well; only a value with a digit tells.
    if name_words(hit.head)[-1:] == ("pass",) and not _mixes(value):
        return False
    if _is_listed(hit) and not compiled(r"[0-9].*[0-9]").search(value):
        return False
    if _is_quoted(hit):
        return " " not in value.strip() or _mixes(value) or is_passphrase(value)
    # `$name` fetches a value; a word with several digits behind a sign is one.
    is_chosen = compiled(r"[$!&@|][A-Za-z]{3,}[0-9]{2,}[^\s(\[{]*").fullmatch(value) is not None
    if compiled(_CODE).fullmatch(value) and not is_chosen:
        return False
    return _shaped(value) or _plain_word(hit, owner_needed=False)


def strong_value(hit: Hit) -> bool:
    """The value of "token: …" or "my api key is …": letters and digits mixed, or long and mixed in case."""
    value = hit.value
    lowered = value.lower()
    if " " in value or _is_nothing(hit):
        return False
    if not _is_quoted(hit) and (compiled(_CODE).fullmatch(value) or compiled(r"[()\[\]{}]").search(value)):
        return False
    if _is_listed(hit) and len(value) < 16:
        return False
    distinct = len(dict.fromkeys(value))
    least = 6 if _is_quoted(hit) else 8
    if len(value) >= least and distinct >= 5 and _mixes(value):
        return compiled(_NAME_OR_DATE).fullmatch(lowered) is None
    return len(value) >= 20 and distinct >= 8 and lowered != value and value.upper() != value and _single(value)


# Kinds of keys that are names of things, not secrets.
_PUBLIC_KEY = (
    r"(?:cache|primary|foreign|partition|sort|public|object|s3|idempotency|dedup|index|shard|routing|registry|composite"
    r"|unique|dictionary|dict|map|json|row|memory|hash|group|lookup|storage|sort|ssh-rsa)[ _-]?key"
)


def bare_key(hit: Hit) -> bool:
    """The value of "my key is …": long, random, in one run, no UUID, and not the key of a table or a cache."""
    value = hit.value
    if len(value) < 20 or len(dict.fromkeys(value)) < 10 or not _mixes(value) or not strong_value(hit):
        return False
    if compiled(_PUBLIC_KEY).search(hit.before(80)) or compiled(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}.*").fullmatch(value):
        return False
    return compiled(r"[A-Za-z0-9+/=_.-]+").fullmatch(value) is not None and not compiled(r"[a-z]{9}").search(value)


def _single(value: str) -> bool:
    """One run of token characters, not a camel-case path or a list."""
    return compiled(r"[A-Za-z0-9+/=_.-]+").fullmatch(value) is not None and compiled(r"[a-z]{6}").search(value) is None


def is_passphrase(value: str) -> bool:
    """Four or more content words; a sentence of that length holds small ones."""
    words = compiled(r"[ -]+").split(value.lower().strip())
    return len(words) >= 4 and not any(word in SMALL_WORDS or word.endswith(TALKING_ENDINGS) for word in words)


def spoken_passphrase(hit: Hit) -> bool:
    """The value of "my passphrase is …"."""
    return is_passphrase(hit.value)


def is_seed(hit: Hit) -> bool:
    """Twelve to twenty-four words of a wallet list, none of them a small word of a sentence."""
    return not any(word in SMALL_WORDS for word in compiled(r"[a-z]+").findall(hit.value.lower()))


def pin_number(hit: Hit) -> bool:
    """A PIN, not a six-digit postal PIN code, a year of a pin badge, or a pin of a chip."""
    if "code" in hit.head.lower() and len(hit.value) == 6:
        return False
    if hit.head.lower().strip(" \"'`") == "pin" and not ends_clause(hit):
        return hit.after(5).startswith((" for ", " to "))
    return not hit.after(12).strip().startswith(UNITS)


# What other codes are called: nobody is let in by them.
_OTHER_CODES = (
    r"(?:zip|post|postal|area|country|dialling|dialing|error|exit|status|return|response|source|bar|qr|promo|discount"
    r"|coupon|voucher|dress|colou?r|building|tax|sort|product|item|order|tracking|reference|booking|flight|unit|class"
    r"|http)[ -]?code"
)
_SIGN = r"[!#$%^&*~?+=@]"
# Mail addresses, paths, files and hosts stand behind "with" and "to" as well.
_NOT_TYPED = (
    r"(?i)[^@\s]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+|[~.]{0,2}/.*|[a-z]:\\.*|[\w.-]+\.(?:[a-z]{2,5}|mp[34]|7z)"
    r"|[\w.-]+:[0-9]+|#[0-9a-f]{3,8}|[a-z]+[0-9]+(?:\.[0-9]+)+"
)


def access_code(hit: Hit) -> bool:
    """Digits that let somebody in: no measure, and not one of the codes that everybody may know."""
    if compiled(_OTHER_CODES).search(hit.before(40)) or compiled(_OTHER_CODES).search(hit.after(30)):
        return False
    return not hit.after(12).strip().startswith(UNITS)


def _is_typed(hit: Hit) -> bool:
    """Letters with at least two digits that are no name, measure, address or algorithm: somebody types this."""
    value = hit.value
    if not _mixes(value) or compiled(r"[0-9][^0-9]*[0-9]").search(value) is None or _means_nothing(hit):
        return False
    if compiled(_NOT_TYPED).fullmatch(value) or (compiled(_CODE).fullmatch(value) and value[:1].isalpha()):
        return False
    lowered = value.lower()
    is_name = compiled(_NAME_OR_DATE).fullmatch(lowered) is not None
    return not is_name or len(compiled(r"[a-z]{3,}[-_.]").findall(lowered)) >= 2


def after_its_use(hit: Hit) -> bool:
    """The value of "the password changed, it's …" and "it opens with …"; "log in with" is also said of a user."""
    if not _is_typed(hit):
        return False
    return compiled(_SIGN).search(hit.value) is not None or compiled(r"logs? in").search(hit.head.lower()) is None


def before_its_name(hit: Hit) -> bool:
    """The value of "type … when it asks for the password": told to be typed, or with a sign that no word has."""
    is_told = compiled(r"(?:type|enter|used?|uses|try|chose|picked|put)\s").match(hit.head.lower()) is not None
    return _is_typed(hit) and (is_told or compiled(_SIGN).search(hit.value) is not None)


def beside_a_user(hit: Hit) -> bool:
    """The value of "admin / …" and "name@host: …": both cases with digits, or a sign that no word has."""
    value = hit.value
    # A fingerprint follows the name of its algorithm in the same way, and is longer than anybody types.
    if len(value) > 40:
        return False
    is_mixed = value.lower() != value and value.upper() != value and compiled(r"[a-z][A-Z]|[0-9][A-Z]").search(value)
    return _is_typed(hit) and (bool(is_mixed) or compiled(_SIGN).search(value) is not None)


def random_run(hit: Hit) -> bool:
    """A long run in both cases with digits, as only a generator makes it."""
    run = max(compiled(r"[A-Za-z0-9]+").findall(hit.value), key=len)
    kinds = (r"[0-9][^0-9]+[0-9]", r"[A-Z]", r"[a-z]")
    is_mixed = len(run) >= 16 and all(compiled(kind).search(run) for kind in kinds)
    return is_mixed and _single(hit.value) and not _means_nothing(hit)
