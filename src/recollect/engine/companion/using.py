"""A recall that was of use lets a fact's importance grow, once a session.

Never: grows anything in quarantine, or beyond the policy's ceiling.
Spec: rulings 4a, 25.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.core.companion.growth import grown, sessions_in
from recollect.core.companion.ledger import Entry, Shelf, enter, key_of
from recollect.core.companion.sessions import MINUTE_MS, last_activity
from recollect.core.events import Counted, Marked
from recollect.core.item import MemoryItem
from recollect.core.places import ledger_of, uses_of
from recollect.core.values import Kind, Space
from recollect.core.write.desk import Desk
from recollect.engine.companion.lay_out import spoken_of
from recollect.engine.writing import gather_keys
from recollect.ports.store import Writer


def grow_by_use(desk: Desk, writer: Writer, items: Sequence[MemoryItem]) -> None:
    """Count a use in this session and let importance follow."""
    companion = desk.policy.companion
    assert companion is not None
    place = ledger_of(desk.lens)
    gather_keys(desk, writer, {place: [key_of(Shelf.SESSION, desk.lens.session)]})
    session = desk.held.get((place, key_of(Shelf.SESSION, desk.lens.session)))
    if session is None:
        return
    for item in items:
        is_fact = item.kind is Kind.PROFILE and item.ref.place.space is Space.USER
        if is_fact and item.importance < desk.policy.importance.growth_ceiling:
            uses = _count(desk, writer, item, session)
            told = sessions_in(spoken_of(writer, item), companion.session_minutes * MINUTE_MS)
            importance = grown(item, told + uses, desk.policy)
            if importance > item.importance:
                desk.change(item, Marked(item.ref, importance, "growth"))


def _count(desk: Desk, writer: Writer, item: MemoryItem, session: MemoryItem) -> int:
    """In how many sessions a fact was of use by now."""
    place, key = uses_of(item.ref.place), key_of(Shelf.USES, item.id)
    gather_keys(desk, writer, {place: [key]})
    held = desk.held.get((place, key))
    if held is None:
        entry = Entry(shelf=Shelf.USES, name=item.id, text="uses", at_ms=desk.act.at_ms, sources=[item], how="uses")
        return enter(desk, place, entry).standing.mentions
    if last_activity(held) >= session.origin.at_ms:
        return held.standing.mentions
    desk.change(held, Counted(held.ref, held.standing.mentions + 1))
    return held.standing.mentions + 1
