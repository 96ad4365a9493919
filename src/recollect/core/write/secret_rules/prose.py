"""Secrets that only their introduction gives away: "my password is …", "api key: …", "PIN 1234", seed phrases.

The introduction proposes, the value decides: a plain word after "the password is" counts only at the end of a clause,
behind an owner ("my", "our"), and when it is not one of the words people use to talk about passwords.

Never: calls the mention of a password, token or key a secret.
Spec: ruling 10 (markers match words, not substrings); reliability sheet S4.
"""

from __future__ import annotations

import re
from functools import cache

from recollect.core.write.secret_rules.checks import is_placeholder
from recollect.core.write.secret_rules.rule import Gate, Hit, Rule
from recollect.core.write.secret_rules.words import HARMLESS_SUFFIXES, NOT_A_PASSWORD, TALKING_ENDINGS, UNITS

# A value in quotes, or a run that does not end in the punctuation of the sentence around it.
_QUOTED = r"\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'|`([^`\n]{1,200})`"
_BARE = r"([^\s\"'`<>]{1,199}[^\s\"'`<>.,;:?)\]}])"
_VALUE = rf"(?:{_QUOTED}|{_BARE})"
_PASS = r"(?:passwords?|passwd|passcode|pass code|pwd|passphrase|pass phrase|contraseña|passwort|mot de passe)"
_IS = r"(?:is|was|are|were|will be|should be|used to be|became|remains|equals|stays)"
_ADVERB = r"(?:\s(?:still|now|just|currently|actually|simply|literally|always|probably|also|again|going to be)){0,2}"
_ASSIGN = r"[\"'`*\])]{0,3}\s{0,4}(?:=>|:=|==?|:|->)\s{0,4}"


@cache
def _code_reference() -> re.Pattern[str]:
    """Unquoted values that name a value held elsewhere: calls, attributes, subscripts, environment."""
    return re.compile(
        r"[a-z_][\w.]*[(\[{].*|[a-z_]\w*(?:\.[a-z_]\w*)+;?|(?:os|process|self|this|config|settings|env|req|request|args)\b.*"
        r"|[a-z]+(?:_[a-z]+)+;?|@.*|&.*|\$.*|/[\w./-]*|\w+::.*|f?[\"'].*|https?:.*|!\w+|\|.*",
        re.IGNORECASE | re.DOTALL,
    )


def _is_quoted(hit: Hit) -> bool:
    return hit.head[-1:] in ("'", '"', "`") and hit.text[hit.end : hit.end + 1] == hit.head[-1:]


def _measures(hit: Hit) -> bool:
    """A number that counts characters or days, a percentage, a range, a version: not a password."""
    value = hit.value.lower()
    if not re.fullmatch(r"v?[0-9]+(?:[.,:/-][0-9]+)*(?:%|x|\+|st|nd|rd|th|s|k)?", value):
        return False
    plain = value.isdigit() and len(value) >= 4
    return not plain or hit.after(12).strip().startswith(UNITS)


def _ends_clause(hit: Hit) -> bool:
    rest = hit.after(8)
    return rest.strip(" \t")[:1] in ("", ".", ",", "!", ";", "\n", "\r", ")", "]", "}", "|") or rest.startswith(
        (" and ", " but ", " (", " - ")
    )


def _plain_word_is_password(hit: Hit, owner_needed: bool) -> bool:
    """Whether a word of letters alone is a password rather than talk about one."""
    word = hit.value.lower().strip("-'")
    if len(word) < 4 or word in NOT_A_PASSWORD or word.endswith(TALKING_ENDINGS) or not _ends_clause(hit):
        return False
    if "-" in word:
        return word.count("-") >= 3
    return (
        not owner_needed
        or re.search(r"\b(?:my|our|his|her|their|wifi|wi-fi|login|root|admin)\b", _sentence(hit)) is not None
    )


def _sentence(hit: Hit) -> str:
    return re.split(r"[.!?\n]", hit.before(80))[-1]


def _password_shape(value: str) -> bool:
    """A digit beside something else, a symbol inside, or a capital inside."""
    core = value.strip("-'/.")
    if any("0" <= letter <= "9" for letter in core):
        return True
    if any(letter in "@$#%^&*!~+=_?<>|\\" for letter in core):
        return True
    return re.search(r"[a-z][A-Z]", core) is not None


def _spoken(hit: Hit) -> bool:
    """The value of "password is …"."""
    value = hit.value
    lowered = value.lower().rstrip("!")
    if (
        len(value) < 3
        or is_placeholder(lowered)
        or lowered in NOT_A_PASSWORD
        or _measures(hit)
        or _names_algorithm(lowered)
    ):
        return False
    if _is_quoted(hit):
        return len(value) >= 4
    if _code_reference().fullmatch(value) and not _mixes(value):
        return False
    if _password_shape(value.rstrip("!")):
        return True
    return value.rstrip("!").replace("-", "").isalpha() and _plain_word_is_password(hit, owner_needed=True)


