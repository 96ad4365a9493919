"""What fits the token budget.

The window must fit, else the answer is refused with what it would need. The rest is taken in order of worth; what
does not fit is skipped, not the end of the list.

Never: lets the rendered text pass the budget.
Spec: ruling 18; laws 7 and 8.
"""

from __future__ import annotations

from collections.abc import Callable

from recollect.core.read.choice import Block, Candidate, Selection
from recollect.core.read.envelope import HEADINGS, render_item
from recollect.core.read.question import Question

# Worth, most first. The window is paid for before anything else.
WORTH: tuple[Block, ...] = ("window", "rules", "project", "facts", "episodes")


def fit(question: Question, selection: Selection, count: Callable[[str], int]) -> int:
    """Keep what fits; returns the tokens still needed where the window alone does not (0 when it does)."""
    budget = question.budget_tokens
    open_blocks: dict[Block, bool] = {}
    staying: list[Candidate] = []
    spent = 0
    for block in WORTH:
        for candidate in [c for c in selection.alive if c.block == block]:
            candidate.text = render_item(candidate.item, question.policy.recall.turn_tokens, count, candidate.outdated)
            candidate.tokens = count(candidate.text)
            heading = 0 if block in open_blocks else count(f"{HEADINGS[block]}\n\n")
            if block != "window" and spent + heading + candidate.tokens > budget:
                selection.drop(candidate, "over_budget")
                continue
            open_blocks[block] = True
            spent += heading + candidate.tokens
            staying.append(candidate)
        if block == "window" and spent > budget:
            return spent
    selection.alive = staying
    return 0
