"""Erasing follows lineage: what was made from the erased goes too, what others also said stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from canary import remains
from histories import DURABLE

from recollect import Memory, MemoryItem, Receipt, Session
from recollect.core.text import ERASED
from recollect.errors import InvalidInput, NotFound


@pytest.fixture(params=["memory", "sqlite"])
def memory(request: pytest.FixtureRequest, folder: Path) -> Iterator[Memory]:
    """Every promise on both stores."""
    target = ":memory:" if request.param == "memory" else str(folder / "memory.db")
    with Memory.open(target) as opened:
        yield opened
        assert opened.replay() == []
        assert opened.verify().verdict == "ok"


def episode(receipt: Receipt) -> str:
    return next(fate.id for fate in receipt.fates if fate.kind == "semantic")


def facts(session: Session, status: str = "active") -> list[MemoryItem]:
    return list(session.list(kind="profile", status=status))


def everything(session: Session) -> str:
    """All text a session can reach by any read."""
    listed = [str(item.to_wire()) for item in session.list(status="all", limit=1_000)]
    searched = [str(hit.to_dict()) for hit in session.search("kestrel berlin name live prefer", limit=50)]
    return "\n".join([*listed, *searched, session.recall("kestrel live name").text, str(session.traces(limit=1_000))])


def test_a_turn_takes_its_facts_along(memory: Memory) -> None:
    """A fact goes with the only turn that states it, and is counted as derived."""
    chat = memory.session(user="ana", session="s1")
    chat.remember("I live in Kestrelville.", ref="r1")
    assert [fact.text for fact in facts(chat)] == ["Lives in Kestrelville"]
    receipt = chat.erase_ref("r1")
    assert facts(chat, "all") == []
    assert receipt.erased == {"profile": 1, "semantic": 1, "short_term": 1}
    assert receipt.total == 3 and receipt.restated == 0
    assert "Kestrel" not in everything(chat)


@pytest.mark.parametrize("which", ["episode", "window"])
def test_a_turn_is_one_thing_whatever_record_of_it_is_named(memory: Memory, which: str) -> None:
    """Erasing the episode takes the window's line of the same turn along, and the other way round."""
    chat = memory.session(user="ana", session="s1")
    receipt = chat.remember("Kestrel season begins in May.")
    kinds = {fate.kind: fate.id for fate in receipt.fates}
    chat.erase(kinds["semantic" if which == "episode" else "short_term"])
    assert "Kestrel" not in everything(chat)


def test_a_fact_alone_leaves_the_turn(memory: Memory) -> None:
    """Erasing a fact takes the claim out, not the words it was read from."""
    chat = memory.session(user="ana", session="s1")
    chat.remember("I live in Kestrelville.", ref="r1")
    chat.erase(facts(chat)[0].id)
    assert facts(chat, "all") == []
    assert "I live in Kestrelville." in everything(chat)


def test_a_fact_that_another_turn_states_is_read_again(memory: Memory) -> None:
    """Two turns say it; erasing one leaves the fact, now made from the other."""
    chat = memory.session(user="ana", session="s1")
    chat.remember("I live in Lisbon.", ref="r1")
    second = chat.remember("I live in Lisbon.", ref="r2")
    receipt = chat.erase_ref("r1")
    assert receipt.restated == 1
    (fact,) = facts(chat)
    assert (fact.text, fact.standing.mentions) == ("Lives in Lisbon", 1)
    assert [ref.id for ref in fact.made_from] == [episode(second)]


def test_a_fact_lives_as_long_as_one_turn_states_it(memory: Memory) -> None:
    """Of three mentions, erasing two one after the other leaves the fact with its third."""
    chat = memory.session(user="ana", session="s1")
    for number in (1, 2, 3):
        chat.remember("I live in Lisbon.", ref=f"r{number}")
    chat.erase_ref("r1")
    assert [fact.standing.mentions for fact in facts(chat)] == [2]
    chat.erase_ref("r2")
    assert [(fact.text, fact.standing.mentions) for fact in facts(chat)] == [("Lives in Lisbon", 1)]
    chat.erase_ref("r3")
    assert facts(chat, "all") == []


def test_erasing_a_mention_leaves_the_fact(memory: Memory) -> None:
    """A later mention erased: the fact stays with its first turn."""
    chat = memory.session(user="ana", session="s1")
    first = chat.remember("I live in Lisbon.", ref="r1")
    chat.remember("I live in Lisbon.", ref="r2")
    chat.erase_ref("r2")
    (fact,) = facts(chat)
    assert [ref.id for ref in fact.made_from] == [episode(first)] and fact.standing.mentions == 1


