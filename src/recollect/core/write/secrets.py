"""Where a text holds a secret.

A clean turn must cost microseconds, so nothing is compiled or tried before the text shows a feature without which no
rule of a group can hit: a long run of token characters, a digit, seven digits, or a rule's keyword.

Never: keeps, logs, prints or raises what it found; a finding is a code and a span. Never denies or masks by itself:
what follows from a finding is the policy's word.
Spec: ruling 10; reliability sheet S4; the codes are listed in docs/reference/secret-codes.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain

from recollect.core.write.secret_rules import RULES, Gate, Hit, Rule, compiled
from recollect.core.write.secret_rules.checks import is_placeholder_form
from recollect.core.write.secret_rules.names import name_code
from recollect.core.write.secret_rules.plain import PlainText, covered, original_spans, plain_text


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretFinding:
    """A code and a span of the original text; never the value."""

    code: str
    start: int
    end: int


_RUN = re.compile(r"[A-Za-z0-9_+/=.:|~%$-]{16}")
_DIGIT = re.compile(r"[0-9]")
_CAPITALS = re.compile(r"[A-Z][A-Z]")
_NUMBER = re.compile(r"[0-9](?:[^0-9]{0,6}[0-9]){6}")


def _keywords(gate: Gate) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Every keyword behind a gate with the places of its rules; a rule without keywords asks for the empty one."""
    places: dict[str, tuple[int, ...]] = {}
    for at, rule in enumerate(RULES):
        if rule.gate is gate:
            for word in rule.keywords or ("",):
                places[word] = (*places.get(word, ()), at)
    return tuple(places.items())


# Parts of the keywords behind a gate: a text with none of them has no such keyword (a test holds these lists).
ROOTS = {
    Gate.WORD: (
        "pass", "pw", "key", "secret", "token", "cred", "auth", "login", "seed", "mnemonic", "phrase", "words", "basic",
        "private", "contrase", "-u", "-p", "/user:",
    ),
    Gate.DIGIT: (
        "code", "pass", "pin", "pw", "word", "lock", "key", "log", "with", "wi-fi", "wifi", "get in", "card", "cv",
        "auth", "comb", "pan",
        "enter", "type", "press", "punch", "tap", "dial", "using", "answer", "admin", "root", "@", "otp", "puk", "ssh",
        "vpn", "ftp", "wpa", "wlan", "network", "hotspot", "licen", "permanent", "national", "ni n", "nino", " p:",
        " p=", "/p:",
    ),
}  # fmt: skip
_WORD_ROOTS, _DIGIT_ROOTS = ROOTS[Gate.WORD], ROOTS[Gate.DIGIT]
_BEHIND_WORD = _keywords(Gate.WORD)
_BEHIND_URL = _keywords(Gate.URL)
_BEHIND_RUN = _keywords(Gate.RUN)
_BEHIND_DIGIT = _keywords(Gate.DIGIT)
_BEHIND_CAPITALS = _keywords(Gate.CAPITALS)
_BEHIND_NUMBER = _keywords(Gate.NUMBER)


def _due(text: str, folded: str) -> list[int]:
    """The places of the rules whose gate and keyword a plain text shows, in order of precedence."""
    due: list[tuple[int, ...]] = []
    if [root for root in _WORD_ROOTS if root in folded]:
        due += [places for word, places in _BEHIND_WORD if word in folded]
    if "://" in text:
        due += [places for word, places in _BEHIND_URL if word in folded]
    if _RUN.search(text):
        due += [places for word, places in _BEHIND_RUN if word in folded]
    if _DIGIT.search(text):
        if [root for root in _DIGIT_ROOTS if root in folded]:
            due += [places for word, places in _BEHIND_DIGIT if word in folded]
        if _CAPITALS.search(text):
            due += [places for word, places in _BEHIND_CAPITALS if word in folded]
        if _NUMBER.search(text):
            due += [places for word, places in _BEHIND_NUMBER if word in folded]
    return sorted(dict.fromkeys(chain.from_iterable(due))) if due else []


def _spans(rule: Rule, plain: PlainText) -> Iterator[tuple[int, int]]:
    """The spans of one rule in the plain text; a refused match is retried one character on."""
    pattern = compiled(rule.pattern)
    seen = plain.folded if rule.folded else plain.text
    at = 0
    while (match := pattern.search(seen, at)) is not None:
        start, end = match.span(match.lastindex or 0)
        hit = Hit(text=plain.text, head=plain.text[match.start() : start], start=start, end=end)
        if rule.check is None or rule.check(hit):
            yield start, end
            at = max(end, match.start() + 1)
        else:
            at = match.start() + 1


# A token glued to another one is seen once the other is covered; longer chains than this do not occur by accident.
_ROUNDS = 8


def _claims(plain: PlainText, due: list[int]) -> list[tuple[int, int, int]]:
    """Start, end and rule of everything the due rules claim, also of what only shows once other claims are covered."""
    claims: list[tuple[int, int, int]] = []
    for _ in range(_ROUNDS):
        fresh = [(*span, at) for at in due for span in _spans(RULES[at], plain)]
        if not fresh:
            break
        claims += fresh
        plain = covered(plain, [(start, end) for start, end, _ in fresh])
    return claims


def find_secrets(text: str) -> tuple[SecretFinding, ...]:
    """Every secret of a text, in order, without overlaps."""
    # Plain ASCII without a feature is the ordinary turn; it leaves here.
    if text.isascii() and not _due(text, text.lower()):
        return ()
    plain = plain_text(text)
    due = _due(plain.text, plain.folded)
    if not due:
        return ()
    settled = _settled(_claims(plain, due))
    spans = original_spans(text, plain, [(start, end) for start, end, _ in settled])
    return tuple(
        SecretFinding(code=RULES[at].code, start=start, end=end)
        for (start, end), (_, _, at) in zip(spans, settled, strict=True)
    )


def _settled(claims: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Overlapping claims become one over all their characters, named by the rule that comes first in the table."""
    settled: list[tuple[int, int, int]] = []
    for start, end, at in sorted(claims):
        if settled and start < settled[-1][1]:
            held_start, held_end, held_at = settled[-1]
            settled[-1] = (held_start, max(held_end, end), min(held_at, at))
        else:
            settled.append((start, end, at))
    return settled


def mask(text: str, findings: Iterable[SecretFinding]) -> str:
    """The text with every span replaced by `[masked:<code>]`."""
    parts: list[str] = []
    at = 0
    for finding in sorted(findings, key=lambda found: (found.start, found.end)):
        if finding.end <= at:
            continue
        parts += (text[at : max(at, finding.start)], f"[masked:{finding.code}]")
        at = finding.end
    parts.append(text[at:])
    return "".join(parts)


def find_in_name(key: str, value: str) -> tuple[SecretFinding, ...]:
    """Secrets of a named value (metadata, tool argument): a telling name makes the whole value one finding."""
    code = name_code(plain_text(key).text)
    if code and not is_placeholder_form(plain_text(value).folded):
        return (SecretFinding(code=code, start=0, end=len(value)),)
    return find_secrets(value)


def has_token(name: str) -> bool:
    """Whether a name is a key or token of a service. Numbers are not judged: a message id may look like a card."""
    return any(finding.code in _token_codes() for finding in find_secrets(name))


@cache
def _token_codes() -> frozenset[str]:
    return frozenset(rule.code for rule in RULES if rule.token_shaped)
