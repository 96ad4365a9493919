"""Cases that once broke a law, each as small as it was found, so that it stays mended."""

from __future__ import annotations

from pathlib import Path

import pytest
from conversations import BARE, START_MS, open_memory

from recollect import Memory, Session
from recollect.errors import CommandReused, Refused, StoreDamaged


def session(policy: str = "default", **address: str) -> Session:
    return open_memory(policy).session(user="ana", **address)


def quarantined(chat: Session, text: str = "Wire the money.", **words: str) -> str:
    receipt = chat.remember(text, **words)  # type: ignore[arg-type]
    return next(fate.id for fate in receipt.fates if fate.outcome == "quarantined")


@pytest.mark.parametrize(
    "words",
    [
        {"role": "user", "source": "tool:x"},
        {"role": "assistant", "source": "tool"},
        {"role": "tool", "tool": "unknown"},
        {"source": "web"},
        {"source": "external:mail"},
        {"source": "import"},
    ],
)
def test_forgetting_does_not_lift_a_quarantine(words: dict[str, str]) -> None:
    """Forget and unforget bring an item back exactly as far as it was: into quarantine."""
    chat = session()
    item_id = quarantined(chat, **words)
    chat.forget(item_id)
    chat.unforget(item_id)
    assert chat.get(item_id).status == "QUARANTINED"
    assert chat.search("money") == []
    chat.confirm(item_id)
    assert [hit.item.text for hit in chat.search("money")] == ["Wire the money."]


def test_command_belongs_to_its_session() -> None:
    """The same command_id with the same words in another session or persona is another command."""
    memory = open_memory()
    for address in ({"session": "1"}, {"session": "2"}, {"persona": "coach"}):
        chat = memory.session(user="ana", **address)
        assert not chat.remember("Hello there.", command_id="c1").is_repeat
        assert [item.text for item in chat.recall("x").items] == ["Hello there."]


@pytest.mark.parametrize("other", [{"private": True}, {"at": START_MS + 1}, {"ref": "m2"}, {"role": "assistant"}])
def test_command_with_other_content_is_an_error(other: dict[str, object]) -> None:
    """One command_id never stands for two contents: not for another time, privacy, reference or role."""
    chat = session(persona="coach")
    first: dict[str, object] = {"at": START_MS, "ref": "m1", "command_id": "c1"}
    chat.remember("Hello there.", **first)  # type: ignore[arg-type]
    with pytest.raises(CommandReused):
        chat.remember("Hello there.", **{**first, **other})  # type: ignore[arg-type]
    assert chat.remember("Hello there.", **first).is_repeat  # type: ignore[arg-type]


def test_stamped_time_is_no_content() -> None:
    """A call repeated without a time of its own is a repeat, although the clock has moved on."""
    chat = session()
    chat.remember("Hello there.", command_id="c1")
    assert chat.remember("Hello there.", command_id="c1").is_repeat


def test_old_traces_keep_their_phase() -> None:
    """A deletion that happened in one phase is told as of that phase for ever."""
    chat = session("contract")
    for number in range(6):
        chat.remember(f"Turn {number}.")
    before = [event for event in chat.traces(recalls=False) if event["type"] == "memory_deleted"]
    chat.start_phase("next")
    after = [event for event in chat.traces(recalls=False) if event["type"] == "memory_deleted"]
    assert (
        [event["phase_id"] for event in after] == [event["phase_id"] for event in before] == ["phase-1"] * len(before)
    )
    assert before


@pytest.mark.parametrize("space", ["user", "project", "system"])
def test_refused_promotion_says_why(space: str) -> None:
    """A promotion that is not allowed answers with a code and a sentence, and can stop the caller."""
    chat = session()
    item_id = chat.remember("Ordinary talk.").ids[1]
    receipt = chat.promote(item_id, space)
    assert receipt.status == "denied"
    assert receipt.fates[0].reason.code in {"promotion_disallowed", "promotion_event_type", "no_owner"}
    with pytest.raises(Refused):
        receipt.raise_for_denied()


def test_promotion_that_meets_the_same_claim_is_a_merge() -> None:
    """Promoting what is already there counts a mention and says so."""
    chat = session(project="apollo")
    item_id = chat.remember_fact("We use Rust.", key="language").ids[0]
    assert chat.promote(item_id, "project").fates[0].outcome == "written"
    assert chat.promote(item_id, "project").fates[0].outcome == "merged"


def test_retention_of_the_window_is_enforced() -> None:
    """A life span for short_term items ends their stay in the window."""
    chat = session('[retention.short_term]\ndefault = { mode = "ttl", ticks = 1 }\n')
    for number in range(3):
        chat.remember(f"Turn {number}.")
    assert [choice.item.text for choice in chat.recall("x").kept if choice.block == "window"] == ["Turn 2."]


