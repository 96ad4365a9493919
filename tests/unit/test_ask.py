"""Asking a model over the ordinary protocol: one deadline, named fallbacks, ceilings first, breakers in sight."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from model_server import serving

from recollect import Memory, Session
from recollect.adapters.models.openai import OpenAiModel, read_endpoint
from recollect.core.condense import Condensed, condense, faults
from recollect.engine import ask as ask_module
from recollect.errors import InvalidInput, ModelBusy, ModelError
from recollect.ports.model import Message, ModelAnswer, ModelCall

QUICK = "[ask]\nbackoff_ms = 5\nmodel_ms = 400\n"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as base:
        yield base


def call(timeout_ms: int = 400, **more: object) -> ModelCall:
    return ModelCall(messages=(Message(role="user", text="hi"),), max_tokens=20, timeout_ms=timeout_ms, **more)  # type: ignore[arg-type]


def session(url: str, model: str, small: str = "", policy: str = QUICK) -> Session:
    memory = Memory.open(":memory:", policy=policy, model_url=url, model=model, small_model=small)
    chat = memory.session(user="ana", session="one")
    chat.remember("We decided to use Postgres for billing.", ref="m1")
    for n in range(6):
        chat.remember(f"Small talk {n}.")
        chat.remember(f"Indeed {n}.", role="assistant")
    return chat


# the client


@pytest.mark.parametrize("is_streamed", [False, True])
def test_good_server_is_heard(url: str, is_streamed: bool) -> None:
    """An answer comes whole, and in pieces where somebody listens."""
    pieces: list[str] = []
    answer = OpenAiModel(url, "good").answer(call(5_000, on_piece=pieces.append if is_streamed else None))
    assert answer.text.startswith("heard 2 characters")
    assert bool(pieces) == is_streamed


@pytest.mark.parametrize(
    ("model", "kind", "reason"),
    [
        ("hung", ModelBusy, "model_timeout"),
        ("slow", ModelBusy, "model_timeout"),
        ("failing", ModelBusy, "model_overloaded"),
        ("refusing", ModelError, "model_rejected"),
        ("garbage", ModelError, "model_garbage"),
        ("lying", ModelError, "model_garbage"),
        ("empty", ModelError, "model_empty"),
        ("cut", ModelBusy, "model_broke_off"),
        ("endless", ModelError, "model_too_long"),
    ],
)
@pytest.mark.parametrize("is_streamed", [False, True])
def test_bad_server_is_an_error_with_a_reason(
    url: str, model: str, kind: type[ModelError], reason: str, is_streamed: bool
) -> None:
    """Hung, slow, failing, refusing, lying: each is a typed error, in time."""
    limit = 5_000 if model == "endless" else 300
    started = time.monotonic()
    with pytest.raises(ModelError) as raised:
        OpenAiModel(url, model).answer(call(limit, on_piece=(lambda piece: None) if is_streamed else None))
    assert type(raised.value) is kind or (model, is_streamed) in {("endless", True), ("cut", True)}
    assert raised.value.reason == reason or (model, is_streamed) in {("endless", True), ("cut", True)}
    assert time.monotonic() - started < limit / 1_000 + 3


def test_nobody_at_the_door() -> None:
    """A server that is not there may be there later."""
    with pytest.raises(ModelBusy) as raised:
        OpenAiModel("http://127.0.0.1:9/v1", "x").answer(call())
    assert raised.value.reason == "model_unreachable"


def test_call_can_be_cancelled(url: str) -> None:
    """A cancelled call ends at the next piece."""
    with pytest.raises(ModelError) as raised:
        OpenAiModel(url, "slow").answer(call(10_000, on_piece=lambda piece: None, is_cancelled=lambda: True))
    assert raised.value.reason == "model_cancelled"


@pytest.mark.parametrize("bad", ["", "ftp://x", "http://", "http://u:p@x/v1", "http://x:99999999"])
def test_bad_url_is_told(bad: str) -> None:
    """A wrong address is told when it is given."""
    with pytest.raises(InvalidInput):
        read_endpoint(bad)


def test_key_is_not_printed() -> None:
    """Whoever prints a model or the settings does not print its key."""
    assert "sk-very" not in repr(OpenAiModel("http://x/v1", "m", "sk-very-secret"))


# asking


def test_answer_is_remembered_on_both_sides(url: str) -> None:
    """An answered question leaves two turns, and the prompt held what was asked about."""
    chat = session(url, "good", policy="default")
    reply = chat.ask("what did we pick for billing?")
    assert (reply.status, reply.fallbacks) == ("answered", ())
    assert "Postgres" in reply.prompt.text
    window = dict(chat.recall("x").blocks)["window"]
    assert "what did we pick for billing?" in window
    assert reply.text.strip() in window


def test_without_a_model_the_prompt_is_given() -> None:
    """No model: the Super-Prompt for the person, and nothing is remembered."""
    chat = Memory.open(":memory:").session(user="ana")
    chat.add_rule("Answer in one sentence.")
    chat.remember("We decided to use Postgres for billing.")
    before = len(chat.list().items)
    reply = chat.ask("what did we pick?")
    assert (reply.status, reply.reason) == ("prompt", "no_model")
    assert reply.messages[0].role == "system"
    assert "Answer in one sentence." in reply.messages[0].text
    assert reply.prompt.user.rstrip().endswith("| what did we pick?")
    assert len(chat.list().items) == before


def test_flaky_server_is_tried_again(url: str) -> None:
    """Transient errors are tried again with a pause, and the tries are told."""
    reply = session(url, "flaky-one").ask("billing?")
    assert (reply.status, reply.text) == ("answered", "third time lucky")
    assert len([note for note in reply.notes if "again in" in note]) == 2


def test_failing_model_falls_back_to_the_small_one(url: str) -> None:
    """A model that fails is replaced once by the smaller one, visibly."""
    reply = session(url, "failing", "good-small").ask("billing?")
    assert (reply.status, reply.model) == ("answered", "good-small")
    assert any("asked good-small instead" in told for told in reply.fallbacks)


@pytest.mark.parametrize("model", ["hung", "refusing", "garbage", "empty", "lying"])
def test_failed_models_leave_the_prompt_and_the_reason(url: str, model: str) -> None:
    """When nothing answers, the prompt and the reason are given, in time, and nothing is remembered."""
    chat = session(url, model, policy=f"{QUICK}retries = 0\n")
    before = len(chat.list(limit=1_000).items)
    reply = chat.ask("what about billing?", deadline_ms=1_500)
    assert reply.status == "failed"
    assert reply.reason.startswith("model_")
    assert "Postgres" in reply.prompt.text
    assert len(chat.list(limit=1_000).items) == before


def test_model_that_gives_orders_is_quoted(url: str) -> None:
    """A model's own instructions are its words: flagged, stored as the assistant's, fenced when they come back."""
    chat = session(url, "bossy")
    reply = chat.ask("billing?")
    assert any("instruction" in note for note in reply.notes)
    context = chat.recall("system prompt rules")
    assert "\n## Rules" not in context.text
    assert "| ## Rules" in context.text


def test_breaker_opens_and_is_printable(url: str) -> None:
    """After so many failures a model is left alone for a while, and one can see it."""
    chat = session(url, "failing-breaker", policy=f"{QUICK}retries = 0\nbreaker_failures = 2\nbreaker_ms = 150\n")
    reasons = [chat.ask("billing?").reason for _ in range(3)]
    assert reasons == ["model_overloaded", "model_overloaded", "breaker_open"]
    assert chat.breakers()["failing-breaker"]["state"] == "open"
    time.sleep(0.2)
    assert chat.breakers()["failing-breaker"]["state"] == "half-open"
    assert chat.ask("billing?").reason == "model_overloaded"


@pytest.mark.parametrize("rule", ["ceiling_tokens = 200", "session_tokens = 50"])
def test_ceiling_refuses_before_any_call(url: str, rule: str) -> None:
    """What would pass the ceiling is refused with what it would take, and no model is called."""
    chat = session(url, "good-never", policy=f"[ask]\n{rule}\n")
    reply = chat.ask("what about billing?")
    assert reply.status == "refused"
    assert reply.tokens_needed > 50
    assert chat.breakers() == {}


def test_cancelled_question_stops(url: str) -> None:
    """Cancelling stops the whole: no second model, no memory of it."""
    reply = session(url, "slow").ask("billing?", on_piece=lambda piece: None, is_cancelled=lambda: True)
    assert (reply.status, reply.reason) == ("failed", "model_cancelled")


# airbags


def test_failing_condenser_leaves_raw_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """The condenser fails: the ranked items come as they are, with their ids, and the reply says so."""
    chat = Memory.open(":memory:").session(user="ana")
    chat.remember_fact("Bills with Postgres.")
    monkeypatch.setattr(ask_module, "condense", lambda *_: 1 / 0)
    reply = chat.ask("billing?")
    assert any("condenser: ZeroDivisionError" in told for told in reply.fallbacks)
    assert "Bills with Postgres." in reply.prompt.text
    assert "## Selected context" not in reply.prompt.text


def test_condenser_that_breaks_its_schema_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A condensed line without a citation never reaches the prompt."""
    chat = Memory.open(":memory:").session(user="ana")
    chat.remember_fact("Bills with Postgres.")
    monkeypatch.setattr(ask_module, "condense", lambda *_: Condensed(facts=("- made up",)))
    reply = chat.ask("billing?")
    assert any("schema: citation" in told for told in reply.fallbacks)
    assert "made up" not in reply.prompt.text