def test_erasing_a_winner_does_not_revive_its_loser(memory: Memory) -> None:
    """The corrected claim stays archived when the correction is erased; ruling 8."""
    chat = memory.session(user="ana", session="s1")
    chat.remember("I live in Lisbon.", ref="r1")
    chat.remember("Actually, I live in Kestrelville now.", ref="r2")
    chat.erase_ref("r2")
    assert facts(chat) == []
    assert [(fact.text, str(fact.status)) for fact in facts(chat, "all")] == [("Lives in Lisbon", "ARCHIVED")]
    assert "Kestrel" not in everything(chat)


def test_erasing_the_loser_leaves_the_winner(memory: Memory) -> None:
    """What was corrected can go; what corrected it in words of its own stays."""
    chat = memory.session(user="ana", session="s1")
    chat.remember("I live in Kestrelville.", ref="r1")
    chat.remember("Actually, I live in Berlin now.", ref="r2")
    chat.erase_ref("r1")
    assert [fact.text for fact in facts(chat, "all")] == ["Lives in Berlin"]
    assert "Kestrel" not in everything(chat)


def test_a_correction_by_hand_goes_with_what_it_corrects(memory: Memory) -> None:
    """`correct` makes its item from the old one, so erasing the turn takes both."""
    chat = memory.session(user="ana", session="s1")
    chat.remember("I live in Kestrelville.", ref="r1")
    chat.correct(facts(chat)[0].id, "Lives near Kestrel Bay")
    chat.erase_ref("r1")
    assert "Kestrel" not in everything(chat)


def test_a_confirmation_goes_with_what_it_confirms(memory: Memory) -> None:
    """Words from outside, vouched for and then erased at their source, are gone in both forms."""
    chat = memory.session(user="ana", session="s1")
    receipt = chat.remember("Kestrels nest in May.", source="web:https://birds.example", ref="r1")
    chat.confirm(episode(receipt))
    memory.purge("web:https://birds.example")
    assert "Kestrel" not in everything(chat)


def test_erasing_a_confirmed_memory_leaves_no_copy(memory: Memory) -> None:
    """The archived original says the same words; erasing the confirmed one takes it too."""
    chat = memory.session(user="ana", session="s1")
    receipt = chat.remember("Kestrels nest in May.", source="import:old", ref="r1")
    confirmed = chat.confirm(episode(receipt))
    chat.erase(confirmed.ids[-1])
    assert "Kestrel" not in everything(chat)


def test_a_promotion_goes_with_its_source(memory: Memory) -> None:
    """A copy in a wider space is made from the original."""
    chat = memory.session(user="ana", session="s1", project="apollo")
    stated = chat.remember_fact("We ship from Kestrelville.", key="depot", ref="r1")
    chat.promote(stated.ids[0], "project")
    memory.erase_user("ana")
    assert "Kestrel" not in everything(memory.session(user="bob", project="apollo"))


@pytest.mark.parametrize("first", ["ana", "bob"])
def test_what_two_people_promoted_stays_when_one_of_them_goes(memory: Memory, first: str) -> None:
    """A project memory both stated survives the erasure of either, whoever was first."""
    for user in sorted(("ana", "bob"), key=lambda name: name != first):
        chat = memory.session(user=user, project="apollo")
        chat.promote(chat.remember_fact("We ship weekly.", key="cadence").ids[0], "project")
    memory.erase_user("ana")
    bob = memory.session(user="bob", project="apollo")
    assert [item.text for item in bob.list(space="project")] == ["We ship weekly."]
    assert "ana" not in str([item.to_wire() for item in bob.list(space="project", status="all")])


def test_summaries_that_quote_it_go_too(folder: Path) -> None:
    """Under `contract` the window's summary quotes turns that left; erasing one takes the summary along."""
    with Memory.open(str(folder / "memory.db"), policy="contract") as memory:
        chat = memory.session(user="ana", session="s1")
        chat.remember("I prefer Kestrel tea in the morning.", ref="r1")
        for number in range(6):
            chat.remember(f"We decided to use tool number {number}.")
        assert any(item.made_how == "summary" and "Kestrel" in item.text for item in chat.list(status="all"))
        chat.erase_ref("r1")
        assert "Kestrel" not in everything(chat)
        assert remains(folder, "Kestrel") == {}
        assert memory.replay() == [] and memory.verify().verdict == "ok"


def test_a_turn_of_which_only_the_summary_is_left_can_be_erased(folder: Path) -> None:
    """The window moved on and kept no episode of it; its ref still reaches the summary that quotes it."""
    with Memory.open(str(folder / "memory.db"), policy="contract") as memory:
        chat = memory.session(user="ana", session="s1")
        chat.remember("kestrel chit-chat of no further weight", ref="r1")
        for number in range(6):
            chat.remember(f"more chit-chat {number}")
        assert remains(folder, "kestrel") != {}
        chat.erase_ref("r1")
        assert remains(folder, "kestrel") == {}


