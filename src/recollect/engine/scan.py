"""Looks for secrets in what is already stored: from before a rule existed, or written under a looser policy.

    items       everything an item carries                          erased with what was made from them
    answers     ids and receipts of answered commands               dropped
    recalls     traces of recalls that a policy keeps               dropped
    phases      names and reasons                                   go with their session or user, or stay
    names       of users, sessions, personas and projects           go with their session or user, or stay

Never: shows what it found; only where, and by which rule.
Spec: "a scan of what is already stored"; ruling 10.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from recollect.core.item import MemoryItem
from recollect.core.values import ItemRef, Lens, Place, parse_id
from recollect.core.write.secrets import find_in_name, find_secrets, has_token, mask
from recollect.engine.erase import Erasure, ErasureReceipt, erase, with_ballast
from recollect.engine.listing import all_items
from recollect.engine.office import Office
from recollect.errors import NotFound
from recollect.ports.store import Reader

Codes = tuple[str, ...]
PAGE = 500
# What erasing the findings takes out; the rest are names that hold other things together.
DROPPED = ("answer", "recall")
GUIDANCE = {
    "answer": "`recollect scan --erase` drops it; the command will not be recognised when it comes again.",
    "recall": "`recollect scan --erase` drops it.",
    "phase": "Erase the session it was started in.",
    "name": "Erase that user, session or project, and use another name.",
}


def guidance(kind: str) -> str:
    """What to do about a secret beside the items."""
    return GUIDANCE[kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A secret beside the items: in an answer, a kept recall, a phase or a name. `where` is masked."""

    kind: str
    where: str
    codes: Codes

    def to_dict(self) -> dict[str, object]:
        return {"kind": self.kind, "where": self.where, "codes": list(self.codes), "what_to_do": guidance(self.kind)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """Which stored items hold a secret, by the code of the rule that found it, and where else there is one."""

    items: int
    found: tuple[tuple[str, Codes], ...]
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def codes(self) -> dict[str, int]:
        counted: dict[str, int] = {}
        for codes in (*(codes for _, codes in self.found), *(each.codes for each in self.elsewhere)):
            for code in codes:
                counted[code] = counted.get(code, 0) + 1
        return dict(sorted(counted.items()))

    @property
    def is_clean(self) -> bool:
        return not self.found and not self.elsewhere

    @property
    def staying(self) -> tuple[Elsewhere, ...]:
        """What erasing the findings leaves: names, which only go with what they name."""
        return tuple(each for each in self.elsewhere if each.kind not in DROPPED)

    def to_dict(self) -> dict[str, object]:
        return {
            "items": self.items,
            "codes": self.codes,
            "found": [{"id": item_id, "codes": list(codes)} for item_id, codes in self.found],
            "elsewhere": [each.to_dict() for each in self.elsewhere],
        }


def scan(reader: Reader, on_progress: Callable[[int], None] | None = None) -> Scan:
    """Scan everything of a tenant."""
    count = 0
    found: list[tuple[str, Codes]] = []
    elsewhere: list[Elsewhere] = []
    for place in reader.places():
        elsewhere.extend(_around(reader, place))
        for item in all_items(reader, place):
            count += 1
            codes = _codes_of(item)
            if codes:
                found.append((item.id, codes))
            if on_progress is not None and count % 500 == 0:
                on_progress(count)
    for owner, body in reader.kept_recalls():
        elsewhere.extend(_told("recall", f"session:{owner}", _codes(_strings(body))))
    return Scan(items=count, found=tuple(found), elsewhere=tuple(elsewhere))


def erase_found(office: Office, found: Scan, on_progress: Callable[[int, int], None] | None = None) -> ErasureReceipt:
    """Erase every item a scan found in one go, and drop the answers and recalls that hold a secret."""
    if not found.found and not any(each.kind in DROPPED for each in found.elsewhere):
        raise NotFound("There is nothing to erase here.", hint="The scan found nothing that can be.")
    with_ballast(office, partial(_drop, office))
    ids = [ref for item_id, _ in found.found if (ref := parse_id(item_id)) is not None]

    def roots(reader: Reader) -> list[ItemRef]:
        return [ref for start in range(0, len(ids), PAGE) for ref in reader.fetch(ids[start : start + PAGE])]

    erasure = Erasure(
        what="what a scan found",
        lens=Lens(user="anonymous"),
        roots=roots,
        buried=lambda reader: [],
        is_by_id=True,
    )
    try:
        return erase(office, erasure, on_progress)
    except NotFound:
        pending = with_ballast(office, office.repository.scrub)
        return ErasureReceipt(what=erasure.what, erased={}, derived=0, restated=0, places=0, pending=tuple(pending))


def _drop(office: Office) -> None:
    with office.repository.writing(()) as writer:
        writer.drop_recalls(lambda _, body: bool(_codes(_strings(body))))
        for place in writer.places():
            writer.drop_commands(place, lambda name, receipt: bool(_codes_of_answer(name, receipt)))


def _around(reader: Reader, place: Place) -> Iterator[Elsewhere]:
    """A place's name, its phases and its answers."""
    where = f"{place.space}:{place.owner}"
    # Addresses and plain numbers are names; only a token is none.
    if has_token(place.owner):
        yield from _told("name", where, _codes((place.owner,)))
    for phase in reader.phases(place):
        yield from _told("phase", f"phase-{phase.index} of {where}", _codes((phase.name, phase.reason)))
    for name, receipt in reader.commands(place):
        yield from _told("answer", where, _codes_of_answer(name, receipt))


def _told(kind: str, where: str, codes: Codes) -> Iterator[Elsewhere]:
    if codes:
        yield Elsewhere(kind=kind, where=mask(where, find_secrets(where)), codes=codes)


def _strings(body: str) -> Iterator[str]:
    """Every text in a stored JSON value; names of fields are the program's own."""
    try:
        left = [json.loads(body)]
    except ValueError:
        left = [body]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(value)


def _codes(texts: Iterable[str]) -> Codes:
    return tuple(sorted({finding.code for text in texts if text for finding in find_secrets(text)}))


def _codes_of_answer(name: str, receipt: str) -> Codes:
    """A caller's id may look like any number; only a token in it is a secret."""
    return _codes((name, *_strings(receipt)) if has_token(name) else _strings(receipt))


def _codes_of(item: MemoryItem) -> Codes:
    origin = item.origin
    texts = [item.text, origin.speaker, origin.ref, origin.source, origin.tool, *origin.files]
    texts += [key for key, _ in origin.extra]
    texts += [item.fact.key, item.fact.value] if item.fact is not None else []
    named = {finding.code for key, value in origin.extra for finding in find_in_name(key, value)}
    return tuple(sorted({*_codes(texts), *named}))
