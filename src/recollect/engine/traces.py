"""Puts the traces of a session together again from the log.

The log holds addresses; the words are read from the items as they are now. What was erased shows as erased.

Never: keeps a copy of anything.
Spec: ruling 10a; core/log.py.
"""

from __future__ import annotations

from collections.abc import Iterator

from recollect.core.events import Event, PhaseStarted
from recollect.core.item import Phase
from recollect.core.log import Entry
from recollect.core.values import ItemRef, Lens, Place
from recollect.core.wire import Wire, trace
from recollect.engine.writing import scene_of
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


def _tell(reader: Reader, lens: Lens, entry: Entry) -> list[Wire]:
    parts = [(index, entry.place, event) for index, event in entry.events]
    for place, seq in entry.siblings:
        for sibling in reader.log(place, seq - 1, 1):
            parts.extend((index, place, event) for index, event in sibling.events)
    events = [(place, event) for _, place, event in sorted(parts, key=lambda part: part[0])]
    items = reader.fetch(list(dict.fromkeys(ref for _, event in events for ref in _refs(event))))
    phases: dict[Place, Phase | None] = {}
    for place in dict.fromkeys(place for place, _ in events):
        phases[place] = _phase_then(reader, place, events)
    policy = reader.policy(entry.policy_hash) or {}
    return trace(events, scene_of(lens, policy, items.get, phases))


def _refs(event: Event) -> list[ItemRef]:
    return [value for value in event if isinstance(value, ItemRef)]


def _phase_then(reader: Reader, place: Place, events: list[tuple[Place, Event]]) -> Phase | None:
    """The phase a place was in: the one an event of this act opened, else its current one."""
    opened = [event.number for _, event in events if isinstance(event, PhaseStarted) and event.place == place]
    phases = reader.phases(place)
    if opened:
        return next((phase for phase in phases if phase.index == opened[-1]), None)
    return phases[-1] if phases else None


def all_events(reader: Reader, place: Place) -> Iterator[Event]:
    """Everything that ever happened in a place, oldest first."""
    seq = 0
    while entries := reader.log(place, seq, PAGE):
        for entry in entries:
            yield from (event for _, event in entry.events)
        seq = entries[-1].seq
