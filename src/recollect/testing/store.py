"""The store contract: what every store must do, as tests a third-party adapter runs.

Each test opens a fresh store through `make_store`, speaks to it only through `recollect.ports.store`, and closes it.

Never: looks behind the port, sleeps for luck, or lets a store skip a part.
Spec: ports/store.py; rulings 3, 4, 10a; laws 1, 2, 5, 6.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

from recollect.core.canonical import link
from recollect.core.events import Archived, Deleted, Event, Merged, PhaseStarted, Pinned, Written
from recollect.core.item import MemoryItem
from recollect.core.log import GENESIS
from recollect.core.policy import Policy
from recollect.core.values import ItemRef, Kind, Place, Space, Status
from recollect.core.write.desk import Desk
from recollect.errors import StoreClosed
from recollect.ports.store import Command, Filter, Reader, Repository
from recollect.testing.chores import ChoresContract
from recollect.testing.commits import (
    ANA,
    BOB,
    CHAT,
    decided,
    everything,
    full_candidate,
    keep,
    keep_many,
    offered,
    seat,
    sitting,
)
from recollect.testing.keeping import KeepingContract
from recollect.testing.sheets import SheetsContract

ALL = Filter(statuses=())
HOSTILE = (
    "plain",
    "שלום עולם \u202e right to left",
    "zero\u200bwidth\u200djoined",
    "e\u0301 and \u00e9 are different bytes",
    "quote ' and \" and ; -- and %s and ? and {}",
    "line\none\r\ntwo\ttab\u2028three",
    "\U0001f9e0 \ufffd \uffff",
    "nul is replaced at the door, \x01 is not",
)


class _Stumble(Exception):
    """What goes wrong inside a block that must then leave nothing behind."""


class StoreContract(KeepingContract, SheetsContract, ChoresContract):
    """Subclass it, return a fresh and empty store from `make_store`, and run pytest."""

    # what is fresh

    def test_fresh_store_holds_nothing(self) -> None:
        """A fresh store knows no place, and a place never written has a fresh head."""
        with self.repository() as repository, repository.reading() as reader:
            head = reader.heads([ANA])[ANA]
            assert (head.place, head.tick, head.seq, head.phase) == (ANA, 0, 0, None)
            assert list(head.counts.values()) == [0, 0, 0]
            assert reader.places() == []
            assert reader.window(CHAT) == []
            assert reader.phases(ANA) == []
            assert list(reader.documents(ANA)) == []
            assert reader.log(ANA, 0, 10) == []
            assert reader.answer(ANA, "c1") is None
            assert reader.policy("0" * 16) is None
            assert reader.recalls(CHAT, 10) == []
            assert reader.counts() == {"places": 0, "records": 0}

    def test_healthy_store_has_nothing_wrong(self) -> None:
        """A store that was just written finds nothing wrong with itself."""
        with self.opened() as store:
            keep_many(store.repository("default"), ANA, Kind.SEMANTIC, 3)
            assert store.check() == []

    # what is committed

    def test_committed_items_are_read_back_whole(self) -> None:
        """Every field of an item survives: words, fact, origin, lineage, tags and standing."""
        with self.repository() as repository:
            with sitting(repository, CHAT, ANA) as desk:
                turn = keep(desk, offered(CHAT, "I live in Lisbon", Kind.SHORT_TERM))
                candidate = full_candidate(ANA)
                candidate.made_from = (turn.ref,)
                fact = keep(desk, candidate, importance=3)
            with repository.reading() as reader:
                assert reader.fetch([turn.ref, fact.ref]) == {turn.ref: turn, fact.ref: fact}

    def test_any_text_is_kept_exactly(self) -> None:
        """Text of any script, with any storable character, comes back byte for byte."""
        with self.repository() as repository:
            with sitting(repository, ANA) as desk:
                kept = [keep(desk, offered(ANA, text, key=f"context:{text}")) for text in (*HOSTILE, "x" * 1_000_000)]
            with repository.reading() as reader:
                assert [item.text for item in reader.documents(ANA)] == [item.text for item in kept]
                assert reader.keyed(ANA, [kept[1].dedup_key]) == [kept[1]]

    def test_head_follows_its_commits(self) -> None:
        """Clock, counters, phase and sequence number of a place are what the desk left, after every commit."""
        with self.repository() as repository:
            for number in range(1, 4):
                with sitting(repository, ANA) as desk:
                    keep(desk, offered(ANA, f"turn {number}"))
                    keep(desk, offered(ANA, f"fact {number}", Kind.PROFILE))
                with repository.reading() as reader:
                    head = reader.heads([ANA])[ANA]
                assert (head.tick, head.seq) == (1 + 2 * number, number)
                assert head.counts == {Kind.SHORT_TERM: 0, Kind.SEMANTIC: number, Kind.PROFILE: number}
                assert head.phase is not None
                assert head.phase.index == 1

    def test_phases_are_kept_in_order(self) -> None:
        """Phases come back oldest first with their names and reasons, and the head knows the last."""
        with self.repository() as repository:
            for name in ("", "Überblick", "third: \u202e odd"):
                with sitting(repository, ANA) as desk:
                    desk.open_phase(ANA, name=name, reason="manual")
            with repository.reading() as reader:
                phases = reader.phases(ANA)
                assert [(phase.index, phase.name) for phase in phases] == [
                    (1, ""),
                    (2, "Überblick"),
                    (3, "third: \u202e odd"),
                ]
                assert reader.heads([ANA])[ANA].phase == phases[-1]

    def test_changed_standing_is_kept_and_content_is_not_touched(self) -> None:
        """Events change an item's standing, replaced_by across places included; its content stays."""
        with self.repository() as repository:
            with sitting(repository, CHAT, ANA) as desk:
                old = keep(desk, offered(CHAT, "old", key="k"))
                heir = keep(desk, offered(ANA, "heir", key="k"))
            with sitting(repository, CHAT, ANA) as desk:
                archived = desk.change(old, Archived(old.ref, "superseded", heir.ref))
                merged = desk.change(heir, Merged(desk.next_ref(ANA, Kind.SEMANTIC), heir.ref, 2))
            assert archived is not None
            assert merged is not None
            pinned: MemoryItem | None
            with sitting(repository, ANA) as desk:
                pinned = desk.change(merged, Pinned(heir.ref, True, 3))
            with repository.reading() as reader:
                assert reader.fetch([old.ref, heir.ref]) == {old.ref: archived, heir.ref: pinned}

    def test_deleted_item_is_gone(self) -> None:
        """A deleted item answers like one that never was, and its number is not given out again."""
        with self.repository() as repository:
            first, second = keep_many(repository, ANA, Kind.SEMANTIC, 2)
            with sitting(repository, ANA) as desk:
                desk.change(second, Deleted(second.ref, "expired"))
            with sitting(repository, ANA) as desk:
                third = keep(desk, offered(ANA, "third"))
            assert third.ref.n == 3
            with repository.reading() as reader:
                assert reader.fetch([first.ref, second.ref, third.ref]) == {first.ref: first, third.ref: third}
                assert [item.ref.n for item in reader.documents(ANA)] == [1, 3]

    def test_failed_block_changes_nothing(self) -> None:
        """When the block raises, nothing of it is kept: no item, place, record, answer or tick."""
        with self.repository() as repository:
            keep_many(repository, ANA, Kind.SEMANTIC, 2)
            with repository.reading() as reader:
                before = everything(reader, ANA)
            for _ in range(2):
                self._fail_to_write(repository)
            with repository.reading() as reader:
                assert everything(reader, ANA) == before
                assert reader.answer(ANA, "c1") is None
            keep_many(repository, BOB, Kind.SEMANTIC, 1)
            with repository.reading() as reader:
                assert reader.places() == [ANA, BOB]

    @staticmethod
    def _fail_to_write(repository: Repository) -> None:
        command = Command(owner=ANA, id="c1", fingerprint="f", receipt="[]")
        try:
            with repository.writing((ANA, BOB)) as writer:
                desk = seat(writer, ANA, BOB)
                keep(desk, offered(ANA, "never"))
                keep(desk, offered(BOB, "never"))
                writer.commit(decided(desk, ANA, command))
                raise _Stumble
        except _Stumble:
            pass

    def test_commit_spans_places(self) -> None:
        """One commit may write several places; each keeps its own clock, and one record of the act."""
        with self.repository() as repository:
            with sitting(repository, CHAT, ANA, BOB) as desk:
                for place in (ANA, CHAT, BOB, ANA):
                    keep(desk, offered(place, f"in {place.owner}"))
            with repository.reading() as reader:
                heads = reader.heads([CHAT, ANA, BOB])
                assert [head.tick for head in heads.values()] == [2, 3, 2]
                assert [head.seq for head in heads.values()] == [1, 1, 1]
                assert reader.log(CHAT, 0, 9)[0].siblings == ((ANA, 1), (BOB, 1))

    # walls

    def test_tenants_are_walls(self) -> None:
        """Two tenants with the same names share nothing: not an item, a tick, a place, a record or an answer."""
        with self.opened() as store:
            ours, theirs = store.repository("ours"), store.repository("theirs")
            with ours.reading() as reader:
                before = everything(reader, ANA)
            command = Command(owner=ANA, id="c1", fingerprint="f", receipt="[]")
            with sitting(theirs, ANA, command=command) as desk:
                held = keep(desk, offered(ANA, "theirs", key="k"))
            with ours.reading() as reader:
                assert everything(reader, ANA) == before
                assert reader.fetch([held.ref]) == {}
                assert reader.keyed(ANA, ["k"]) == []
                assert reader.answer(ANA, "c1") is None
            mine = keep_many(ours, ANA, Kind.SEMANTIC, 1)[0]
            assert mine.created_at == held.created_at

    def test_owners_and_spaces_are_apart(self) -> None:
        """One name in two spaces, and two names in one space, are different places with clocks of their own."""
        places = [Place(space, owner) for space in Space for owner in ("ana", "bob")]
        with self.repository() as repository:
            for count, place in enumerate(places, start=1):
                keep_many(repository, place, Kind.SEMANTIC, count)
            with repository.reading() as reader:
                assert [len(list(reader.documents(place))) for place in places] == list(range(1, len(places) + 1))
                assert [reader.heads([place])[place].tick for place in places] == list(range(2, len(places) + 2))

    def test_places_are_sorted_and_filtered(self) -> None:
        """Places come in one order whatever the script of their names, and can be narrowed by space and prefix."""
        owners = ["b", "a", "Ä", "a~coach", "\U0001f9e0", "\uff21", "ab", "zz"]
        with self.repository() as repository:
            for owner in owners:
                keep_many(repository, Place(Space.USER, owner), Kind.SEMANTIC, 1)
            keep_many(repository, Place(Space.PROJECT, "a"), Kind.SEMANTIC, 1)
            with repository.reading() as reader:
                users = [Place(Space.USER, owner) for owner in sorted(owners)]
                assert reader.places() == [Place(Space.PROJECT, "a"), *users]
                assert reader.places("user") == users
                found = reader.places("user", "a")
                assert [place.owner for place in found] == ["a", "ab", "a~coach"]

    # look-ups

    def test_window_is_the_active_short_term(self) -> None:
        """The window holds the active turns of its own place, oldest first."""
        with self.repository() as repository:
            turns = keep_many(repository, CHAT, Kind.SHORT_TERM, 4)
            keep_many(repository, CHAT, Kind.SEMANTIC, 1)
            with sitting(repository, CHAT) as desk:
                desk.change(turns[0], Deleted(turns[0].ref, "expired"))
                desk.change(turns[2], Archived(turns[2].ref, "forgotten"))
            with repository.reading() as reader:
                assert reader.window(CHAT) == [turns[1], turns[3]]
                assert reader.window(ANA) == []

    def test_key_is_held_by_one_active_item(self) -> None:
        """Only the active holder of a key is found; archiving frees the key for the next."""
        with self.repository() as repository:
            with sitting(repository, ANA) as desk:
                old = keep(desk, offered(ANA, "old", key="k"))
                other = keep(desk, offered(ANA, "other", key="K"))
                keep(desk, offered(ANA, "apart", key="k"), Status.QUARANTINED)
            with repository.reading() as reader:
                assert reader.keyed(ANA, ["k"]) == [old]
                assert {item.ref for item in reader.keyed(ANA, ["k", "K", "none"])} == {old.ref, other.ref}
                assert reader.keyed(ANA, []) == []
                assert reader.keyed(BOB, ["k"]) == []
            with sitting(repository, ANA) as desk:
                desk.change(old, Archived(old.ref, "superseded"))
                new = keep(desk, offered(ANA, "new", key="k"))
            with repository.reading() as reader:
                assert reader.keyed(ANA, ["k"]) == [new]

    def test_fetch_finds_any_status_and_only_what_exists(self) -> None:
        """An address is answered whatever the item's status; a foreign or missing one is simply not there."""
        with self.repository() as repository:
            with sitting(repository, ANA) as desk:
                kept = [keep(desk, offered(ANA, str(status)), status) for status in Status]
            missing = [ItemRef(ANA, Kind.SEMANTIC, 99), ItemRef(BOB, Kind.SEMANTIC, 1), ItemRef(ANA, Kind.PROFILE, 1)]
            with repository.reading() as reader:
                found = reader.fetch([*missing, *(item.ref for item in kept)])
                assert found == {item.ref: item for item in kept}
                assert reader.fetch([]) == {}

    def test_ageing_leaves_out_the_pinned_and_the_young(self) -> None:
        """Only active, unpinned items of the kind from before the tick may age, oldest first."""
        with self.repository() as repository:
            items = keep_many(repository, ANA, Kind.SEMANTIC, 5)
            with sitting(repository, ANA) as desk:
                desk.change(items[1], Pinned(items[1].ref, True, 3))
                desk.change(items[2], Archived(items[2].ref, "forgotten"))
            with repository.reading() as reader:
                before = items[4].created_at
                assert reader.ageing(ANA, Kind.SEMANTIC, before) == [items[0], items[3]]
                assert reader.ageing(ANA, Kind.SEMANTIC, items[0].created_at) == []
                assert reader.ageing(ANA, Kind.PROFILE, 10_000) == []

    def test_foremost_facts(self) -> None:
        """Facts come pinned first, then the more important, then the newer; the limit counts live ones only."""
        with self.repository() as repository:
            with sitting(repository, ANA) as desk:
                for importance in (1, 3, 1, 2):
                    keep(desk, offered(ANA, f"fact {importance}", Kind.PROFILE), importance=importance)
            self._pin(repository, Kind.PROFILE, 3, archived=())
            with repository.reading() as reader:
                order = [item.ref.n for item in reader.foremost([ANA], 10)]
                assert order == [3, 2, 4, 1]
                assert [item.ref.n for item in reader.foremost([ANA], 2)] == [3, 2]
                assert reader.foremost([ANA], 0) == []
                assert reader.foremost([], 9) == []

    def test_foremost_episodes_are_the_pinned_ones(self) -> None:
        """Of episodes only pinned ones are foremost; an archived one takes no place of the limit."""
        with self.repository() as repository:
            keep_many(repository, ANA, Kind.SEMANTIC, 4)
            for number in (1, 2, 3):
                self._pin(repository, Kind.SEMANTIC, number, archived=())
            self._pin(repository, Kind.SEMANTIC, 4, archived=(4,))
            with repository.reading() as reader:
                assert [item.ref.n for item in reader.foremost([ANA], 2)] == [3, 2]
                assert [item.ref.n for item in reader.foremost([ANA], 9)] == [3, 2, 1]

    def test_foremost_of_several_places(self) -> None:
        """What is foremost comes place after place as asked for, facts before episodes, each kind with its limit."""
        with self.repository() as repository:
            for place in (ANA, BOB):
                keep_many(repository, place, Kind.PROFILE, 3)
                keep_many(repository, place, Kind.SEMANTIC, 2)
            self._pin(repository, Kind.SEMANTIC, 1, archived=())
            wanted = [(BOB, Kind.PROFILE, 3), (BOB, Kind.PROFILE, 2), (ANA, Kind.PROFILE, 3), (ANA, Kind.PROFILE, 2)]
            with repository.reading() as reader:
                found = [item.ref for item in reader.foremost([BOB, CHAT, ANA], 2)]
            assert [(ref.place, ref.kind, ref.n) for ref in found] == [*wanted, (ANA, Kind.SEMANTIC, 1)]

    @staticmethod
    def _pin(repository: Repository, kind: Kind, number: int, archived: tuple[int, ...]) -> None:
        ref = ItemRef(ANA, kind, number)
        with repository.reading() as reader:
            item = reader.fetch([ref])[ref]
        with sitting(repository, ANA) as desk:
            desk.change(item, Pinned(ref, True, 3))
            if number in archived:
                desk.change(item, Archived(ref, "forgotten"))

    def test_newest_comes_first(self) -> None:
        """The newest active items of a kind, newest first, no more than asked."""
        with self.repository() as repository:
            items = keep_many(repository, ANA, Kind.SEMANTIC, 4)
            with sitting(repository, ANA) as desk:
                desk.change(items[3], Archived(items[3].ref, "forgotten"))
            with repository.reading() as reader:
                assert reader.newest(ANA, Kind.SEMANTIC, 2) == [items[2], items[1]]
                assert reader.newest(ANA, Kind.PROFILE, 2) == []

    def test_documents_are_what_can_be_searched(self) -> None:
        """Active and quarantined episodes and facts, by kind and number; never the window, never the archived."""
        with self.repository() as repository:
            with sitting(repository, ANA) as desk:
                keep(desk, offered(ANA, "window", Kind.SHORT_TERM))
                fact = keep(desk, offered(ANA, "fact", Kind.PROFILE))
                apart = keep(desk, offered(ANA, "apart"), Status.QUARANTINED)
                keep(desk, offered(ANA, "archived"), Status.ARCHIVED)
                turn = keep(desk, offered(ANA, "turn"))
            with repository.reading() as reader:
                assert list(reader.documents(ANA)) == [apart, turn, fact]

    # pages

    def test_pages_join_to_the_whole(self) -> None:
        """However long the pages are, together they are every item once, by kind and number."""
        with self.repository() as repository:
            for kind, count in ((Kind.PROFILE, 7), (Kind.SEMANTIC, 620), (Kind.SHORT_TERM, 3)):
                keep_many(repository, ANA, kind, count)
            with repository.reading() as reader:
                whole = reader.page(ANA, ALL, None, 10_000)
                assert [(item.kind, item.ref.n) for item in whole] == [
                    *((Kind.SHORT_TERM, n) for n in range(1, 4)),
                    *((Kind.SEMANTIC, n) for n in range(1, 621)),
                    *((Kind.PROFILE, n) for n in range(1, 8)),
                ]
                for size in (97, 629, 630, 631):
                    assert list(self._paged(reader, size, ALL)) == whole

    @staticmethod
    def _paged(reader: Reader, size: int, wanted: Filter) -> Iterator[MemoryItem]:
        after: tuple[str, int] | None = None
        while page := reader.page(ANA, wanted, after, size):
            assert len(page) <= size
            yield from page
            assert after != (page[-1].kind.value, page[-1].ref.n), "a page began where it was asked to go on"
            after = (page[-1].kind.value, page[-1].ref.n)

    def test_filters_narrow_and_never_widen(self) -> None:
        """A page holds exactly the items its filter matches, for every field a filter has."""
        with self.repository() as repository:
            with sitting(repository, ANA) as desk:
                fact = keep(desk, full_candidate(ANA))
                plain = keep(desk, offered(ANA, "Apfelstraße"))
                apart = keep(desk, offered(ANA, "apart"), Status.QUARANTINED)
            with sitting(repository, ANA) as desk:
                pinned = desk.change(plain, Pinned(plain.ref, True, 3))
            assert pinned is not None
            items = [pinned, apart, fact]
            filters = [
                ALL,
                Filter(),
                Filter(statuses=(Status.QUARANTINED, Status.ARCHIVED)),
                replace(ALL, kinds=(Kind.PROFILE,)),
                replace(ALL, event_types=(fact.event_type,)),
                replace(ALL, ref="message-17"),
                replace(ALL, ref="message-1"),
                replace(ALL, session="s1"),
                replace(ALL, is_pinned=True),
                replace(ALL, is_pinned=False),
                replace(ALL, contains="STRASSE"),
                replace(ALL, contains="nowhere"),
            ]
            with repository.reading() as reader:
                for wanted in filters:
                    expected = [item for item in items if wanted.matches(item)]
                    assert reader.page(ANA, wanted, None, 10) == expected, wanted
                    assert list(self._paged(reader, 1, wanted)) == expected, wanted

    # the log

    def test_log_holds_the_events_in_order(self) -> None:
        """The log gives back every event of every act in its order, with positions, policy and phase."""
        with self.repository() as repository:
            said = []
            for number in range(3):
                with sitting(repository, CHAT, ANA) as desk:
                    keep(desk, offered(CHAT, f"turn {number}", Kind.SHORT_TERM))
                    keep(desk, offered(ANA, f"turn {number}"))
                said.append(desk)
            with repository.reading() as reader:
                for place in (CHAT, ANA):
                    entries = reader.log(place, 0, 10)
                    assert [entry.seq for entry in entries] == [1, 2, 3]
                    for entry, desk in zip(entries, said, strict=True):
                        self._check_entry(entry.events, place, desk)
                        assert (entry.policy_hash, entry.phase) == (desk.policy.hash, 1)
                        assert entry.is_home is (place == CHAT)
                assert [entry.seq for entry in reader.log(CHAT, 1, 1)] == [2]
                assert reader.log(CHAT, 3, 10) == []

    @staticmethod
    def _check_entry(told: tuple[tuple[int, Event], ...], place: Place, desk: Desk) -> None:
        expected = [(at, event) for at, (where, event) in enumerate(desk.act.events) if where == place]
        bare = [
            (at, event._replace(seal="") if isinstance(event, (Written, PhaseStarted)) else event) for at, event in told
        ]
        assert bare == expected
        assert all(event.seal for _, event in told if isinstance(event, Written))

    def test_chain_links_every_record(self) -> None:
        """Each hash covers the one before it and the bytes of its record; each place has a chain of its own."""
        with self.repository() as repository:
            for number in range(4):
                with sitting(repository, CHAT, ANA) as desk:
                    keep(desk, offered(ANA, f"turn {number}"))
            with repository.reading() as reader:
                for place in (CHAT, ANA):
                    previous = GENESIS
                    records = reader.records(place, 0, 10)
                    assert [seq for seq, _, _ in records] == [1, 2, 3, 4]
                    for _, record, digest in records:
                        previous = link(previous, record.encode("utf-8"))
                        assert bytes(digest) == previous

    def test_log_holds_no_words(self) -> None:
        """No record contains a word, key, name, reference or phase of anybody: erasing needs to reach only rows."""
        place = Place(Space.USER, "canary-owner")
        with self.repository() as repository:
            with sitting(repository, place) as desk:
                desk.open_phase(place, name="canary-phase", reason="canary-reason")
                candidate = full_candidate(place)
                candidate.text, candidate.key = "canary-text", "canary-key"
                candidate.origin = replace(candidate.origin, speaker="canary-speaker", ref="canary-ref")
                keep(desk, candidate)
            with repository.reading() as reader:
                for _, record, _ in reader.records(place, 0, 10):
                    assert "canary" not in record
                    assert "Lisbon" not in record

    # commands, policies, recalls

    def test_answer_of_a_command_is_kept(self) -> None:
        """A command's answer is found by its owner and id, and by nobody else's."""
        receipt = '[[{"id":"user:ana:semantic:1"}]]'
        with self.repository() as repository:
            command = Command(owner=ANA, id="c1", fingerprint="f1", receipt=receipt)
            with sitting(repository, ANA, BOB, command=command) as desk:
                keep(desk, offered(ANA, "x"))
            with repository.reading() as reader:
                answer = reader.answer(ANA, "c1")
                assert answer is not None
                assert (answer.fingerprint, answer.receipt) == ("f1", receipt)
                assert reader.answer(ANA, "C1") is None
                assert reader.answer(BOB, "c1") is None

    def test_policy_is_found_by_its_hash(self) -> None:
        """Every policy a commit was decided under can be printed later."""
        other = Policy(name="other", trusted_tools=("clock",))
        with self.repository() as repository:
            for policy in (Policy(), other, other):
                with sitting(repository, ANA, policy=policy) as desk:
                    keep(desk, offered(ANA, "x"))
            with repository.reading() as reader:
                assert reader.policy(Policy().hash) == Policy().snapshot
                assert reader.policy(other.hash) == other.snapshot

    def test_kept_recalls_are_a_ring(self) -> None:
        """At most the ring's size of recall traces stays, the newest, per session, and none of it is state."""
        with self.repository() as repository:
            keep_many(repository, CHAT, Kind.SHORT_TERM, 1)
            with repository.reading() as reader:
                before = everything(reader, CHAT)
            other = Place(Space.SESSION, "bob")
            for number in range(5):
                with repository.writing((CHAT,)) as writer:
                    writer.keep_recall(CHAT, f"[{number}]", 3)
                    writer.keep_recall(other, f"[{10 + number}]", 9)
            with repository.reading() as reader:
                assert reader.recalls(CHAT, 10) == ["[2]", "[3]", "[4]"]
                assert reader.recalls(CHAT, 2) == ["[3]", "[4]"]
                assert len(reader.recalls(other, 10)) == 5
                assert everything(reader, CHAT) == before

    def test_counts_add_up(self) -> None:
        """What `stats` shows: items by kind and status, places and records of this tenant alone."""
        with self.opened() as store:
            repository = store.repository("default")
            keep_many(store.repository("other"), BOB, Kind.PROFILE, 5)
            keep_many(repository, ANA, Kind.SEMANTIC, 3)
            with sitting(repository, BOB) as desk:
                keep(desk, offered(BOB, "apart"), Status.QUARANTINED)
            with repository.reading() as reader:
                assert reader.counts() == {
                    "semantic.ACTIVE": 3,
                    "semantic.QUARANTINED": 1,
                    "places": 2,
                    "records": 2,
                }

    # several at once

    def test_snapshot_holds_still(self) -> None:
        """What a reader has begun to read does not change under it, whatever is written meanwhile."""
        with self.repository() as repository:
            keep_many(repository, ANA, Kind.SEMANTIC, 2)
            writer = threading.Thread(target=keep_many, args=(repository, ANA, Kind.SEMANTIC, 3))
            with repository.reading() as reader:
                before = everything(reader, ANA)
                writer.start()
                writer.join(timeout=0.3)
                assert everything(reader, ANA) == before
            writer.join(timeout=30)
            with repository.reading() as reader:
                assert len(list(reader.documents(ANA))) == 5

    def test_no_update_is_lost(self) -> None:
        """Many threads writing one place leave every write: numbers and ticks without gaps or doubles."""
        threads, each = 4, 12
        failures: list[BaseException] = []

        def work(repository: Repository) -> None:
            try:
                for _ in range(each):
                    keep_many(repository, ANA, Kind.SEMANTIC, 1)
            except BaseException as error:
                failures.append(error)
                raise

        with self.repository() as repository:
            workers = [threading.Thread(target=work, args=(repository,)) for _ in range(threads)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join(timeout=60)
            assert failures == []
            with repository.reading() as reader:
                items = list(reader.documents(ANA))
                assert [item.ref.n for item in items] == list(range(1, threads * each + 1))
                assert [item.created_at for item in items] == list(range(2, threads * each + 2))
                assert [entry.seq for entry in reader.log(ANA, 0, 1_000)] == list(range(1, threads * each + 1))

    def test_failing_writer_does_not_disturb_others(self) -> None:
        """A write that is rolled back takes nothing from the writer that comes after it, in any schedule."""
        with self.repository() as repository:
            stop = threading.Event()

            def fail() -> None:
                while not stop.is_set():
                    self._fail_to_write(repository)

            failing = threading.Thread(target=fail)
            failing.start()
            try:
                for number in range(30):
                    keep_many(repository, Place(Space.SESSION, f"s{number}"), Kind.SHORT_TERM, 1)
            finally:
                stop.set()
                failing.join(timeout=30)
            with repository.reading() as reader:
                assert reader.counts() == {"short_term.ACTIVE": 30, "places": 30, "records": 30}

    # the end

    def test_closing_twice_is_fine_and_use_after_is_an_error(self) -> None:
        """Closing is final and repeatable; whoever uses a closed store is told so."""
        store = self.make_store()
        repository = store.repository("default")
        keep_many(repository, ANA, Kind.SEMANTIC, 1)
        store.close()
        store.close()
        for use in (repository.reading, lambda: repository.writing((ANA,))):
            try:
                with use():
                    raise AssertionError("a closed store was used")
            except StoreClosed:
                pass
