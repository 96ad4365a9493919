"""Laws 1 to 5: replay, one hash everywhere, nothing without a reason, one item per key, repeating changes nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from conversations import (
    ACTS,
    ANYTHING,
    BARE,
    FACT_STEPS,
    QUERIES,
    READS,
    SAYS,
    Actor,
    Diary,
    Step,
    conversations,
    difference,
    law,
    open_memory,
    places_of,
    play,
    play_step,
    policies,
    tenants,
)
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.core.reasons import TABLES
from recollect.core.values import Place, parse_id
from recollect.core.wire import Wire

CODES = {code for table in TABLES.values() for code in table} | {"interaction_recorded", "merged"}
OUTCOMES = {"written", "merged", "denied", "quarantined", "lost"}


def hashes(memory: Memory, steps: list[Step]) -> dict[str, str]:
    return {tenant: memory.state_hash(tenant=tenant) for tenant in tenants(steps)}


def traces(memory: Memory, steps: list[Step]) -> list[list[Wire]]:
    """Everything the log tells, session by session."""
    sessions: dict[tuple[str, str], Step] = {}
    for step in steps:
        owner = step.actor.at(memory)
        sessions.setdefault((step.actor.tenant, repr(owner)), step)
    return [step.actor.at(memory).traces(limit=10_000, recalls=False) for step in sessions.values()]


# Law 1


@law(60)
@given(conversations(), policies)
def test_replay_gives_the_stored_state(steps: list[Step], policy: str) -> None:
    """Folding every log gives exactly what is stored, whatever was done."""
    with open_memory(policy) as memory:
        play(memory, steps)
        for tenant in tenants(steps):
            assert memory.replay(tenant=tenant) == []


# Law 2


@law(40)
@given(conversations(), policies, st.integers(0, 40))
def test_stores_agree_on_everything(steps: list[Step], policy: str, reopened_at: int) -> None:
    """The same calls give the same receipts, contexts, traces and hash on a file, even one reopened half-way."""
    with open_memory(policy) as oracle:
        expected = play(oracle, steps)
        state, log = hashes(oracle, steps), traces(oracle, steps)
    with TemporaryDirectory() as folder:
        target = str(Path(folder) / "memory.db")
        with open_memory(policy, target) as memory:
            diary = play(memory, steps[:reopened_at])
        with open_memory(policy, target) as memory:
            play(memory, steps[reopened_at:], diary)
            assert difference(diary.pages, expected.pages) == ""
            assert difference(traces(memory, steps), log) == ""
            assert hashes(memory, steps) == state
            assert [memory.replay(tenant=tenant) for tenant in tenants(steps)] == [[] for _ in tenants(steps)]
            assert memory.check() == []


@law(60)
@given(conversations(st.one_of(SAYS, FACT_STEPS, ACTS, ACTS)), policies, st.sampled_from(QUERIES))
def test_followed_index_equals_a_fresh_one(steps: list[Step], policy: str, query: str) -> None:
    """An index and a window that followed every change answer like ones built from the store at that moment."""
    with open_memory(policy) as memory:
        diary = Diary()
        for step in steps:
            play_step(memory, step, diary)
            followed, fresh = step.actor.at(memory), step.actor.at(Memory(memory._parts))
            assert difference(followed.recall(query).to_dict(), fresh.recall(query).to_dict()) == ""
            found = [[hit.to_dict() for hit in session.search(query)] for session in (followed, fresh)]
            assert difference(*found) == ""


@law(30)
@given(conversations(), policies)
def test_receipts_tell_what_the_log_tells(steps: list[Step], policy: str) -> None:
    """What a receipt said happened is what the log says later: same events, ids and codes, in the same order.

    Words are read from the items as they are now, so only they may have changed meanwhile.
    """
    with open_memory(policy) as memory:
        pages = play(memory, steps).pages
        told = [event for _, answer in pages for event in _write_events(answer)]
        written = [event for session in traces(memory, steps) for event in session]
        assert Counter(map(_gist, filter(_has_receipt, told))) == Counter(map(_gist, filter(_has_receipt, written)))


def _has_receipt(event: Wire) -> bool:
    """A phase start answers with the phase, not with a receipt."""
    return event["type"] != "memory_phase_started" and event.get("action") != "phase_start"


def _write_events(answer: object) -> list[Wire]:
    if isinstance(answer, list):
        return [event for entry in answer for event in _write_events(entry)]
    if isinstance(answer, tuple) and answer[0] == "receipt" and not answer[1]["is_repeat"]:
        return list(answer[2])
    return []


def _gist(event: Wire) -> str:
    words = {"written", "attempted", "dedup_key", "policy_snapshot", "phase_name"}
    ids = [item["id"] for item in event.get("written", ())]  # type: ignore[attr-defined, index]
    return json.dumps([{key: value for key, value in event.items() if key not in words}, ids], sort_keys=True)


# Law 3


@law(60)
@given(conversations(), policies)
def test_every_offered_item_has_one_fate(steps: list[Step], policy: str) -> None:
    """A receipt names each offered item once, with an outcome and a reason that has a sentence."""
    with open_memory(policy) as memory:
        for step, answer in play(memory, steps).pages:
            for receipt, events in _receipts(answer):
                ids = [fate["id"] for fate in receipt["fates"]]
                assert len(set(ids)) == len(ids)
                for fate in receipt["fates"]:
                    assert fate["outcome"] in OUTCOMES
                    assert fate["reason"] in CODES
                    assert fate["sentence"]
                    if step.verb in OFFERING and not receipt["is_repeat"]:
                        assert (fate["outcome"], fate["id"]) in [told for event in events for told in _fates(event)]


OFFERING = {"remember", "remember_many", "remember_fact", "add_rule"}
Fates = dict[str, list[dict[str, str]]]


def _receipts(answer: object) -> Iterator[tuple[Fates, list[Wire]]]:
    if isinstance(answer, list):
        for entry in answer:
            yield from _receipts(entry)
    elif isinstance(answer, tuple) and answer[0] == "receipt":
        yield answer[1], answer[2]


def _fates(event: Wire) -> list[tuple[str, str]]:
    """The fates an event tells: a receipt may claim no other."""
    outcomes = {"memory_write": "written", "memory_denied": "denied", "memory_quarantined": "quarantined"}
    outcomes |= {"memory_merged": "merged"}
    if event["type"] == "memory_conflict":
        return [("lost", str(event["loser_id"]))]
    return [(outcomes.get(str(event["type"]), ""), item_id) for item_id in _born(event)]


@law(60)
@given(conversations(), policies)
def test_every_number_is_accounted_for(steps: list[Step], policy: str) -> None:
    """The log explains each number ever given out exactly once, and each item that is gone has a deletion."""
    with open_memory(policy) as memory:
        play(memory, steps)
        for tenant in tenants(steps):
            ours = [step for step in steps if step.actor.tenant == tenant]
            events = [event for session in traces(memory, ours) for event in session]
            born = Counter(item_id for event in events for item_id in _born(event))
            assert [item_id for item_id, times in born.items() if times > 1] == []
            lost = {str(event["loser_id"]) for event in events if event["type"] == "memory_conflict"}
            _have_no_gaps(set(born) | lost)
            stored = {item.id for actor in places_of(ours) for item in _everything(memory, Step(verb="", actor=actor))}
            gone = {str(event["memory_id"]) for event in events if event["type"] == "memory_deleted"}
            refused = {str(event["attempted"]["id"]) for event in events if event["type"] == "memory_denied"}
            merged = {str(event["memory_id"]) for event in events if event["type"] == "memory_merged"}
            assert stored.isdisjoint(gone | refused | merged)
            assert set(born) - stored <= gone | lost | refused | merged


def _born(event: Wire) -> list[str]:
    """The numbers an event gives out."""
    match event["type"]:
        case "memory_write":
            return [str(item["id"]) for item in event["written"]]  # type: ignore[attr-defined, index]
        case "memory_denied":
            return [str(event["attempted"]["id"])]  # type: ignore[index]
        case "memory_quarantined" | "memory_merged":
            return [str(event["memory_id"])]
        case _:
            return []


def _have_no_gaps(ids: set[str]) -> None:
    """An offer that lost its conflict spends a number too; it is named as the loser."""
    numbers: dict[tuple[Place, str], set[int]] = {}
    for ref in map(parse_id, ids):
        assert ref is not None
        numbers.setdefault((ref.place, ref.kind), set()).add(ref.n)
    for found in numbers.values():
        assert found == set(range(1, len(found) + 1))


def _everything(memory: Memory, step: Step) -> Iterator[object]:
    session = step.actor.at(memory)
    cursor = ""
    while True:
        page = session.list(status="all", limit=1_000, cursor=cursor)
        yield from page
        cursor = page.cursor
        if not cursor:
            break
    if "companion" in memory.policy.snapshot:
        yield from session.companion.records()


@law(60)
@given(conversations(), policies)
def test_every_candidate_has_one_verdict(steps: list[Step], policy: str) -> None:
    """A context names each candidate once, kept or dropped, with a code and a sentence; kept ones are in the text."""
    with open_memory(policy) as memory:
        for _, answer in play(memory, steps).pages:
            if isinstance(answer, tuple) and answer[0] == "context":
                choices = answer[1]["choices"]
                assert len({choice["id"] for choice in choices}) == len(choices)
                for choice in choices:
                    table = TABLES[choice["verdict"]]
                    assert choice["sentence"] == table[choice["reason"]]
                    assert (f"[{choice['id']}]" in answer[1]["text"]) is (choice["verdict"] == "kept")


@law(100)
@given(
    conversations(st.one_of(SAYS, SAYS, ACTS), actors=(Actor(), Actor(session="s1"))),
    st.sampled_from(["default", "contract", BARE, BARE]),
    st.sampled_from(["postgres", "tea", "name"]),
)
def test_no_match_is_left_unmentioned(steps: list[Step], policy: str, query: str) -> None:
    """Whatever the window carries and whatever search finds is among the candidates of a recall."""
    with open_memory(policy) as memory:
        play(memory, steps)
        for actor in places_of(steps):
            session = actor.at(memory)
            named = {choice.item.id for choice in session.recall(query, at=steps[-1].at_ms).choices}
            found = {hit.item.id for hit in session.search(query, limit=50)}
            window = {item.id for item in session.list(space="session", kind="short_term", limit=1_000)}
            assert found | window <= named


@law(40)
@given(
    conversations(st.one_of(SAYS, SAYS, ACTS), actors=(Actor(), Actor(session="s1"))),
    st.sampled_from(["default", "coding", BARE]),
    st.sampled_from(["postgres", "billing", "tea", "lisbon", "maria"]),
)
def test_shared_word_is_always_found(steps: list[Step], policy: str, word: str) -> None:
    """A live memory that holds the word of a question is found by search and is a candidate of recall."""
    with open_memory(policy) as memory:
        play(memory, steps)
        for actor in places_of(steps):
            session = actor.at(memory)
            holding = {
                item.id
                for item in session.list(limit=1_000)
                if item.kind != "short_term" and word in item.text.lower().replace(".", " ").replace("?", " ").split()
            }
            assert holding <= {hit.item.id for hit in session.search(word, limit=1_000)}
            if len(holding) <= 50:
                assert holding <= {choice.item.id for choice in session.recall(word).choices}


@law(40)
@given(conversations(SAYS), policies, st.sampled_from(QUERIES))
def test_every_hit_has_a_reason(steps: list[Step], policy: str, query: str) -> None:
    """Whatever search returns says why: at least one reason and a sentence, and scores never rise down the list."""
    with open_memory(policy) as memory:
        play(memory, steps)
        for actor in places_of(steps):
            hits = actor.at(memory).search(query, limit=50)
            for hit in hits:
                assert hit.reasons
                assert hit.sentence.strip()
            scores = [hit.score for hit in hits]
            assert scores == sorted(scores, reverse=True)


# Law 4


@law(60)
@given(conversations(), policies)
def test_one_live_item_per_key(steps: list[Step], policy: str) -> None:
    """However claims met, no place ever has two active items with one key."""
    with open_memory(policy) as memory:
        diary = Diary()
        for step in steps:
            play_step(memory, step, diary)
            session = step.actor.at(memory)
            items = session.list(limit=1_000).items
            keys = [(item.ref.place, item.dedup_key) for item in items if item.dedup_key]
            assert len(set(keys)) == len(keys)


# Law 5


@law(40)
@given(conversations(), policies)
def test_repeated_command_changes_nothing(steps: list[Step], policy: str) -> None:
    """A call repeated with its command_id, at once or at the end, gives the same answer and leaves the same state."""
    repeatable = {"remember", "remember_many", "remember_fact"}
    with open_memory(policy) as memory:
        diary, done = Diary(), []
        for number, step in enumerate(steps):
            named = Step(**{**_fields(step), "command": f"command-{number}"}) if step.verb in repeatable else step
            first = play_step(memory, named, diary)
            if named is step or first[0] == "error":  # type: ignore[index]
                continue
            done.append((named, _bare(first)))
            before = memory.state_hash(tenant=step.actor.tenant)
            assert difference(_bare(play_step(memory, named, diary), is_repeat=True), _bare(first)) == ""
            assert memory.state_hash(tenant=step.actor.tenant) == before
        before_all = hashes(memory, steps)
        for named, first in done:
            assert difference(_bare(play_step(memory, named, diary), is_repeat=True), first) == ""
        assert hashes(memory, steps) == before_all


def _fields(step: Step) -> dict[str, object]:
    return {name: getattr(step, name) for name in Step.__dataclass_fields__}


def _bare(answer: object, *, is_repeat: bool = False) -> object:
    """A receipt without its trace; a repeated one must say so."""
    if isinstance(answer, list):
        return [_bare(entry, is_repeat=is_repeat) for entry in answer]
    assert isinstance(answer, tuple)
    assert answer[1]["is_repeat"] is is_repeat
    return {**answer[1], "is_repeat": None}


@law(40)
@given(conversations(), st.lists(READS, min_size=1, max_size=6), policies)
def test_reading_changes_nothing(steps: list[Step], reads: list[Step], policy: str) -> None:
    """Recall, search and list leave every hash and every later answer as it was."""
    with open_memory(policy) as memory:
        diary = play(memory, steps)
        before = hashes(memory, steps)
        asked = [Step(**{**_fields(read), "actor": actor}) for actor in places_of(steps) for read in reads]
        first = [play_step(memory, step, diary) for step in asked]
        assert difference([play_step(memory, step, diary) for step in asked], first) == ""
        assert hashes(memory, steps) == before


@law(30)
@given(conversations(ANYTHING), policies)
def test_failed_call_changes_nothing(steps: list[Step], policy: str) -> None:
    """A call that ends in a typed error leaves the state untouched."""
    with open_memory(policy) as memory:
        diary = Diary()
        for step in steps:
            before = memory.state_hash(tenant=step.actor.tenant)
            answer = play_step(memory, step, diary)
            if isinstance(answer, tuple) and answer[0] == "error":
                assert memory.state_hash(tenant=step.actor.tenant) == before
