"""The voice's state is in the session object and nowhere else: no store, log, trace, context or export holds it."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from recollect import Memory, Session
from recollect.core.voice.contract import VoiceContract
from recollect.core.voice.state import SessionVoiceState
from recollect.core.voice.turn import VoiceDecision, VoiceTurn
from recollect.engine.voice import Voice, load_contract

AT = "2025-03-01T10:00:00+00:00"
SCRIPT = [
    VoiceTurn(intent="emotional", skeleton=skeleton, language=language, theme="family", escalation="latched", turn_id=n)
    for n, (skeleton, language) in enumerate(
        [("A", "en"), ("B", "en"), ("B", "hinglish"), ("C", "hi"), ("D", "en")] * 3
    )
]


def voice_of(session: Session) -> Voice:
    """The session's own voice."""
    return session.voice


def files_below(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def talk(path: Path, *, with_voice: bool) -> tuple[str, list[VoiceDecision], str]:
    """A session that remembers, speaks and recalls; its state hash, its decisions and all it lets anyone read.

    Files are read while the memory is open as well, when the write-ahead log is still there.
    """
    decisions = []
    with Memory.open(str(path)) as memory:
        session = memory.session(user="ana", session="s1")
        voice = voice_of(session)
        for number, turn in enumerate(SCRIPT):
            session.remember(f"Message number {number} about billing.", at=AT, ref=f"m-{number}")
            if with_voice:
                decisions.append(voice.turn(turn))
        context = session.recall("billing", at=AT)
        # An export lands in the same folder and is read with the other files.
        memory.export(path.with_suffix(".jsonl"))
        readable = [
            context.text,
            json.dumps(session.traces(limit=1_000), default=str),
            json.dumps(memory.stats(), default=str),
            repr(memory.owners()),
            repr(context),
            files_below(path.parent).decode("utf-8", "replace"),
        ]
        return memory.state_hash(), decisions, "\n".join(readable)


def traces_of_voice() -> list[str]:
    """What would betray it: the names of its fields and every sentence of the contract."""
    contract = load_contract()
    assert isinstance(contract, VoiceContract)
    sentences = [variant.text for pool in contract.pools.values() for variant in pool]
    fields = [*SessionVoiceState.__slots__, "variant_id", "turn_index", "window_size", "B|en|validation", "latched"]
    return [*fields, *sentences]


def test_speaking_leaves_the_memory_exactly_as_it_is_without_a_voice(tmp_path: Path) -> None:
    """The same talk with and without the voice gives the same state hash."""
    silent, _, _ = talk(tmp_path / "silent.db", with_voice=False)
    spoken, decisions, _ = talk(tmp_path / "spoken.db", with_voice=True)
    assert len(decisions) == len(SCRIPT)
    assert spoken == silent


def test_no_file_trace_or_context_contains_the_voice(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Every byte on disk, every trace and every record of the log is free of its fields and its sentences."""
    caplog.set_level(logging.DEBUG)
    _, decisions, readable = talk(tmp_path / "spoken.db", with_voice=True)
    assert decisions[-1].after.emotional_turn_index == len(SCRIPT)
    files = files_below(tmp_path)
    assert b"billing" in files, "the search below would find nothing in an empty place"
    for mark in traces_of_voice():
        assert mark.encode() not in files, mark
        assert mark not in readable, mark
        assert mark not in caplog.text, mark


def test_the_search_finds_a_voice_that_was_stored(tmp_path: Path) -> None:
    """Planted: a decision remembered as a turn is found by the same search."""
    with Memory.open(str(tmp_path / "planted.db")) as memory:
        session = memory.session(user="ana")
        decision = voice_of(session).turn(SCRIPT[0])
        session.remember(json.dumps(decision.to_dict()), at=AT)
    files = files_below(tmp_path)
    assert any(mark.encode() in files for mark in traces_of_voice())


def test_two_sessions_of_one_memory_never_share_a_voice(tmp_path: Path) -> None:
    """The same user in two sessions, and the same session opened again: each voice starts fresh and stays alone."""
    with Memory.open(str(tmp_path / "two.db")) as memory:
        first, second = memory.session(user="ana", session="s1"), memory.session(user="ana", session="s2")
        one, two = voice_of(first), voice_of(second)
        for turn in SCRIPT:
            one.turn(turn)
        assert two.state == SessionVoiceState()
        assert voice_of(memory.session(user="ana", session="s1")).state == SessionVoiceState()


def test_a_session_keeps_one_voice() -> None:
    """Asking a session for its voice twice gives the same one, with what it has said."""
    with Memory.open(":memory:") as memory:
        session = memory.session(user="ana")
        session.voice.turn(SCRIPT[0])
        assert session.voice.state.emotional_turn_index == 1
