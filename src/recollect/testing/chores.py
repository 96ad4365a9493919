"""The part of the store contract that workers share work by: each due place goes to one of them.

Never: looks behind the port.
Spec: ports/store.py.
"""

from __future__ import annotations

import threading

from recollect.core.values import Kind, Place, Space
from recollect.testing.commits import ANA, BOB, CHAT, keep_many
from recollect.testing.opening import OpensStore

HOUR = 3_600_000
NOW = 1_767_225_600_000


class ChoresContract(OpensStore):
    """Taking turns."""

    def test_every_users_place_is_due_once(self) -> None:
        """Each user's place is handed out once, the longest waiting first; sessions are not; then nothing is due."""
        with self.repository() as repository:
            for place in (BOB, CHAT, ANA):
                keep_many(repository, place, Kind.SEMANTIC, 1)
            taken = [repository.take_chore(NOW, NOW - HOUR, NOW - HOUR) for _ in range(3)]
            assert taken[2] is None
            assert {taken[0], taken[1]} == {ANA, BOB}
            for number, mine in enumerate(taken[:2]):
                assert mine is not None
                repository.end_chore(mine, NOW + number)
            assert repository.take_chore(NOW, NOW - HOUR, NOW - HOUR) is None
            later = NOW + 2 * HOUR
            again = [repository.take_chore(later, later - HOUR, later - HOUR) for _ in range(2)]
            assert again == taken[:2]

    def test_chore_of_a_dead_worker_comes_back(self) -> None:
        """What was taken and never ended is handed out again once it is stale, and not before."""
        with self.repository() as repository:
            keep_many(repository, ANA, Kind.SEMANTIC, 1)
            assert repository.take_chore(NOW, NOW - HOUR, NOW - HOUR) == ANA
            assert repository.take_chore(NOW + 1, NOW - HOUR, NOW - HOUR) is None
            assert repository.take_chore(NOW + 2 * HOUR, NOW, NOW + HOUR) == ANA

    def test_workers_share(self) -> None:
        """Many workers at once: every place is taken by exactly one of them."""
        places = [Place(Space.USER, f"user{number}") for number in range(20)]
        taken: list[Place] = []

        with self.repository() as repository:
            for place in places:
                keep_many(repository, place, Kind.SEMANTIC, 1)

            def work() -> None:
                while True:
                    place = repository.take_chore(NOW, NOW - HOUR, NOW - HOUR)
                    if place is None:
                        return
                    taken.append(place)

            workers = [threading.Thread(target=work) for _ in range(4)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join(timeout=60)
            # Passing over what another is just taking may end a worker early; whoever asks last gets the rest.
            work()
        assert sorted(taken) == sorted(places)

    def test_tenants_have_their_own_chores(self) -> None:
        """Nobody is handed another tenant's place."""
        with self.opened() as store:
            keep_many(store.repository("theirs"), ANA, Kind.SEMANTIC, 1)
            assert store.repository("ours").take_chore(NOW, NOW - HOUR, NOW - HOUR) is None

    def test_a_place_at_rest_is_not_listed(self) -> None:
        """Until it grows, until its time comes, or until another policy asks; sessions are never listed."""
        with self.repository() as repository:
            for place in (BOB, CHAT, ANA):
                keep_many(repository, place, Kind.SEMANTIC, 1)
            assert sorted(repository.restless(NOW, "a")) == [ANA, BOB]
            with repository.reading() as reader:
                seqs = {place: head.seq for place, head in reader.heads([ANA, BOB]).items()}
            repository.rest(seqs, NOW + HOUR, "a")
            assert repository.restless(NOW, "a") == []
            assert repository.restless(NOW + HOUR - 1, "a") == []
            assert sorted(repository.restless(NOW + HOUR, "a")) == [ANA, BOB]
            assert sorted(repository.restless(NOW, "b")) == [ANA, BOB]
            keep_many(repository, BOB, Kind.PROFILE, 1)
            assert repository.restless(NOW, "a") == [BOB]
            repository.rest({ANA: seqs[ANA]}, NOW + 2 * HOUR, "a")
            assert repository.restless(NOW + HOUR, "a") == [BOB]

    def test_tenants_rest_by_themselves(self) -> None:
        """Nobody is told of another tenant's place, nor disturbed by its rest."""
        with self.opened() as store:
            ours, theirs = store.repository("ours"), store.repository("theirs")
            keep_many(ours, ANA, Kind.SEMANTIC, 1)
            assert theirs.restless(NOW, "a") == []
            keep_many(theirs, ANA, Kind.SEMANTIC, 1)
            with theirs.reading() as reader:
                theirs.rest({ANA: reader.heads([ANA])[ANA].seq}, NOW + HOUR, "a")
            assert theirs.restless(NOW, "a") == [] and ours.restless(NOW, "a") == [ANA]

    def test_a_users_places_are_found_by_their_name(self) -> None:
        """One's own, one's personas' and one's conversations', in order; nobody's whose name only begins like it."""
        owners = ("ana", "ana~coach", "ana~coach~ledger", "ana~~ledger", "ana~ß", "ana/one", "ana~coach/one")
        others = ("an", "ana2", "ana-b", "anab", "anaß", "bana", "ana.c", "ana0", "ana\u007fx")
        with self.repository() as repository:
            for owner in (*others, *owners):
                keep_many(repository, Place(Space.USER, owner), Kind.SEMANTIC, 1)
            keep_many(repository, Place(Space.SESSION, "ana~coach"), Kind.SHORT_TERM, 1)
            with repository.reading() as reader:
                found = reader.places_of(Space.USER, "ana")
                assert found == [Place(Space.USER, owner) for owner in sorted(owners)]
                assert reader.places_of(Space.SESSION, "ana") == [Place(Space.SESSION, "ana~coach")]
                assert reader.places_of(Space.PROJECT, "ana") == []
