"""Takes static files in as recallable snippets, and notices when one has changed.

    read_in   a file below the roots, cut along its structure; the snippets of its last reading are archived
    manifest  what was read in: path, hash, time, how many snippets
    reread    every file of the manifest again: unchanged, read again, or gone
    look_again  one of them
    changed   which of some snippets' files are no longer what was read
    notice    says so of the snippets a recall has found, which itself reads nothing in

Each snippet carries its path, lines, hash and time, is `static` and never becomes a fact. A reading is one commit. The
ref of a snippet is its file (`file:PATH`), so that the snippets of a file are found without looking at all others.

Never: reads outside the roots, writes a file, or keeps two readings of one file live.
Spec: document 002, sections 3, 5, 7; facts 2.4 (CH-03.5); rulings 7, 14, 19.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from recollect.core.chunks import Chunk, chunks
from recollect.core.events import Archived
from recollect.core.item import MemoryItem
from recollect.core.read.files import FileText
from recollect.core.read.gate import static_path
from recollect.core.read.question import Gathered, Question
from recollect.core.reasons import Reason, reason
from recollect.core.values import Kind, Lens, Place, Role, Status, Turn
from recollect.core.write.desk import Act, Desk
from recollect.core.write.offer import offers
from recollect.core.write.pipeline import remember as decide_turn
from recollect.engine.deadline import Deadline
from recollect.engine.listing import all_items
from recollect.engine.office import Office
from recollect.engine.writing import Call, gather_window, write
from recollect.ports.store import Filter, Reader, Writer

STATIC = Filter(kinds=(Kind.SEMANTIC,), source="file")
CHUNKS = 2_000
REF_CHARACTERS = 190


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    """A line of the manifest."""

    path: str
    sha256: str
    mtime_ms: int
    snippets: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What became of reading one file in."""

    path: str
    outcome: str
    reason: Reason | None = None
    snippets: int = 0
    archived: int = 0
    sha256: str = ""

    def to_dict(self) -> dict[str, object]:
        told: dict[str, object] = {"path": self.path, "outcome": self.outcome, "snippets": self.snippets}
        if self.reason is not None:
            told |= {"reason": self.reason.code, "sentence": self.reason.sentence}
        return {**told, "archived": self.archived, "sha256": self.sha256}


def read_in(office: Office, lens: Lens, path: str, at_ms: int) -> Reading:
    """Read a file in; unchanged files are not read twice."""
    limit = office.policy.context.file_bytes
    file = FileText(path=path, refusal="file_no_roots")
    if office.aids.files is not None:
        file = office.aids.files.read(path, limit)
    if file.refusal:
        return Reading(path=file.path, outcome="refused", reason=reason("files", file.refusal))
    with office.repository.reading() as reader:
        held = _snippets(reader, lens, office, file.path)
    if held and all(_extra(item, "sha256") == file.sha256 for item in held):
        return Reading(path=file.path, outcome="unchanged", snippets=len(held), sha256=file.sha256)
    pieces = chunks(file.path, file.text)[:CHUNKS]
    return _commit(office, lens, file, pieces, at_ms)


def manifest(office: Office, lens: Lens) -> list[ReadFile]:
    """Every file that was read in, as it was read last."""
    with office.repository.reading() as reader:
        found: dict[str, list[MemoryItem]] = {}
        for item in _snippets(reader, lens, office, ""):
            found.setdefault(item.origin.source[5:], []).append(item)
    return [
        ReadFile(
            path=path,
            sha256=_extra(items[0], "sha256"),
            mtime_ms=int(_extra(items[0], "mtime_ms") or 0),
            snippets=len(items),
        )
        for path, items in sorted(found.items())
    ]


def reread(office: Office, lens: Lens, at_ms: int) -> list[Reading]:
    """Look at every file of the manifest again; what is no longer there is archived."""
    files, limit = office.aids.files, office.policy.context.file_bytes
    told: list[Reading] = []
    for known in manifest(office, lens):
        if files is not None and files.read(known.path, limit).sha256 == known.sha256:
            found = Reading(path=known.path, outcome="unchanged", snippets=known.snippets, sha256=known.sha256)
            told.append(found)
        else:
            told.append(look_again(office, lens, known.path, at_ms))
    return told


