"""Every trap of the source system's own code, each shown not to be here."""

from __future__ import annotations

from talks import DAY_MS, HOUR_MS, MINUTE_MS, START_MS, everything, holds, open_memory, tell

from recollect.assemble import preset_text
from recollect.core.values import Status


def test_a_promise_to_one_persona_is_never_read_again_for_another() -> None:
    """The words with A within the hour are not looked at while the user talks to B."""
    memory = open_memory()
    coach, sophie = (memory.session(user="ana", persona=name) for name in ("coach", "sophie"))
    coach.remember("I'll go for a walk tomorrow.", at=START_MS)
    sophie.remember("Tell me a story about dragons.", at=START_MS + MINUTE_MS)
    assert [todo.text for todo in coach.companion.todos()] == ["go for a walk tomorrow"]
    assert sophie.companion.todos(status="all") == []


def test_the_key_has_the_slug_without_its_prefix() -> None:
    """`people|person|john_doe|relationship`, as the document has it."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    seed = {"type": "PEOPLE", "content": "John Doe is my cofounder", "entityRefs": ["person:John Doe"]}
    chat.companion.import_seed({"memories": [seed]}, at=START_MS)
    key = next(item.dedup_key for item in everything(memory) if item.fact is not None and item.fact.type == "PEOPLE")
    assert key.startswith("people|person|john_doe|fact")


def test_a_second_fact_about_one_person_is_not_lost() -> None:
    """Two different facts of one kind about John are two memories, by rule and by import."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    person = {"type": "PEOPLE", "entityRefs": ["person:john"]}
    facts = [{**person, "content": text} for text in ("John is my friend", "John is my chess partner")]
    chat.companion.import_seed({"memories": facts}, at=START_MS)
    texts = [item.text for item in chat.list(kind="profile").items]
    assert texts == ["John is my friend", "John is my chess partner"]


def test_an_archived_fact_gives_its_key_back() -> None:
    """What was forgotten can be learnt again, as a new memory that is recalled."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    chat.remember("I live in Austin.", at=START_MS)
    first = next(item for item in chat.list(kind="profile").items)
    chat.forget(first.id)
    chat.remember("I live in Austin.", at=START_MS + HOUR_MS)
    again = next(item for item in chat.list(kind="profile").items)
    assert again.id != first.id
    assert "Austin" in chat.recall("where do I live?", at=START_MS + HOUR_MS).text


def test_a_persona_s_own_copy_does_not_collide_with_everybody_s() -> None:
    """The same key can stand for everyone, for A and for B: three rows."""
    memory = open_memory()
    coach, sophie = (memory.session(user="ana", persona=name) for name in ("coach", "sophie"))
    coach.remember("I live in Austin.", at=START_MS)
    coach.remember("I live in Boston.", private=True, at=START_MS + 1)
    sophie.remember("I live in Chicago.", private=True, at=START_MS + 2)
    live = [i for i in everything(memory) if i.dedup_key.endswith("lives_in") and i.status is Status.ACTIVE]
    assert len(live) == 3


def test_archived_rows_take_no_candidate_s_place() -> None:
    """Archived facts are out before the cut: sixty of them do not push a live one out."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    for number in range(60):
        chat.companion.import_seed(
            {"memories": [{"type": "PROJECT", "content": f"Project Falcon note {number} about rockets"}]}, at=START_MS
        )
    for item in chat.list(kind="profile", limit=100).items[:59]:
        chat.forget(item.id)
    context = chat.recall("what about Falcon rockets?", at=START_MS)
    assert "note 59" in dict(context.blocks)["relevant"]
    assert all(choice.reason.code != "archived" for choice in context.choices)


