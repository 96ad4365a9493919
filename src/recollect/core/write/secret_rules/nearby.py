"""Secrets whose name does not stand right before them: "type … when it asks for the password", "the gate opens with …".

The sentence must name a password, a lock or a token; the value must look like nothing else that could stand there. So
these rules ask more of a value than those of `prose.py`: a run of letters and digits, or digits that end a clause.

Never: takes a number alone for a code, or a word alone for a password.
Spec: ruling 10 (markers match words, not substrings); reliability sheet S4.
"""

from __future__ import annotations

from recollect.core.write.secret_rules.passwords import (
    access_code,
    after_its_use,
    before_its_name,
    beside_a_user,
    ends_clause,
    random_run,
)
from recollect.core.write.secret_rules.rule import Check, Gate, Hit, Rule

_VALUE = r"([^\s\"'`<>(),;]{5,63}[^\s\"'`<>.,;:?)\]}])"
_DIGITS = r"([0-9]{4,8})(?![0-9a-z_.,-]?[0-9a-z])"
_PASSWORD = (
    r"(?:passwords?|passcode|pass ?phrase|passwd|pwd)(?![a-z])"
    r"(?!\s?(?:manager|field|reset|hash|hashes|policy|prompt|rules?|box|generator|protected|length))"
)
_WHOSE = r"(?:my|the|our|his|her|their|your|a|an)\s(?:[a-z-]{1,16}\s){0,2}"
_OPENS = (
    r"(?:unlocks?|opens?|disarms?|gets? in(?:to [a-z ]{1,20}?)?|logs? in(?:to [a-z ]{1,20}?)?|protected|encrypted"
    r"|secured)"
)
# What has a code of its own. A building's code is a law as well, so it needs a verb or a sign before the number.
_LOCKED = (
    r"(?:unlock(?:ing)?|access|padlock|door|gate|alarm|lock|locker|safe|garage|entry|entrance|voicemail|keypad|screen"
    r"|intercom|elevator|lift|key ?(?:box|safe)|lock ?box|vault|disarm(?:ing)?|panic|garden|cabin|shed|storage|laundry"
    r"|wi-?fi|parental(?: control)?|tablet|phone|lab|office)"
)
_FOR = r"(?:\s(?:for|to|of|on|at)\s[^\n.,;:!?=]{1,30}?)?"
_IS = r"(?:is|was|will be|should be|would be|used to be|became)"
_STILL = r"(?:\s(?:still|now|just|currently|always|also|again)){0,2}"
_ONE_TIME = r"(?:one[- ]time|verification|two[- ]factor|2fa|mfa|otp|authenticat(?:ion|or)|sms|login|sign[- ]in)"


def _near(code: str, about: str, keywords: tuple[str, ...], pattern: str, check: Check, gate: Gate) -> Rule:
    return Rule(
        code=code,
        about=about,
        keywords=keywords,
        gate=gate,
        pattern=pattern,
        check=check,
        folded=True,
        token_shaped=False,
    )


def _closing(hit: Hit) -> bool:
    """Digits that end their clause: "opens with 1200 works" goes on."""
    return access_code(hit) and ends_clause(hit)


def _closing_or_named(hit: Hit) -> bool:
    """The same, but where the sentence names what the code is for, it may go on."""
    return access_code(hit) and (hit.head.lower().lstrip().startswith("code") or ends_clause(hit))


