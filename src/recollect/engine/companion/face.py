"""What one can ask a companion's memory: people and cards, todos, sessions and summaries, the seed, the curator.

Reached as `session.companion`; everything is said from the point of view of that session's user and persona.

Never: decides, and never answers with what another persona was told.
Spec: rulings 20 to 30a.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from recollect.core.companion.ledger import Shelf, key_of, value_of
from recollect.core.companion.loops import Loop
from recollect.core.companion.outcomes import kind_of
from recollect.core.companion.people import Card, Entity, card, entities
from recollect.core.companion.sessions import SessionRecord, last_activity, session_of
from recollect.core.companion.spellings import Variant, answers_in, canonical_refs, propose
from recollect.core.companion.todos import Todo, todo_of
from recollect.core.entities import ENTITY_KINDS, make_ref, valid_ref
from recollect.core.item import MemoryItem
from recollect.core.places import NOBODY, is_ledger, keeper_of, ledger_of, ledgers, shared_ledger, uses_of
from recollect.core.policy import Companion as Rules
from recollect.core.values import Kind, Lens, Place, Space, Status
from recollect.engine.companion import turning
from recollect.engine.companion.curator import Curation, curate, uncurate
from recollect.engine.companion.lay_out import open_todos
from recollect.engine.companion.names import aliases
from recollect.engine.door import Moment, read_moment
from recollect.engine.listing import all_items
from recollect.engine.office import Office
from recollect.engine.receipt import Receipt
from recollect.errors import InvalidInput, NotFound, Refused
from recollect.ports.store import Filter, Reader

if TYPE_CHECKING:
    from recollect.engine.companion.seed import Seeded

FACTS = Filter(kinds=(Kind.PROFILE,), statuses=(Status.ACTIVE,))
RECORDS = Filter(kinds=(Kind.PROFILE,), statuses=())


class Companion:
    """A companion's memory of one user, as one persona sees it."""

    def __init__(self, office: Office, lens: Lens) -> None:
        if office.policy.companion is None:
            raise Refused(
                "This policy keeps no people, todos or sessions.",
                hint='Open the memory with policy="companion", or give your policy a [companion] section.',
                reason="no_companion",
            )
        self._office = office
        self._lens = lens
        self._rules: Rules = office.policy.companion

    # people

    def people(self, *, kind: str = "") -> list[Entity]:
        """Whom and what this persona knows of: `person`, `place`, `org`, `project`, or all."""
        if kind and kind not in ENTITY_KINDS:
            allowed = f"Allowed: {', '.join(ENTITY_KINDS)}."
            raise InvalidInput(f"{kind[:40]!r} is no kind.", hint=allowed, reason="bad_kind")
        with self._office.repository.reading() as reader:
            found = entities(self._facts(reader), canonical_refs(aliases(reader, self._lens)))
        return [entity for entity in found if not kind or entity.ref.startswith(f"{kind}:")]

    def card(self, name: str) -> Card:
        """What matters about somebody, by name or by reference (`person:john`)."""
        with self._office.repository.reading() as reader:
            facts = [*self._facts(reader)]
            into = canonical_refs(aliases(reader, self._lens))
        ref = self._named(name, entities(facts, into), into)
        return card(ref, facts, into, self._office.policy)

    def spellings(self) -> list[Variant]:
        """Names that may be one, waiting for an answer: `merge` or `keep_apart`."""
        with self._office.repository.reading() as reader:
            answered = aliases(reader, self._lens)
            known = entities(self._facts(reader), {})
        settled = [(one, other) for one, other, _ in answers_in(answered)]
        return propose([entity.ref for entity in known], settled)

    def merge(self, name: str, into: str, *, at: Moment | None = None) -> Receipt:
        """Say that two names are one. No memory changes; `unmerge` takes it back."""
        return turning.answer(self._office, self._lens, self._ref(name), self._ref(into), self._at(at), is_one=True)

    def keep_apart(self, name: str, other: str, *, at: Moment | None = None) -> Receipt:
        """Say that two names are two, so that they are not proposed again."""
        return turning.answer(self._office, self._lens, self._ref(name), self._ref(other), self._at(at), is_one=False)

    def unmerge(self, name: str, *, at: Moment | None = None) -> Receipt:
        """Take a merge back."""
        return turning.unanswer(self._office, self._lens, self._ref(name), self._at(at))

    # todos

    def todos(self, *, kind: str = "", status: str = "open", at: Moment | None = None) -> list[Todo]:
        """What is open with this persona, or was: `status` is open, done or all. `at` is the moment to judge due by."""
        if status not in {"open", "done", "all"}:
            raise InvalidInput("status should be open, done or all.", reason="bad_status")
        if kind and kind not in set(Loop):
            raise InvalidInput(f"{kind[:40]!r} is no kind.", hint=f"Allowed: {', '.join(Loop)}.", reason="bad_kind")
        with self._office.repository.reading() as reader:
            place = ledger_of(self._lens)
            items = open_todos(reader, place) if status == "open" else [*all_items(reader, place, RECORDS)]
        now = self._at(at)
        told = [todo_of(item, now) for item in items if kind_of(item) is not None]
        told = [todo for todo in told if not kind or todo.kind == kind]
        return told if status != "done" else [todo for todo in told if todo.status != "PENDING"]

    def complete(self, todo_id: str, *, at: Moment | None = None) -> Receipt:
        """Say that a promise was kept."""
        return turning.turn(self._office, self._lens, todo_id, "completed", self._at(at))

    def dismiss(self, todo_id: str, *, at: Moment | None = None) -> Receipt:
        """Let go of something open without its being done."""
        return turning.turn(self._office, self._lens, todo_id, "dismissed", self._at(at))

    def promote(self, todo_id: str, *, at: Moment | None = None) -> Receipt:
        """Make a promise a habit."""
        return turning.turn(self._office, self._lens, todo_id, "became_habit", self._at(at))

    # sessions and summaries

    def sessions(self) -> list[SessionRecord]:
        """The sessions with this persona, oldest first."""
        with self._office.repository.reading() as reader:
            found = self._shelf(reader, Shelf.SESSION)
            sums = reader.fetch([item.standing.replaced_by for item in found if item.standing.replaced_by is not None])
        ended = {ref: int(str(value_of(item).get("ended_at", 0))) for ref, item in sums.items()}
        told = []
        for item in found:
            heir = item.standing.replaced_by
            told.append(session_of(item, ended.get(heir) if heir is not None else None))
        return told

    def state(self) -> dict[str, object]:
        """The document's SessionState: what goes on between sessions with this persona."""
        with self._office.repository.reading() as reader:
            place = ledger_of(self._lens)
            state = next(iter(reader.keyed(place, [key_of(Shelf.STATE)])), None)
            rolling = next(iter(reader.keyed(place, [key_of(Shelf.ROLLING, self._lens.session)])), None)
            curator = next(iter(reader.keyed(shared_ledger(self._lens), [key_of(Shelf.CURATOR)])), None)
            window = [item for item in reader.window(self._lens.session_place) if item.origin.role == "user"]
            pending = len(self._live(reader, Shelf.PENDING))
        return {
            "message_count": state.standing.mentions if state is not None else 0,
            "last_interaction": last_activity(state) if state is not None else None,
            "last_user_message": window[-1].text[:100] if window else "",
            "curator": {
                "last_run_at": last_activity(curator) if curator is not None else None,
                "last_memory_count_at_run": curator.standing.mentions if curator is not None else 0,
            },
            "rolling_summary": rolling.text if rolling is not None else "",
            "rolling_version": value_of(rolling).get("version", 0) if rolling is not None else 0,
            "pending_extraction": pending,
        }

    def rolling(self) -> list[dict[str, object]]:
        """Every version of the rolling summaries of this session, oldest first, with what each added and dropped."""
        with self._office.repository.reading() as reader:
            found = [i for i in self._shelf(reader, Shelf.ROLLING) if i.origin.session == self._lens.session]
        return [{"id": item.id, "at": item.origin.at_ms, "text": item.text, **value_of(item)} for item in found]

    def summary(self) -> dict[str, object] | None:
        """How the last session ended; None while none has."""
        found = self.summaries()
        return found[-1] if found else None

    def summaries(self) -> list[dict[str, object]]:
        """The summary of every session that ended, oldest first."""
        with self._office.repository.reading() as reader:
            return [{"id": item.id, **value_of(item)} for item in self._shelf(reader, Shelf.SUMMARY)]

    def spine(self, *, version: int = 0) -> dict[str, object] | None:
        """The long summary with this persona: its newest version, or the one asked for, with its diff."""
        with self._office.repository.reading() as reader:
            found = [{"id": i.id, "text": i.text, **value_of(i)} for i in self._shelf(reader, Shelf.SPINE)]
        if not version:
            return found[-1] if found else None
        return next((told for told in found if told.get("version") == version), None)

    def personas(self) -> list[str]:
        """The personas this user has talked to."""
        with self._office.repository.reading() as reader:
            kept = [keeper_of(p) for p in reader.places_of(Space.USER, self._lens.user) if is_ledger(p)]
        return [persona for _, persona in kept if persona and persona != NOBODY]

    # what was handed over, and what was told to one persona alone

    def seed(self) -> str:
        """What this user was introduced with."""
        with self._office.repository.reading() as reader:
            item = next(iter(reader.keyed(shared_ledger(self._lens), [key_of(Shelf.SEED)])), None)
        return item.text if item is not None else ""

    def import_seed(self, seed: str | Mapping[str, object], *, at: Moment | None = None) -> Seeded:
        """Introduce a user: a text, or `{"seed": text, "memories": [...]}` in the document's own shape."""
        from recollect.engine.companion.seed import import_seed

        return import_seed(self._office, self._lens, seed, self._at(at))

    def private(self) -> list[MemoryItem]:
        """The facts that only this persona knows."""
        place = self._lens.private_place
        if place is None:
            return []
        with self._office.repository.reading() as reader:
            return [*all_items(reader, place, FACTS)]

    def move(self, item_id: str, to: str, *, at: Moment | None = None) -> Receipt:
        """Move a fact between `persona` (this one alone) and `everyone`."""
        if to not in {"persona", "everyone"}:
            raise InvalidInput("to should be persona or everyone.", reason="bad_target")
        place = self._lens.private_place if to == "persona" else self._lens.user_place
        if place is None:
            raise InvalidInput("This session has no persona.", reason="private_without_persona")
        return turning.move(self._office, self._lens, item_id, place, self._at(at))

    # the curator

    def curate(self, *, dry_run: bool = False, at: Moment | None = None) -> Curation:
        """Let the curator look through the facts; with `dry_run` it only says what it would do."""
        return curate(self._office, self._lens, self._at(at), is_dry_run=dry_run)

    def uncurate(self, item_id: str, *, at: Moment | None = None) -> int:
        """Take an act of the curator back: a fold, or a copy it archived. How many memories came back."""
        return uncurate(self._office, self._lens, item_id, self._at(at))

    def pending(self) -> list[MemoryItem]:
        """The turns a model has yet to read."""
        with self._office.repository.reading() as reader:
            return self._live(reader, Shelf.PENDING)

    def records(self) -> list[MemoryItem]:
        """Everything the ledgers of this persona and of its user hold, whatever became of it."""
        own = self._lens.private_place
        uses = [uses_of(place) for place in (self._lens.user_place, own) if place is not None]
        with self._office.repository.reading() as reader:
            return [item for place in (*ledgers(self._lens), *uses) for item in all_items(reader, place, RECORDS)]

    # the ground

    def _at(self, at: Moment | None) -> int:
        return self._office.clock.now_ms() if at is None else read_moment(at, "at")

    def _facts(self, reader: Reader) -> Sequence[MemoryItem]:
        places: tuple[Place, ...] = self._lens.places(Space.USER)
        return [item for place in places for item in all_items(reader, place, FACTS)]

    def _shelf(self, reader: Reader, shelf: Shelf) -> list[MemoryItem]:
        found = all_items(reader, ledger_of(self._lens), RECORDS)
        return [item for item in found if item.fact is not None and item.fact.type == shelf]

    def _live(self, reader: Reader, shelf: Shelf) -> list[MemoryItem]:
        return [item for item in self._shelf(reader, shelf) if item.status is Status.ACTIVE]

    def _ref(self, name: str) -> str:
        ref = name if valid_ref(name) else make_ref("person", name)
        if not ref:
            raise InvalidInput("That is not a name.", reason="bad_name")
        return ref

    def _named(self, name: str, known: Sequence[Entity], into: Mapping[str, str]) -> str:
        """The reference a name means: itself, one of the kinds, or a first name only one person has."""
        refs = [entity.ref for entity in known]
        tried = [name] if valid_ref(name) else [make_ref(kind, name) for kind in ENTITY_KINDS]
        for ref in tried:
            if into.get(ref, ref) in refs:
                return into.get(ref, ref)
        starts = [entity.ref for entity in known if entity.label.casefold().split()[:1] == [name.casefold()]]
        if len(starts) == 1:
            return starts[0]
        raise NotFound("Nobody of that name is known here.", hint="`people` lists whom this persona knows of.")
