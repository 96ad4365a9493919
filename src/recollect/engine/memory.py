"""The memory of an assistant: opened once, asked through sessions.

Never: decides, and never imports an adapter (assemble hands them in).
Spec: architecture "The public face".
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from recollect.core.policy import Policy
from recollect.core.spaces import escape_name
from recollect.core.values import Lens, Place, SourceClass
from recollect.engine.door import Moment, label, name_of, positive, read_lens, read_moment, read_path
from recollect.engine.dry_run import DryRun, dry_run
from recollect.engine.erase import Erasure, ErasureReceipt, belongs_to, erase, made_in, summaries_of
from recollect.engine.export import Manifest, export
from recollect.engine.filing import Filing
from recollect.engine.foreign import Imported, import_turns
from recollect.engine.listing import all_items
from recollect.engine.move import Moved, move
from recollect.engine.office import Aids, Office, Ring
from recollect.engine.reindex import Reindexed, Sheets, look_over, reindex
from recollect.engine.replay import Difference, replay, state_hash
from recollect.engine.restore import Restored, restore
from recollect.engine.scan import Scan, erase_found, scan
from recollect.engine.session import Session
from recollect.engine.shelves import Shelves
from recollect.engine.verify import Anchor, Verification, read_anchor, verify
from recollect.engine.verify import anchor as make_anchor
from recollect.engine.windows import Windows
from recollect.engine.worker import Shift, work
from recollect.errors import InvalidInput
from recollect.ports.clock import Clock
from recollect.ports.embedder import Embedder
from recollect.ports.index import IndexMaker
from recollect.ports.store import Filter, Reader, Store
from recollect.ports.tokens import TokenCounter

AIDS = frozenset({"roots", "model", "small_model", "model_url", "model_key", "summariser", "entailment"})
OPTIONS = (
    frozenset({"clock", "tokens", "embedder", "index_mb", "tracing", "allow_owner", "approximate", "telemetry"}) | AIDS
)

if TYPE_CHECKING:
    from recollect.engine.companion.upkeep import Upkeep
    from recollect.ports.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a memory is assembled from."""

    store: Store
    policy: Policy
    clock: Clock
    tokens: TokenCounter
    indexes: IndexMaker
    embedder: Embedder | None
    read_policy: Callable[[object], Policy]
    make_scratch: Callable[[], Store]
    index_bound_bytes: int
    is_tracing: bool = True
    aids: Aids = field(default_factory=Aids)


class PolicyView:
    """The policy in force, and what another one would have done."""

    def __init__(self, memory: Memory, policy: Policy) -> None:
        self._memory = memory
        self._policy = policy

    @property
    def name(self) -> str:
        return self._policy.name

    @property
    def snapshot(self) -> dict[str, object]:
        return self._policy.snapshot

    @property
    def hash(self) -> str:
        return self._policy.hash

    def dry_run(self, policy: object, *, tenant: str = "default") -> DryRun:
        """Offer everything stored to another policy (a name, a path or TOML text) and count what it would refuse."""
        return self._memory._dry_run(policy, tenant)


