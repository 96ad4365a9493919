"""How search ranks: names, kinds, what refers back, what is new, scripts; the same on every store and process."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from recollect import Memory

CHATS = Path(__file__).parents[2] / "bench" / "data" / "chats"
PROGRAM = """
import json, sys
from recollect import Memory
with Memory.open(sys.argv[1]) as memory:
    chat = memory.session(user="u", session="asking")
    print(json.dumps([[hit.to_dict() for hit in chat.search(q, limit=20)] for q in json.loads(sys.argv[2])]))
"""


def told(memory: Memory, *texts: str, role: str = "user") -> None:
    for number, text in enumerate(texts):
        memory.session(user="ana", session="s").remember(text, role=role, at=f"2026-01-05T09:{number:02d}:00Z")


def found(memory: Memory, question: str, limit: int = 3) -> list[str]:
    return [hit.item.text for hit in memory.session(user="ana", session="t").search(question, limit=limit)]


def test_a_question_about_a_kind_finds_a_thing_of_that_kind() -> None:
    """ "Which pets" leads to the dog, though no word is shared, and says so."""
    with Memory.open(":memory:", embedder="none") as memory:
        told(memory, "We painted the fence.", "The puppy sleeps all day.", "The bus was late again.")
        hits = memory.session(user="ana", session="t").search("which pets are there?")
        assert hits[0].item.text == "The puppy sleeps all day."
        assert "kind" in hits[0].reasons and "a thing of the kind" in hits[0].sentence


def test_a_turn_that_refers_back_is_found_by_what_it_refers_to() -> None:
    """ "It was..." borrows more of the words before it than a turn that stands alone."""
    with Memory.open(":memory:", embedder="none") as memory:
        told(memory, "The violin recital is done.", "She loved it.")
        told(memory, "The trumpet recital is done.", "Rain all day.")
        parts = {
            hit.item.text: dict(hit.parts)["words"]
            for hit in memory.session(user="ana", session="t").search("recital", limit=4)
        }
        assert parts["She loved it."] > parts["Rain all day."]


def test_now_asks_for_the_newer_turn_and_at_first_does_not() -> None:
    """The same words twice: which stands first follows from what is asked."""
    with Memory.open(":memory:", embedder="none") as memory:
        told(memory, "The budget is nine.", *(f"Filler number {n}." for n in range(20)), "The budget is seven.")
        assert found(memory, "what is the budget now?")[0] == "The budget is seven."
        newest = memory.session(user="ana", session="t").search("what was the budget originally?")
        assert all("newer" not in dict(hit.parts) for hit in newest)


def test_the_users_words_come_before_the_assistants() -> None:
    """Unless the question asks what the assistant said."""
    with Memory.open(":memory:") as memory:
        told(memory, "The tiles are from Porto.", *(f"Filler number {n}." for n in range(24)))
        told(memory, "The tiles are from Porto, you said.", role="assistant")
        assert found(memory, "where are the tiles from?")[0] == "The tiles are from Porto."
        assert found(memory, "what did you say about the tiles?")[0] == "The tiles are from Porto, you said."


def test_devanagari_finds_latin_letters_and_the_other_way() -> None:
    """One word in two scripts and two spellings."""
    with Memory.open(":memory:", embedder="none") as memory:
        told(memory, "शादी जयपुर में होगी", "mausam accha hai aaj", "dukan ka kiraya badh gaya hai")
        assert found(memory, "shaadi kahan hogi?")[0] == "शादी जयपुर में होगी"
        assert found(memory, "दुकान का किराया कितना है?")[0] == "dukan ka kiraya badh gaya hai"


def test_weights_come_from_the_policy(tmp_path: Path) -> None:
    """A policy that gives words nothing and the newest everything has its way."""
    policy = tmp_path / "new.toml"
    policy.write_text('name = "new"\n[recall.ranking]\nwords = 0\nnewer = 1000\n', encoding="utf-8")
    with Memory.open(":memory:", policy=str(policy), embedder="none") as memory:
        told(memory, "tea tea tea", "tea once")
        assert found(memory, "tea")[0] == "tea once"


@pytest.fixture(scope="module")
def chat() -> tuple[list[dict[str, str]], list[str]]:
    rows = [json.loads(line) for line in (CHATS / "c04.jsonl").read_text(encoding="utf-8").splitlines()][1:]
    keys = ("text", "role", "ref", "at")
    return [{key: row[key] for key in keys} for row in rows if "ref" in row], [
        r["question"] for r in rows if "question" in r
    ]


def test_the_same_twenty_in_the_same_order_everywhere(
    chat: tuple[list[dict[str, str]], list[str]], tmp_path: Path
) -> None:
    """Both stores, eight threads at once, another process with another hash seed: every score and part is the same."""
    turns, questions = chat
    answers = []
    for name in (":memory:", str(tmp_path / "m.db")):
        with Memory.open(name) as memory:
            memory.session(user="u", session="s").remember_many(turns)
            asking = memory.session(user="u", session="asking")
            answers.append([[hit.to_dict() for hit in asking.search(q, limit=20)] for q in questions])
            threads: list[list[object]] = [[] for _ in range(8)]

            def ask(into: list[object], asking: object = asking) -> None:
                into.extend([hit.to_dict() for hit in asking.search(q, limit=20)] for q in questions)  # type: ignore[attr-defined]

            workers = [threading.Thread(target=ask, args=(into,)) for into in threads]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            assert all(into == answers[0] for into in threads)
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "m.db"), json.dumps(questions)]
    other = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "77", "PYTHONPATH": ":".join(sys.path)},
    )
    assert answers[0] == answers[1] == json.loads(other.stdout)
    assert all(len(hits) == 20 for hits in answers[0])
