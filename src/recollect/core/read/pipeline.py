"""The read river: from everything gathered to the context.

    question -> plan -> gather            (engine, by the policy's read order)
             -> files -> visible -> scope -> score -> dedupe -> gate -> keep -> cut      STAGES
             -> fit -> pack -> context + trace

A stage may take something out only through `Selection.drop`, which wants a reason. So every candidate ends as a
Choice, kept or dropped.

Never: changes any state, reads a clock, or looks anything up.
Spec: rulings 4a, 15, 17, 18; laws 3, 7, 8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from recollect.core.canonical import canonical, digest, recall_hash
from recollect.core.read.choice import BLOCK_ORDER, Block, Candidate, Choice, Selection
from recollect.core.read.cut import cut
from recollect.core.read.dedupe import dedupe
from recollect.core.read.envelope import HEADINGS
from recollect.core.read.files import Shown, files_block, plan_files
from recollect.core.read.fit import WORTH, fit, window_tokens
from recollect.core.read.gate import gate
from recollect.core.read.keep import keep
from recollect.core.read.question import Conflict, Gathered, Proposal, Question
from recollect.core.read.scope import scope
from recollect.core.read.score import score
from recollect.core.read.visible import visible
from recollect.core.values import EventType, Space

Stage = Callable[[Question, Gathered, Selection], None]
STAGES: tuple[Stage, ...] = (visible, scope, score, dedupe, gate, keep, cut)
Status = Literal["ok", "degraded", "refused", "unavailable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """What the river decided: blocks, verdicts, and the hashes that name them."""

    status: Status
    text: str
    blocks: tuple[tuple[str, str], ...]
    choices: tuple[Choice, ...]
    tokens: int
    tokens_needed: int
    recall_hash: str
    hash: str
    files: tuple[Shown, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def select(question: Question, gathered: Gathered, count: Callable[[str], int]) -> Selected:
    """Run the river."""
    selection = Selection(alive=_candidates(gathered))
    if gathered.files:
        gathered.shown = _files(question, gathered, selection, count)
    for stage in STAGES:
        stage(question, gathered, selection)
    if gathered.kept is not None:
        # A companion's blocks; other policies never load this.
        from recollect.core.companion.blocks import arrange

        arrange(question, gathered.kept, selection)
    needed = fit(question, gathered, selection, count)
    if needed:
        return _refused(gathered, selection, needed)
    return _within_budget(question, gathered, selection, count)


def _within_budget(
    question: Question, gathered: Gathered, selection: Selection, count: Callable[[str], int]
) -> Selected:
    """The packed context; where its parts counted less than the whole, the weakest item goes, never the ceiling."""
    packed = _pack(gathered, selection, count)
    while packed.tokens > question.budget_tokens:
        loose = [candidate for candidate in selection.alive if candidate.block != "window"]
        if not loose:
            return _refused(gathered, selection, packed.tokens)
        weakest = min(loose, key=lambda c: (-WORTH.index(c.block), c.score, c.item.created_at, c.item.ref))
        selection.alive = [candidate for candidate in selection.alive if candidate is not weakest]
        selection.drop(weakest, "over_budget")
        packed = _pack(gathered, selection, count)
    return packed


def _files(question: Question, gathered: Gathered, selection: Selection, count: Callable[[str], int]) -> list[Shown]:
    """The files first: what they hold decides what else would be an echo. The window's room is kept free."""
    rules = question.policy.context
    room = question.budget_tokens - window_tokens(question, selection, count)
    limits = (rules.max_files, rules.file_tokens, max(0, room))
    return plan_files(gathered.files, question.text, question.off, limits, count)


def _candidates(gathered: Gathered) -> list[Candidate]:
    found = [Candidate(item=item, block="window") for item in gathered.window]
    found.extend(_candidate(proposal) for proposal in [*gathered.facts, *gathered.episodes])
    return found


def _candidate(proposal: Proposal) -> Candidate:
    item = proposal.item
    block: Block = "facts" if item.kind == "profile" else "episodes"
    if item.ref.place.space in {Space.PROJECT, Space.SYSTEM}:
        block = "project"
    if item.event_type is EventType.RULE:
        block = "rules"
    return Candidate(item=item, block=block, match=proposal.match, terms=proposal.terms, outdated=proposal.outdated)


def _pack(gathered: Gathered, selection: Selection, count: Callable[[str], int]) -> Selected:
    blocks: list[tuple[str, str]] = []
    ordered: list[Candidate] = []
    for block in BLOCK_ORDER:
        members = [candidate for candidate in selection.alive if candidate.block == block]
        if block in {"episodes", "window"}:
            members.sort(key=lambda c: (c.item.origin.at_ms, c.item.created_at, c.item.ref))
        if members:
            body = "".join(candidate.text for candidate in members)
            blocks.append((block, f"{HEADINGS[block]}\n{body}"))
            ordered.extend(members)
        # The order of authority: rules, project memory, files, then what was selected.
        if block == "project" and (opened := files_block(gathered.shown)):
            blocks.append(("files", opened))
    text = "\n".join(body for _, body in blocks)
    selection.alive = ordered
    choices = (*selection.kept(), *selection.dropped)
    failed = any(state not in {"ran", "empty"} for state in gathered.tiers.values())
    return Selected(
        status="degraded" if failed else "ok",
        text=text,
        blocks=tuple(blocks),
        choices=choices,
        tokens=count(text),
        tokens_needed=0,
        recall_hash=recall_hash((c.item.kind, c.item.id) for c in ordered),
        hash=_hash(text, choices),
        files=tuple(gathered.shown),
        conflicts=tuple(gathered.conflicts),
    )


def _refused(gathered: Gathered, selection: Selection, needed: int) -> Selected:
    """The window or a locked file does not fit: nothing is shown, and the caller is told what it would take."""
    for candidate in selection.alive:
        selection.drop(candidate, "over_budget")
    choices = tuple(selection.dropped)
    return Selected(
        status="refused",
        text="",
        blocks=(),
        choices=choices,
        tokens=0,
        tokens_needed=needed,
        recall_hash=recall_hash(()),
        hash=_hash("", choices),
        files=tuple(gathered.shown),
        conflicts=tuple(gathered.conflicts),
    )


def _hash(text: str, choices: tuple[Choice, ...]) -> str:
    return digest(canonical([text, [[c.item.id, c.verdict, c.reason.code, c.score] for c in choices]]))