class Memory:
    """Open with `Memory.open(...)`; use as a context manager; safe to share between threads."""

    # Set by assemble, so that `Memory.open` works without the engine knowing any adapter.
    opener: Callable[..., Memory] | None = None

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._offices: dict[str, Office] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(cls, target: str = "memory.db", *, policy: object = "default", **options: object) -> Memory:
        """Open a memory: a path for one SQLite file, `postgresql://...` for a server, `:memory:` for neither.

        `policy` is a preset (`default`, `coding`, `companion`, `contract`), a path to a TOML file, or TOML text.
        `embedder` is `static`, `none`, `minilm`, a server's `https://host/v1#model@dimensions`, or one of your own.
        """
        assert cls.opener is not None, "import recollect, not its parts"
        unknown = sorted(set(options) - OPTIONS)
        if unknown:
            raise InvalidInput(f"Unknown option {unknown[0]!r}.", hint=f"Allowed: {', '.join(sorted(OPTIONS))}.")
        return cls.opener(target, policy=policy, **options)

    def session(
        self,
        *,
        user: str = "",
        session: str = "",
        persona: str = "",
        project: str = "",
        tenant: str = "default",
        authority: str = "",
    ) -> Session:
        """A conversation's view of the memory.

        `user` owns what is remembered, `session` names the conversation, `persona` the assistant's face,
        `project` a memory shared by those who work on it, `tenant` the wall around all of it. `authority` caps how
        far words through this door are trusted; it can lower, never raise.
        """
        lens = read_lens(user=user, session=session, persona=persona, project=project, authority=authority)
        return Session(self._office(tenant), lens)

    @property
    def policy(self) -> PolicyView:
        return PolicyView(self, self._parts.policy)

    def stats(self, *, tenant: str = "default") -> dict[str, int]:
        """How much is stored."""
        with self._office(tenant).repository.reading() as reader:
            return reader.counts()

    def check(self) -> list[str]:
        """What is wrong with the store, in words; empty when nothing is."""
        return self._parts.store.check()

    def replay(self, *, tenant: str = "default") -> list[Difference]:
        """Fold every log and compare with what is stored; empty when they agree."""
        with self._office(tenant).repository.reading() as reader:
            return [difference for place in reader.places() for difference in replay(reader, place)]

    def state_hash(self, *, tenant: str = "default") -> str:
        """One hash over everything a tenant holds; the same calls give the same hash on every store."""
        with self._office(tenant).repository.reading() as reader:
            return state_hash(reader)

    def erase_user(
        self, user: str, *, tenant: str = "default", on_progress: Callable[[int, int], None] | None = None
    ) -> ErasureReceipt:
        """Erase everything of a user: all memories, sessions, personas, names, and what was promoted from them."""
        office = self._office(tenant)
        name = escape_name(name_of(user, "user"))
        if not name:
            raise InvalidInput("user is empty.", reason="empty_user")

        def theirs(reader: Reader) -> list[Place]:
            return [place for place in reader.places() if belongs_to(place, name)]

        erasure = Erasure(
            what=f"user {user}",
            lens=Lens(user=name),
            roots=lambda reader: [
                *(item.ref for place in theirs(reader) for item in all_items(reader, place)),
                *made_in(reader, theirs(reader)),
            ],
            buried=theirs,
        )
        return erase(office, erasure, on_progress)

    def purge(
        self, source: str, *, tenant: str = "default", on_progress: Callable[[int, int], None] | None = None
    ) -> ErasureReceipt:
        """Take out everything that came from a source (`web`, `web:https://...`, `import:old`), and what it led to."""
        name = label(source, "source")
        if not name or name.split(":", 1)[0] not in set(SourceClass) - {SourceClass.CHAT}:
            allowed = ", ".join(word for word in SourceClass if word is not SourceClass.CHAT)
            raise InvalidInput(f"{name[:40]!r} is not a source that can be purged.", hint=f"Allowed: {allowed}.")
        wanted = Filter(statuses=(), source=name)
        erasure = Erasure(
            what=f"source {name}",
            lens=Lens(user="anonymous"),
            roots=lambda reader: [
                *(item.ref for place in reader.places() for item in all_items(reader, place, wanted)),
                *summaries_of(reader, reader.places(), name),
            ],
            buried=lambda reader: [],
        )
        return erase(self._office(tenant), erasure, on_progress)

    def scrub(self, *, tenant: str = "default") -> list[str]:
        """Finish erasures that were pending; what is still pending, in words."""
        return self._office(tenant).repository.scrub()

    def reindex(self, *, tenant: str = "default", on_progress: Callable[[int, int], None] | None = None) -> Reindexed:
        """Make the cards and vectors that are missing, or were made by another embedder, anew.

        It can be stopped at any moment and continued by asking again; others may read and write meanwhile.
        """
        return reindex(self._office(tenant), on_progress)

    def check_search(self, *, tenant: str = "default") -> Sheets:
        """Look whether everything that can be searched has its card and its vector, as they were made; `reindex` mends
        what has not."""
        return look_over(self._office(tenant))

    def scan(self, *, tenant: str = "default", on_progress: Callable[[int], None] | None = None) -> Scan:
        """Look for secrets in what is already stored."""
        with self._office(tenant).repository.reading() as reader:
            return scan(reader, on_progress)

    def erase_found(
        self, found: Scan, *, tenant: str = "default", on_progress: Callable[[int, int], None] | None = None
    ) -> ErasureReceipt:
        """Erase what a scan found, all in one go; names and phases stay, and the scan says what to do about them."""
        if not isinstance(found, Scan):
            raise InvalidInput("found should be what scan() returned.", reason="wrong_type")
        return erase_found(self._office(tenant), found, on_progress)

    def upkeep(
        self, now: Moment | None = None, *, user: str = "", tenant: str = "default", model: Model | None = None
    ) -> Upkeep:
        """Do what is due: end sessions and sum them up, let the curator look, remove what retention ended, sum up long
        dialogues, read changed files in again.

        With a model, the turns that wait for one are read too. Running it again, from several processes or after a
        crash, changes nothing that is already done. What needs no model also happens on each user's next write, and
        in `ask`.
        """
        from recollect.engine.companion.upkeep import upkeep

        office = self._office(tenant)
        now_ms = office.clock.now_ms() if now is None else read_moment(now, "now")
        return upkeep(office, now_ms, escape_name(name_of(user, "user")), _reader(office, model))

    def work(self, *, every_seconds: int = 3_600, tenant: str = "default", model: Model | None = None) -> Shift:
        """Do the upkeep of every user who had none for a while, shared with all other workers of this memory."""
        from recollect.engine.companion.upkeep import upkeep

        office = self._office(tenant)
        every_ms = positive(every_seconds, "every_seconds", 31_536_000) * 1_000

        def look_after(user: str) -> dict[str, int]:
            done = upkeep(office, office.clock.now_ms(), user, _reader(office, model)).to_dict()
            return {name: count for name, count in done.items() if isinstance(count, int) and name != "users"}

        return work(office.repository, look_after, office.clock.now_ms, every_ms)

    def verify(
        self,
        *,
        tenant: str = "default",
        anchor: Anchor | Mapping[str, object] | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Verification:
        """Prove that the log is whole, against an anchor kept elsewhere if one is given."""
        kept = anchor if isinstance(anchor, Anchor) or anchor is None else read_anchor(anchor)
        with self._office(tenant).repository.reading() as reader:
            return verify(reader, kept, on_progress)

    def anchor(self, *, tenant: str = "default") -> Anchor:
        """Where all chains stand now. Keep it elsewhere, and `verify` against it later."""
        with self._office(tenant).repository.reading() as reader:
            return make_anchor(reader)

    def export(
        self, path: str | Path, *, tenant: str = "default", on_progress: Callable[[int], None] | None = None
    ) -> Manifest:
        """Write everything of a tenant into one file of JSON lines, with a manifest and checksums."""
        target = read_path(path, "path")
        if any(file.exists() and target.exists() and target.samefile(file) for file in self._parts.store.files()):
            raise InvalidInput("The export would replace the memory itself.", hint="Name another file.")
        with self._office(tenant).repository.reading() as reader:
            return export(reader, target, on_progress)

    def move_to(
        self, other: Memory, *, tenant: str = "default", on_progress: Callable[[int], None] | None = None
    ) -> Moved:
        """Carry everything of a tenant to another memory, and prove that it arrived; a stopped move goes on."""
        if not isinstance(other, Memory) or other is self:
            raise InvalidInput("other should be another memory.", reason="wrong_type")
        # A file is moved under another name and shown when it is whole; a server shows what it holds at once.
        names_last = not other._parts.store.files()
        source, target = self._office(tenant).repository, other._office(tenant).repository
        return move(source, target, names_last=names_last, on_progress=on_progress)

    def restore(
        self,
        path: str | Path,
        *,
        tenant: str = "default",
        to: Moment | None = None,
        tombstones: str | Path | None = None,
    ) -> Restored:
        """Put an export into this memory, which must be empty; `to` goes back to a moment.

        `tombstones` names a newer export of the same memory: what is gone there does not come back.
        """
        newer = read_path(tombstones, "tombstones") if tombstones is not None else None
        scratch = self._parts.make_scratch().repository(tenant)
        to_ms = None if to is None else read_moment(to, "to")
        return restore(self._office(tenant), scratch, read_path(path, "path"), to_ms, newer)

    def import_turns(
        self,
        path: str | Path,
        *,
        user: str,
        source: str = "import",
        tenant: str = "default",
        on_progress: Callable[[int], None] | None = None,
    ) -> Imported:
        """Take in what another system remembered, in quarantine until a person confirms it."""
        given = label(source, "source")
        name = given if given.split(":", 1)[0] == "import" else f"import:{given}"
        chat = self.session(user=user, tenant=tenant, session="import")
        return import_turns(read_path(path, "path"), name, chat.remember_many, on_progress)

    def owners(self, *, tenant: str = "default") -> list[Place]:
        """Every place of a tenant that holds something."""
        with self._office(tenant).repository.reading() as reader:
            return reader.places()

    def close(self) -> None:
        """Give everything back. Calling it twice is fine."""
        self._parts.store.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _office(self, tenant: str) -> Office:
        if not name_of(tenant, "tenant").strip():
            raise InvalidInput("tenant is empty.", reason="empty_tenant")
        with self._lock:
            office = self._offices.get(tenant)
            if office is None:
                parts = self._parts
                filing = Filing(parts.indexes, parts.embedder)
                office = Office(
                    repository=parts.store.repository(tenant),
                    shelves=Shelves(filing, parts.index_bound_bytes),
                    filing=filing,
                    policy=parts.policy,
                    clock=parts.clock,
                    tokens=parts.tokens,
                    ring=Ring(parts.policy.trace.ring),
                    windows=Windows(),
                    is_tracing=parts.is_tracing,
                    aids=parts.aids,
                )
                self._offices[tenant] = office
            return office

    def _dry_run(self, policy: object, tenant: str) -> DryRun:
        other = self._parts.read_policy(policy)
        with self._office(tenant).repository.reading() as reader:
            return dry_run(reader, other)


def _reader(office: Office, model: Model | None) -> Model | None:
    """A small model is enough to read a turn; the one that answers will do where there is no other."""
    return model or office.aids.small_model or office.aids.model