def test_what_the_contract_promoted_and_deleted_is_still_found(folder: Path) -> None:
    """Under `contract` the promoted source row is gone; the copy in the project goes with its user all the same."""
    with Memory.open(str(folder / "memory.db"), policy="contract") as memory:
        chat = memory.session(user="ana", session="s1", project="apollo")
        chat.remember("Remember this for the project: we decided to use Kestrel.")
        assert "Kestrel" in everything(memory.session(user="bob", project="apollo"))
        memory.erase_user("ana")
        assert "Kestrel" not in everything(memory.session(user="bob", project="apollo"))
        assert remains(folder, "kestrel") == {}


def test_a_ref_reaches_every_session_of_its_user(memory: Memory) -> None:
    """The same message id is erased from whatever conversation one asks."""
    memory.session(user="ana", session="s1").remember("Kestrel one.", ref="r1")
    memory.session(user="ana", session="s2").erase_ref("r1")
    assert "Kestrel" not in everything(memory.session(user="ana", session="s1"))


def test_a_session_takes_what_was_made_in_it_and_nothing_else(memory: Memory) -> None:
    """Other sessions of the same user keep their turns and facts."""
    memory.session(user="ana", session="stay").remember("I live in Lisbon.")
    going = memory.session(user="ana", session="go")
    going.remember("My name is Kestrel.")
    going.start_phase("Kestrel phase")
    going.erase_session()
    assert "Kestrel" not in everything(memory.session(user="ana", session="go"))
    staying = memory.session(user="ana", session="stay")
    assert [fact.text for fact in facts(staying)] == ["Lives in Lisbon"]
    assert "I live in Lisbon." in staying.recall("where?").text


@pytest.mark.parametrize("how", ["item", "ref", "session", "user"])
def test_kept_recalls_that_quote_it_go_too(folder: Path, how: str) -> None:
    """Where the policy writes recalls down, no kept recall of any session quotes what was erased."""
    with Memory.open(str(folder / "memory.db"), policy=DURABLE) as memory:
        chat = memory.session(user="ana", session="s1")
        receipt = chat.remember("Kestrel season begins in May.", ref="r1")
        for session in ("s1", "s2", "never wrote"):
            memory.session(user="ana", session=session).recall("when does the season begin?")
        memory.session(user="bob").recall("unrelated")
        erase: dict[str, Callable[[], object]] = {
            "item": lambda: chat.erase(episode(receipt)),
            "ref": lambda: chat.erase_ref("r1"),
            "session": lambda: chat.erase_session(),
            "user": lambda: memory.erase_user("ana"),
        }
        erase[how]()
        assert remains(folder, "Kestrel") == {}
        assert len(memory.session(user="bob").traces()) > 0


def test_another_persons_kept_recall_of_a_promoted_word_goes_too(folder: Path) -> None:
    """Bob recalled what Ana had promoted; erasing Ana reaches Bob's kept recall as well."""
    with Memory.open(str(folder / "memory.db"), policy=DURABLE) as memory:
        ana = memory.session(user="ana", project="apollo")
        ana.promote(ana.remember_fact("We ship from Kestrelville.", key="depot").ids[0], "project")
        assert "Kestrel" in memory.session(user="bob", project="apollo").recall("where do we ship from?").text
        memory.erase_user("ana")
        assert remains(folder, "Kestrel") == {}


def test_traces_say_that_it_was_erased_and_nothing_more(memory: Memory) -> None:
    """The log keeps what happened; the words in it are gone, and the ring of recalls with them."""
    chat = memory.session(user="ana", session="s1")
    chat.remember("Kestrel one.", ref="r1")
    chat.recall("kestrel")
    chat.erase_ref("r1")
    told = chat.traces(limit=100)
    assert "Kestrel" not in str(told) and "kestrel" not in str(told)
    assert any(event["type"] == "memory_erased" for event in told)
    written = [item for event in told if event["type"] == "memory_write" for item in event["written"]]  # type: ignore[attr-defined]
    assert {item["text"] for item in written} == {ERASED}


def test_other_peoples_recall_traces_stay(memory: Memory) -> None:
    """Erasing one person's memory does not empty another person's ring."""
    bob = memory.session(user="bob")
    bob.remember("Bob was here.")
    bob.recall("who was here?")
    before = bob.traces()
    chat = memory.session(user="ana")
    chat.remember("Kestrel one.", ref="r1")
    chat.erase_ref("r1")
    assert bob.traces() == before


