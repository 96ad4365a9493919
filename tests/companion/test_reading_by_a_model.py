"""Reading by a model: never in the turn's way, never lost, never believed unchecked, never asked by a replay."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from talks import DAY_MS, MINUTE_MS, START_MS, everything, holds, open_memory, tell

from recollect import Memory
from recollect.assemble import preset_text
from recollect.core.companion.contract import extracted, parse
from recollect.core.values import Authority
from recollect.errors import ModelBusy, ModelError
from recollect.ports.model import ModelAnswer, ModelCall

POLICY = preset_text("companion").replace("session_minutes = 30", 'session_minutes = 30\nextractor = "model"')
GOOD = json.dumps(
    {
        "memories": [
            {
                "type": "PEOPLE",
                "content": "Priya is my sister",
                "entityRefs": ["person:Priya"],
                "entityLabel": "Priya",
                "subtype": {"entityType": "person", "factType": "relationship"},
                "importance": 3,
                "confidence": 0.9,
            }
        ],
        "loops": [{"kind": "COMMITMENT", "content": "call Priya tomorrow", "dedupe_key": "call_priya_tomorrow"}],
    }
)


class Script:
    """A model that gives these answers in turn; an error is raised."""

    name = "script"

    def __init__(self, answers: Sequence[str | Exception]) -> None:
        self.answers = [*answers]
        self.calls: list[ModelCall] = []

    def answer(self, call: ModelCall) -> ModelAnswer:
        self.calls.append(call)
        answer = self.answers.pop(0) if self.answers else '{"memories": [], "loops": []}'
        if isinstance(answer, Exception):
            raise answer
        return ModelAnswer(text=answer)


def test_a_turn_waits_in_the_open_until_a_model_has_read_it(tmp_path: Path) -> None:
    """The turn is durable at once, what waits can be listed, and one upkeep reads it exactly once."""
    path = str(tmp_path / "memory.db")
    with open_memory(path, POLICY) as memory:
        chat = memory.session(user="ana", persona="coach")
        chat.remember("My sister Priya is here, I'll call her tomorrow.", at=START_MS)
        assert len(chat.companion.pending()) == 1
        assert memory.upkeep(START_MS).to_dict()["pending"] == 1, "without a model it waits"
    with open_memory(path, POLICY) as memory:
        chat, model = memory.session(user="ana", persona="coach"), Script([GOOD])
        assert memory.upkeep(START_MS + 1, model=model).extracted == 1
        assert memory.upkeep(START_MS + 2, model=model).extracted == 0
        assert len(model.calls) == 1
        assert chat.companion.pending() == []
        assert [(todo.kind, todo.text) for todo in chat.companion.todos()] == [("COMMITMENT", "call Priya tomorrow")]
        fact = next(i for i in everything(memory) if i.fact is not None and i.text == "Priya is my sister")
        assert (fact.authority, fact.importance) == (Authority.AI_INFERRED, 2)
        answer = next(i for i in everything(memory) if i.fact is not None and i.fact.type == "ANSWER")
        assert answer.text == GOOD
        holds(memory)


def test_an_answer_is_repaired_at_most_once() -> None:
    """Two bad answers are one failed try; after three tries the rules read the turn, and the record says so."""
    memory = open_memory(policy=POLICY)
    chat = memory.session(user="ana", persona="coach")
    chat.remember("I'll buy milk tomorrow.", at=START_MS)
    bad = Script(["not json", "still not", "no", "nope", ModelBusy("gone")])
    for number in range(4):
        memory.upkeep(START_MS + number, model=bad)
    assert len(bad.calls) == 5, "two answers each for two tries, and one error; then nobody is asked any more"
    assert [todo.text for todo in chat.companion.todos()] == ["buy milk tomorrow"]
    waited = [i for i in everything(memory) if i.fact is not None and i.fact.type == "PENDING"]
    assert [item.standing.reason for item in waited] == ["given_up"]
    holds(memory)


def test_a_failing_model_loses_nothing() -> None:
    """A model that is down leaves the turn waiting, and the next one reads it."""
    memory = open_memory(policy=POLICY)
    chat = memory.session(user="ana", persona="coach")
    chat.remember("My sister Priya is here, I'll call her tomorrow.", at=START_MS)
    assert memory.upkeep(START_MS, model=Script([ModelBusy("down")])).pending == 1
    assert memory.upkeep(START_MS + 1, model=Script([GOOD])).extracted == 1
    assert len(chat.companion.todos()) == 1


def test_a_model_sees_this_persona_s_words_alone() -> None:
    """What was said to another persona within the hour is not shown."""
    memory = open_memory(policy=POLICY)
    coach, sophie = (memory.session(user="ana", persona=name) for name in ("coach", "sophie"))
    coach.remember("I'll buy the zebra tomorrow.", at=START_MS)
    sophie.remember("Tell me about dragons.", at=START_MS + MINUTE_MS)
    model = Script([])
    memory.upkeep(START_MS + 2 * MINUTE_MS, model=model)
    shown = {call.messages[-1].text for call in model.calls}
    assert shown == {"- I'll buy the zebra tomorrow.", "- Tell me about dragons."}


def test_erasing_the_turn_erases_the_answer_and_what_came_of_it() -> None:
    """The recorded answer quotes the user; it goes with the turn, and so do its fact and its todo."""
    memory = open_memory(policy=POLICY)
    chat = memory.session(user="ana", persona="coach")
    chat.remember("My sister Priya is here, I'll call her tomorrow.", at=START_MS, ref="m1")
    memory.upkeep(START_MS, model=Script([GOOD]))
    chat.erase_ref("m1")
    assert not [item for item in everything(memory) if "Priya" in item.text or "Priya" in str(item.fact)]
    assert chat.companion.todos(status="all") == []
    holds(memory)


def test_answers_are_checked() -> None:
    """Junk, persona names, people without a stated relation and invented kinds do not pass."""
    raw = parse(
        "```json\n"
        + json.dumps(
            {
                "memories": [
                    {"type": "PROFILE", "content": "User is testing the assistant"},
                    {"type": "PROFILE", "content": "Sophie"},
                    {"type": "PEOPLE", "content": "Bob is a friend"},
                    {"type": "PROFILE|x", "content": "Lives in Austin", "importance": 9},
                    {"type": "OPEN_LOOP", "content": "call"},
                    {"type": "PROFILE", "content": "a sixth one is not read"},
                ],
                "loops": [
                    {"kind": "WIN", "content": "learn the cello"},
                    {"kind": "COMMITMENT", "content": "maybe visit Rome"},
                    {"kind": "COMMITMENT", "content": ""},
                    {"kind": "THREAD", "content": "nice day"},
                ],
            }
        )
        + "\n```"
    )
    assert raw is not None
    found = extracted(raw, ["Bob came by"], ["Sophie"])
    assert [memory.content for memory in found.memories] == ["Lives in Austin"]
    assert found.memories[0].importance == 1
    assert [(loop.kind, loop.content) for loop in found.loops] == [
        ("THREAD", "learn the cello"),
        ("THREAD", "maybe visit Rome"),
    ]
    assert found.dropped == ("talk_about_the_talk", "persona_name", "no_stated_relation", "open_loop")


def test_a_session_can_be_summed_up_by_a_model_within_the_caps() -> None:
    """A model's words are held to the document's caps, the persona is nobody's acquaintance, and rules stand in."""
    told = {
        "one_liner": "Coach, " + "x" * 300,
        "what_mattered": [f"{'y' * 200}{n}" for n in range(9)],
        "open_loops": "not a list",
        "commitments": [],
        "people": ["Coach", "Priya"],
        "tone": "z" * 60,
    }
    for answer, is_model in ((json.dumps(told), True), ("no json", False)):
        memory = open_memory()
        chat = memory.session(user="ana", persona="coach")
        tell(chat, "I decided to move to Lisbon.")
        memory.upkeep(START_MS + DAY_MS, model=Script([answer, answer]))
        summary = chat.companion.summary()
        assert summary is not None
        if is_model:
            assert (len(str(summary["one_liner"])), len(str(summary["tone"]))) == (200, 40)
            assert [len(line) for line in summary["what_mattered"]] == [120] * 5  # type: ignore[attr-defined]
            assert (summary["people"], summary["open_loops"]) == (["Priya"], [])
        else:
            assert "Lisbon" in str(summary["one_liner"])
        holds(memory)