def _names_algorithm(value: str) -> bool:
    return (
        re.fullmatch(
            r"(?:sha|md|argon|utf|base|oauth|tls|aes|rsa|hs|pbkdf|scrypt|bcrypt|win|v|http|2fa|mfa)-?[0-9]{0,4}[a-z]{0,3}",
            value,
        )
        is not None
    )


def _mixes(value: str) -> bool:
    """Letters and digits together."""
    return any("0" <= letter <= "9" for letter in value) and any(letter.isalpha() for letter in value)


def _harmless_name(hit: Hit) -> bool:
    """`password_hash = …`, `token count: …`: the name's last part says it is no secret."""
    name = re.split(r"[=:>\-]", hit.head.lower(), maxsplit=1)[0]
    parts = re.findall(r"[a-z0-9]+", name)
    return bool(parts) and parts[-1] in HARMLESS_SUFFIXES


def _assigned(hit: Hit) -> bool:
    """The value of "password: …" and `password = …`."""
    value = hit.value
    lowered = value.lower()
    if len(value) < 3 or is_placeholder(lowered) or _harmless_name(hit) or _measures(hit) or _names_algorithm(lowered):
        return False
    if lowered in NOT_A_PASSWORD:
        return False
    if _is_quoted(hit):
        return " " not in value.strip() or _password_shape(value)
    if _code_reference().fullmatch(value):
        return False
    if _password_shape(value.rstrip("!")):
        return True
    return value.rstrip("!").isalpha() and _plain_word_is_password(hit, owner_needed=False)


def _strong(hit: Hit) -> bool:
    """The value of "token: …" or "api key is …": letters and digits mixed, or long and mixed in case."""
    value = hit.value
    lowered = value.lower()
    if is_placeholder(lowered) or _harmless_name(hit) or _measures(hit) or _names_algorithm(lowered) or " " in value:
        return False
    if any(
        word in lowered
        for word in ("xxxx", "****", "....", "example", "placeholder", "your_", "your-", "changeme", "[masked:")
    ):
        return False
    if not _is_quoted(hit) and _code_reference().fullmatch(value):
        return False
    distinct = len(dict.fromkeys(value))
    least = 6 if _is_quoted(hit) else 8
    if len(value) >= least and distinct >= 5 and _mixes(value):
        return re.fullmatch(r"[a-z]+[0-9]|[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9]+[a-z]{1,2}", lowered) is None
    return len(value) >= 20 and distinct >= 8 and lowered != value and value.upper() != value


_KEYS = (
    r"(?:api|access|secret|private|encryption|signing|auth|service|master|account|license|consumer|app|application|storage)"
    r"[ _-]?(?:api[ _-]?)?keys?"
)
_SECRETS = r"(?:(?:client|app|application|consumer|webhook|shared|api|signing|jwt|oauth)?[ _-]?secrets?)"
_TOKENS = r"(?:(?:auth|access|refresh|bearer|api|id|session|security|personal access|device|bot|deploy)?[ _-]?tokens?)"
# A name may go on: `API_KEY_PROD`, `token_2`, "secret for staging".
_REST = r"(?:[_ -]?[a-z0-9]{1,16}){0,2}"

