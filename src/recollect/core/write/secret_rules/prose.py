"""Secrets that only their introduction gives away: "my password is …", "api key: …", "PIN 1234", seed phrases.

The introduction proposes, `passwords.py` decides whether the value is one.

Never: calls the mention of a password, token or key a secret.
Spec: ruling 10 (markers match words, not substrings); reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.passwords import (
    assigned_password,
    bare_key,
    is_seed,
    pin_number,
    spoken_passphrase,
    spoken_password,
    strong_value,
    used_password,
)
from recollect.core.write.secret_rules.rule import Check, Gate, Rule

_QUOTED = r"\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'|`([^`\n]{1,200})`"
# A run that does not end in the punctuation of the sentence around it.
_RUN = r"([^\s\"'`<>]{1,199}[^\s\"'`<>.,;:?)\]}])"
# The same, but `;`, `&` and `,` end it where the next setting of a list begins.
_SETTING = r"([^\s\"'`<>;&,]{1,199}(?:[;&,](?!\s|$|[a-z_][a-z0-9_ ]{0,30}=)[^\s\"'`<>;&,]{0,60}){0,3}(?<![.,;:?)\]}]))"
_SAID = rf"(?:{_QUOTED}|{_RUN})"
_SET = rf"(?:{_QUOTED}|{_SETTING})"

_IS = r"(?:is|was|are|were|will be|should be|would be|used to be|became|remains|equals|stays)"
_ADVERB = (
    r"(?:\s(?:still|now|just|currently|actually|simply|literally|always|probably|also|again|either|going to be)){0,2}"
)
# What may stand between a name and its verb: "for the bank", "I use everywhere", "they gave me".
_GAP = r"(?:\s(?:for|to|of|on|at|in|i|we|they|he|she|you|that|which)\s[^\n.,;:!?=]{1,40}?|,\s[^\n.,;:!?=]{1,30},)?"
# The same before a colon or an equals sign, and a remark in brackets: "password for gmail:", "password (temporary):".
_ASIDE = r"(?:\s(?:for|to|of|on|at)\s[^\n.,;:!?=]{1,30}?|\s?\([^)\n]{1,30}\))?"
# Signs between a name and its value; also the two lines of a manifest and the two arguments of a call.
_ASSIGN = r"(?:[\"'`*\])]{0,3}\s{0,4}(?:=>|:=|==?|:|->|[\r\n]\s{0,20}value:)\s{0,4}|[\"']\s?,\s?(?=[\"']))"

_SET_TO = r"(?: (?:changed|set|reset|updated) to)"
_SAYS = (
    rf"(?:'s(?: been)?|,? it'?s|,? it is|\s{{1,3}}(?:{_IS}{_SET_TO}?|(?:has|have|had) been(?:{_SET_TO})?"
    r"|(?:might|may|could|must) be|es|est|ist|lautet|era))"
)

_PASS = (
    r"(?:passwords?|passwd|passcode|pass code|pwd|passphrase|pass phrase|(?<![a-z])pw(?![a-z])|(?<![a-z])pass(?![a-z])"
    r"|secret word|contraseña|passwort|mot de passe)"
)
_PASS_KEYWORDS = (
    "passw", "passcode", "pass code", "pwd", "passphrase", "pass phrase", "contrase", "mot de passe",
    "pw ", "pw:", "pw=", "pass is", "pass:", "pass=", "pass =", 'pass"', "pass'",
    "pass '", 'pass "', "pass `", "secret word",
)  # fmt: skip
_CHANGED = r"(?:set|chang(?:e|ed|ing)|reset|updat(?:e|ed)|switch(?:ed)?)\s[^\n.,;:!?]{0,30}?"
_WHOSE = r"(?:my|the|our|his|her|their|a)\s(?:[a-z-]{1,16}\s){0,2}"


def _prose(code: str, about: str, keywords: tuple[str, ...], pattern: str, check: Check) -> Rule:
    return Rule(
        code=code,
        about=about,
        keywords=keywords,
        gate=Gate.WORD,
        pattern=pattern,
        check=check,
        folded=True,
        token_shaped=False,
    )


_PASSWORDS: tuple[Rule, ...] = (
    _prose(
        "password",
        "a password said in a sentence",
        _PASS_KEYWORDS,
        rf"(?<![a-z0-9]){_PASS}{_GAP}{_SAYS}{_ADVERB}\s{{0,3}}[:=]?\s{{1,3}}{_SAID}",
        spoken_password,
    ),
    _prose(
        "password",
        "a password assigned or listed",
        _PASS_KEYWORDS,
        rf"{_PASS}(?:_[a-z0-9]{{1,16}}){{0,3}}{_ASIDE}{_ASSIGN}{_SET}",
        assigned_password,
    ),
    _prose(
        "password",
        "a password in a markup element",
        ("password>", "passwd>", "pwd>"),
        rf"<[a-z0-9_:-]{{0,24}}{_PASS}>\s{{0,4}}([^\s<>]{{3,128}})\s{{0,4}}</",
        assigned_password,
    ),
    _prose(
        "password",
        "a password that was set, changed or used",
        _PASS_KEYWORDS,
        (
            rf"(?:{_CHANGED}{_PASS}(?:\s(?:for|of|on)\s[^\n.,;:!?]{{1,30}}?)?\s(?:to|from|into|as)"
            rf"|(?<![a-z0-9]){_PASS}(?:{_ASIDE}\s-)?"
            rf"|{_PASS}[,?](?:\s(?:type|enter|use|try|namely))?)\s{{1,3}}{_SAID}"
        ),
        used_password,
    ),
    _prose(
        "password",
        "a password that comes before its name",
        ("password", "passcode", "passphrase"),
        (
            r"(?<![^\s\"'`(])([^\s\"'`()]{5,64}?)[\"'`)]?"
            rf"(?:\s(?:is|was|as)\s(?:{_WHOSE})?|\s?,\s(?:that's|that is|it's) {_WHOSE}"
            r"|\s(?:be\s)?an?\s(?:[a-z-]{1,16}\s){0,2}|\s\()"
            r"(?:password|passcode|passphrase)(?![a-z])"
        ),
        used_password,
    ),
    _prose(
        "passphrase",
        "several words introduced as a passphrase or password",
        ("passphrase", "pass phrase", "password"),
        (
            r"(?<![a-z0-9])(?:pass ?phrase|password)(?:\s(?:for|of|on|to)\s[^\n.,;:!?=]{1,40}?)?"
            rf"(?:\s{{0,3}}[:=]|\s{_IS}|,?\s(?:type|enter|use))"
            r"\s{1,3}((?:[a-z]{2,12}[ -]){3,11}[a-z]{2,12})(?=[.,!;\n)]|$)"
        ),
        spoken_passphrase,
    ),
    Rule(
        code="pin",
        about="a PIN with its keyword",
        keywords=("pin",),
        gate=Gate.DIGIT,
        pattern=(
            r"(?<![a-z0-9_-])pin(?:[ -]?(?:code|number|no\.?|#))?(?:\s(?:for|to|of|on)\s[^\n.,;:!?=0-9]{1,30}?)?"
            rf"(?:\s{{0,3}}[:=#]\s{{0,3}}|(?:'s|\s{_IS}){_ADVERB}\s|\s)[\"'`]?([0-9]{{4,8}})(?![0-9a-z_.,-]?[0-9a-z])"
        ),
        check=pin_number,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="pin",
        about="the code of a lock, a door, a safe or a phone",
        keywords=(" code",),
        gate=Gate.DIGIT,
        pattern=(
            r"(?<![a-z])(?:unlock|door|gate|alarm|lock|safe|garage|entry|voicemail|keypad|screen) code"
            rf"(?:\s(?:for|to|of|on)\s[^\n.,;:!?=0-9]{{1,30}}?)?(?:\s{{0,3}}[:=#]\s{{0,3}}|\s{_IS}{_ADVERB}\s)"
            r"[\"'`]?([0-9]{4,8})(?![0-9a-z_.,-]?[0-9a-z])"
        ),
        check=pin_number,
        folded=True,
        token_shaped=False,
    ),
)

_KEYS = (
    r"(?:api|access|secret|private|encryption|signing|auth|service|master|account|license|consumer|app|application"
    r"|storage|deploy|pre-?shared|recovery|session|webhook|sandbox|vault)[ _-]?(?:api[ _-]?)?keys?"
)
_SECRETS = r"(?:(?:client|app|application|consumer|webhook|shared|api|signing|jwt|oauth)?[ _-]?secrets?)"
_TOKENS = r"(?:(?:auth|access|refresh|bearer|api|id|session|security|personal access|device|bot|deploy)?[ _-]?tokens?)"

# code, description, keyword, the names that introduce it
_NAMED: tuple[tuple[str, str, str, str], ...] = (
    ("api_key", "a key with its name", "key", _KEYS),
    ("secret", "a value named secret", "secret", _SECRETS),
    ("secret", "the seed of an authenticator", "seed", r"(?:totp|mfa|2fa|otp|authenticator)[ _-]?(?:seed|secret|key)"),
    ("token", "a value named token", "token", _TOKENS),
    ("credential", "a value named credential", "credential", r"credentials?"),
)


def _named(code: str, about: str, keyword: str, names: str) -> tuple[Rule, Rule]:
    """The two ways of writing a named value down."""
    # A name may go on: `API_KEY_PROD`, `token_2`, "secret staging".
    assigned = rf"{names}(?:[_ -]?[a-z0-9]{{1,16}}){{0,2}}{_ASSIGN}{_SET}"
    said = rf"(?<![a-z0-9]){names}(?:{_GAP}{_SAYS}{_ADVERB}\s{{0,3}}:?\s{{1,3}}|\s{{1,3}}(?:-\s|\()?){_SAID}"
    return (
        _prose(code, f"{about}, assigned or listed", (keyword,), assigned, strong_value),
        _prose(code, f"{about}, said in a sentence", (keyword,), said, strong_value),
    )


# User and password in one breath: "creds: admin:…", "the credentials are admin / …".
_PAIR = _prose(
    "credential",
    "a user and a password said together",
    ("credential", "creds", "login"),
    rf"(?:credentials?|creds|login)(?:\s(?:are|is)|\s?[:=])\s{{1,3}}[^\s:/]{{1,40}}\s?[:/]\s?{_SAID}",
    used_password,
)

# A key without a kind: only a long random value counts, and not behind the kinds that are no secrets.
_BARE_KEY = _prose(
    "api_key",
    "a long random value named key",
    ("key", "auth"),
    rf"(?<![a-z])(?:key|auth)(?:{_ASIDE}{_ASSIGN}|{_GAP}\s{{1,3}}{_IS}{_ADVERB}\s{{0,3}}:?\s{{1,3}}|\s){_SET}",
    bare_key,
)

_SEED = _prose(
    "seed_phrase",
    "twelve to twenty-four words introduced as a wallet's seed",
    (
        "seed",
        "mnemonic",
        "recovery phrase",
        "backup phrase",
        "secret phrase",
        "wallet's words",
        "wallet words",
        "12 words",
        "24 words",
        "twelve words",
        "four words",
    ),
    (
        r"(?:seed(?: phrase| words)?,?(?: they are| namely)?|mnemonic(?: phrase)?|(?:recovery|backup|secret) phrase"
        r"|wallet(?:'s)? words|(?:12|24|twelve|twenty-four) words)(?![a-z])[^\n]{0,30}?"
        r"[\s:=\"'(]{1,3}"
        r"((?:(?:[0-9]{1,2}[.)] ?)?[a-z]{3,8}[,\s]{1,2}){11,23}(?:[0-9]{1,2}[.)] ?)?[a-z]{3,8})(?![a-z])"
    ),
    is_seed,
)

PROSE: tuple[Rule, ...] = (*(rule for row in _NAMED for rule in _named(*row)), _BARE_KEY, _PAIR, *_PASSWORDS, _SEED)