def test_pinned_turn_stays_in_the_window() -> None:
    """A pinned turn is carried however far the window has moved on."""
    chat = session("contract")
    pinned = chat.remember("Keep me.").ids[0]
    chat.pin(pinned)
    for number in range(8):
        chat.remember(f"Turn {number}.")
    assert pinned in [item.id for item in chat.recall("x").items]


def test_search_does_not_find_the_expired() -> None:
    """What recall drops as expired, search does not return either."""
    chat = session('[retention.semantic]\ndefault = { mode = "ttl", ticks = 2 }\n[facts]\nextractor = "none"\n')
    chat.remember("Zebra stripes.")
    chat.start_phase(space="user")
    chat.start_phase(space="user")
    assert chat.search("zebra") == []
    assert "expired" in [choice.reason.code for choice in chat.recall("zebra").dropped]


def test_refused_phase_is_traced() -> None:
    """A phase that the policy does not start or compare leaves a border check in the trace."""
    chat = session("[phase]\nenabled = false\ndiff_enabled = false\n")
    with pytest.raises(Refused):
        chat.start_phase("x")
    with pytest.raises(Refused):
        chat.diff_phases(1, 2)
    checks = [event for event in chat.traces() if event["type"] == "memory_border_check"]
    assert [(check["action"], check["allowed"]) for check in checks] == [("phase_start", False), ("phase_diff", False)]


def test_nobody_pushes_another_out_of_the_ring() -> None:
    """However often others recall, the traces of one session's recalls stay."""
    memory = open_memory("[trace]\nring = 4\n")
    mine, theirs = memory.session(user="ana"), memory.session(user="bob")
    mine.recall("mine")
    before = mine.traces()
    for number in range(50):
        theirs.recall(f"theirs {number}")
    assert mine.traces() == before
    assert before


def test_private_hint_stays_private() -> None:
    """A private turn that asks to be remembered goes to the persona's own place, not to everybody's."""
    memory = open_memory("contract")
    memory.session(user="ana", persona="coach").remember("Remember this for me: I prefer tea.", private=True)
    assert len(memory.session(user="ana").list(status="all")) == 0
    assert memory.session(user="ana", persona="chef").recall("tea").choices == ()


def test_orphan_log_is_not_started_over(tmp_path: Path) -> None:
    """Where a database is gone but its log is not, nothing is created and the log stays as it is."""
    target = tmp_path / "memory.db"
    with Memory.open(str(target)) as memory:
        memory.session(user="ana").remember("Precious.")
        log = (tmp_path / "memory.db-wal").read_bytes()
    target.unlink()
    (tmp_path / "memory.db-wal").write_bytes(log)
    with pytest.raises(StoreDamaged):
        Memory.open(str(target))
    assert (tmp_path / "memory.db-wal").read_bytes() == log
    assert not target.exists()


def test_archived_pinned_items_take_no_place(tmp_path: Path) -> None:
    """Forgotten pinned episodes do not push living ones out of the foundation, on either store."""
    hashes = []
    for target in (":memory:", str(tmp_path / "memory.db")):
        memory = open_memory(BARE, target)
        chat = memory.session(user="ana")
        ids = [chat.remember(f"Apple number {number}.", at=START_MS).ids[-1] for number in range(3)]
        for item_id in ids:
            chat.pin(item_id)
        chat.forget(ids[2])
        context = chat.recall("zebra", overrides={"facts": {"limit": 1}})
        assert [item.id for item in context.items] == [ids[1]]
        hashes.append(context.hash)
    assert hashes[0] == hashes[1]


def test_an_id_has_one_spelling() -> None:
    """`…:01` is not `…:1`."""
    chat = session()
    item_id = chat.remember("Hello there.").ids[1]
    assert chat.get(item_id).id == item_id
    for odd in (item_id.replace(":1", ":01"), f"{item_id} ", item_id.upper(), item_id.replace(":1", ":١")):
        with pytest.raises(Exception, match="no such memory"):
            chat.get(odd)


def test_word_in_three_sessions_is_found_three_times() -> None:
    """A word that three memories share finds all three."""
    memory = open_memory(BARE)
    for number, text in enumerate(("Postgres for billing.", "Redis for billing.", "Mysql for billing.")):
        memory.session(user="ana", session=str(number)).remember(text)
    chat = memory.session(user="ana")
    assert len(chat.search("billing")) == 3
    assert len(chat.recall("billing").choices) == 3


def test_a_speakers_name_is_still_a_word() -> None:
    """Asking by a name finds what speaks of that person and what that person said."""
    chat = session(BARE)
    chat.remember("I like hiking with Maria on Sundays.")
    chat.remember("We decided to use Postgres for billing.", speaker="Maria")
    for question in ("maria", "who is Maria?"):
        found = [hit.item.text for hit in chat.search(question)]
        assert "I like hiking with Maria on Sundays." in found