_PASSWORDS: tuple[Rule, ...] = (
    Rule(
        code="password",
        about="a password said in a sentence",
        keywords=("passw", "passcode", "pass code", "pwd", "passphrase", "pass phrase", "contrase", "mot de passe"),
        gate=Gate.WORD,
        pattern=(
            rf"(?<![a-z0-9]){_PASS}(?:\s(?:for|to|of|on|at|in|there)\s[^\n.,;:!?=]{{1,40}}?)?"
            rf"(?:'s|\s{{1,3}}{_IS}){_ADVERB}\s{{0,3}}[:=]?\s{{1,3}}{_VALUE}"
        ),
        check=_spoken,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="password",
        about="a password assigned or listed",
        keywords=("passw", "passcode", "pass code", "pwd", "passphrase", "pass phrase", "contrase", "mot de passe"),
        gate=Gate.WORD,
        pattern=rf"{_PASS}(?:_[a-z0-9]{{1,16}}){{0,3}}{_ASSIGN}{_VALUE}",
        check=_assigned,
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="password",
        about="a password that was set, changed or used",
        keywords=("passw", "passcode", "passphrase"),
        gate=Gate.WORD,
        pattern=(
            r"(?:(?:set|chang(?:e|ed|ing)|reset|updat(?:e|ed)|switch(?:ed)?)\s[^\n.,;:!?]{0,30}?"
            rf"{_PASS}(?:\s(?:for|of|on)\s[^\n.,;:!?]{{1,30}}?)?\s(?:to|from|into|as)|(?:with|using|use|enter|type|try|and|the|my|,|/)\s{_PASS}|username\s\S{{1,40}}\s{_PASS})"
            rf"\s{{1,3}}{_VALUE}"
        ),
        check=lambda hit: (_is_quoted(hit) or _mixes(hit.value)) and _spoken(hit),
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="passphrase",
        about="several words introduced as a passphrase or password",
        keywords=("passphrase", "pass phrase", "password"),
        gate=Gate.WORD,
        pattern=rf"(?<![a-z0-9])(?:pass ?phrase|password)(?:\sfor\s[^\n.,;:!?=]{{1,30}}?)?(?:\s{{0,3}}[:=]|\s{_IS})\s{{1,3}}((?:[a-z]{{2,12}}[ -]){{3,11}}[a-z]{{2,12}})(?=[.,!;\n)]|$)",
        check=lambda hit: (
            not any(
                word in NOT_A_PASSWORD or word.endswith(("ed", "ing", "ly"))
                for word in re.split(r"[ -]", hit.value.lower())
            )
        ),
        folded=True,
        token_shaped=False,
    ),
    Rule(
        code="pin",
        about="a PIN with its keyword",
        keywords=("pin",),
        gate=Gate.DIGIT,
        pattern=(
            r"(?<![a-z0-9_-])pin(?:[ -]?(?:code|number|no\.?|#))?(?:\s(?:for|to|of|on)\s[^\n.,;:!?=0-9]{1,30}?)?"
            rf"(?:\s{{0,3}}[:=#]\s{{0,3}}|\s{_IS}{_ADVERB}\s|\s)[\"'`]?([0-9]{{4,8}})(?![0-9a-z_.,-]?[0-9a-z])"
        ),
        check=lambda hit: not (("code" in hit.head.lower()) and len(hit.value) == 6),
        folded=True,
        token_shaped=False,
    ),
)

_TOKEN_WORDS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("api_key", "a key with its name", ("key",), _KEYS),
    ("secret", "a value named secret", ("secret",), _SECRETS),
    ("token", "a value named token", ("token",), _TOKENS),
    ("credential", "a value named credential", ("credential",), r"credentials?"),
)


def _named(code: str, about: str, keywords: tuple[str, ...], names: str) -> tuple[Rule, Rule]:
    assigned = Rule(
        code=code,
        about=f"{about}, assigned or listed",
        keywords=keywords,
        gate=Gate.WORD,
        pattern=rf"{names}{_REST}{_ASSIGN}{_VALUE}",
        check=_strong,
        folded=True,
        token_shaped=False,
    )
    spoken = Rule(
        code=code,
        about=f"{about}, said in a sentence",
        keywords=keywords,
        gate=Gate.WORD,
        pattern=(
            rf"(?<![a-z0-9]){names}(?:\s(?:for|to|of|on|at|in)\s[^\n.,;:!?=]{{1,40}}?)?\s{{1,3}}(?:{_IS}\s{{1,3}})?{_ADVERB}\s{{0,3}}{_VALUE}"
        ),
        check=_strong,
        folded=True,
        token_shaped=False,
    )
    return assigned, spoken


_SEED = Rule(
    code="seed_phrase",
    about="twelve to twenty-four words introduced as a wallet's seed",
    keywords=("seed", "mnemonic", "recovery phrase", "backup phrase", "secret phrase"),
    gate=Gate.WORD,
    pattern=(
        r"(?:seed(?: phrase| words)?|mnemonic(?: phrase)?|(?:recovery|backup|secret) phrase)(?![a-z])[^\n]{0,30}?[\s:=\"'(]{1,3}"
        r"((?:(?:[0-9]{1,2}[.)] ?)?[a-z]{3,8}[,\s]{1,2}){11,23}(?:[0-9]{1,2}[.)] ?)?[a-z]{3,8})(?![a-z])"
    ),
    folded=True,
    token_shaped=False,
)


def _seed_words(hit: Hit) -> bool:
    """Words of a wallet list are content words; a sentence of that length holds small ones."""
    words = re.findall(r"[a-z]+", hit.value.lower())
    small = (
        "the",
        "and",
        "that",
        "was",
        "for",
        "with",
        "you",
        "are",
        "not",
        "have",
        "this",
        "but",
        "they",
        "from",
        "his",
        "her",
        "our",
        "your",
        "has",
        "had",
        "were",
        "which",
        "would",
        "their",
        "been",
        "when",
        "what",
        "will",
        "can",
        "all",
        "its",
    )
    return not any(word in small for word in words)


PROSE: tuple[Rule, ...] = (
    *(rule for row in _TOKEN_WORDS for rule in _named(*row)),
    *_PASSWORDS,
    Rule(
        code=_SEED.code,
        about=_SEED.about,
        keywords=_SEED.keywords,
        gate=_SEED.gate,
        pattern=_SEED.pattern,
        check=_seed_words,
        folded=True,
        token_shaped=False,
    ),
)
