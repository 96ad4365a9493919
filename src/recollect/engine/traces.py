"""Puts the traces of a session together again from the log.

The log holds addresses; the words are read from the items as they are now. What was erased shows as erased.

Never: keeps a copy of anything.
Spec: ruling 10a; core/log.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache

from recollect.core.canonical import canonical
from recollect.core.events import Event
from recollect.core.item import Phase
from recollect.core.log import Entry
from recollect.core.policy import Policy
from recollect.core.policy_file import recorded_policy
from recollect.core.values import ItemRef, Lens, Place
from recollect.core.wire import Wire, trace
from recollect.engine.paging import walk
from recollect.engine.writing import scene_of
from recollect.errors import StoreDamaged
from recollect.ports.store import Reader

PAGE = 1_000


def read_traces(reader: Reader, lens: Lens, after_seq: int, limit: int) -> list[tuple[int, int, list[Wire]]]:
    """(sequence number, time, events) of each act of this session, oldest first."""
    entries = [entry for entry in reader.log(lens.session_place, after_seq, limit) if entry.is_home]
    return [(entry.seq, entry.at_ms, _tell(reader, lens, entry)) for entry in entries]


def last_traces(reader: Reader, lens: Lens, limit: int) -> list[tuple[int, int, list[Wire]]]:
    """The newest acts of this session, oldest of them first."""
    head = reader.heads([lens.session_place])[lens.session_place]
    return read_traces(reader, lens, max(0, head.seq - limit), limit)


def _tell(reader: Reader, lens: Lens, home: Entry) -> list[Wire]:
    entries = [home, *(entry for place, seq in home.siblings for entry in reader.log(place, seq - 1, 1))]
    parts = [(index, entry.place, event) for entry in entries for index, event in entry.events]
    events = [(place, event) for _, place, event in sorted(parts, key=lambda part: part[0])]
    items = reader.fetch(list(dict.fromkeys(ref for _, event in events for ref in _refs(event))))
    phases = {entry.place: _phase_then(reader, entry) for entry in entries}
    try:
        policy = reader.policy(home.policy_hash) or {}
        return trace(events, scene_of(lens, policy, items.get, phases, _policy_then(canonical(policy))))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise StoreDamaged("A record of the log says something unknown.", hint="Run `recollect verify`.") from None


@lru_cache(maxsize=64)
def _policy_then(written: str) -> Policy | None:
    """The policy a record names, as it was written down."""
    raw = json.loads(written)
    return recorded_policy(raw) if raw else None


def _phase_then(reader: Reader, entry: Entry) -> Phase | None:
    """The phase a place was in when a record was written."""
    return next((phase for phase in reader.phases(entry.place) if phase.index == entry.phase), None)


def _refs(event: Event) -> list[ItemRef]:
    return [value for value in event if isinstance(value, ItemRef)]


def all_events(reader: Reader, place: Place) -> Iterator[Event]:
    """Everything that ever happened in a place, oldest first."""
    for entry in walk(lambda seq: reader.log(place, seq, PAGE), lambda entry: entry.seq, 0):
        yield from (event for _, event in entry.events)
