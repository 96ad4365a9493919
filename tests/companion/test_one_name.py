"""Two spellings are one person: of what was claimed under both the newer stands, and unmerging restores all."""

from __future__ import annotations

from talks import DAY_MS, HOUR_MS, START_MS, holds, open_memory, tell

from recollect import Memory, Session


def _told() -> tuple[Memory, Session]:
    """Makesh in Pune, then Mukesh in Delhi."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "My friend Makesh lives in Pune.", "My friend Mukesh lives in Delhi.", step=HOUR_MS)
    return memory, chat


def _card(chat: Session) -> str:
    return chat.companion.card("Mukesh").text


def test_the_newer_claim_stands_after_a_merge() -> None:
    """On the card and in the context, with the reason; the older one is neither changed nor gone."""
    memory, chat = _told()
    assert "Delhi" in _card(chat) and "Pune" in chat.companion.card("Makesh").text
    before = {item.id: item.standing for item in chat.list(kind="profile").items}
    chat.companion.merge("Makesh", "Mukesh", at=START_MS + DAY_MS)
    assert "Delhi" in _card(chat) and "Pune" not in _card(chat)
    context = chat.recall("where does Makesh live?", at=START_MS + DAY_MS)
    told = {choice.item.text: choice.reason.code for choice in context.choices if choice.item.kind == "profile"}
    assert told["Makesh (friend): lives in Pune"] == "other_spelling"
    assert "lives in Delhi" in context.text and "(friend): lives in Pune" not in context.text
    assert {item.id: item.standing for item in chat.list(kind="profile").items} == before
    holds(memory)


def test_a_later_word_under_the_old_spelling_wins_in_its_turn() -> None:
    """The merge holds for what is said after it too."""
    _, chat = _told()
    chat.companion.merge("Makesh", "Mukesh", at=START_MS + DAY_MS)
    chat.remember("My friend Makesh lives in Lisbon.", at=START_MS + 2 * DAY_MS)
    assert "Lisbon" in _card(chat) and "Delhi" not in _card(chat)


def test_taking_the_merge_back_restores_both() -> None:
    """Nothing was archived, so nothing has to be found again."""
    memory, chat = _told()
    chat.companion.merge("Makesh", "Mukesh", at=START_MS + DAY_MS)
    chat.companion.unmerge("Makesh", at=START_MS + DAY_MS)
    assert "Delhi" in _card(chat) and "Pune" in chat.companion.card("Makesh").text
    assert "lives in Pune" in chat.recall("where does Makesh live?", at=START_MS + DAY_MS).text
    holds(memory)


def test_what_is_true_of_both_is_said_once() -> None:
    """The same claim under two spellings is one line of the card; different facts all stay."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "My friend Makesh lives in Pune.", "My friend Mukesh lives in Pune.", "Mukesh works at Acme.")
    chat.companion.merge("Makesh", "Mukesh", at=START_MS + DAY_MS)
    card = _card(chat)
    assert card.count("Pune") == 1 and "friend" in card and "Acme" in card


def test_a_merge_for_one_persona_changes_nothing_for_another() -> None:
    """A spelling that only one persona was told of is settled for that persona alone."""
    memory = open_memory()
    coach, sophie = (memory.session(user="ana", persona=name) for name in ("coach", "sophie"))
    coach.remember("My friend Makesh lives in Pune.", at=START_MS)
    coach.remember("My friend Mukesh lives in Delhi.", at=START_MS + HOUR_MS, private=True)
    coach.companion.merge("Makesh", "Mukesh", at=START_MS + DAY_MS)
    assert "Pune" not in _card(coach)
    assert "Pune" in sophie.companion.card("Makesh").text
