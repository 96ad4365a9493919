"""When something promised is due, read from the words and the moment they were said.

Days and hours are those of the user's clock where the turn says how far it is from UTC (`utc_offset`, as `+05:30`),
else of UTC. An offset is data and the same everywhere; a zone's name would need tables that machines disagree on.

Never: reads a clock. The moment comes in as data.
Spec: facts 3.10 (timebox words; "no overdue" as a stated gap); ruling "days only where a rule names them".
"""

from __future__ import annotations

import re

# What a turn carries it as; the door writes it when a moment comes in with its offset.
OFFSET = "utc_offset"
DAY_MS = 86_400_000
HOUR_MS = 3_600_000
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CLOCK = re.compile(
    r"\b(?:at|by|before|around)?\s*(\d{1,2})(?::(\d{2}))?\s*(am|pm|baje)\b|\bat\s+(\d{1,2})(?::(\d{2}))?\b", re.I
)
_IN = re.compile(r"\bin\s+(\d{1,3}|a|an|one|two|three)\s+(hour|day|week|month)s?\b", re.I)
_WEEKDAY = re.compile(rf"\b(next\s+)?({'|'.join(WEEKDAYS)})\b", re.I)
_OFFSET = re.compile(r"([+-])(\d{2}):([0-5]\d)")
_SPANS = {"hour": HOUR_MS, "day": DAY_MS, "week": 7 * DAY_MS, "month": 30 * DAY_MS}
_WORDS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
# (pattern, days from the day it was said); the first that matches wins.
_DAYS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"\b(?:day after tomorrow|parso|parson)\b|परसों", re.I), 2),
    (re.compile(r"\b(?:tomorrow|tmrw|kal)\b|कल", re.I), 1),
    (re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening)|end of (?:the )?day|aaj)\b|आज", re.I), 0),
    (re.compile(r"\bnext week\b", re.I), 7),
    (re.compile(r"\b(?:this|the) weekend\b", re.I), -6),
)


def offset_ms(told: str) -> int:
    """How far a clock is ahead of UTC: `+05:30` in milliseconds, 0 for anything else."""
    found = _OFFSET.fullmatch(told)
    if found is None:
        return 0
    minutes = int(found.group(2)) * 60 + int(found.group(3))
    return (-minutes if found.group(1) == "-" else minutes) * 60_000


def due_ms(text: str, said_ms: int, ahead_ms: int = 0) -> int:
    """The moment something is due, or 0 where the words name none; by a clock that is ahead of UTC by so much."""
    due = _due(text, said_ms + ahead_ms)
    return max(0, due - ahead_ms) if due else 0


def _due(text: str, said_ms: int) -> int:
    lowered = text.lower()
    soon = _IN.search(lowered)
    if soon:
        count = _WORDS.get(soon.group(1)) or int(soon.group(1))
        return said_ms + count * _SPANS[soon.group(2)]
    day = _day(lowered, said_ms)
    clock = _clock(lowered)
    if day is None and clock is None:
        return 0
    start = said_ms - said_ms % DAY_MS + (day or 0) * DAY_MS
    if clock is None:
        return start + DAY_MS - 1
    # "at 7" said at nine is the next seven o'clock.
    return start + clock + (DAY_MS if day is None and start + clock <= said_ms else 0)


def _day(lowered: str, said_ms: int) -> int | None:
    # 1 January 1970 was a Thursday.
    today = (said_ms // DAY_MS + 3) % 7
    for pattern, days in _DAYS:
        if pattern.search(lowered):
            return (6 - today) % 7 if days == -6 else days
    found = _WEEKDAY.search(lowered)
    if found is None:
        return None
    ahead = (WEEKDAYS.index(found.group(2).lower()) - today) % 7
    return ahead or 7


def _clock(lowered: str) -> int | None:
    found = _CLOCK.search(lowered)
    if found is None:
        return None
    hour = int(found.group(1) or found.group(4))
    minute = int(found.group(2) or found.group(5) or 0)
    half = (found.group(3) or "").lower()
    if hour > 24 or minute > 59:
        return None
    if half in {"am", "pm"}:
        hour = hour % 12 + (12 if half == "pm" else 0)
    return (hour % 24) * HOUR_MS + minute * 60_000