def test_odd_answers_are_parsed_or_refused() -> None:
    """A list is unwrapped, text around the object is cut off, and what holds no object is none."""
    assert parse('[{"memories": [], "loops": []}]') == {"memories": [], "loops": []}
    assert parse('[{"content": "x"}]') == {"memories": [{"content": "x"}], "loops": []}
    assert parse('Sure! {"loops": []} hope that helps') == {"loops": []}
    assert [parse(text) for text in ("", "null", "{", '{"memories": 5}', "[" * 5_000)] == [None] * 5


def test_private_words_become_private_facts() -> None:
    """What a model reads in a private turn stays with the persona."""
    memory = open_memory(policy=POLICY)
    chat = memory.session(user="ana", persona="coach")
    chat.remember("My sister Priya is here, I'll call her tomorrow.", at=START_MS, private=True)
    memory.upkeep(START_MS, model=Script([GOOD]))
    assert [item.text for item in chat.companion.private()] != []
    other: Memory = memory
    assert other.session(user="ana", persona="sophie").companion.people(kind="person") == []
    tell(chat, "ok", at=START_MS + DAY_MS)


def test_a_server_that_knows_no_schema_is_asked_without() -> None:
    """The shape is asked for; a server that refuses it gets the question in words, and the answer counts."""
    model = Script([ModelError("No.", reason="model_rejected"), GOOD])
    memory = open_memory(policy=POLICY)
    chat = memory.session(user="ana", persona="coach")
    chat.remember("My sister Priya is here, I'll call her tomorrow.", at=START_MS)
    assert memory.upkeep(START_MS, model=model).extracted == 1
    assert [call.schema is not None for call in model.calls] == [True, False]
    assert [todo.text for todo in chat.companion.todos()] == ["call Priya tomorrow"]


