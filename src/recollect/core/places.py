"""Where a companion's ledgers are: places named after a user and a persona.

Never: reads anything. Whoever only has to know whose place an id means needs no more than this.
Spec: decision 0020; ruling 3.
"""

from __future__ import annotations

from recollect.core.values import Lens, Place, Space

NAME = "ledger"
# The persona of a session that names none, as the contract's `ai_profile` has it.
NOBODY = "default"


def ledger_of(lens: Lens) -> Place:
    """What stays between this user and this persona."""
    return Place(Space.USER, f"{lens.user or 'anonymous'}~{lens.persona or NOBODY}~{NAME}")


def shared_ledger(lens: Lens) -> Place:
    """What holds for this user with every persona."""
    return Place(Space.USER, f"{lens.user or 'anonymous'}~~{NAME}")


def ledgers(lens: Lens) -> tuple[Place, Place]:
    return ledger_of(lens), shared_ledger(lens)


def uses_of(place: Place) -> Place:
    """Where is counted in how many sessions a recalled fact of a place was of use."""
    user, _, persona = place.owner.partition("~")
    return Place(Space.USER, f"{user}~{persona.partition('~')[0]}~uses")


def lens_of(place: Place) -> Lens | None:
    """Whose conversation or memory a place is; None for a ledger, a project or the system. Names hold no marks."""
    who, _, session = place.owner.partition("/")
    user, _, persona = who.partition("~")
    if place.space not in {Space.USER, Space.SESSION} or "~" in persona:
        return None
    return Lens(user=user, persona=persona, session=session)


def is_ledger(place: Place) -> bool:
    return place.space is Space.USER and place.owner.endswith(f"~{NAME}") and place.owner.count("~") == 2


def keeper_of(place: Place) -> tuple[str, str]:
    """The user and the persona a ledger belongs to; the persona is empty for the shared one."""
    user, persona, _ = place.owner.split("~")
    return user, persona