def look_again(office: Office, lens: Lens, path: str, at_ms: int) -> Reading:
    """One file of the manifest again."""
    told = read_in(office, lens, path, at_ms)
    if told.reason is None or told.reason.code not in {"file_missing", "file_vanished"}:
        return told
    gone = _commit(office, lens, FileText(path=path), [], at_ms)
    return Reading(path=path, outcome="gone", reason=told.reason, archived=gone.archived)


def changed(office: Office, items: Iterable[MemoryItem]) -> list[str]:
    """The paths of snippets whose file is no longer what was read; its time is looked at first, then its bytes."""
    files, limit = office.aids.files, office.policy.context.file_bytes
    if files is None or not files.has_roots:
        return []
    known = {static_path(item): item for item in items if static_path(item)}
    moved = [path for path, item in known.items() if str(files.mtime_ms(path)) != _extra(item, "mtime_ms")]
    return sorted(path for path in moved if files.read(path, limit).sha256 != _extra(known[path], "sha256"))


def notice(office: Office, question: Question, deadline: Deadline, gathered: Gathered) -> None:
    """Mark the snippets of files that have changed since they were read in."""
    stale = changed(office, (proposal.item for proposal in gathered.episodes))
    for at, proposal in enumerate(gathered.episodes) if stale else ():
        if static_path(proposal.item) in stale:
            gathered.episodes[at] = replace(proposal, outdated="the file itself; read it in again")


def _commit(office: Office, lens: Lens, file: FileText, pieces: list[Chunk], at_ms: int) -> Reading:
    counted = {"archived": 0, "snippets": 0}

    def decide(desk: Desk, writer: Writer) -> None:
        gather_window(office, desk, writer)
        desk.acts.append(Act(at_ms=at_ms))
        why = "read_again" if pieces else "file_gone"
        for item in _snippets(writer, lens, office, file.path):
            desk.change(item, Archived(item.ref, why))
            counted["archived"] += 1
        for piece in pieces:
            if piece.text.strip():
                act = decide_turn(desk, offers(_turn(file, piece, at_ms), desk.policy, lens, ()), at_ms)
                counted["snippets"] += any(outcome.fate == "written" for outcome in act.outcomes)

    write(office, Call(lens=lens, places=(lens.user_place,)), decide)
    outcome = "read" if not counted["archived"] else "read_again"
    archived, snippets = counted["archived"], counted["snippets"]
    return Reading(path=file.path, outcome=outcome, sha256=file.sha256, snippets=snippets, archived=archived)


def _turn(file: FileText, piece: Chunk, at_ms: int) -> Turn:
    """A snippet as a turn nobody spoke: not of the window, not a fact, with where it stands in its file."""
    return Turn(
        text=piece.text,
        role=Role.SYSTEM,
        at_ms=at_ms,
        source=f"file:{file.path}",
        ref=_ref(file.path),
        files=(file.path,),
        meta=(
            ("lines", f"{piece.first_line}-{piece.last_line}"),
            ("mtime_ms", str(file.mtime_ms)),
            ("part", piece.name[:200]),
            ("path", file.path),
            ("sha256", file.sha256),
        ),
    )


def _snippets(reader: Reader, lens: Lens, office: Office, path: str) -> list[MemoryItem]:
    """The live snippets of a file, or of all."""
    space = office.policy.episodes.space
    name = f"file:{path}" if path else "file"
    wanted = Filter(kinds=STATIC.kinds, source=name, ref=_ref(path) if path else "", statuses=(Status.ACTIVE,))
    places: tuple[Place, ...] = lens.places(space)
    found = [item for place in places for item in all_items(reader, place, wanted)]
    return [item for item in found if not path or item.origin.source == f"file:{path}"]


def _ref(path: str) -> str:
    """What the snippets of a file are found by; a path too long for a ref is looked for among all snippets."""
    return f"file:{path}" if len(path) <= REF_CHARACTERS else ""


def _extra(item: MemoryItem, name: str) -> str:
    return dict(item.origin.extra).get(name, "")
