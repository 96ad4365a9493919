"""What recall gathers beside the store, and how it goes on when the store does not answer in time.

    within      gather in a worker that can be left behind; go on with the tiers that were laid down by then
    remembered  the window as this process last saw it
    read_files  the named files and patterns, below the roots
    compare     similarity of what was found to the question and to each other
    entail      what an entailment model says of the pairs most alike

Never: decides what is kept, or waits past the deadline.
Spec: reliability.md "Contract of a recall"; rulings 14, 16, 19; R10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import get_args

from recollect.core.read.files import FileText
from recollect.core.read.pipeline import Selected
from recollect.core.read.question import Gathered, Question
from recollect.core.values import ItemRef
from recollect.engine.deadline import Deadline, unanswered
from recollect.engine.office import Office
from recollect.errors import EmbedderChanged, InvalidInput, ModelError, StoreClosed
from recollect.ports.likeness import Relation

Lay = Callable[[Gathered], None]
RELATIONS = get_args(Relation)
COMPARED = 120
COMPARED_WINDOW = 24
ENTAILED_PAIRS = 24
ENTAILED_PERCENT = 55
ENTAILED_MS = 2_000


def within(
    office: Office, question: Question, deadline: Deadline, tiers: Sequence[str], gather: Callable[[Lay], Gathered]
) -> Gathered:
    """Gather before the deadline, with everything that was whole by then; every tier that was not is named."""
    if not deadline.ends_ns:
        return gather(_nowhere)
    laid: list[Gathered] = []

    def work() -> None:
        laid.append(gather(lambda so_far: laid.append(so_far.copy())))

    how, error = office.workers.run("recall", work, deadline)
    if isinstance(error, (InvalidInput, EmbedderChanged, StoreClosed)):
        raise error
    why = unanswered(how, error)
    found = laid[-1] if laid else remembered(office, question)
    for tier in tiers if why else ():
        found.tiers.setdefault(tier, why)
    return found


def answered(gathered: Gathered, selected: Selected) -> Selected:
    """`unavailable` where not even the window could be read: that is another answer than an empty one."""
    return replace(selected, status="unavailable") if gathered.tiers["window"] not in READ else selected


READ = frozenset({"ran", "from memory"})


def _nowhere(gathered: Gathered) -> None:
    """Without a deadline nobody looks at what is laid down halfway."""


def remembered(office: Office, question: Question) -> Gathered:
    """The window as this process last saw it, when the store does not even give that."""
    place = question.lens.session_place
    window = office.windows.last(place)
    found = Gathered(ticks={place: max((i.created_at for i in window or ()), default=0)}, phases={place: None})
    if window is not None:
        found.window = [*window]
        found.tiers["window"] = "from memory"
    return found


def read_files(office: Office, question: Question, deadline: Deadline, gathered: Gathered) -> None:
    """The named files; a disk that hangs has half of the time, so that something is still remembered in the other."""
    found: list[FileText] = []
    how, error = office.workers.run("files", lambda: found.extend(_read(office, question)), deadline.half())
    if error is not None:
        raise error
    gathered.files = found if how == "ended" else []
    gathered.tiers["files"] = unanswered(how, None) or "ran"


def _read(office: Office, question: Question) -> list[FileText]:
    """Every named file once; a pattern stands for what it finds."""
    files, rules = office.aids.files, question.policy.context
    found: dict[str, FileText] = {}
    for name in question.files:
        if files is None:
            found[name] = FileText(path=name, refusal="file_no_roots")
            continue
        is_pattern = any(sign in name for sign in "*?")
        paths = files.find(name, rules.max_files * 4) if is_pattern else [name]
        for path in paths or [name]:
            if path in question.off:
                found.setdefault(path, FileText(path=path, how="pattern" if is_pattern else "named"))
                continue
            file = files.read(path, rules.file_bytes)
            if file.path not in found:
                found[file.path] = replace(file, how="pattern") if is_pattern else file
    return list(found.values())


def wants_likeness(office: Office, question: Question) -> bool:
    """Whether the policy reads similarities at all."""
    rules = question.policy.context
    return office.aids.likeness is not None and bool(rules.duplicate_percent or rules.keep_floor)


def compare(office: Office, question: Question, deadline: Deadline, gathered: Gathered) -> None:
    """Lay out how alike the episodes are to the question and to each other."""
    likeness = office.aids.likeness
    proposals = sorted(gathered.episodes, key=lambda p: (-p.match, p.item.ref))[:COMPARED]
    if likeness is None or not proposals:
        return
    window = gathered.window[-COMPARED_WINDOW:]
    items = [*(p.item for p in proposals), *window]
    refs = [item.ref for item in items]
    is_ours = likeness.model == office.filing.model
    known = [*(p.vector if is_ours else b"" for p in proposals), *(b"" for _ in window)]
    asked, table = likeness.compare(question.text, [item.text for item in items], known)
    gathered.similar = dict(zip(refs, asked, strict=True))
    gathered.order = {ref: at for at, ref in enumerate(refs)}
    gathered.table = table


def entail(office: Office, question: Question, deadline: Deadline, gathered: Gathered) -> None:
    """Ask the entailment model about the pairs that are most alike. What it says is all taken, or none of it."""
    judge = office.aids.entailment
    pairs = _likely_pairs(gathered)
    if judge is None or not pairs:
        return
    items = {item.ref: item for item in [*(p.item for p in gathered.episodes), *gathered.window]}
    said = [(items[older].text, items[newer].text) for older, newer in pairs]
    own = deadline.within(ENTAILED_MS)
    answers: list[object] = []

    def ask() -> None:
        answers.append(judge.relate(said, timeout_ms=own.left_ms))

    how, error = office.workers.run("entailment", ask, own)
    if error is not None:
        raise error
    if how != "ended":
        gathered.tiers["entailment"] = unanswered(how, None)
        return
    gathered.relations = dict(zip(pairs, _words(answers[0], len(pairs)), strict=True))


def _likely_pairs(gathered: Gathered) -> list[tuple[ItemRef, ItemRef]]:
    """(older, newer) of what is alike enough to say the same or the contrary, the most alike first."""
    items = {item.ref: item for item in [*(p.item for p in gathered.episodes), *gathered.window]}
    likely = [
        (-alike, one, other)
        for one, row in gathered.order.items()
        for other, column in gathered.order.items()
        if column < row and (alike := gathered.table[row][column]) >= ENTAILED_PERCENT
    ]
    by_age = {ref: (items[ref].origin.at_ms, items[ref].created_at, ref) for ref in gathered.order}
    chosen = [sorted((one, other), key=by_age.__getitem__) for _, one, other in sorted(likely)[:ENTAILED_PAIRS]]
    return [(older, newer) for older, newer in chosen]


def _words(said: object, count: int) -> list[str]:
    """A judge's answer, if it is one closed word for every pair."""
    if not isinstance(said, (list, tuple)) or len(said) != count or any(word not in RELATIONS for word in said):
        raise ModelError(
            "The entailment model answered something else than one word for each pair.",
            hint=f"Allowed: {', '.join(RELATIONS)}. Nothing of its answer was used.",
            reason="entailment_garbage",
        )
    return [str(word) for word in said]
