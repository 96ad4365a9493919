"""Takes in what a user is introduced with: a seed of text, and memories in the document's own shape.

    {"seed": "…", "memories": [{"type": "PEOPLE", "content": "…", "entityRefs": ["person:john"], "importance": 2, …}]}

1. PROFILE, PEOPLE and PROJECT become facts with source `seeded_profile`; OPEN_LOOP becomes a todo of this persona.
2. What is not a memory of that shape is skipped, with the line and the reason. Importance outside 0 to 3 is 1, what is
   no reference is dropped, at most five are kept, a label has at most 100 characters.
3. A memory without a reference is keyed by its words, so that two preferences never meet by accident.

Never: takes more trust than the door gives; the privacy rules see every word.
Spec: state and memory model "Memory metadata"; facts 3.5 to 3.7; rulings 6, 10, 20.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recollect.core.companion.ledger import Entry, Shelf, enter, key_of
from recollect.core.companion.loops import Loop, draft, settled_kind
from recollect.core.companion.memories import Stated, read_memory
from recollect.core.companion.todos import todo_candidate
from recollect.core.item import Fact, Origin
from recollect.core.places import ledger_of, shared_ledger
from recollect.core.text import has_words, storable
from recollect.core.values import Authority, EventType, Kind, Lens, Place, Role, Source, Turn
from recollect.core.write.authority import cap
from recollect.core.write.candidate import Candidate, Outcome
from recollect.core.write.desk import Act, Desk
from recollect.core.write.pipeline import decide
from recollect.core.write.privacy import clear
from recollect.engine.office import Office
from recollect.engine.writing import Call, gather_keys, write
from recollect.errors import InvalidInput, LimitExceeded
from recollect.ports.store import Writer

MOST_MEMORIES = 10_000
SEED_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeded:
    """What was taken in, and what was not, with the reason."""

    seed: bool
    memories: int
    todos: int
    skipped: tuple[tuple[int, str], ...]

    def to_dict(self) -> dict[str, object]:
        skipped = [{"number": number, "reason": why} for number, why in self.skipped]
        return {"seed": self.seed, "memories": self.memories, "todos": self.todos, "skipped": skipped}


def import_seed(office: Office, lens: Lens, given: str | Mapping[str, object], at_ms: int) -> Seeded:
    """Introduce a user, in one commit."""
    text, raw = _read(given)
    read = [(number, read_memory(entry)) for number, entry in enumerate(raw, start=1)]
    skipped = tuple((number, entry) for number, entry in read if isinstance(entry, str))
    stated = [entry for _, entry in read if isinstance(entry, Stated)]
    outcomes: list[Outcome] = []
    places = (lens.user_place, ledger_of(lens), shared_ledger(lens))

    def run(desk: Desk, writer: Writer) -> None:
        desk.acts.append(Act(at_ms=at_ms))
        candidates = [_candidate(desk, entry, at_ms) for entry in stated]
        wanted: dict[Place, list[str]] = {}
        for candidate in candidates:
            wanted.setdefault(candidate.place, []).append(candidate.key)
        gather_keys(desk, writer, {**wanted, shared_ledger(lens): [key_of(Shelf.SEED)]})
        if text:
            _sow(desk, lens, text, at_ms)
        outcomes.extend(decide(desk, candidate) for candidate in candidates)
        desk.act.outcomes.extend(outcomes)

    write(office, Call(lens=lens, places=places, home=shared_ledger(lens)), run)
    kept = [outcome for outcome in outcomes if outcome.fate in {"written", "merged"}]
    todos = sum(outcome.ref.place == ledger_of(lens) for outcome in kept)
    return Seeded(seed=bool(text), memories=len(kept) - todos, todos=todos, skipped=skipped)


def _read(given: str | Mapping[str, object]) -> tuple[str, Sequence[object]]:
    if isinstance(given, str):
        given = {"seed": given}
    if not isinstance(given, Mapping) or set(given) - {"seed", "memories"}:
        raise InvalidInput("A seed is a text, or has `seed` and `memories`.", reason="bad_seed")
    text, memories = given.get("seed", ""), given.get("memories", [])
    if not isinstance(text, str) or not isinstance(memories, list):
        raise InvalidInput("`seed` should be a text and `memories` a list.", reason="bad_seed")
    if len(memories) > MOST_MEMORIES or len(text) > SEED_CHARACTERS:
        raise LimitExceeded(f"A seed holds at most {MOST_MEMORIES} memories and {SEED_CHARACTERS} characters.")
    text = storable(text).strip() if has_words(text) else ""
    if not text and not memories:
        raise InvalidInput("The seed is empty.", reason="empty_text")
    return text, memories


def _sow(desk: Desk, lens: Lens, text: str, at_ms: int) -> None:
    companion = desk.policy.companion
    assert companion is not None
    cleared = clear(Turn(text=text, role=Role.USER, at_ms=at_ms), desk.policy.privacy)
    shown = cleared.turn.text[: companion.seed_characters]
    entry = Entry(shelf=Shelf.SEED, name="", text=shown, at_ms=at_ms, how="seeded_profile")
    enter(desk, shared_ledger(lens), entry)


def _candidate(desk: Desk, stated: Stated, at_ms: int) -> Candidate:
    lens, said_ms = desk.lens, stated.at_ms or at_ms
    cleared = clear(Turn(text=stated.content, role=Role.USER, at_ms=said_ms), desk.policy.privacy)
    heard = Candidate(
        kind=Kind.PROFILE,
        place=lens.user_place,
        text=cleared.turn.text,
        source=Source.USER,
        event_type=EventType.FACT,
        authority=cap(Authority.USER_ASSERTED, desk.policy, lens),
        authority_reason="seeded_profile",
        origin=Origin(role=Role.USER, at_ms=said_ms, persona=lens.persona, session=lens.session),
        secret_codes=cleared.codes,
        denial=cleared.denial,
        made_how="",
    )
    if stated.type == "OPEN_LOOP":
        kind = settled_kind(Loop.COMMITMENT, stated.content) if stated.loop == "OPEN_LOOP" else Loop(stated.loop)
        todo = todo_candidate(heard, ledger_of(lens), draft(kind, cleared.turn.text))
        todo.made_how = ""
        return todo
    heard.key = stated.key
    heard.importance_hint = stated.importance
    heard.is_pinned = stated.is_pinned
    heard.mentions = stated.mentions
    heard.fact = Fact(
        key=stated.fact_type,
        value=cleared.turn.text,
        type=stated.type,
        entity_type=stated.entity_type,
        fact_type=stated.fact_type,
        entity_refs=stated.refs,
        entity_label=stated.label,
        confidence=stated.confidence,
        source="seeded_profile",
    )
    return heard