NEARBY: tuple[Rule, ...] = (
    _near(
        "password",
        "a password that a sentence comes to later",
        ("passw", "passcode", "pass phrase", "passphrase", "pwd"),
        (
            rf"(?<![a-z]){_PASSWORD}[^\n.!?]{{0,50}}?"
            rf"(?:[\s,](?:it'?s|it is|its|with|type|enter|use|try|namely|as|to)\s|:\s)[\"'`]?{_VALUE}"
        ),
        after_its_use,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "a password that a sentence begins with",
        ("passw", "passcode", "pass phrase", "passphrase", "pwd"),
        (
            rf"(?<![a-z])(?:type|enter|use[ds]?|try|it'?s|be|is|with|chose|picked|put|to)\s[\"'`]?{_VALUE}[\"'`]?,?\s"
            rf"[^\n.!?]{{0,50}}?(?<![a-z]){_PASSWORD}"
        ),
        before_its_name,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "what something is unlocked, opened or protected with",
        ("with",),
        rf"(?<![a-z]){_OPENS}\s(?:it\s|them\s|in\s)?(?:with|using)\s(?:the\s)?[\"'`]?{_VALUE}",
        after_its_use,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "a login that was set",
        ("login", "log-in", "wifi", "wi-fi"),
        rf"(?<![a-z])(?:set|changed?|reset|updated?|switched)\s[^\n.,;:!?]{{0,30}}?(?:login|log-in|wi-?fi)\sto\s[\"'`]?{_VALUE}",
        after_its_use,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "the key or code of a wireless network",
        ("wifi", "wi-fi", "wlan", "wpa", "hotspot", "network"),
        (
            rf"(?<![a-z])(?:wi-?fi|wlan|wpa[23]?|hotspot|network)[^\n.!?]{{0,40}}?(?<![a-z])(?:key|code|pass)"
            rf"(?:{_FOR}\s{_IS}{_STILL}|\s?[:=]|\s)\s?[\"'`]?{_VALUE}"
        ),
        after_its_use,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "a user and a password as u and p",
        (" p:", " p=", "/p:"),
        rf"(?<![a-z])u(?:ser)?\s?[:=]\s?[^\s:=]{{1,40}}[,;/|]?\s(?:and\s)?p\s?[:=]\s?[\"'`]?{_VALUE}",
        after_its_use,
        Gate.DIGIT,
    ),
    _near(
        "pin",
        "what a lock opens with",
        ("with", "using"),
        rf"(?<![a-z]){_OPENS}\s(?:it\s|them\s|in\s)?(?:with|using)\s(?:the\s)?(?:code\s|pin\s)?{_DIGITS}",
        _closing,
        Gate.DIGIT,
    ),
    _near(
        "pin",
        "the code of a lock, however it is named",
        (" code", "-code", "combination"),
        (
            rf"(?<![a-z]){_LOCKED}(?:'s)?\s(?:[a-z-]{{1,12}}\s)?(?:code|combination)"
            rf"(?:{_FOR}(?:\s{{0,3}}[:=#]\s{{0,3}}|\s{_IS}{_STILL}\s)|,?\s(?:it'?s\s)?|'s\s)[\"'`]?{_DIGITS}"
        ),
        access_code,
        Gate.DIGIT,
    ),
    _near(
        "pin",
        "the code for a lock that is named behind it",
        ("code", "combination"),
        (
            rf"(?<![a-z])(?:code|combination)\s(?:for|to|of|on)\s(?:{_WHOSE})?{_LOCKED}(?:\s[^\n.,;:!?=]{{1,30}}?)?"
            rf"(?:\s?[:=]\s?|\s{_IS}{_STILL}\s)[\"'`]?{_DIGITS}"
        ),
        access_code,
        Gate.DIGIT,
    ),
    _near(
        "pin",
        "digits to dial or enter at a lock",
        ("dial", "enter", "type", "press", "punch", "tap"),
        (
            rf"(?<![a-z])(?:dial|enter|type|press|punch in|tap in)\s{_DIGITS}[^\n.,!?]{{0,30}}?(?<![a-z])"
            r"(?:disarm|unlock|keypad|star|hash|pound|bell|pin|code|alarm|door|gate)(?![a-z])"
        ),
        access_code,
        Gate.DIGIT,
    ),
    _near(
        "pin",
        "digits that are named a code afterwards",
        ("code", "pin"),
        rf"(?<![0-9a-z#.,:-])(?:[a-z]-)?{_DIGITS}\s(?:as|is)\s(?:{_WHOSE})?(?:pin|pin code|code|passcode)"
        r"(?=\s(?:for|to|of|on|at)\s|[.,!?;\n]|$)",
        access_code,
        Gate.DIGIT,
    ),
    _near(
        "pin",
        "a PIN after a pause",
        ("pin",),
        rf"(?<![a-z0-9_-])pin(?:[ -]?(?:code|number))?,\s(?:it'?s\s|it is\s|which is\s|namely\s)?{_DIGITS}",
        _closing,
        Gate.DIGIT,
    ),
    _near(
        "pin",
        "a code and what it opens, or the code of a box that has nothing else",
        ("code", "key safe", "key box", "keybox", "keysafe", "lockbox", "lock box", "padlock"),
        (
            rf"(?<![a-z])code(?:'s|\s{_IS})\s{_DIGITS}(?=\s(?:for|to|at|on)\s[^\n.!?]{{0,24}}{_LOCKED}(?![a-z]))"
            rf"|(?<![a-z])(?:key ?(?:safe|box)|lock ?box|padlock)(?:\s?[:=]|\s{_IS})?\s{_DIGITS}"
        ),
        _closing_or_named,
        Gate.DIGIT,
    ),
    _near(
        "pin",
        "the combination of a lock",
        ("combination", "combo"),
        (
            rf"(?<![a-z])(?:combination|combo)(?:'s|{_FOR}(?:\s?[:=]|,|\s{_IS}{_STILL}))\s"
            r"((?:[0-9]{1,2}[ -]){2,3}[0-9]{1,2}|[0-9]{4,8})(?![0-9a-z_.,-]?[0-9a-z])"
        ),
        access_code,
        Gate.DIGIT,
    ),
    _near(
        "pin",
        "the unlocking key of a SIM card, or a passcode of digits",
        ("puk", "passcode", "pass code"),
        rf"(?<![a-z])(?:puk(?:[ -]?code)?|pass ?code){_FOR}(?:\s?[:=]|'s|\s{_IS})?\s{_DIGITS}",
        access_code,
        Gate.DIGIT,
    ),
    _near(
        "one_time_code",
        "a backup code",
        ("backup code", "recovery code", "rescue code", "scratch code", "backup-code", "recovery-code"),
        (
            rf"(?:backup|recovery|rescue|scratch)[ -]codes?{_FOR}(?:\s?[:=]|,|\s(?:are|{_IS}){_STILL})?\s"
            r"([0-9]{4}[ -][0-9]{4}|[0-9]{6,10}|[a-z0-9]{4,5}-[a-z0-9]{4,5})(?![0-9a-z])"
        ),
        access_code,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "a word agreed on to prove who one is",
        ("word", "answer"),
        (
            rf"(?<![a-z])(?:memorable|security|secret)\s(?:word|answer){_FOR}(?:\s?[:=]|'s|\s{_IS}{_STILL})?\s"
            rf"[\"'`]?{_VALUE}"
        ),
        after_its_use,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "a pass of an account or a file",
        ("pass ", "pw "),
        (
            r"(?<![a-z])(?:user(?:name)?\s[^\s,;]{1,40},?(?:\sand)?|keystore|zip|archive|vault|db|database|ftp|smtp|ssh|sudo"
            rf"|root|admin|mail|email|nas)\s(?:pass|pw)\s[\"'`]?{_VALUE}"
        ),
        after_its_use,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "what follows an administrator's name",
        ("admin", "root"),
        rf"(?<![a-z@])(?:admin(?:istrator)?|root)\s?(?:\swith\s|/\s?|:\s?|\s)[\"'`]?{_VALUE}",
        beside_a_user,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "a user or mail address and a password, with a stroke or a colon between them",
        ("@", "login", "log in", "get in", "basic auth", "ssh", "vpn", "ftp"),
        (
            r"(?:[^\s@:/]{1,40}@[^\s@:/]{1,60}|(?<![a-z])(?:login|log in|get in|basic auth|ssh|vpn|ftp)"
            rf"[^\n.!?:/]{{0,30}}?\s[^\s:/]{{1,40}})\s?[/:|]\s?{_VALUE}"
        ),
        beside_a_user,
        Gate.DIGIT,
    ),
    _near(
        "password",
        "a user and a password to get in with",
        ("to get in", "to log in"),
        rf"(?<![a-z])[a-z][a-z0-9_.-]{{1,30}}\s?[:/]\s?{_VALUE}\sto\s(?:get|log)\sin(?![a-z])",
        beside_a_user,
        Gate.DIGIT,
    ),
    _near(
        "session_cookie",
        "a session's id",
        ("sessionid", "sessid", "session id"),
        r"(?<![a-z])(?:j|php)?sess(?:ion)?[ _]?id(?:\sis|\s?[:=])?\s?[\"'`]?([a-z0-9_-]{20,128})(?![a-z0-9_-])",
        random_run,
        Gate.RUN,
    ),
    _near(
        "token",
        "an access code of letters and digits",
        ("access code", "activation code", "auth code", "authorisation code", "authorization code"),
        (
            rf"(?:access|activation|auth|authori[sz]ation)\scode{_FOR}(?:\s?[:=]|\s{_IS})?\s[\"'`]?"
            r"([a-z0-9_-]{12,128})(?![a-z0-9_-])"
        ),
        beside_a_user,
        Gate.DIGIT,
    ),
    _near(
        "one_time_code",
        "a one-time code",
        ("code", "otp"),
        (
            rf"(?<![a-z]){_ONE_TIME}[- ](?:pass)?code[^\n.!?0-9]{{0,30}}?{_DIGITS}"
            rf"|(?<![a-z])code\s(?:from|of|in)\s[^\n.,;:!?=0-9]{{0,24}}?(?:authenticator|sms|text)(?: app)?"
            rf"(?:\s?[:=]|\s{_IS})\s?{_DIGITS}|(?<![a-z])otp(?:\s{_IS})?[\s:=]{{1,3}}{_DIGITS}"
            rf"|(?<![a-z])code\s(?:{_IS})\s{_DIGITS}(?=[^\n.!?]{{0,40}}(?<![a-z])(?:sms|text(?:ed)?|authenticator)(?![a-z]))"
        ),
        access_code,
        Gate.DIGIT,
    ),
    _near(
        "token",
        "a long random run that is named a token or key afterwards",
        ("token", "key", "secret", "credential", "password"),
        (
            r"(?<![a-z0-9_/.=+-])([a-z0-9_-]{20,128})(?![a-z0-9_/.+-])[^\n]{0,40}?"
            r"(?<![a-z])(?:token|api[ _-]?key|access[ _-]?key|secret|credential|password)s?(?![a-z])"
        ),
        random_run,
        Gate.RUN,
    ),
)

# Five blocks of five: no other number is written like that.
PRODUCT_KEY = Rule(
    code="license_key",
    about="a product key or recovery key in blocks",
    keywords=("licen", "product", "serial", "activation", "recovery", "registration", "unlock", "bitlocker"),
    gate=Gate.CAPITALS,
    pattern=(
        r"(?i:licen[cs]e|product|serial|activation|recovery|registration|unlock|bitlocker)[^\n]{0,40}?"
        r"(?<![A-Za-z0-9-])((?:[A-Z0-9]{5}-){3,7}[A-Z0-9]{5})(?![A-Za-z0-9-])"
    ),
    token_shaped=False,
)
