"""Law 9: no operation yields an item with more authority than the least of its sources; and what follows from it.

The exceptions are the two by which a person speaks: `confirm` and `correct`, through a door that may speak for them.
"""

from __future__ import annotations

from dataclasses import replace

from conversations import (
    ACTS,
    FACT_STEPS,
    OUTSIDE,
    QUERIES,
    READS,
    SAYS,
    START_MS,
    Actor,
    Diary,
    Step,
    conversations,
    law,
    open_memory,
    places_of,
    play,
    play_step,
    policies,
    texts,
)
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory, MemoryItem
from recollect.core.values import Authority, Status

RANK = {level: rank for rank, level in enumerate(reversed(Authority))}
BY_A_PERSON = {"confirmation", "correction"}


def stored(memory: Memory, steps: list[Step]) -> dict[tuple[str, str], MemoryItem]:
    """Everything stored now, by tenant and id."""
    found: dict[tuple[str, str], MemoryItem] = {}
    for actor in places_of(steps):
        cursor = ""
        while True:
            page = actor.at(memory).list(status="all", limit=1_000, cursor=cursor)
            found.update({(actor.tenant, item.id): item for item in page})
            cursor = page.cursor
            if not cursor:
                break
    return found


@law(80)
@given(conversations(), policies)
def test_nothing_derived_outranks_its_sources(steps: list[Step], policy: str) -> None:
    """Facts, summaries, promotions and merges have at most the authority of the least they were made from."""
    with open_memory(policy) as memory:
        diary = Diary()
        known: dict[tuple[str, str], MemoryItem] = {}
        for step in steps:
            play_step(memory, step, diary)
            known |= stored(memory, [step])
            for (tenant, _), item in list(known.items()):
                sources = [known[tenant, ref.id] for ref in item.made_from if (tenant, ref.id) in known]
                if sources and item.made_how not in BY_A_PERSON:
                    assert RANK[item.authority] <= min(RANK[source.authority] for source in sources), item


@law(60)
@given(conversations(), policies)
def test_authority_of_an_item_never_changes(steps: list[Step], policy: str) -> None:
    """An item keeps the authority it was written with, whatever is done to it later."""
    with open_memory(policy) as memory:
        diary = Diary()
        known: dict[tuple[str, str], Authority] = {}
        for step in steps:
            play_step(memory, step, diary)
            for name, item in stored(memory, [step]).items():
                assert known.setdefault(name, item.authority) == item.authority


CAPPED = (Actor(authority="ai_inferred"), Actor(authority="ai_inferred", persona="coach", project="apollo"))


@law(60)
@given(conversations(actors=CAPPED), policies)
def test_door_caps_authority(steps: list[Step], policy: str) -> None:
    """Through a door that may not speak for the user nothing above its cap is written, by any verb."""
    with open_memory(policy) as memory:
        play(memory, steps)
        for item in stored(memory, steps).values():
            assert item.authority is Authority.AI_INFERRED


POISON = st.one_of(
    st.builds(
        Step, verb=st.just("remember"), text=texts(OUTSIDE), source=st.sampled_from(["web", "external", "import"])
    ),
    st.builds(Step, verb=st.just("remember"), text=texts(OUTSIDE), role=st.just("tool"), tool=st.just("unknown")),
    st.builds(Step, verb=st.just("remember"), text=texts(OUTSIDE), source=st.sampled_from(["tool", "tool:mail"])),
)
WITHOUT_A_PERSON = ACTS.filter(lambda step: step.verb not in {"confirm", "correct"})


@law(80)
@given(
    conversations(
        st.one_of(POISON, WITHOUT_A_PERSON, READS),
        actors=(Actor(), Actor(session="s1", project="apollo")),
        opening=POISON,
    ),
    policies,
)
def test_outside_words_stay_apart_until_a_person_confirms(steps: list[Step], policy: str) -> None:
    """Words from outside are never recalled, found, promoted, pinned or made a fact before a person confirms them."""
    with open_memory(policy) as memory:
        play(memory, steps)
        for item in stored(memory, steps).values():
            assert item.kind == "short_term" or item.status in {Status.QUARANTINED, Status.ARCHIVED}
            assert item.kind != "profile"
            assert item.kind == "short_term" or not item.standing.is_pinned
            assert item.ref.place.space in {"session", "user"}
        for actor in places_of(steps):
            for text in OUTSIDE:
                assert actor.at(memory).search(text) == []
                context = actor.at(memory).recall(text)
                assert [choice for choice in context.kept if choice.block != "window"] == []
                assert all(
                    "outside words" in line
                    for line in context.text.splitlines()
                    if line.startswith("[") and "summary" not in line
                )


@law(40)
@given(conversations(SAYS, actors=(Actor(),)), st.lists(POISON, min_size=1, max_size=6), st.sampled_from(QUERIES))
def test_outside_words_do_not_move_scores(steps: list[Step], poison: list[Step], query: str) -> None:
    """Whatever is in quarantine, the user's own turns are found with the same scores, reasons and order."""
    with open_memory() as clean, open_memory() as poisoned:
        session = Actor().at(clean)
        play(clean, [step for step in steps if step.verb == "remember" and not step.source and step.role != "tool"])
        for step in steps:
            for each in poison:
                play_step(poisoned, replace(each, at_ms=step.at_ms), Diary())
            if step.verb == "remember" and not step.source and step.role != "tool":
                play_step(poisoned, step, Diary())
        told = [_own(hit.to_dict()) for hit in session.search(query, limit=100)]
        assert [_own(hit.to_dict()) for hit in Actor().at(poisoned).search(query, limit=100)] == told


def _own(hit: dict[str, object]) -> object:
    return hit["text"], hit["score"], hit["reasons"]


@law(40)
@given(conversations(st.one_of(SAYS, FACT_STEPS, ACTS)), policies)
def test_confirm_cites_what_it_confirms(steps: list[Step], policy: str) -> None:
    """A confirmed memory is a new, user-asserted item that names the old one, and the old one no longer stands."""
    with open_memory(policy) as memory:
        diary = play(memory, steps)
        for number, step in enumerate(steps):
            at_ms = START_MS + 1_000_000 + 1_000 * number
            answer = play_step(memory, replace(step, verb="confirm", at_ms=at_ms, pick=number), diary)
            if not (isinstance(answer, tuple) and answer[0] == "receipt"):
                continue
            for fate in answer[1]["fates"]:
                if fate["outcome"] == "written":
                    item = step.actor.at(memory).get(fate["id"])
                    assert item.authority is Authority.USER_ASSERTED
                    assert item.made_how == "confirmation"
                    old = stored(memory, [step]).get((step.actor.tenant, item.made_from[0].id))
                    assert old is None or old.status is Status.ARCHIVED