def test_failing_retrieval_leaves_files_and_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Retrieval fails: the named files and the recent turns are still there."""
    (tmp_path / "a.py").write_text("X = 1\n")
    chat = Memory.open(":memory:", roots=[tmp_path]).session(user="ana")
    chat.remember("The window is here.")
    monkeypatch.setattr(type(chat._office.shelves), "search", lambda *_, **__: 1 / 0)
    reply = chat.ask("anything?", files=["a.py"])
    assert any(told.startswith("retrieval: terms failed") for told in reply.fallbacks)
    assert "X = 1" in reply.prompt.text
    assert "The window is here." in reply.prompt.text


def test_audit_opens_the_file_the_question_names(tmp_path: Path) -> None:
    """A question about a file that was not opened runs once more with it, and says so."""
    (tmp_path / "bank.py").write_text("RETRIES = 5\n")
    chat = Memory.open(":memory:", roots=[tmp_path]).session(user="ana")
    reply = chat.ask("how many RETRIES are there in bank.py?")
    assert "| RETRIES = 5" in reply.prompt.text
    assert any(note.startswith("audit:") for note in reply.notes)
    locked = chat.ask("how many RETRIES are there in bank.py?", lock=False)
    assert "RETRIES = 5" not in locked.prompt.text


def test_audit_that_makes_it_worse_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the re-run finds less, the context before it stands."""
    (tmp_path / "bank.py").write_text("RETRIES = 5\n")
    chat = Memory.open(":memory:", roots=[tmp_path]).session(user="ana")
    chat.remember("The bank is slow.")
    recall = chat.recall
    monkeypatch.setattr(chat, "recall", lambda q, **o: recall(q, **{**o, "budget_tokens": 1 if o["files"] else 900}))
    reply = chat.ask("what is in bank.py?")
    assert any("back to the context before it" in told for told in reply.fallbacks)
    assert "The bank is slow." in reply.prompt.text


