"""Where and as what somebody works or studies.

Never: takes an interview, a wish or a day's errand for a job; "I left X" is read only with a word that says it was one.
"""

from recollect.core.write.facts.finding import Polarity
from recollect.core.write.facts.lexicon import roles, tools
from recollect.core.write.facts.names import read_organisation
from recollect.core.write.facts.occupations import read_role, read_title
from recollect.core.write.facts.places import LASTING
from recollect.core.write.facts.readers import NOTHING, Reading, from_list, read_any_of, read_pattern
from recollect.core.write.facts.rule import Rule, Step
from recollect.core.write.facts.words import ends_cleanly, longest_in, words_at

_WORK = "present:work progress:work since:work"
_MANNER = r"(?:(?:over|nights|days|weekends|shifts|part[- ]time|full[- ]time|remotely|freelance|mostly)\s+)?"
_AT_ORG = Step(lead=r"\s+(?:at|for|with|of)\s+", read=read_organisation, predicate="works_at")
_AS_ROLE = Step(lead=r"\s+as\s+(?:an?|the)\s+", read=read_role, predicate="role")
_AT_SCHOOL = Step(lead=r"\s+at\s+", read=read_organisation, predicate="studies_at")
_SCHOOL = (
    r"((?:the\s+)?(?:[A-Z][\w.'-]+\s+){0,3}(?:University|College|Institute"
    r"|Academy)(?:\s+of\s+(?:[A-Z][\w-]+\s?){1,3}(?<!\s))?|MIT|UCLA|NYU|ETH|Oxford|Cambridge|Harvard"
    r"|Stanford|Yale|Princeton)"
)


def _read_joined(text: str, at: int) -> tuple[Reading, ...]:
    """An organisation one can be employed by, not an app one can sign up for."""
    found = read_organisation(text, at)
    return found if found and found[0].kind == "org" and found[0].value.casefold() not in tools.tools() else NOTHING


def _read_teaching(text: str, at: int) -> tuple[Reading, ...]:
    """ "teach chemistry" makes a chemistry teacher."""
    words = words_at(text, at, 3)
    count = longest_in(words, roles.subjects_taught(), 2)
    if not count or not ends_cleanly(text, words[count - 1].end):
        return NOTHING
    value = f"{text[words[0].start : words[count - 1].end]} teacher"
    return (Reading(value=value, start=words[0].start, end=words[count - 1].end, slot=value),)


_read_home = read_pattern(
    r"((?:home|the\s+office|an\s+office|a\s+coworking\s+space|anywhere|cafes|caf\xe9s)"
    r"(?:\s+(?:on\s+\w+days?(?:\s+and\s+\w+days?)?|most\s+days|every\s+day|full[- ]time|part[- ]time"
    r"|(?:one|two|three|four|\d)\s+days\s+a\s+week))?)"
)
_read_retired = read_pattern(r"(retired)")

RULES: tuple[Rule, ...] = (
    Rule(
        on=_WORK,
        lead=rf"\s+{_MANNER}(?:at|for|with)\s+",
        read=read_organisation,
        predicate="works_at",
        then=(_AS_ROLE,),
    ),
    Rule(on=_WORK, lead=r"\s+in\s+", read=from_list(roles.industries), predicate="industry"),
    Rule(on=_WORK, lead=r"\s+as\s+(?:an?\s+|the\s+)?", read=read_role, predicate="role", then=(_AT_ORG,)),
    Rule(on="present:work progress:work since:work", lead=r"\s+from\s+", read=_read_home, predicate="works_from"),
    Rule(on="been:at been:with", read=_read_joined, after=r"\s+(?:for\s+\w+|since)\b", predicate="works_at"),
    Rule(on="perfect:work", lead=r"\s+(?:at|for)\s+", read=read_organisation, after=LASTING, predicate="works_at"),
    Rule(on="been:a been:an", read=read_role, after=LASTING, predicate="role", then=(_AT_ORG,)),
    Rule(on="used:work past:work", lead=r"\s+(?:at|for)\s+", read=read_organisation, predicate="worked_at"),
    Rule(on="be:employed", lead=r"\s+(?:by|at|with)\s+", read=read_organisation, predicate="works_at"),
    Rule(on="past:join perfect:join", read=_read_joined, predicate="works_at", corrects=True, then=(_AS_ROLE,)),
    Rule(
        on="past:start perfect:start",
        lead=r"\s+(?:working\s+(?:at|for|with)|(?:a\s+new\s+job|my\s+new\s+job|a\s+job)\s+(?:at|with))\s+",
        read=read_organisation,
        predicate="works_at",
        corrects=True,
        then=(_AS_ROLE,),
    ),
    Rule(
        on="be:at",
        read=_read_joined,
        before=r"\b(?:jobs?|companies|employers?|left|quit|joined)\b",
        predicate="works_at",
        corrects=True,
    ),
    Rule(
        on="past:leave perfect:leave present:quit past:quit perfect:quit",
        lead=r"\s+my\s+(?:job|position|role)\s+(?:at|with)\s+",
        read=read_organisation,
        predicate="works_at",
        says=Polarity.ENDED,
    ),
    Rule(
        on="past:stop perfect:stop present:quit past:quit perfect:quit",
        lead=r"\s+working\s+(?:at|for)\s+",
        read=read_organisation,
        predicate="works_at",
        says=Polarity.ENDED,
    ),
    Rule(on="be:a be:an be:the", read=read_any_of(read_role, read_title), predicate="role", then=(_AT_ORG,)),
    Rule(on="be:*", read=read_title, predicate="role", then=(_AT_ORG,)),
    Rule(
        on="past:get perfect:get was:promoted been:promoted",
        lead=r"\s+(?:promoted\s+)?to\s+(?:an?\s+|the\s+)?",
        read=read_any_of(read_role, read_title),
        predicate="role",
        corrects=True,
        then=(_AT_ORG,),
    ),
    Rule(
        on="present:teach",
        read=_read_teaching,
        predicate="role",
        then=(Step(lead=r"\s+at\s+", read=read_organisation, predicate="works_at"),),
    ),
    Rule(on="be:* perfect:* past:*", read=_read_retired, predicate="role"),
    Rule(
        on="present:study progress:study since:study progress:major present:major",
        lead=r"\s+(?:in\s+)?",
        read=from_list(roles.fields_of_study),
        predicate="studies",
        then=(_AT_SCHOOL,),
    ),
    Rule(
        on="present:study progress:study since:study", lead=r"\s+at\s+", read=read_organisation, predicate="studies_at"
    ),
    Rule(
        on="present:attend present:go",
        lead=r"\s+(?:to\s+)?",
        read=read_pattern(_SCHOOL, flags=0),
        predicate="studies_at",
    ),
    Rule(on="past:graduate perfect:graduate", lead=r"\s+from\s+", read=read_organisation, predicate="graduated_from"),
)
