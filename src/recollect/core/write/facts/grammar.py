"""The whole grammar of statements as one table, from verb phrase to rules.

Decides: in which order the families are asked; the first rule that reads something wins.
Never: applies a rule.
"""

import re
from functools import cache

from recollect.core.write.facts import habits, identity, places, skills, tastes, work
from recollect.core.write.facts.rule import Rule

# Names come last: a word that is a nationality, a diet or a title is not a name.
FAMILIES: tuple[tuple[Rule, ...], ...] = (
    places.RULES,
    work.RULES,
    tastes.RULES,
    skills.RULES,
    habits.RULES,
    identity.RULES,
)


@cache
def _table() -> dict[str, tuple[Rule, ...]]:
    table: dict[str, list[Rule]] = {}
    for rule in (rule for family in FAMILIES for rule in family):
        for head in rule.on.split():
            table.setdefault(head, []).append(rule)
    return {head: tuple(rules) for head, rules in table.items()}


def rules_for(head: str) -> tuple[tuple[Rule, bool], ...]:
    """Return the rules for a verb phrase, each with whether its object begins with the content word itself."""
    table = _table()
    form = head.partition(":")[0]
    exact = tuple((rule, False) for rule in table.get(head, ()))
    return exact + tuple((rule, True) for rule in table.get(f"{form}:*", ()))


@cache
def compiled(source: str) -> re.Pattern[str]:
    """Return the pattern of a rule, compiled on first use."""
    return re.compile(source, re.IGNORECASE)
