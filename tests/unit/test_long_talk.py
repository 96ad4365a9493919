"""Long dialogues sum themselves up, changed files are noticed and read again, and an answer stands whatever fails."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from recollect import Memory, Session
from recollect.adapters.summarisers.model import ModelSummariser
from recollect.core.condense import condense
from recollect.engine.ask import Reply
from recollect.errors import StoreBusy
from recollect.ports.model import ModelAnswer, ModelCall
from recollect.ports.summariser import Digest, Line

START_MS = 1_767_225_600_000
SHORT = "[context]\nspan_turns = 10\n[window]\nsize = 2\n[ask]\ncondense_ms = 150\n"


class Parrot:
    """A model that says what it was asked last, and a title where it is to sum up."""

    name = "parrot"

    def __init__(self) -> None:
        self.calls = 0

    def answer(self, call: ModelCall) -> ModelAnswer:
        self.calls += 1
        last = call.messages[-1].text.splitlines()[-1]
        is_summary = "Summarise" in call.messages[0].text
        return ModelAnswer(text="Parser rules\nAll commas stay." if is_summary else f"You said: {last}")


def talk(chat: Session, exchanges: int, first: int = 0) -> list[Reply]:
    return [
        chat.ask(f"Step {n}: does parser rule {n} accept commas?", at=START_MS + n * 1_000)
        for n in range(first, first + exchanges)
    ]


def opened(**options: object) -> tuple[Memory, Session]:
    memory = Memory.open(":memory:", **{"policy": SHORT, "model": Parrot(), **options})
    return memory, memory.session(user="ana", session="long")


def summaries(chat: Session) -> list[str]:
    return [item.id for item in chat.list(kind="semantic", limit=500).items if item.made_how == "span"]


def test_asking_sums_up_by_itself() -> None:
    """Every span that leaves the window becomes one summary, without anybody calling for it, and the trace tells."""
    memory, chat = opened()
    replies = talk(chat, 14)
    made = [reply.summarised for reply in replies if reply.summarised.ids]
    assert [(len(one.ids), one.turns) for one in made] == [(1, 10), (1, 10)]
    assert summaries(chat) == [item_id for one in made for item_id in one.ids]
    written = [event for event in chat.traces(limit=1_000, recalls=False) if event["type"] == "memory_write"]
    assert made[0].ids[0] in str(written)
    recent = [choice.item.origin.ref for choice in chat.recall("commas").kept if choice.block == "window"]
    assert not set(recent) & {item.origin.ref for one in made for item in chat.sources(one.ids[0])} - {""}
    assert chat.summarise().ids == ()
    assert memory.replay() == []


def test_summing_up_is_the_same_every_time() -> None:
    """The same questions at the same moments give the same summaries and the same state."""
    hashes = []
    for _ in range(2):
        memory, chat = opened()
        talk(chat, 8)
        hashes.append(memory.state_hash())
    assert hashes[0] == hashes[1]


def test_model_waits_for_upkeep() -> None:
    """What a model is to sum up waits and is named; upkeep does it once."""
    parrot = Parrot()
    memory, chat = opened(model=parrot, summariser=ModelSummariser(parrot))
    replies = talk(chat, 8)
    assert [reply.summarised.waiting for reply in replies if reply.summarised.waiting] == [10]
    assert any("wait to be summed up" in note for reply in replies for note in reply.notes)
    assert summaries(chat) == []
    assert memory.upkeep(START_MS + 10**6).spans == 1
    assert memory.upkeep(START_MS + 10**6).spans == 0
    assert dict(chat.get(summaries(chat)[0]).origin.extra)["made_by"] == "parrot"


def test_worker_sums_up_what_nobody_asked_about() -> None:
    """A conversation that is only remembered is summed up by upkeep, under every user's own name."""
    memory, _ = opened()
    for user in ("ben", "ben two"):
        chat = memory.session(user=user, session="a/b c", persona="coach")
        for n in range(16):
            chat.remember(f"{user} step {n}: rule {n} takes commas.", at=START_MS + n)
    assert memory.upkeep(START_MS + 10**6, user="ben").spans == 1
    assert memory.upkeep(START_MS + 10**6).spans == 1


