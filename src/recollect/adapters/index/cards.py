"""What the index reads from one item, as a card: a few whole numbers, who, where, and the words.

    numbers     one 32-bit whole number for each of FIELDS
    who, where  the speaker, the session and the persona
    words       the terms in order, repeated as often as they stand there

A card is made once, stored beside the item, and read back when an index is built: nothing is read from text again.
RECIPE names exactly how cards are made. Whoever changes what a card says changes it too; cards of another recipe are
then made again from their items, so that nothing is answered from an outdated one.

Never: looks beyond the one item.
Spec: ports/index.py.
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from recollect.adapters.index.terms import terms
from recollect.core.item import MemoryItem
from recollect.core.read.query import read_answer
from recollect.core.values import Role

RECIPE: Final = "cards 2"
FIELDS: Final = ("words", "role", "day", "question", "number", "time", "name", "refers")
ROLES: Final = {Role.USER: 0, Role.ASSISTANT: 1, Role.TOOL: 2, Role.SYSTEM: 3}
_DAY_MS: Final = 86_400_000
_HEAD: Final = struct.Struct(f"<{len(FIELDS)}i")
_BETWEEN: Final = "\x1f"


class Cards(NamedTuple):
    """Some cards, read: a row of numbers each, and lists of the rest."""

    numbers: npt.NDArray[np.int32]
    speakers: list[str]
    sessions: list[str]
    terms: list[list[str]]


def card(item: MemoryItem) -> bytes:
    """The card of an item."""
    text, origin = item.text, item.origin
    head = _HEAD.pack(
        1 + text.count(" "),
        ROLES[origin.role],
        origin.at_ms // _DAY_MS,
        *read_answer(text),
    )
    named = f"{_plain(origin.speaker.casefold())}\x1f{_plain(origin.session)}/{_plain(origin.persona)}"
    return head + f"{named}\x1f{' '.join(terms(text))}".encode()


def _plain(name: str) -> str:
    return name.replace(_BETWEEN, " ") if _BETWEEN in name else name


def read_cards(cards: list[bytes]) -> Cards:
    """Read many cards at once."""
    size = _HEAD.size
    numbers = np.frombuffer(b"".join([raw[:size] for raw in cards]), dtype="<i4").reshape(-1, len(FIELDS))
    tails = [raw[size:].decode().split(_BETWEEN) for raw in cards]
    return Cards(
        numbers=numbers.astype(np.int32, copy=False),
        speakers=[tail[0] for tail in tails],
        sessions=[tail[1] for tail in tails],
        terms=[tail[2].split() for tail in tails],
    )
