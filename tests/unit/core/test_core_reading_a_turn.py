"""What a turn is: its type, its facts, its importance, its trust, the space it asks for."""

from __future__ import annotations

import pytest
from builders import CONTRACT, DEFAULT, LENS, candidate, turn

from recollect.core.policy import Importance, Policy
from recollect.core.values import Authority, EventType, Lens, Role, Source
from recollect.core.write.authority import cap, lowest, trust
from recollect.core.write.classify import classify
from recollect.core.write.contract_facts import contract_fact
from recollect.core.write.importance import weigh
from recollect.core.write.promote import HINTS, hinted_target


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Actually, it is blue.", "correction"),
        ("A correction: it is blue.", "correction"),
        ("It is not red but blue.", "correction"),
        ("not now\nbut later", "context"),
        ("I prefer tea.", "preference"),
        ("I LIKE TEA", "preference"),
        ("I want to go.", "preference"),
        ("Never use tabs.", "preference"),
        ("Never call me that.", "preference"),
        ("never again", "context"),
        ("We decided on Rust.", "decision"),
        ("Let's use Rust.", "decision"),
        ("choose wisely", "decision"),
        ("use metric units", "decision"),
        ("We will use Rust.", "decision"),
        ("My name is Ada.", "fact"),
        ("call me Ada", "fact"),
        ("My timezone is UTC.", "fact"),
        ("I am working on the engine", "fact"),
        ("I prefer to be called... my name is Ada", "preference"),
        ("Actually, I prefer tea.", "correction"),
        ("factually wrong", "context"),
        ("How are you?", "context"),
        ("", "context"),
        ("ACTUALLY", "correction"),
    ],
)
def test_first_row_that_matches_names_the_turn(text: str, expected: str) -> None:
    """Execution, correction, preference, decision, fact, context: the first hit wins."""
    assert classify(text, Role.USER) == expected


def test_role_comes_before_words() -> None:
    """A tool's turn is an execution, and an assistant's or system's words are always context."""
    for text in ("My name is Ada.", "Actually no.", "We decided."):
        assert classify(text, Role.TOOL) is EventType.EXECUTION
        assert classify(text, Role.ASSISTANT) is EventType.CONTEXT
        assert classify(text, Role.SYSTEM) is EventType.CONTEXT


def test_what_a_turn_does_is_said_early() -> None:
    """A long paste is not read to its end for a telling word."""
    assert classify("x " * 5_000 + "actually", Role.USER) is EventType.CONTEXT


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("My name is Ada.", ("name", "Ada")),
        ("Call me 'Ada', please", ("name", "Ada")),
        ("my timezone is Europe/Lisbon!", ("timezone", "Europe/Lisbon")),
        ("timezone = UTC", ("timezone", "UTC")),
        ("language preference is Portuguese; thanks", ("language", "Portuguese")),
        ("My project name is Apollo", ("project", "Apollo")),
        ("I am working on the engine?", ("project", "the engine")),
        ("my editor is vim", ("editor", "vim")),
        ("please use metric units", ("units", "metric")),
        ("My name is " + "a" * 100, ("name", "a" * 60)),
        ("My name is ...", None),
        ("My email is a@b.c", None),
        ("Nothing here", None),
    ],
)
def test_contract_facts(text: str, fact: tuple[str, str] | None) -> None:
    """Six keys by one pattern each; the value ends at punctuation and is at most sixty characters."""
    assert contract_fact(text) == fact


