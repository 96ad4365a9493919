"""The memory of an assistant: opened once, asked through sessions.

Never: decides, and never imports an adapter (assemble hands them in).
Spec: architecture "The public face".
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from recollect.core.policy import Policy
from recollect.core.values import Place
from recollect.engine.door import name_of, read_lens
from recollect.engine.dry_run import DryRun, dry_run
from recollect.engine.office import Office, Ring
from recollect.engine.replay import Difference, replay, state_hash
from recollect.engine.session import Session
from recollect.engine.shelves import IndexFactory, Shelves
from recollect.engine.windows import Windows
from recollect.errors import InvalidInput
from recollect.ports.clock import Clock
from recollect.ports.store import Store
from recollect.ports.tokens import TokenCounter


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a memory is assembled from."""

    store: Store
    policy: Policy
    clock: Clock
    tokens: TokenCounter
    make_index: IndexFactory
    read_policy: Callable[[object], Policy]
    index_bound_bytes: int
    is_tracing: bool = True


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
        """Open a memory: a path for one SQLite file, `:memory:` for none.

        `policy` is a preset (`default`, `coding`, `companion`, `contract`), a path to a TOML file, or TOML text.
        """
        assert cls.opener is not None, "import recollect, not its parts"
        unknown = sorted(set(options) - {"clock", "tokens", "index_mb", "tracing"})
        if unknown:
            raise InvalidInput(f"Unknown option {unknown[0]!r}.", hint="Allowed: clock, tokens, index_mb, tracing.")
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
                office = Office(
                    repository=parts.store.repository(tenant),
                    shelves=Shelves(parts.make_index, parts.index_bound_bytes),
                    policy=parts.policy,
                    clock=parts.clock,
                    tokens=parts.tokens,
                    ring=Ring(parts.policy.trace.ring),
                    windows=Windows(),
                    is_tracing=parts.is_tracing,
                )
                self._offices[tenant] = office
            return office

    def _dry_run(self, policy: object, tenant: str) -> DryRun:
        other = self._parts.read_policy(policy)
        with self._office(tenant).repository.reading() as reader:
            return dry_run(reader, other)