def test_a_repeated_command_does_not_bring_it_back(memory: Memory) -> None:
    """The same command after the erasure is a repeat: it stores nothing and quotes nothing."""
    chat = memory.session(user="ana", session="s1")
    chat.remember("Kestrel one.", ref="r1", command_id="c1")
    chat.erase_ref("r1")
    again = chat.remember("Kestrel one.", ref="r1", command_id="c1")
    assert "Kestrel" not in everything(chat) or not again.is_repeat


def test_questions_about_the_past_do_not_show_it(memory: Memory) -> None:
    """What was believed then is answered without what was erased since."""
    chat = memory.session(user="ana", session="s1")
    chat.remember("I live in Kestrelville.", ref="r1", at=1_000)
    chat.remember("Actually, I live in Berlin now.", ref="r2", at=2_000)
    chat.erase_ref("r1")
    assert "Kestrel" not in chat.recall("where do I live?", as_of=1_500).text


def test_only_the_named_source_goes(memory: Memory) -> None:
    """A source with its detail is one source; the bare class is all of them."""
    chat = memory.session(user="ana", session="s1")
    for site in ("a.example", "b.example"):
        chat.remember(f"Kestrel page of {site}", source=f"web:{site}")
    chat.remember("Kestrel mail", source="external:mail")
    memory.purge("web:a.example")
    assert "page of a.example" not in everything(chat) and "page of b.example" in everything(chat)
    memory.purge("web")
    assert "page of b.example" not in everything(chat) and "Kestrel mail" in everything(chat)


def test_gone_twice_is_a_typed_answer(memory: Memory) -> None:
    """Erasing what is already gone says so, in the same words for every way of asking."""
    chat = memory.session(user="ana", session="s1")
    receipt = chat.remember("Kestrel one.", ref="r1")
    chat.erase_ref("r1")
    asked: tuple[Callable[[], object], ...] = (
        lambda: chat.erase_ref("r1"),
        lambda: chat.erase(episode(receipt)),
        lambda: memory.erase_user("nobody"),
        lambda: memory.purge("web:nowhere"),
        lambda: memory.session(user="ana", session="s9").erase_session(),
    )
    for ask in asked:
        with pytest.raises(NotFound) as caught:
            ask()
        assert caught.value.reason == "nothing_to_erase" and caught.value.hint


def test_a_foreign_id_answers_like_a_missing_one(memory: Memory) -> None:
    """Nobody learns from an error whether somebody else's memory exists, and nothing happens to it."""
    theirs = memory.session(user="bob").remember("Bob was here.")
    before = memory.state_hash()
    chat = memory.session(user="ana")
    chat.remember("Ana too.")
    told = []
    for item_id in (episode(theirs), "user:nobody:semantic:1", "no id at all"):
        with pytest.raises(NotFound) as caught:
            chat.erase(item_id)
        told.append((caught.value.message, caught.value.reason))
    assert len({message for message, _ in told[:2]}) == 1
    assert memory.state_hash() != before  # Ana spoke
    assert "Bob was here." in memory.session(user="bob").recall("who?").text


@pytest.mark.parametrize("bad", [5, None, b"x", ["a"], "", " " * 3])
def test_wrong_arguments_are_told(memory: Memory, bad: object) -> None:
    """Whatever is handed in, the error is one of ours and nothing is erased."""
    chat = memory.session(user="ana")
    chat.remember("Ana was here.")
    before = memory.state_hash()
    for ask in (chat.erase, chat.erase_ref, memory.erase_user, memory.purge):
        with pytest.raises(InvalidInput):
            ask(bad)  # type: ignore[arg-type]
    assert memory.state_hash() == before


def test_the_tenant_next_door_is_untouched(memory: Memory) -> None:
    """The same names and words in another tenant stay exactly as they are."""
    for tenant in ("default", "acme"):
        memory.session(user="ana", session="s1", tenant=tenant).remember("Kestrel one.", ref="r1", source="web:k")
    before = memory.state_hash(tenant="acme")
    memory.purge("web")
    memory.erase_user("ana")
    assert memory.state_hash(tenant="acme") == before
    assert "Kestrel one." in memory.session(user="ana", session="s1", tenant="acme").recall("").text


def test_users_whose_names_begin_alike_are_apart(memory: Memory) -> None:
    """Erasing `ana` leaves `anabel`, `ana/x`, `ana~x`, `ana b` and `(erased)#1` alone."""
    others = ["anabel", "ana/x", "ana~x", "ana b", "ana%2Fx", "(erased)#1", "Ana"]
    for user in [*others, "ana"]:
        memory.session(user=user, session="s1", persona="p").remember(f"This is {user} speaking.")
    memory.erase_user("ana")
    for user in others:
        assert f"This is {user} speaking." in memory.session(user=user, session="s1", persona="p").recall("").text
