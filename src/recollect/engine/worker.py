"""Looks after one user after the other, shared with whoever else does: what `recollect worker` runs.

1. Whose turn it is comes from the store, to one worker only; the longest waiting user first.
2. A worker that dies leaves its user to the next one after a while; upkeep does nothing twice, because each thing is
   planned again under the lock of its places.

Never: decides what is due for a user; upkeep does.
Spec: ruling 30a.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recollect.core.values import Place
from recollect.ports.store import Repository

# A user whose worker has not come back for this long is anybody's again.
LEASE_MS = 600_000
NAMELESS = "(erased)"
LookAfter = Callable[[str], dict[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """What one round of work came to."""

    users: int
    done: dict[str, int]

    def to_dict(self) -> dict[str, object]:
        return {"users": self.users, "done": self.done}


def work(repository: Repository, look_after: LookAfter, now_ms: Callable[[], int], every_ms: int) -> Shift:
    """Look after everybody who is due, until nobody is."""
    users = 0
    done: dict[str, int] = {}
    # Who is due is fixed when the round begins: a round ends, however long it takes.
    begun = now_ms()
    while (place := repository.take_chore(now_ms(), begun - every_ms, now_ms() - LEASE_MS)) is not None:
        if place.owner.startswith(NAMELESS):
            continue
        if _speaks_for_user(repository, place):
            users += 1
            for name, count in look_after(_user(place)).items():
                done[name] = done.get(name, 0) + count
        repository.end_chore(place, now_ms())
    return Shift(users=users, done=done)


def _speaks_for_user(repository: Repository, place: Place) -> bool:
    """Whether a place stands for its user: their own does; a persona's only where there is no other."""
    own = Place(place.space, _user(place))
    if place == own:
        return True
    with repository.reading() as reader:
        return reader.heads([own])[own].number == 0


def _user(place: Place) -> str:
    return place.owner.split("~", 1)[0].split("/", 1)[0]