def test_two_at_once_make_one_summary() -> None:
    """Whoever sums up second finds it done."""
    start = threading.Barrier(4)

    class Slow:
        name, is_quick = "slow", True

        def summarise(self, lines: Sequence[Line], *, limit_characters: int, timeout_ms: int = 0) -> Digest:
            start.wait(20)
            return Digest(title="Rules", text="commas", made_by=self.name)

    memory, chat = opened(summariser=Slow())
    for n in range(16):
        chat.remember(f"Step {n}: rule {n} takes commas.", at=START_MS + n)
    threads = [threading.Thread(target=memory.upkeep, args=(START_MS + 10**6,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(summaries(chat)) == 1


@pytest.mark.parametrize("fault", ["hung", "fails", "garbage", "empty"])
def test_ill_summariser_costs_no_answer(fault: str) -> None:
    """A summariser that hangs, fails or answers nonsense is named, the answer comes, and the rules stand in."""
    freed = threading.Event()

    class Ill:
        name, is_quick = "ill", True

        def summarise(self, lines: Sequence[Line], *, limit_characters: int, timeout_ms: int = 0) -> object:
            if fault == "hung":
                freed.wait(20)
            if fault == "fails":
                raise RuntimeError("no")
            return Digest(title="", text=" ") if fault == "empty" else ["nonsense"]

    _, chat = opened(summariser=Ill())
    began = time.monotonic()
    replies = talk(chat, 8)
    freed.set()
    assert time.monotonic() - began < 15
    assert all(reply.status == "answered" for reply in replies)
    told = [line for reply in replies for line in reply.fallbacks]
    assert any(line.startswith("summary: skipped" if fault == "hung" else "summariser: failed") for line in told), told
    if fault != "hung":
        assert len(summaries(chat)) == 1


def test_contract_makes_no_summaries() -> None:
    """The contract knows its window's own summary and no other."""
    _, chat = opened(policy="contract")
    assert not any(reply.summarised.ids for reply in talk(chat, 30))
    assert chat.summarise().ids == ()


def test_answer_stands_when_it_cannot_be_remembered() -> None:
    """Where the store will not take both sides, the person gets the answer all the same, and the reason."""
    _, chat = opened()

    class Full:
        def __getattr__(self, name: str) -> object:
            return getattr(chat._office.repository, name)

        def writing(self, places: object) -> object:
            raise StoreBusy("locked")

    ill = Session(replace(chat._office, repository=Full()), chat._lens)  # type: ignore[arg-type]
    reply = ill.ask("does it work?")
    assert (reply.status, reply.receipts) == ("answered", ())
    assert reply.fallbacks[-1].startswith("remember: failed: ")


def test_summary_steps_back_behind_its_turns() -> None:
    """A summary is left out where half of its turns are shown; where they are not, its sentences are the facts."""
    _, chat = opened(policy=SHORT.replace("span_turns = 10", "span_turns = 4"))
    said = [
        "We decided to use Postgres for billing because of the JSON columns.",
        "The retry limit for payments must be 5.",
        "Should we cache the exchange rates? We have not decided yet.",
        "Ines owns the billing service since March.",
    ]
    for n, text in enumerate([*said, "Small talk.", "More of it."]):
        chat.remember(text, at=START_MS + n)
    summary = chat.summarise(at=START_MS + 100).ids[0]
    context = chat.recall("who owns billing, which database, which retry limit, what about exchange rates?")
    told = {choice.item.id: choice.reason.code for choice in context.choices}
    assert told[summary] == "turns_shown"
    prompt = chat.ask("who owns billing, which database, which retry limit, and exchange rates?").prompt.text
    facts, open_issues = prompt.split("Facts\n")[1].split("Constraints\n")[0], prompt.split("Open Issues\n")[1]
    assert facts.count("Ines owns the billing service since March.") == 1
    assert "We have not decided yet." in open_issues.split("\n\n")[0]


def test_summary_alone_is_condensed_to_its_sentences() -> None:
    """Of a summary whose turns are not shown, the sentences become facts; its title and its note do not."""
    _, chat = opened(policy=SHORT.replace("span_turns = 10", "span_turns = 4"))
    for n in range(6):
        chat.remember(f"Ines owns service {n} of billing since March.", at=START_MS + n)
    item = chat.get(chat.summarise(at=START_MS + 100).ids[0])
    choice = next(c for c in chat.recall("what does Ines own?").choices if c.item.id == item.id)
    lines = condense([replace(choice, verdict="kept", block="episodes")]).facts
    assert lines and all(line.startswith("- Ines owns service") and line.endswith(f"[{item.id}]") for line in lines)


# files


@pytest.fixture
def filed(tmp_path: Path) -> tuple[Memory, Session, Path]:
    path = tmp_path / "limits.py"
    path.write_text("RATE_LIMIT = 100\n\ndef limit_for(customer):\n    return RATE_LIMIT\n", encoding="utf-8")
    memory, chat = opened(roots=[tmp_path])
    chat.read_in("limits.py", at=START_MS)
    for n in range(6):
        chat.remember(f"Small talk {n}.", at=START_MS + n)
    return memory, chat, path


def change(path: Path, text: str = "RATE_LIMIT = 250\n\ndef limit_for(customer):\n    return RATE_LIMIT\n") -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, (1_767_300_000, 1_767_300_000))


def test_recall_notices_a_changed_file(filed: tuple[Memory, Session, Path]) -> None:
    """A snippet of a file that has changed is marked in the text and the trace; recall itself reads nothing in."""
    memory, chat, path = filed
    before = memory.state_hash()
    fresh = chat.recall("what does limit_for return, which RATE_LIMIT?")
    assert "RATE_LIMIT = 100" in fresh.text and "has changed since" not in fresh.text
    os.utime(path, (1_767_290_000, 1_767_290_000))
    assert "has changed since" not in chat.recall("what does limit_for return, which RATE_LIMIT?").text
    change(path)
    context = chat.recall("what does limit_for return, which RATE_LIMIT?")
    assert "has changed since: the file itself" in context.text
    marked = [choice["outdated"] for choice in context.trace[0]["choices"] if "outdated" in choice]
    assert marked and memory.state_hash() == before


def test_asking_reads_a_changed_file_again(filed: tuple[Memory, Session, Path]) -> None:
    """A question that brings up a snippet of a changed file gets the file as it is, and the reply says so."""
    _, chat, path = filed
    change(path)
    reply = chat.ask("what does limit_for return, which RATE_LIMIT?", lock=False, at=START_MS + 9)
    assert "files: limits.py has changed and was read in again" in reply.notes
    assert "RATE_LIMIT = 250" in reply.prompt.text and "RATE_LIMIT = 100" not in reply.prompt.text
    assert chat.manifest()[0].mtime_ms == 1_767_300_000_000
    path.unlink()
    gone = chat.ask("what does limit_for return, which RATE_LIMIT?", lock=False, at=START_MS + 10)
    assert "files: limits.py is gone" in gone.notes
    assert chat.manifest() == []


def test_upkeep_reads_changed_files_again(filed: tuple[Memory, Session, Path]) -> None:
    """Upkeep looks at every file that was read in, once."""
    memory, chat, path = filed
    assert memory.upkeep(START_MS + 10).files == 0
    change(path)
    assert memory.upkeep(START_MS + 11).files == 1
    assert memory.upkeep(START_MS + 12).files == 0
    path.unlink()
    assert memory.upkeep(START_MS + 13).files == 1
    assert chat.manifest() == [] and memory.replay() == []
