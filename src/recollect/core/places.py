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


def is_ledger(place: Place) -> bool:
    return place.space is Space.USER and place.owner.endswith(f"~{NAME}") and place.owner.count("~") == 2


def keeper_of(place: Place) -> tuple[str, str]:
    """The user and the persona a ledger belongs to; the persona is empty for the shared one."""
    user, persona, _ = place.owner.split("~")
    return user, persona
