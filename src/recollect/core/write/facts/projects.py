"""What is being worked on: the project's name, its deadline, its launch, what it is made with.

Decides: when a word is a project ("a project called X", "the X deadline", "our backend").
Never: makes a project of a task at hand ("I'm working on it", "on Monday").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.dates import read_due
from recollect.core.write.facts.finding import SURE, Finding, Polarity, project
from recollect.core.write.facts.lexicon import places, tools
from recollect.core.write.facts.nouns import read_tools
from recollect.core.write.facts.readers import NOTHING, Reader, Reading, proper_words
from recollect.core.write.facts.scene import Scene
from recollect.core.write.facts.words import ends_cleanly, words_at

_NAME = r"(?P<name>[^\W\d_a-z][\w'-]{1,24}(?:\s+[^\W\d_a-z][\w'-]{0,24}){0,2})"
_PLAIN_NAME = (
    r"(?P<plain>(?!this\b|that\b|it\b|these\b|those\b|all\b|me\b|you\b|us\b|next\b"
    r"|any\b)[a-z][\w-]{1,20}(?:\s+[a-z][\w-]{1,20}){0,2})"
)
_WORKS = (
    r"(?:project|app|website|site|product|tool|service|game|library|startup|platform|plugin|extension|bot"
    r"|package|book|novel|podcast|newsletter|blog|film|documentary|paper|album|thesis|dissertation"
    r"|prototype)"
)
_LARGE = (
    r"(?:redesign|migration|rewrite|refactor(?:ing)?|dashboard|thesis|dissertation|prototype|rollout|integration|launch"
    r"|project|app|website|upgrade|report|proposal|campaign|initiative|overhaul|port|pipeline|platform"
    r"|paper|renovation)"
)
_PARTS = (
    r"(?:project|app|backend|frontend|back-end|front-end|api|service|website|codebase|stack|product"
    r"|platform|team|company|monorepo|pipeline|infrastructure|infra)"
)

_CALLED = re.compile(
    rf"(?:an?\s+|the\s+|my\s+|our\s+|this\s+)?(?:[\w-]+\s+){{0,4}}?{_WORKS}\s*,?\s+(?:called|named"
    rf"|code-?named|titled)\s+[\"']?{_NAME}",
    re.UNICODE,
)
_BY_WORD = re.compile(
    rf"(?:(?:the|my|our)\s+)?(?:[Pp]roject\s+{_NAME}|{_NAME.replace('name', 'other')}\s+[Pp]roject)(?!\w)"
)
_LARGE_WORK = re.compile(
    rf"(?:the|my|our)\s+((?!new\b|same\b|next\b|first\b|second\b"
    rf"|whole\b)(?:[a-z][\w-]{{1,20}}\s+){{1,3}}?{_LARGE})(?![\w-])"
)


def read_project(text: str, at: int) -> tuple[Reading, ...]:
    """A project after "working on": by name, or by what it is where that is large enough to last."""
    for pattern in (_CALLED, _BY_WORD):
        match = pattern.match(text, at)
        if match:
            group = next(name for name in ("name", "other") if match.groupdict().get(name))
            return _reading(text, match.start(group), match.end(group), match.end())
    large = _LARGE_WORK.match(text, at)
    if large:
        value = large.group(1).removesuffix(" project")
        return _reading(text, large.start(1), large.start(1) + len(value), large.end())
    run = proper_words(words_at(text, at, 4), limit=3)
    if not run or run[0].low in places.not_places() or run[0].low in tools.tools():
        return NOTHING
    return _reading(text, run[0].start, run[-1].end, run[-1].end)


def _reading(text: str, start: int, end: int, whole_end: int) -> tuple[Reading, ...]:
    if not ends_cleanly(text, whole_end):
        return NOTHING
    value = text[start:end]
    return (Reading(value=value, start=start, end=whole_end, slot=value, kind="none"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A sentence about a project: the words one of which it must have, up to the object, how that is read."""

    cues: tuple[str, ...]
    pattern: str
    read: Reader
    predicate: str
    corrects: bool = False


_OPEN = r"(?:^|[,;:]\s+|\b(?:and|but|so|that|btw|actually|fyi|remember|oh)\s+)"
_LONG_NAME = _NAME[:-1] + r"(?:\s+(?:report|paper|proposal|launch|release|redesign|migration|campaign|grant|audit))?)"
_SUBJECT = rf"(?:the\s+|our\s+|my\s+)?(?:project\s+)?(?:{_LONG_NAME}|{_PLAIN_NAME})(?:\s+project)?"
_NAMED = (
    rf"(?:(?:the\s+|our\s+|my\s+)?(?:[Pp]roject\s+{_NAME}|{_NAME.replace('name', 'other')}\s+(?:[Pp]roject"
    rf"|app|site|website)))"
)
_IS = r"(?:'s|\s+is|\s+is\s+now|\s+is\s+still)"
_SHIFTED = r"(?:\s+(?:has\s+)?(?:been\s+)?(?:moved|shifted|slipped|pushed(?:\s+back)?|changed)\s+to)"
_MINE = (
    r"(?:my|our)\s+(?P<plain>thesis|dissertation|paper|essay|grant\s+application|capstone|manuscript"
    r"|tax\s+return|project\s+proposal)"
)

