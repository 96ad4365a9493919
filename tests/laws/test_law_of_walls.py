"""Law 6: owners, personas and tenants never bleed, not even through scores, orders, ticks or traces.

Every test plays a conversation twice, once with and once without the other parties, and compares all answers of the
first party byte for byte.
"""

from __future__ import annotations

from dataclasses import replace

from conversations import (
    ANYTHING,
    FACTS,
    HINTS,
    OUTSIDE,
    PLAIN,
    READS,
    SECRETS,
    START_MS,
    Actor,
    Diary,
    Step,
    conversations,
    difference,
    law,
    open_memory,
    play,
    play_step,
    policies,
    texts,
)
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory
from recollect.core.wire import Wire

# Party by party: who is protected, and who must not be able to reach them.
OURS = (Actor(), Actor(session="s1"), Actor(persona="coach", project="apollo"))
OTHER_TENANT = tuple(replace(actor, tenant="acme") for actor in OURS)
OTHER_USER = (
    Actor(user="bob"),
    Actor(user="bob", session="s1"),
    Actor(user="bob", persona="coach", project="zeus"),
    # Names made to collide with ours if they were joined carelessly.
    Actor(user="ana/s1"),
    Actor(user="ana~coach"),
    Actor(user="Ana"),
    Actor(user="ana "),
    Actor(user="ana", session="", persona="", tenant="Default"),
)
OTHER_PERSONA = (Actor(persona="chef"), Actor(persona="chef", session="s1"))


def interleaved(ours: list[Step], theirs: list[Step]) -> list[Step]:
    """Both conversations in one, by time; times are distinct because theirs are half a second later."""
    late = [replace(step, at_ms=step.at_ms + 500) for step in theirs]
    return sorted([*ours, *late], key=lambda step: step.at_ms)


def protected(
    memory: Memory, steps: list[Step], ours: tuple[Actor, ...]
) -> tuple[list[tuple[Step, object]], list[list[Wire]]]:
    """Every answer our party got, and everything its traces say at the end."""
    diary = play(memory, steps)
    pages = diary.of(lambda actor: actor in ours)
    return pages, [actor.at(memory).traces(limit=10_000) for actor in ours]


def alone_and_among(ours: list[Step], theirs: list[Step], policy: str, party: tuple[Actor, ...]) -> None:
    with open_memory(policy) as memory:
        alone = protected(memory, ours, party)
    with open_memory(policy) as memory:
        among = protected(memory, interleaved(ours, theirs), party)
    for (step, first), (_, second) in zip(alone[0], among[0], strict=True):
        assert difference(second, first) == "", step
    assert difference(among[1], alone[1]) == ""


def without_the_system_space(steps: list[Step]) -> list[Step]:
    """The system space belongs to all users of a tenant, so what somebody promotes there is meant to be seen."""
    return [step for step in steps if not (step.verb == "promote" and step.space == "system")]


@law(60)
@given(conversations(actors=OURS), conversations(actors=OTHER_TENANT), policies)
def test_tenants_do_not_interfere(ours: list[Step], theirs: list[Step], policy: str) -> None:
    """Another tenant with the same users, sessions, words and commands changes nothing we get."""
    alone_and_among(ours, theirs, policy, OURS)


@law(60)
@given(conversations(actors=OURS), conversations(actors=OTHER_USER), policies)
def test_users_do_not_interfere(ours: list[Step], theirs: list[Step], policy: str) -> None:
    """Another user of the same tenant, whatever their name, changes nothing we get."""
    theirs = [step for step in without_the_system_space(theirs) if "everyone" not in step.text]
    alone_and_among(ours, theirs, policy, OURS)


PRIVATE = st.one_of(
    st.builds(Step, verb=st.just("remember"), text=texts(PLAIN, FACTS, SECRETS, HINTS), private=st.just(True)),
    st.builds(Step, verb=st.just("remember"), text=texts(OUTSIDE), source=st.just("web"), private=st.just(True)),
    st.builds(Step, verb=st.just("remember_fact"), text=texts(FACTS), key=st.just("name"), private=st.just(True)),
    st.builds(Step, verb=st.just("add_rule"), text=texts(PLAIN), private=st.just(True)),
    st.builds(Step, verb=st.just("start_phase"), text=st.just("theirs")),
    READS,
)


@law(60)
@given(conversations(actors=OURS), conversations(PRIVATE, actors=OTHER_PERSONA, opening=PRIVATE), policies)
def test_personas_do_not_interfere(ours: list[Step], theirs: list[Step], policy: str) -> None:
    """What is private to another persona of the same user changes nothing we get."""
    alone_and_among(ours, theirs, policy, OURS)


@law(40)
@given(conversations(actors=(Actor(persona="chef"),)), policies)
def test_private_words_are_seen_by_their_persona_alone(steps: list[Step], policy: str) -> None:
    """No other persona, session or user finds a private memory: not by recall, search, list or its id."""
    steps = [replace(step, private=step.verb in {"remember", "remember_fact"} or step.private) for step in steps]
    steps = [step for step in steps if step.verb in {"remember", "remember_fact", "start_phase"}]
    with open_memory(policy) as memory:
        diary = play(memory, steps)
        for actor in (Actor(), Actor(session="s1"), Actor(persona="coach"), Actor(user="bob", persona="chef")):
            session = actor.at(memory)
            for query in ("name", "postgres billing", "Maria tea"):
                assert session.recall(query).choices == ()
                assert session.search(query) == []
            assert len(session.list(status="all")) == 0
            for item_id in diary.seen.get(Actor(persona="chef").key, []):
                step = Step(verb="forget", actor=actor)
                answer = play_step(memory, step, Diary(seen={actor.key: [item_id]}))
                assert answer[1] == "NotFound"  # type: ignore[index]


@law(30)
@given(conversations(ANYTHING, actors=OURS), st.sampled_from([OTHER_TENANT, OTHER_USER]))
def test_foreign_id_answers_like_a_missing_one(steps: list[Step], party: tuple[Actor, ...]) -> None:
    """An id of somebody else gets the very answer that an id of nobody gets, from every verb."""
    verbs = ("pin", "unpin", "mark", "forget", "unforget", "confirm", "correct", "promote", "used")
    with open_memory() as memory:
        diary = play(memory, steps)
        foreign = [item_id for ids in diary.seen.values() for item_id in ids]
        for actor in party:
            for verb in verbs:
                step = Step(verb=verb, actor=actor, text="x", space="user")
                missing = play_step(memory, step, Diary(seen={actor.key: ["user:nobody:semantic:7"]}))
                for item_id in foreign[:6]:
                    assert play_step(memory, step, Diary(seen={actor.key: [item_id]})) == missing


def test_private_turn_leaves_the_shared_place_alone() -> None:
    """Retention in the place all personas share happens in the writes that go there, not in a private one."""
    policy = '[retention.semantic]\ndefault = { mode = "ttl", ticks = 1 }\n'
    ours = [
        Step(verb="remember", text="The meeting is on Tuesday."),
        Step(verb="start_phase", space="user", at_ms=START_MS + 1_000),
        Step(verb="remember", text="See you there.", at_ms=START_MS + 3_000),
    ]
    theirs = [
        Step(verb="remember", actor=Actor(persona="chef"), text="A surprise.", private=True, at_ms=START_MS + 2_000)
    ]
    alone_and_among(ours, theirs, policy, OURS)
