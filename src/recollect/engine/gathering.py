"""What recall gathers beside the store, and how it goes on when the store does not answer in time.

    within      gather in a worker that can be left behind; go on with the tiers that were laid down by then
    read_files  the named files and patterns, below the roots
    compare     similarity of what was found to the question and to each other, and what an entailment model says of it

Never: decides what is kept, or waits past the deadline.
Spec: reliability.md "Contract of a recall"; rulings 14, 16, 19; R10.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from recollect.core.read.files import FileText
from recollect.core.read.pipeline import Selected
from recollect.core.read.question import Gathered, Question
from recollect.engine.deadline import Deadline
from recollect.engine.office import Office
from recollect.errors import EmbedderChanged, InvalidInput, RecollectError, StoreClosed

Lay = Callable[[Gathered], None]
TIERS = ("window", "facts", "terms")
COMPARED = 120
COMPARED_WINDOW = 24
ENTAILED_PAIRS = 24
ENTAILED_PERCENT = 55
ENTAILED_MS = 2_000


def within(office: Office, question: Question, deadline: Deadline, gather: Callable[[Lay], Gathered]) -> Gathered:
    """Gather before the deadline, with everything that was whole by then."""
    if not deadline.ends_ns:
        return gather(_nowhere)
    laid: list[Gathered] = []

    def work() -> None:
        laid.append(gather(lambda so_far: laid.append(_copy(so_far))))

    how, error = office.workers.run(work, deadline)
    if isinstance(error, (InvalidInput, EmbedderChanged, StoreClosed)):
        raise error
    if how == "ended" and error is None:
        return laid[-1]
    why = "skipped: deadline" if how == "late" else "skipped: too many calls hang"
    if error is not None:
        why = f"failed: {error.reason if isinstance(error, RecollectError) else type(error).__name__}"
    found = laid[-1] if laid else _remembered(office, question)
    for tier in (*TIERS, "likeness") if wants_likeness(office, question) else TIERS:
        found.tiers.setdefault(tier, why)
    return found


def answered(gathered: Gathered, selected: Selected) -> Selected:
    """`unavailable` where not even the window could be read: that is another answer than an empty one."""
    return replace(selected, status="unavailable") if gathered.tiers["window"] not in READ else selected


READ = frozenset({"ran", "from memory"})


def _nowhere(gathered: Gathered) -> None:
    """Without a deadline nobody looks at what is laid down halfway."""


def _copy(gathered: Gathered) -> Gathered:
    """What is whole now; the worker may go on with its own."""
    return replace(
        gathered,
        facts=list(gathered.facts),
        episodes=list(gathered.episodes),
        tiers=dict(gathered.tiers),
        files=list(gathered.files),
    )


def _remembered(office: Office, question: Question) -> Gathered:
    """The window as this process last saw it, when the store does not even give that."""
    place = question.lens.session_place
    window = office.windows.last(place)
    found = Gathered(ticks={place: max((i.created_at for i in window or ()), default=0)}, phases={place: None})
    if window is not None:
        found.window = [*window]
        found.tiers["window"] = "from memory"
    return found


def read_files(office: Office, question: Question) -> list[FileText]:
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


def compare(office: Office, question: Question, gathered: Gathered) -> None:
    """Lay out how alike the episodes are to the question and to each other."""
    likeness = office.aids.likeness
    proposals = sorted(gathered.episodes, key=lambda p: (-p.match, p.item.ref))[:COMPARED]
    if likeness is None or not proposals:
        return
    items = [*(p.item for p in proposals), *gathered.window[-COMPARED_WINDOW:]]
    refs = [item.ref for item in items]
    asked, table = likeness.compare(question.text, [item.text for item in items])
    gathered.similar = dict(zip(refs, asked, strict=True))
    gathered.order = {ref: at for at, ref in enumerate(refs)}
    gathered.table = table
    if office.aids.entailment is not None:
        _entail(office, gathered)


def _entail(office: Office, gathered: Gathered) -> None:
    """Ask the entailment model about the pairs that are most alike."""
    assert office.aids.entailment is not None
    items = {item.ref: item for item in [*(p.item for p in gathered.episodes), *gathered.window]}
    likely = [
        (-alike, one, other)
        for one, row in gathered.order.items()
        for other, column in gathered.order.items()
        if column < row and (alike := gathered.table[row][column]) >= ENTAILED_PERCENT
    ]
    chosen = [(one, other) for _, one, other in sorted(likely)[:ENTAILED_PAIRS]]
    pairs = []
    for one, other in chosen:
        first, second = items[one], items[other]
        is_older = (first.origin.at_ms, first.created_at, one) < (second.origin.at_ms, second.created_at, other)
        pairs.append((one, other) if is_older else (other, one))
    said = [(items[older].text, items[newer].text) for older, newer in pairs]
    gathered.relations = dict(zip(pairs, office.aids.entailment.relate(said, timeout_ms=ENTAILED_MS), strict=False))