def test_cards_and_foundation_leave_archived_facts_out() -> None:
    """A pinned fact that was replaced is in neither, and what is live is in both."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    seed = {"type": "PEOPLE", "entityRefs": ["person:john"], "importance": 3}
    texts = ("John is my cofounder", "John hates mornings", "John lives in Rome")
    chat.companion.import_seed({"memories": [{**seed, "content": text} for text in texts]}, at=START_MS)
    gone, kept, _ = chat.list(kind="profile").items
    chat.pin(kept.id)
    chat.forget(gone.id)
    assert [fact.text for fact in chat.companion.card("John").facts] == ["John hates mornings", "John lives in Rome"]
    context = chat.recall("John?", at=START_MS)
    assert "cofounder" not in context.text
    assert "John hates mornings" in dict(context.blocks)["foundation"]


def test_habits_are_read_into_the_context() -> None:
    """All four kinds of todo stand in the context, each in its block."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(
        chat,
        "I'll call the bank tomorrow.",
        "I want to meditate every morning.",
        "I've been thinking about learning the cello.",
        "I keep forgetting my keys.",
    )
    blocks = dict(chat.recall("hello", at=START_MS + HOUR_MS // 3).blocks)
    assert "call the bank" in blocks["commitments"]
    assert "meditate" in blocks["habits"]
    assert "cello" in blocks["threads"]
    assert "keys" in blocks["frictions"]


def test_the_newest_todos_are_never_pushed_out_by_the_oldest() -> None:
    """With forty promises open, the newest is among the five shown when nothing is due."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    words = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike".split()
    for number, word in enumerate(words * 3):
        chat.remember(
            f"I will write the {word} report number{chr(97 + number % 26)}{number // 26}.", at=START_MS + number
        )
    newest = chat.companion.todos()[-1]
    assert newest.text in dict(chat.recall("hello", at=START_MS + 100).blocks)["commitments"]


def test_what_became_a_habit_is_not_a_win_and_appears_once() -> None:
    """A promise made a habit stands as the habit alone."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "I'll go running tomorrow.", "Actually I want to go running every day.")
    assert [(t.kind, t.status) for t in chat.companion.todos(status="all")] == [
        ("COMMITMENT", "PROMOTED"),
        ("HABIT", "PENDING"),
    ]
    blocks = dict(chat.recall("hello", at=START_MS + HOUR_MS // 4).blocks)
    assert "wins" not in blocks
    assert "commitments" not in blocks
    assert blocks["habits"].count("running") == 1


def test_i_already_had_lunch_completes_nothing_else() -> None:
    """Completion needs a match, even where only one promise is open."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "I'll go for a walk tomorrow.", "I already had lunch.", "I didn't go for a walk.")
    assert [todo.status for todo in chat.companion.todos(status="all")] == ["PENDING"]
    tell(chat, "I went for a walk!", at=START_MS + HOUR_MS // 4)
    assert [todo.status for todo in chat.companion.todos(status="all")] == ["COMPLETED"]
    assert "walk" in dict(chat.recall("hello", at=START_MS + HOUR_MS // 3).blocks)["wins"]


def test_a_fold_is_found_by_search_and_by_card_with_every_word() -> None:
    """Seven small facts become one memory that holds all seven, has the reference, and is found."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    things = ["chess", "kayaking", "baking bread", "old maps", "jazz", "orchids", "fencing"]
    for number, thing in enumerate(things):
        chat.remember_fact(f"John likes {thing}", key=f"john{number}", at=START_MS)
    assert chat.companion.curate(at=START_MS + 90 * DAY_MS).steps == (), "what was stated outright is spared"
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, *(f"My friend John likes {thing}." for thing in things))
    run = chat.companion.curate(dry_run=True, at=START_MS + 90 * DAY_MS)
    assert [step.act for step in run.steps] == ["fold"]
    assert not [item for item in everything(memory) if item.status is Status.ARCHIVED and item.fact.type == "PEOPLE"]
    done = chat.companion.curate(at=START_MS + 90 * DAY_MS)
    fold = chat.get(done.stands[0])
    assert all(thing.split()[-1] in fold.text for thing in things)
    assert fold.fact is not None and fold.fact.entity_refs[0] == "person:john" and fold.fact.source == "curated_fold"
    assert fold.id in [hit.item.id for hit in chat.search("orchids")]
    assert fold.id in [fact.id for fact in chat.companion.card("John").facts]
    holds(memory)
    assert chat.companion.uncurate(fold.id, at=START_MS + 91 * DAY_MS) == len(run.steps[0].parts)
    assert len([i for i in chat.list(kind="profile").items if i.fact and "likes" in i.text]) == len(things)
    holds(memory)


def test_a_newer_claim_takes_its_part_out_of_a_fold() -> None:
    """A fold never contradicts what the user said since."""
    small = preset_text("companion").replace("session_minutes = 30", "session_minutes = 30\ncard_importance = 3")
    memory = open_memory(policy=small)
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "My friend John works at Acme.", "My friend John lives in Rome.", "My friend John likes chess.")
    done = chat.companion.curate(at=START_MS + 90 * DAY_MS)
    assert done.stands
    chat.remember("My friend John lives in Oslo.", at=START_MS + 91 * DAY_MS)
    live = " ".join(item.text for item in chat.list(kind="profile").items)
    assert "Rome" not in live
    assert "Oslo" in live and "chess" in live and "Acme" in live
    holds(memory)


def test_the_curator_spares_what_is_pinned_or_seeded() -> None:
    """Copies and small facts are left alone where a pin or a seed protects them; nothing is ever deleted."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    seeded = {"type": "PEOPLE", "content": "John is the user's friend", "entityRefs": ["person:john"]}
    chat.companion.import_seed({"memories": [seeded]}, at=START_MS)
    tell(
        chat,
        "John is my friend.",
        "My friend John likes chess.",
        "My friend John likes jazz.",
        "My friend John likes tea.",
    )
    count = len(everything(memory))
    pinned = next(item for item in chat.list(kind="profile").items if "jazz" in item.text)
    chat.pin(pinned.id)
    chat.companion.curate(at=START_MS + 90 * DAY_MS)
    after = {item.id: item for item in everything(memory)}
    assert len(after) >= count
    assert after[pinned.id].status is Status.ACTIVE and after[pinned.id].importance == 3
    kept = [item for item in after.values() if item.fact is not None and item.fact.source == "seeded_profile"]
    assert [item.status for item in kept if item.fact.type == "PEOPLE"] == [Status.ACTIVE]
    holds(memory)


def test_the_rolling_summary_belongs_to_its_session() -> None:
    """A new session begins without the last one's rolling summary; the session's summary carries it on."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    tell(chat, "I decided to move to Lisbon.", "a", "b", "c and d")
    assert "Lisbon" in str(chat.companion.state()["rolling_summary"])
    chat.remember("good morning", at=START_MS + DAY_MS)
    assert chat.companion.state()["rolling_summary"] == ""
    assert "Lisbon" in str(chat.companion.summary())


def test_the_spine_gets_every_version() -> None:
    """Twenty messages make version 1, forty version 2, sixty version 3; each says what it changed."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    for number in range(60):
        text = {5: "I live in Austin.", 25: "My sister Priya lives in Pune.", 45: "I'll buy milk tomorrow."}.get(number)
        chat.remember(text or f"just chatting about thing {number}", at=START_MS + number * MINUTE_MS)
    versions = [chat.companion.spine(version=number) for number in (1, 2, 3)]
    assert [v["version"] for v in versions if v] == [1, 2, 3]
    assert any("Austin" in line for line in versions[0]["diff"]["added"])  # type: ignore[index]
    assert any("Priya" in line for line in versions[1]["diff"]["added"])  # type: ignore[index]
    assert versions[2]["sections"]["OPEN_LOOPS"] == ["buy milk tomorrow"]  # type: ignore[index]
    assert chat.companion.spine(version=4) is None


def test_a_promise_of_one_persona_is_not_in_another_s_spine() -> None:
    """The spine's open loops are the persona's own, though its facts are everybody's."""
    memory = open_memory()
    coach, sophie = (memory.session(user="ana", persona=name) for name in ("coach", "sophie"))
    coach.remember("I'll buy milk tomorrow.", at=START_MS)
    for number in range(20):
        sophie.remember(f"just chatting about thing {number}", at=START_MS + number * MINUTE_MS)
    spine = sophie.companion.spine()
    assert spine is not None and "milk" not in str(spine)


def test_pinned_means_importance_three_everywhere() -> None:
    """By pin or by import, what is pinned has importance 3, stands in the foundation and on its card."""
    memory = open_memory()
    chat = memory.session(user="ana", persona="coach")
    seed = {"type": "PEOPLE", "content": "Mia is my daughter", "entityRefs": ["person:mia"], "pinned": True}
    chat.companion.import_seed({"memories": [seed]}, at=START_MS)
    item = chat.list(kind="profile").items[0]
    assert (item.importance, item.standing.is_pinned) == (3, True)
    context = chat.recall("how is Mia?", at=START_MS)
    assert "Mia" in dict(context.blocks)["foundation"] and "Mia" in dict(context.blocks)["cards"]