_DEADLINE = ("deadline",)
_DUE = ("due",)
_LAUNCH = ("launch", "ship", "live", "release")
_MADE_WITH = ("uses", "runs", "written", "built")
_TITLES = ("called", "named", "titled", "name")
_CUES = (*_DEADLINE, *_DUE, *_LAUNCH, *_MADE_WITH, *_TITLES)

FRAMES: tuple[Frame, ...] = (
    Frame(
        cues=_DEADLINE,
        pattern=rf"{_OPEN}(?:the\s+)?deadline\s+(?:for|of)\s+{_SUBJECT}{_IS}\s+",
        read=read_due,
        predicate="deadline",
    ),
    Frame(
        cues=_DEADLINE,
        pattern=rf"{_OPEN}(?:the\s+)?deadline\s+(?:for|of)\s+{_SUBJECT}{_SHIFTED}\s+",
        read=read_due,
        predicate="deadline",
        corrects=True,
    ),
    Frame(
        cues=_DEADLINE,
        pattern=rf"{_OPEN}(?:the\s+|our\s+|my\s+){_NAME}(?:\s+project)?(?:'s)?\s+deadline{_IS}\s+",
        read=read_due,
        predicate="deadline",
    ),
    Frame(
        cues=_DEADLINE,
        pattern=rf"{_OPEN}(?:the\s+|our\s+|my\s+){_NAME}(?:\s+project)?(?:'s)?\s+deadline{_SHIFTED}\s+",
        read=read_due,
        predicate="deadline",
        corrects=True,
    ),
    Frame(cues=_DUE, pattern=rf"{_OPEN}{_MINE}{_IS}\s+due\s+", read=read_due, predicate="deadline"),
    Frame(cues=_DEADLINE, pattern=rf"{_OPEN}{_MINE}\s+deadline{_IS}\s+", read=read_due, predicate="deadline"),
    Frame(cues=_DUE, pattern=rf"{_OPEN}{_NAMED}{_IS}\s+due\s+", read=read_due, predicate="deadline"),
    Frame(
        cues=_LAUNCH,
        pattern=(
            rf"{_OPEN}{_NAMED}\s+(?:launches|ships|goes\s+live|releases|is\s+launching|is\s+shipping"
            rf"|will\s+launch)\s+"
        ),
        read=read_due,
        predicate="launch_date",
    ),
    Frame(
        cues=_MADE_WITH,
        pattern=(
            rf"{_OPEN}(?:our|my)\s+(?P<plain>(?i:{_PARTS}))(?:\s+(?:mainly\s+|mostly\s+)?uses|\s+runs\s+on"
            rf"|{_IS}\s+(?:written\s+in|built\s+(?:with|on|in|using)))\s+"
        ),
        read=read_tools,
        predicate="uses",
    ),
    Frame(
        cues=_MADE_WITH,
        pattern=rf"{_OPEN}{_NAMED}(?:\s+uses|\s+runs\s+on|{_IS}\s+(?:written\s+in|built\s+(?:with|on|in|using)))\s+",
        read=read_tools,
        predicate="uses",
    ),
)
_TITLED = (
    rf"{_OPEN}(?:my|our)\s+(?:new\s+|current\s+|latest\s+)?(?:side\s+|pet\s+|main\s+|open[- ]source\s+"
    rf"|research\s+)?{_WORKS}(?:'s\s+name\s+is|{_IS}\s+(?:called|named|titled))\s+[\"']?{_NAME}"
)


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def framed(scene: Scene, start: int, end: int) -> Iterator[Finding]:
    """Yield what a stretch of text says about projects."""
    text = scene.text
    lowered = text[start:end].lower()
    said = [cue for cue in _CUES if cue in lowered]
    if not said:
        return
    frames = [frame for frame in FRAMES if any(cue in frame.cues for cue in said)]
    is_titled = any(cue in _TITLES for cue in said)
    stretch = _LOWERED.sub(lambda match: match.group().lower(), text[start:end], count=1)
    for frame in frames:
        match = _pattern(frame.pattern).search(stretch)
        if match is None:
            continue
        name = next(match.group(group) for group in ("name", "other", "plain") if match.groupdict().get(group))
        for item in frame.read(text[:end], start + match.end()):
            yield Finding(
                subject=project(name),
                predicate=frame.predicate,
                slot=item.slot,
                value=item.value,
                start=start + match.start(),
                end=item.end,
                corrects=frame.corrects,
                kind="none",
                confidence=SURE,
            )
    titled = _pattern(_TITLED).search(stretch) if is_titled else None
    if titled and ends_cleanly(text, start + titled.end()):
        yield on_project(titled.group("name"), start + titled.start(), start + titled.end())


# The first word of a sentence is capitalised by rule, which must not make a name of "The" or "Our".
_LOWERED = re.compile(r"^\s*(?:The|Our|My|Project|Deadline|And|But|So|That|Btw|Actually|Remember|Oh)\b")


def on_project(name: str, start: int, end: int, *, polarity: Polarity = Polarity.YES) -> Finding:
    """Return the claim that a project is being worked on."""
    return Finding(
        subject=project(name), predicate="worked_on", value=name, start=start, end=end, kind="none", polarity=polarity
    )
