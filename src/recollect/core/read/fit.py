"""What fits the token budget.

The window must fit, and under the lock the named files too, else the answer is refused with what it would need. The
rest is taken in order of worth; what does not fit is skipped, not the end of the list. Episodes have their own budget.

Never: lets the rendered text pass the budget.
Spec: ruling 18; laws 7 and 8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from recollect.core.read.choice import Block, Candidate, Selection
from recollect.core.read.envelope import HEADINGS, render_item
from recollect.core.read.files import files_block
from recollect.core.read.question import Gathered, Question

# Worth, most first. The window is paid for before anything else.
WORTH: tuple[Block, ...] = (
    "window",
    "rules",
    "project",
    "foundation",
    "commitments",
    "rolling",
    "summary",
    "facts",
    "cards",
    "relevant",
    "habits",
    "frictions",
    "seed",
    "spine",
    "threads",
    "wins",
    "episodes",
)


def fit(question: Question, gathered: Gathered, selection: Selection, count: Callable[[str], int]) -> int:
    """Keep what fits; returns the tokens still needed where the window and locked files do not (0 when they do)."""
    opened = files_block(gathered.shown)
    spent = count(f"{opened}\n") if opened else 0
    needed = _locked_out(question, gathered, count)
    purse = Purse(left=question.budget_tokens - spent, episodes=question.policy.context.episode_tokens)
    staying: list[Candidate] = []
    for block in WORTH:
        for candidate in [c for c in selection.alive if c.block == block]:
            _render(question, candidate, count)
            code = purse.pay(candidate, count)
            if code and block != "window":
                selection.drop(candidate, code)
            else:
                staying.append(candidate)
        if block == "window" and (purse.left < 0 or needed):
            return question.budget_tokens - purse.left + needed
    selection.alive = staying
    return 0


@dataclass(slots=True, kw_only=True)
class Purse:
    """What is left to spend, in all and on episodes."""

    left: int
    episodes: int
    spent_on_episodes: int = 0
    opened: dict[Block, bool] = field(default_factory=dict)

    def pay(self, candidate: Candidate, count: Callable[[str], int]) -> str:
        """Pay for a candidate and its heading; the code of what is missing where it cannot be paid. The window owes."""
        block = candidate.block
        heading = 0 if block in self.opened else count(f"{HEADINGS[block]}\n\n")
        cost = heading + candidate.tokens
        if block != "window" and cost > self.left:
            return "over_budget"
        if block == "episodes" and 0 < self.episodes < self.spent_on_episodes + cost:
            return "over_episode_budget"
        self.opened[block] = True
        self.left -= cost
        self.spent_on_episodes += cost if block == "episodes" else 0
        return ""


def window_tokens(question: Question, selection: Selection, count: Callable[[str], int]) -> int:
    """What the window alone takes."""
    window = [candidate for candidate in selection.alive if candidate.block == "window"]
    for candidate in window:
        _render(question, candidate, count)
    return sum(c.tokens for c in window) + (count(f"{HEADINGS['window']}\n\n") if window else 0)


def _render(question: Question, candidate: Candidate, count: Callable[[str], int]) -> None:
    if not candidate.text:
        candidate.text = render_item(
            candidate.item, question.policy.recall.turn_tokens, count, candidate.outdated, candidate.note
        )
        candidate.tokens = count(candidate.text)


def _locked_out(question: Question, gathered: Gathered, count: Callable[[str], int]) -> int:
    """What locked files that found no room would take at least."""
    if not question.is_locked:
        return 0
    lost = {shown.path for shown in gathered.shown if shown.reason.code == "file_over_budget"}
    return sum(
        min(count(file.text[:20_000]), question.policy.context.file_tokens)
        for file in gathered.files
        if file.path in lost
    )
