"""The part of the store contract that keeping, proving and erasing stand on: lineage, seals, chains, moving, burying.

Never: checks what the engine makes of it; that is the engine's own promise.
Spec: ports/store.py; ruling 10a.
"""

from __future__ import annotations

from recollect.core.canonical import commitment
from recollect.core.events import Deleted, Erased, PhaseStarted, Written
from recollect.core.item import MemoryItem
from recollect.core.values import ItemRef, Kind, Place
from recollect.ports.store import Command, Reader, Repository, Store
from recollect.testing.commits import ANA, BOB, CHAT, everything, full_candidate, keep, keep_many, offered, sitting
from recollect.testing.opening import OpensStore


class KeepingContract(OpensStore):
    """Lineage, seals, chains, dumps and burials."""

    # lineage

    def test_lineage_is_known_in_both_directions(self) -> None:
        """What an item was made from, and everything made from it, can be asked, across places."""
        with self.repository() as repository:
            turn, fact, copy = self._family(repository)
            with repository.reading() as reader:
                assert reader.sources_of(fact.ref) == [turn.ref]
                assert reader.sources_of(turn.ref) == []
                assert reader.made_from([turn.ref]) == [(fact.ref, turn.ref)]
                assert reader.made_from([fact.ref, turn.ref]) == sorted([(fact.ref, turn.ref), (copy.ref, fact.ref)])
                assert reader.made_from([]) == []
                assert reader.edges(ANA) == [(fact.ref, turn.ref)]
                assert reader.edges(BOB) == [(copy.ref, fact.ref)]
                assert reader.made_in(CHAT) == [(fact.ref, turn.ref)]
                assert reader.made_in(BOB) == []

    def test_deleted_parent_is_remembered_and_erased_one_is_not(self) -> None:
        """Retention leaves the links of what it deletes, so that erasing still finds its way; erasing takes them."""
        with self.repository() as repository:
            turn, fact, copy = self._family(repository)
            with sitting(repository, CHAT) as desk:
                desk.change(turn, Deleted(turn.ref, "expired"))
            with repository.reading() as reader:
                assert reader.made_from([turn.ref]) == [(fact.ref, turn.ref)]
            with sitting(repository, BOB) as desk:
                desk.change(copy, Erased(copy.ref, "asked"))
            with repository.reading() as reader:
                assert reader.sources_of(copy.ref) == []
                assert reader.fetch([copy.ref]) == {}

    @staticmethod
    def _family(repository: Repository) -> tuple[MemoryItem, MemoryItem, MemoryItem]:
        with sitting(repository, CHAT, ANA, BOB) as desk:
            turn = keep(desk, offered(CHAT, "I live in Lisbon", Kind.SHORT_TERM))
            child = full_candidate(ANA)
            child.made_from = (turn.ref,)
            fact = keep(desk, child)
            grandchild = offered(BOB, "Ana lives in Lisbon")
            grandchild.made_how, grandchild.made_from = "promotion", (fact.ref,)
            copy = keep(desk, grandchild)
        return turn, fact, copy

    # seals and chains

    def test_every_seal_opens(self) -> None:
        """The log's commitments are made from exactly the sealed content: items, phases and the name of a place."""
        with self.repository() as repository:
            with sitting(repository, CHAT, ANA) as desk:
                desk.open_phase(ANA, name="planning", reason="manual")
                keep(desk, offered(CHAT, "said", Kind.SHORT_TERM))
                keep(desk, full_candidate(ANA))
                keep(desk, offered(ANA, "also said"))
            with repository.reading() as reader:
                for place in (CHAT, ANA):
                    made: dict[object, str] = {
                        sealed.key: commitment(sealed.salt, sealed.body.encode()) for sealed in reader.sealed(place)
                    }
                    told = self._seals(reader, place)
                    assert told
                    assert {key: made[key] for key in told} == told

    @staticmethod
    def _seals(reader: Reader, place: Place) -> dict[object, str]:
        events = [event for entry in reader.log(place, 0, 100) for _, event in entry.events]
        seals: dict[object, str] = {event.ref: event.seal for event in events if isinstance(event, Written)}
        seals |= {(event.place, event.number): event.seal for event in events if isinstance(event, PhaseStarted)}
        return seals

    def test_standings_are_told_without_words(self) -> None:
        """How every item stands can be read by itself, in the order of ids, whatever its kind or status."""
        with self.repository() as repository:
            for place, kind in ((ANA, Kind.PROFILE), (ANA, Kind.SEMANTIC), (BOB, Kind.SEMANTIC)):
                keep_many(repository, place, kind, 3)
            with repository.reading() as reader:
                items = [*reader.documents(ANA)]
                assert list(reader.standings(ANA)) == [(item.ref, item.standing) for item in items]
                assert len(items) == 6
                assert list(reader.standings(CHAT)) == []

    def test_deleted_content_cannot_be_unsealed(self) -> None:
        """With an item its salt is gone, so that nobody can try whether a guess was what it said."""
        with self.repository() as repository:
            item = keep_many(repository, ANA, Kind.SEMANTIC, 1)[0]
            with sitting(repository, ANA) as desk:
                desk.change(item, Deleted(item.ref, "expired"))
            with repository.reading() as reader:
                assert item.ref not in [sealed.key for sealed in reader.sealed(ANA)]

    def test_chains_stand_where_their_records_end(self) -> None:
        """Each place has one chain, numbered once, whose head is the hash of its last record."""
        with self.repository() as repository:
            for place, count in ((CHAT, 2), (ANA, 3), (BOB, 1)):
                for _ in range(count):
                    keep_many(repository, place, Kind.SEMANTIC, 1)
            with repository.reading() as reader:
                chains = reader.chains()
                assert {chain.place: chain.seq for chain in chains} == {CHAT: 2, ANA: 3, BOB: 1}
                assert [chain.number for chain in chains] == sorted({chain.number for chain in chains})
                for chain in chains:
                    assert bytes(chain.head) == bytes(reader.records(chain.place, 0, 10)[-1][2])
                assert reader.strays() == []

    # moving

    def test_dump_loads_into_an_empty_store(self) -> None:
        """Everything of a tenant can be carried to another store, and is the same there, chains included."""
        with self.opened() as store, self._second() as other:
            source = store.repository("default")
            self._family(source)
            keep_many(store.repository("somebody else"), ANA, Kind.SEMANTIC, 2)
            with source.reading() as reader:
                rows = list(reader.dump())
                before = {place: everything(reader, place) for place in reader.places()}
                edges = {place: reader.edges(place) for place in before}
            assert rows == self._dumped(source)
            target = other.repository("default")
            with target.writing(()) as writer:
                for table, row in rows:
                    writer.load(table, row)
            with target.reading() as reader:
                assert {place: everything(reader, place) for place in reader.places()} == before
                assert {place: reader.edges(place) for place in before} == edges
                assert [bytes(chain.head) for chain in reader.chains()]
            assert other.check() == []

    def _second(self) -> _Second:
        return _Second(self)

    @staticmethod
    def _dumped(repository: Repository) -> list[tuple[str, dict[str, object]]]:
        with repository.reading() as reader:
            return list(reader.dump())

    # letting go

    def test_buried_place_is_nameless_and_its_name_is_free(self) -> None:
        """A buried place has no name, phases or commands any more; its chain stays, and the name begins anew."""
        command = Command(owner=ANA, id="c1", fingerprint="f", receipt="[]")
        with self.repository() as repository:
            with sitting(repository, ANA, command=command) as desk:
                item = keep(desk, offered(ANA, "x"))
            keep_many(repository, BOB, Kind.SEMANTIC, 1)
            with sitting(repository, ANA) as desk:
                desk.change(item, Erased(item.ref, "asked"))
            with repository.writing((ANA,)) as writer:
                writer.bury(ANA)
            with repository.reading() as reader:
                assert ANA not in reader.places()
                assert BOB in reader.places()
                assert reader.answer(ANA, "c1") is None
                assert reader.phases(ANA) == []
                assert sorted(chain.seq for chain in reader.chains()) == [1, 2]
                assert reader.heads([ANA])[ANA].tick == 0
            again = keep_many(repository, ANA, Kind.SEMANTIC, 1)[0]
            assert again.ref == ItemRef(ANA, Kind.SEMANTIC, 1)
            with repository.reading() as reader:
                assert list(reader.documents(ANA)) == [again]

    def test_doomed_answers_and_recalls_are_dropped(self) -> None:
        """Kept answers and recall traces go when they are judged to hold what must go; the others stay."""
        with self.repository() as repository:
            for name in ("keep", "drop"):
                receipt = f'[["{name}"]]'
                command = Command(owner=CHAT, id=name, fingerprint="f", receipt=receipt)
                with sitting(repository, CHAT, command=command) as desk:
                    keep(desk, offered(CHAT, name, Kind.SHORT_TERM))
                with repository.writing((CHAT,)) as writer:
                    writer.keep_recall(CHAT, receipt, 9)
            with repository.reading() as reader:
                assert reader.commands(CHAT) == [("drop", '[["drop"]]'), ("keep", '[["keep"]]')]
                assert list(reader.kept_recalls()) == [(CHAT.owner, '[["keep"]]'), (CHAT.owner, '[["drop"]]')]
            with repository.writing((CHAT,)) as writer:
                writer.drop_commands(CHAT, lambda name, receipt: "drop" in receipt)
                writer.drop_recalls(lambda owner, body: owner == CHAT.owner and "drop" in body)
            with repository.reading() as reader:
                assert reader.answer(CHAT, "drop") is None
                assert reader.answer(CHAT, "keep") is not None
                assert reader.recalls(CHAT, 9) == ['[["keep"]]']

    def test_room_can_be_given_back(self) -> None:
        """Settling, scrubbing and the ballast report what is pending in words, and lose nothing."""
        with self.repository() as repository:
            kept = keep_many(repository, ANA, Kind.SEMANTIC, 3)
            repository.keep_ballast()
            for pending in (repository.settle(), repository.scrub()):
                assert all(isinstance(sentence, str) and sentence.strip() for sentence in pending)
            repository.drop_ballast()
            with repository.reading() as reader:
                assert list(reader.documents(ANA)) == kept


class _Second:
    """A second fresh store of the same making, for as long as the block lasts."""

    def __init__(self, contract: OpensStore) -> None:
        self._store = contract.make_store()

    def __enter__(self) -> Store:
        return self._store

    def __exit__(self, *_: object) -> None:
        self._store.close()