@pytest.mark.parametrize(
    ("event_type", "source", "text", "value", "reasons"),
    [
        ("fact", Source.USER, "x", 5, ("event:fact", "source:user")),
        ("correction", Source.USER, "x", 6, ("event:correction", "source:user", "corrective")),
        ("context", Source.USER, "x", 2, ("event:context", "source:user")),
        ("context", Source.AI, "x", 1, ("event:context",)),
        ("preference", Source.USER, "always tea", 5, ("event:preference", "source:user", "emphasis")),
        ("decision", Source.USER, "we must", 5, ("event:decision", "source:user", "emphasis")),
        ("execution", Source.TOOL, "x", 2, ("event:execution",)),
        ("context", Source.AI, "mustard", 1, ("event:context",)),
    ],
)
def test_importance_under_contract(
    event_type: str, source: Source, text: str, value: int, reasons: tuple[str, ...]
) -> None:
    """Base by event type, one for the user, one for emphasis, one for a correction: each named."""
    offered = candidate(text, event_type=EventType(event_type), source=source)
    assert weigh(offered, CONTRACT.importance) == (value, reasons)


def test_importance_stays_on_its_scale() -> None:
    """No bonus passes the maximum; a pin is the maximum; an extractor's word counts only upwards."""
    table = Importance(fact=2, from_user=5, maximum=3)
    offered = candidate(event_type=EventType.FACT)
    assert weigh(offered, table)[0] == 3
    offered.importance_hint = 1
    assert "extractor" not in weigh(offered, table)[1]
    offered.is_pinned = True
    assert weigh(offered, table) == (3, ("event:fact", "source:user", "pinned"))


@pytest.mark.parametrize(
    ("role", "source", "tool", "authority", "quarantine"),
    [
        (Role.USER, "chat", "", "user_asserted", ""),
        (Role.ASSISTANT, "chat", "", "ai_inferred", ""),
        (Role.SYSTEM, "chat", "", "system_imposed", ""),
        (Role.TOOL, "tool", "unknown", "ai_inferred", "untrusted_tool"),
        (Role.TOOL, "tool", "", "ai_inferred", "untrusted_tool"),
        (Role.TOOL, "tool", "clock", "tool_verified", ""),
        (Role.USER, "tool:x", "unknown", "ai_inferred", "untrusted_tool"),
        (Role.USER, "web", "clock", "ai_inferred", "outside_words"),
        (Role.SYSTEM, "external:mail", "", "ai_inferred", "outside_words"),
        (Role.USER, "import:other", "", "ai_inferred", "foreign_import"),
        (Role.USER, "file:a.py", "", "ai_inferred", ""),
    ],
)
def test_trust_comes_from_where_words_come_from(
    role: Role, source: str, tool: str, authority: str, quarantine: str
) -> None:
    """Role and opening give the authority; words from outside are quarantined whoever repeats them."""
    policy = Policy(trusted_tools=("clock",))
    found = trust(turn(role=role, source=source, tool=tool), policy, LENS)
    assert (found.authority, found.quarantine) == (authority, quarantine)


def test_door_lowers_and_never_raises() -> None:
    """A capped door gives at most its cap, and no cap turns a guess into more."""
    for level in Authority:
        lens = Lens(user="ana", authority_cap=level)
        for given in Authority:
            ranks = DEFAULT.ranks
            assert ranks[cap(given, DEFAULT, lens)] == min(ranks[given], ranks[level])
    assert lowest([Authority.SYSTEM_IMPOSED, Authority.AI_INFERRED], DEFAULT) is Authority.AI_INFERRED


@pytest.mark.parametrize(("phrase", "space", "code"), HINTS)
def test_spoken_promotion(phrase: str, space: str, code: str) -> None:
    """Each phrase asks for its space, whatever its case and whatever stands around it."""
    assert hinted_target(f"Please {phrase.upper()}: it is blue.") == (space, code)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("remember this for me and for everyone: remember this for everyone", ("user", "hint:remember_for_me")),
        ("project memory, or remember this for everyone", ("project", "hint:project_memory")),
        ("remember the milk", ("", "")),
        ("", ("", "")),
    ],
)
def test_first_phrase_of_the_table_wins(text: str, found: tuple[str, str]) -> None:
    """The user's own space comes before the project's, the project's before everybody's."""
    assert hinted_target(text) == found
