"""Which languages somebody speaks and which tools they use, drive or have stopped using.

Never: takes a tool named in a question or a plan for one in use.
"""

from recollect.core.write.facts.dates import read_zone
from recollect.core.write.facts.finding import Polarity
from recollect.core.write.facts.lexicon import tongues, tools
from recollect.core.write.facts.nouns import read_one_tool, read_tools
from recollect.core.write.facts.readers import NOTHING, Reading, from_list, read_any_of, read_languages, read_pattern
from recollect.core.write.facts.rule import Rule, Step
from recollect.core.write.facts.words import ends_cleanly, longest_in, proper_or_number, words_at

_read_language = from_list(tongues.languages, words=2)
_read_system = read_pattern(
    r"((?:Arch(?: Linux)?|Debian|Fedora|Ubuntu|Linux(?: Mint)?|Manjaro|NixOS|macOS|Mac"
    r"|Windows(?: 1[01])?|Android|iOS|WSL2?)(?: \d[\d.]*)?)"
)


def _read_car(text: str, at: int) -> tuple[Reading, ...]:
    """A make and what follows it in capitals or numbers: "Subaru Outback"."""
    words = words_at(text, at, 5)
    count = longest_in(words, tools.makes(), 2)
    if not count:
        return NOTHING
    count += proper_or_number(words[count:])
    end = words[count - 1].end
    if not ends_cleanly(text, end):
        return NOTHING
    return (Reading(value=text[words[0].start : end], start=words[0].start, end=end),)


_USE = "present:use progress:use since:use"

RULES: tuple[Rule, ...] = (
    Rule(
        on="present:speak can:speak",
        lead=r"\s+(?:a\s+little\s+|some\s+|fluent\s+|a\s+bit\s+of\s+|both\s+|only\s+|mostly\s+)?",
        read=read_languages,
        predicate="speaks",
        denied=Polarity.NO,
    ),
    Rule(
        on="be:fluent be:bilingual be:trilingual be:proficient",
        lead=r"\s+in\s+(?:both\s+)?",
        read=read_languages,
        predicate="speaks",
        denied=Polarity.NO,
    ),
    Rule(
        on="progress:learn since:learn progress:study since:study",
        read=read_any_of(_read_language),
        predicate="learning",
    ),
    Rule(
        on="progress:learn since:learn",
        lead=r"\s+(?:how\s+to\s+(?:use|code\s+in)\s+)?",
        read=read_tools,
        predicate="learning",
    ),
    Rule(on=_USE, lead=r"\s+(?:both\s+|mainly\s+|mostly\s+)?", read=read_tools, predicate="uses", denied=Polarity.NO),
    Rule(
        on="present:code present:program progress:code",
        lead=r"\s+(?:mostly\s+|mainly\s+)?in\s+",
        read=read_tools,
        predicate="uses",
    ),
    Rule(
        on="present:write",
        lead=r"\s+(?:(?:most\s+of\s+|all\s+)?(?:my\s+)?code\s+|mostly\s+)in\s+",
        read=read_tools,
        predicate="uses",
    ),
    Rule(
        on="present:track present:keep",
        lead=r"\s+(?:all\s+)?my\s+(?:tasks|notes|todos|to-dos|time|books|budget)\s+(?:in|with|on)\s+",
        read=read_tools,
        predicate="uses",
    ),
    Rule(on="be:on be:running progress:run", read=_read_system, predicate="uses"),
    Rule(
        on="past:stop perfect:stop present:quit past:quit perfect:quit",
        lead=r"\s+using\s+",
        read=read_tools,
        says=Polarity.ENDED,
        predicate="uses",
    ),
    Rule(
        on="past:switch perfect:switch",
        lead=r"\s+from\s+",
        read=read_one_tool,
        then=(Step(lead=r"\s+(?:over\s+)?to\s+", read=read_tools, predicate="uses"),),
        after=r"\s+(?:over\s+)?to\b",
        says=Polarity.ENDED,
        predicate="uses",
    ),
    Rule(
        on="past:switch perfect:switch",
        lead=r"\s+(?:over\s+)?to\s+(?:using\s+)?",
        read=read_tools,
        corrects=True,
        predicate="uses",
    ),
    Rule(on="present:drive", lead=r"\s+(?:an?|my)\s+(?:old\s+|new\s+|used\s+)?", read=_read_car, predicate="drives"),
    Rule(on="be:on be:in", read=read_zone, predicate="timezone"),
)
