"""Facts given as the answer to a question: "Where do you live?" "Lisbon."

Decides: which questions are about the one who is asked, and how their answers are read.
Never: reads an answer to two questions at once, or one that asks back, hedges or goes on.
"""

import re
from dataclasses import dataclass
from functools import cache

from recollect.core.write.facts.blanks import blank
from recollect.core.write.facts.dates import read_bare_age, read_date, read_turned, read_zone
from recollect.core.write.facts.finding import ELLIPTIC, Finding
from recollect.core.write.facts.lexicon import roles, tongues
from recollect.core.write.facts.lookalikes import taken_back
from recollect.core.write.facts.names import read_name, read_organisation, read_place
from recollect.core.write.facts.nouns import read_favorite
from recollect.core.write.facts.occupations import read_role, read_title
from recollect.core.write.facts.readers import Reader, from_list, read_any_of, read_languages
from recollect.core.write.facts.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One row: the question, what may lead the answer, how it is read."""

    pattern: str
    predicate: str
    read: Reader
    lead: str = ""


QUESTIONS: tuple[Question, ...] = (
    Question(
        pattern=(
            r"where\s+(?:do|are)\s+you\s+(?:currently\s+|now\s+)?(?:live|living|based|located)"
            r"|which\s+city\s+do\s+you\s+live\s+in|where\s+is\s+home"
        ),
        predicate="lives_in",
        read=read_place,
        lead=r"in\s+",
    ),
    Question(
        pattern=r"where\s+are\s+you\s+(?:originally\s+)?from|where\s+do\s+you\s+come\s+from",
        predicate="from",
        read=read_place,
        lead=r"from\s+",
    ),
    Question(pattern=r"where\s+were\s+you\s+born", predicate="born_in", read=read_place, lead=r"in\s+"),
    Question(
        pattern=(
            r"what(?:'s|\s+is)\s+your\s+(?:full\s+|first\s+)?name|what\s+should\s+i\s+call\s+you"
            r"|what\s+are\s+you\s+called|who\s+am\s+i\s+(?:talking|speaking)\s+(?:to|with)"
        ),
        predicate="name",
        read=read_name,
    ),
    Question(
        pattern=(
            r"where\s+do\s+you\s+work|(?:who|which\s+company)\s+do\s+you\s+work\s+(?:for|at)|who(?:'s"
            r"|\s+is)\s+your\s+employer"
        ),
        predicate="works_at",
        read=read_organisation,
        lead=r"(?:at|for)\s+",
    ),
    Question(
        pattern=(
            r"what\s+do\s+you\s+do(?:\s+for\s+(?:a\s+living|work))?\s*$|what(?:'s|\s+is)\s+your\s+(?:job"
            r"|occupation|profession|role|job\s+title)"
        ),
        predicate="role",
        read=read_any_of(read_role, read_title),
        lead=r"(?:i'm\s+|i\s+am\s+)?(?:an?\s+|the\s+)",
    ),
    Question(
        pattern=(
            r"when(?:'s|\s+is)\s+your\s+birthday|what(?:'s|\s+is)\s+your\s+(?:birthday|date\s+of\s+birth)"
            r"|when\s+were\s+you\s+born"
        ),
        predicate="birthday",
        read=read_date,
    ),
    Question(
        pattern=r"how\s+old\s+are\s+you|what(?:'s|\s+is)\s+your\s+age",
        predicate="age",
        read=read_any_of(read_bare_age, read_turned),
    ),
    Question(
        pattern=r"(?:what|which)(?:'s|\s+is)?\s+(?:your\s+)?time\s?zone",
        predicate="timezone",
        read=read_zone,
        lead=r"(?:in\s+|on\s+)",
    ),
    Question(
        pattern=r"what(?:'s|\s+is)\s+your\s+favou?rite\s+(?P<slot>[a-z]+(?:\s+[a-z]+)?)\s*$",
        predicate="favorite",
        read=read_favorite,
    ),
    Question(
        pattern=r"what(?:'s|\s+is)\s+your\s+(?:native\s+language|mother\s+tongue|first\s+language)",
        predicate="native_language",
        read=from_list(tongues.languages, words=2),
    ),
    Question(
        pattern=r"what\s+languages?\s+do\s+you\s+speak|which\s+languages\s+do\s+you\s+speak",
        predicate="speaks",
        read=read_languages,
    ),
    Question(
        pattern=r"what\s+(?:do|are)\s+you\s+study(?:ing)?|what(?:'s|\s+is)\s+your\s+major",
        predicate="studies",
        read=from_list(roles.fields_of_study),
    ),
    Question(pattern=r"when(?:'s|\s+is)\s+your\s+(?:wedding\s+)?anniversary", predicate="anniversary", read=read_date),
)

_LEAD = (
    r"\s*(?:(?:oh|well|um+|uh+|hmm+|ok|okay|sure|it's|it\s+is|that's|that\s+would\s+be|that'd\s+be"
    r"|definitely|honestly|currently|right\s+now|just)[,.:]?\s+){0,3}"
)
_REST = (
    r"\s*(?:$|[.!]+\s*$|[,!.]\s*(?:definitely|actually|and\s+you|thanks|thank\s+you|please|of\s+course"
    r"|for\s+sure|hands\s+down|always|though|why|nice\s|how\s+about|what\s+about|you|by\s+far|no\s+contest"
    r"|but)\b)"
)
_NO_ANSWER = re.compile(
    r"\s*(?:no|yes|yeah|nope|yep|why|guess|nowhere|everywhere|anywhere|somewhere|none|nothing|depends"
    r"|idk|dunno|same|secret|private|pass|sure|maybe|not|hard|it\s+depends|i\s+don't|ask|which|what"
    r"|who|google|abroad|home|here|there)\b",
    re.IGNORECASE,
)
_LAST_QUESTION = re.compile(r"([^.!?\n]{3,160})\?\s*$")


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def answered(scene: Scene, question: str) -> list[Finding]:
    """Return the fact a short answer gives to the question before it."""
    asked = blank(question[-400:])
    last = _LAST_QUESTION.search(asked)
    if last is None or asked.count("?") != 1 or _NO_ANSWER.match(scene.text) or "?" in scene.text:
        return []
    for row in QUESTIONS:
        match = _pattern(row.pattern).search(last.group(1).strip())
        if match and not taken_back(last.group(1)[: match.start()], ""):
            return _read(scene, row, (match.groupdict().get("slot") or "").casefold())
    return []


def _read(scene: Scene, row: Question, slot: str) -> list[Finding]:
    lead = _pattern(rf"{_LEAD}(?:{row.lead})?" if row.lead else _LEAD).match(scene.text)
    at = lead.end() if lead else 0
    readings = row.read(scene.text, at)
    if not readings or not _pattern(_REST).match(scene.text, readings[-1].end):
        return []
    if taken_back("", scene.text[readings[-1].end :]):
        return []
    return [
        Finding(
            subject=scene.me,
            predicate=row.predicate,
            slot=slot or item.slot,
            value=item.value,
            start=item.start,
            end=item.end,
            kind="none" if item.kind == "person" else item.kind,
            confidence=ELLIPTIC,
        )
        for item in readings
    ]
