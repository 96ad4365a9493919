"""Habits of the source that a reader relies on: docstrings, short functions, no swallowed errors, few public names."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import recollect

SOURCE = Path(__file__).parents[2] / "src" / "recollect"
MODULES = sorted(SOURCE.rglob("*.py"))
FUNCTION_LINES = 80
BLANKET = {"Exception", "BaseException"}
MAY_CATCH_ALL = {"engine/fallback.py"}
BANNED_FILE_NAMES = {"utils", "helpers", "common", "base", "manager", "service", "mixin"}

PUBLIC_NAMES = [
    "AsyncMemory",
    "AsyncSession",
    "Choice",
    "Context",
    "Fate",
    "Memory",
    "MemoryItem",
    "Policy",
    "Reason",
    "Receipt",
    "RecollectError",
    "SearchHit",
    "Session",
    "TurnInput",
    "VoiceTurn",
]


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def test_public_names_are_pinned() -> None:
    """What `from recollect import …` offers changes only on purpose, and stays at most twenty names."""
    assert sorted(recollect.__all__) == PUBLIC_NAMES
    assert len(recollect.__all__) <= 20


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_public_name_exists_and_is_explained(name: str) -> None:
    """Every public name can be imported and says in one docstring what it is."""
    thing = getattr(recollect, name)
    assert (thing.__doc__ or "").strip()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_says_what_it_is(path: Path) -> None:
    """Every module with code opens with a docstring."""
    text = path.read_text(encoding="utf-8")
    if path.name == "__init__.py" and not text.strip():
        return
    assert ast.get_docstring(ast.parse(text)), f"{name_of(path)} has no docstring"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_file_name_is_a_noun_of_its_decision(path: Path) -> None:
    """No file is called what every file could be called."""
    assert path.stem not in BANNED_FILE_NAMES


def functions(path: Path) -> Iterator[tuple[int, str]]:
    """(lines, name) of every function of a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno is not None
            yield node.end_lineno - node.lineno + 1, f"{name_of(path)}:{node.name}"


def test_no_bench_hides_a_module_of_python() -> None:
    """A script puts its folder first where modules are looked for: a bench of that name would be imported instead."""
    names = [path.stem for path in (SOURCE.parents[1] / "bench").glob("*.py")]
    assert len(names) > 5
    assert not set(names) & sys.stdlib_module_names


def test_no_function_has_a_long_tail() -> None:
    """No function is longer than a screen and a half; the message shows the longest ten."""
    longest = sorted((found for path in MODULES for found in functions(path)), reverse=True)
    tail = "\n".join(f"{lines:4d}  {name}" for lines, name in longest[:10])
    assert longest[0][0] <= FUNCTION_LINES, f"the longest functions:\n{tail}"


def swallowing_handlers(source: str) -> list[int]:
    """Lines of the handlers that catch everything and do not pass it on.

    A handler that ends in a bare `raise` and cannot leave earlier only cleans up; it swallows nothing.
    """
    lines = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler) and _catches_all(node.type) and not _passes_on(node.body):
            lines.append(node.lineno)
    return lines


def _catches_all(caught: ast.expr | None) -> bool:
    if caught is None:
        return True
    parts = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any((part.id if isinstance(part, ast.Name) else getattr(part, "attr", "")) in BLANKET for part in parts)


def _passes_on(body: list[ast.stmt]) -> bool:
    leaves = [n for statement in body for n in ast.walk(statement)]
    is_early = any(isinstance(node, (ast.Return, ast.Break, ast.Continue, ast.Yield)) for node in leaves)
    last = body[-1]
    return not is_early and isinstance(last, ast.Raise) and last.exc is None


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_error_is_swallowed(path: Path) -> None:
    """Only the airbag of the engine may catch everything."""
    if name_of(path) in MAY_CATCH_ALL:
        return
    assert swallowing_handlers(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "handler",
    [
        "except:\n    pass",
        "except Exception:\n    x = 1",
        "except BaseException:\n    x = 1",
        "except (ValueError, Exception):\n    x = 1",
        "except builtins.Exception:\n    x = 1",
        "except Exception as error:\n    if x:\n        return\n    raise",
        "except Exception as error:\n    raise RuntimeError from error",
    ],
)
def test_planted_blanket_except_is_found(handler: str) -> None:
    """The rule against swallowed errors fires on every way of swallowing one."""
    indented = handler.replace("\n", "\n    ")
    assert swallowing_handlers(f"def f():\n    try:\n        x = 1\n    {indented}\n")


def test_clean_up_that_passes_the_error_on_is_allowed() -> None:
    """A handler that rolls back and raises again swallows nothing."""
    assert not swallowing_handlers("try:\n    x = 1\nexcept BaseException:\n    x = 2\n    raise\n")
