"""Who somebody is: name, age, whether they are married, what they work on, what others take care of.

Never: takes any capitalised word after "I'm" for a name; it needs a greeting before it or an apposition after it.
"""

from recollect.core.write.facts.dates import read_age, read_date, read_turned
from recollect.core.write.facts.finding import Polarity
from recollect.core.write.facts.lexicon import roles, tools
from recollect.core.write.facts.lexicon.entry import spaced
from recollect.core.write.facts.names import read_name
from recollect.core.write.facts.nouns import read_charge
from recollect.core.write.facts.projects import read_project
from recollect.core.write.facts.readers import NOTHING, Reading, read_pattern
from recollect.core.write.facts.rule import Rule

_GREETED = r"\b(?:hi|hey|hello|hola|bonjour|greetings|howdy|good\s+(?:morning|evening|afternoon)|intro|yo)\b"
_INTRODUCED = (
    r"\s*(?:,\s*(?:an?\s|the\s|head\s|ceo|cto|founder|nice\s|your\s|from\s|pleased|i\s|i'm\s)"
    r"|\s+and\s+i(?:'m|\s+am)\s|\s+from\s|\s+here\b|,?\s+btw\b|,?\s+by\s+the\s+way\b)"
)
_read_status = read_pattern(
    r"((?:happily\s+)?(?:married|divorced|widowed)|single(?=\s*(?:$|[.,!;]|\s(?:and|now|again)\b))"
    r"|engaged(?=\s*(?:$|[.,!;]|\s(?:now)\b))|separated(?=\s*(?:$|[.!;])))(?![\w-])"
)


def _read_introduced(text: str, at: int) -> tuple[Reading, ...]:
    """A name after "I'm" that is neither a title, an occupation nor a tool."""
    found = read_name(text, at)
    if not found:
        return NOTHING
    low = found[0].value.casefold()
    first = low.split()[0]
    if low in roles.roles() or low in roles.titles() or low in tools.tools() or first in _NOT_INTRODUCED:
        return NOTHING
    return found if not found[0].value.isupper() or len(low) > 4 else NOTHING


_NOT_INTRODUCED = spaced(
    """
muslim christian jewish hindu buddhist catholic protestant atheist asian african european latino latina black white
gay bi trans good great fine well happy sad tired bored glad back new done sure afraid curious interested looking
trying happy excited so very really team ai hr it
    """
)

RULES: tuple[Rule, ...] = (
    Rule(on="be:*", read=read_age, predicate="age"),
    Rule(on="past:turn perfect:turn", read=read_turned, predicate="age"),
    Rule(on="be:*", read=_read_status, predicate="marital_status"),
    Rule(on="past:get", lead=r"\s+married\s+(?=on\b|the\b)", read=read_date, predicate="anniversary"),
    Rule(
        on="past:get perfect:get",
        read=read_pattern(r"(married|engaged|divorced)(?!\s+(?:to|on|in|off))"),
        predicate="marital_status",
        corrects=True,
    ),
    Rule(
        on="present:go",
        lead=r"\s+by\s+(?:the\s+name\s+(?:of\s+)?)?",
        read=read_name,
        after=r"(?!\s+(?:train|bus|car))",
        predicate="goes_by",
    ),
    Rule(on="be:called be:named", read=read_name, predicate="name"),
    Rule(on="progress:work since:work", lead=r"\s+on\s+", read=read_project, predicate="worked_on"),
    Rule(
        on="progress:build progress:develop progress:write progress:maintain present:maintain since:build",
        read=read_project,
        predicate="worked_on",
    ),
    Rule(
        on="past:finish perfect:finish",
        lead=r"\s+(?:working\s+on\s+)?",
        read=read_project,
        says=Polarity.ENDED,
        predicate="worked_on",
    ),
    Rule(
        on="present:handle present:manage present:lead present:run",
        read=read_charge,
        predicate="handles",
        others_only=True,
    ),
    Rule(on="be:*", read=_read_introduced, before=_GREETED, predicate="name"),
    Rule(on="be:*", read=_read_introduced, after=_INTRODUCED, predicate="name"),
)
