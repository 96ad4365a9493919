"""What of a turn may be stored at all. Runs before anything else looks at the words.

1. `mask` cuts each secret's span out of the text, the metadata, the file paths, the names; the rest is kept.
2. `deny` refuses every item of the turn; so does a forbidden pattern of the policy, whatever the action.
3. Markers are words, not substrings: `classname` is not an SSN, a `tokenizer` is not a token.

Never: puts what it found into an event, a key, a log line or an error; only the code of the rule leaves this file.
Spec: contract v1 "Privacy rules"; facts 4.7; ruling 10.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from recollect.core.policy import Privacy
from recollect.core.values import Turn
from recollect.core.write.secrets import find_in_name, find_secrets, has_token, mask


class Cleared(NamedTuple):
    """A turn with its secrets cut out, the codes of what was found, and the code of a denial ('' for none)."""

    turn: Turn
    codes: tuple[str, ...] = ()
    denial: str = ""


def clear(turn: Turn, privacy: Privacy) -> Cleared:
    """Judge and clean one turn."""
    codes: list[str] = []
    text = _clean(turn.text, codes)
    if codes or turn.meta or turn.speaker or turn.ref or turn.tool or turn.files or turn.source != "chat":
        cleaned = replace(
            turn,
            text=text,
            speaker=_clean(turn.speaker, codes),
            # A caller's own message id stays what it is, unless it is a token.
            ref=_clean(turn.ref, codes) if has_token(turn.ref) else turn.ref,
            source=_clean(turn.source, codes),
            tool=_clean(turn.tool, codes),
            files=tuple(_clean(path, codes) for path in turn.files),
            meta=tuple(_clean_pair(key, value, codes) for key, value in turn.meta),
        )
    else:
        cleaned = turn
    return Cleared(turn=cleaned, codes=tuple(sorted(set(codes))), denial=_denial(turn, privacy, codes))


def _denial(turn: Turn, privacy: Privacy, codes: list[str]) -> str:
    if privacy.action == "deny" and (codes or _names_a_secret(turn, privacy.markers)):
        return "privacy_deny_sensitive"
    if any(pattern.search(turn.text) for pattern in _patterns(privacy.deny_patterns)):
        return "privacy_deny_pattern"
    return ""


def _names_a_secret(turn: Turn, markers: tuple[str, ...]) -> bool:
    if not markers:
        return False
    words = " ".join((turn.text, turn.tool, *turn.files, *(f"{key} {value}" for key, value in turn.meta)))
    return _marker_pattern(markers).search(words) is not None


@lru_cache(maxsize=64)
def _marker_pattern(markers: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<![^\W_]){re.escape(marker)}s?(?![^\W_])" for marker in markers), re.IGNORECASE)


@lru_cache(maxsize=64)
def _patterns(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


def _clean(text: str, codes: list[str]) -> str:
    if not text:
        return text
    findings = find_secrets(text)
    if not findings:
        return text
    codes.extend(finding.code for finding in findings)
    return mask(text, findings)


def _clean_pair(key: str, value: str, codes: list[str]) -> tuple[str, str]:
    findings = find_in_name(key, value)
    if findings:
        codes.extend(finding.code for finding in findings)
        value = mask(value, findings)
    return _clean(key, codes), _clean(value, codes)