def test_the_schema_goes_over_the_wire(scripted_server: tuple[str, list[dict[str, object]]]) -> None:
    """The ordinary client sends it as the protocol has it, at temperature 0; the good answer has exactly its fields."""
    url, bodies = scripted_server
    memory = Memory.open(":memory:", policy=POLICY, model_url=url, model="any")
    chat = memory.session(user="ana", persona="coach")
    chat.remember("My sister Priya is here, I'll call her tomorrow.", at=START_MS)
    assert memory.upkeep(START_MS).extracted == 1
    shape = bodies[0]["response_format"]["json_schema"]["schema"]  # type: ignore[index]
    assert bodies[0]["temperature"] == 0
    assert [*shape["properties"]] == ["memories", "loops"] and shape["additionalProperties"] is False
    assert {*shape["properties"]["memories"]["items"]["properties"]} == {*json.loads(GOOD)["memories"][0]}


class _Handler(BaseHTTPRequestHandler):
    """Answers every chat with the good answer and keeps what was asked."""

    bodies: ClassVar[list[dict[str, object]]] = []

    def do_POST(self) -> None:
        self.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        told = json.dumps({"model": "any", "choices": [{"message": {"content": GOOD}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *args: object) -> None:
        return None


@pytest.fixture
def scripted_server() -> Iterator[tuple[str, list[dict[str, object]]]]:
    """The base URL of a server on loopback, and the bodies it was sent."""
    _Handler.bodies.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", _Handler.bodies
    server.shutdown()
    thread.join()
    server.server_close()