# the condenser


def test_condenser_cites_every_line() -> None:
    """Facts, constraints and open issues in order, each line with the item it stands on."""
    chat = Memory.open(":memory:").session(user="ana")
    chat.add_rule("Never deploy on Fridays.")
    chat.remember_fact("Bills with Postgres.")
    chat.remember("The invoice export must finish within 30 minutes. It still fails on leap days.", ref="m1")
    for n in range(5):
        chat.remember(f"Filler {n}")
    context = chat.recall("invoice export billing")
    short = condense(context.kept)
    assert faults(short.text, [choice.item.id for choice in context.kept]) == []
    assert any("Fridays" in line for line in short.constraints)
    assert any("Postgres" in line for line in short.facts)


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "Facts\n- x [a]\n",
        "Constraints\n- none\nFacts\n- none\nOpen Issues\n- none",
        "Facts\n- x\nConstraints\n- none\nOpen Issues\n- none",
    ],
)
def test_broken_schema_is_found(broken: str) -> None:
    """The check of the schema fires on everything that is not one."""
    assert faults(broken, ["a"])


class Own:
    """A model of one's own that gives whatever it was made with."""

    name = "own"

    def __init__(self, gives: object) -> None:
        self._gives = gives

    def answer(self, call: ModelCall) -> ModelAnswer:
        return self._gives  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("gives", "reason"),
    [
        (ModelAnswer(text=""), "model_empty"),
        (ModelAnswer(text=" \n\0"), "model_empty"),
        (None, "model_garbage"),
        ("words", "model_garbage"),
        (ModelAnswer(text=None), "model_garbage"),  # type: ignore[arg-type]
    ],
)
def test_model_of_ones_own_may_give_anything(gives: object, reason: str) -> None:
    """What is no answer fails with a reason, the small model is asked, and nothing empty is remembered."""
    chat = Memory.open(":memory:", model=Own(gives), policy=QUICK).session(user="ana", session="one")
    reply = chat.ask("what is it?")
    assert (reply.status, reply.reason, chat.list().items) == ("failed", reason, ())
    small = Memory.open(":memory:", model=Own(gives), small_model=Own(ModelAnswer(text="yes")), policy=QUICK)
    assert small.session(user="ana").ask("what is it?").text == "yes"


def test_endless_answer_is_remembered_in_part() -> None:
    """An answer longer than a memory may be is given whole and remembered as far as it goes, and says so."""
    chat = Memory.open(":memory:", model=Own(ModelAnswer(text="word " * 300_000)), policy=QUICK).session(user="ana")
    reply = chat.ask("go on?")
    assert (reply.status, len(reply.text), reply.fallbacks) == ("answered", 1_500_000, ())
    kept = [item for item in chat.list(kind="semantic").items if item.origin.role == "assistant"]
    assert kept[0].text.endswith("characters were not remembered …]")


def test_question_taken_back_is_not_asked() -> None:
    """A question that is cancelled before the model was called calls nobody."""
    chat = Memory.open(":memory:", model=Own(ModelAnswer(text="yes")), policy=QUICK).session(user="ana")
    reply = chat.ask("what is it?", is_cancelled=lambda: True)
    assert (reply.status, reply.reason) == ("failed", "model_cancelled")
    assert chat.breakers()["own"]["failures"] == 0
