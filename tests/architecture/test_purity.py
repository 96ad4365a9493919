"""The core is pure: no clock, chance, file, float, set order or address decides anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from purity import violations

CORE = Path(__file__).parents[2] / "src" / "recollect" / "core"
MODULES = sorted(CORE.rglob("*.py"))

# One violation each: the rule that must fire, and the smallest code that breaks it.
PLANTED: tuple[tuple[str, str], ...] = (
    ("import", "import time"),
    ("import", "import random"),
    ("import", "import os"),
    ("import", "import logging"),
    ("import", "import math"),
    ("import", "import pathlib"),
    ("import", "import asyncio"),
    ("import", "import threading"),
    ("import", "from time import time_ns"),
    ("import", "from os import environ"),
    ("import", "import recollect.engine.memory"),
    ("import", "from recollect.ports.clock import Clock"),
    ("import", "from recollect.adapters.stores import memory"),
    ("import", "from . import text"),
    ("import", "def f():\n    import random\n    return random.random()"),
    ("import", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os"),
    ("name:open", "def f(p):\n    return open(p).read()"),
    ("name:print", "print('x')"),
    ("name:input", "x = input()"),
    ("name:hash", "x = hash('a')"),
    ("name:hash", "x = sorted(['a'], key=hash)"),
    ("name:id", "x = id(object())"),
    ("name:eval", "x = eval('1')"),
    ("name:exec", "exec('x = 1')"),
    ("name:compile", "x = compile('1', '', 'eval')"),
    ("name:__import__", "x = __import__('os')"),
    ("name:globals", "x = globals()"),
    ("name:float", "x = float('1')"),
    ("name:float", "def f(x):\n    return isinstance(x, float)"),
    ("float", "x = 0.5"),
    ("float", "x = 1e9"),
    ("division", "def f(a, b):\n    return a / b"),
    ("division", "def f(a):\n    a /= 2\n    return a"),
    ("clock", "from datetime import datetime\nx = datetime.now()"),
    ("clock", "from datetime import date\nx = date.today()"),
    ("clock", "from datetime import datetime\nx = datetime.utcnow()"),
    ("clock", "from datetime import datetime\nstamp = datetime.now"),
    ("clock", "from datetime import datetime\nx = datetime.fromtimestamp(0)"),
    ("clock", "def f(moment):\n    return moment.astimezone()"),
    ("locale", "def f(moment):\n    return moment.strftime('%d %B')"),
    ("async", "async def f():\n    return 1"),
    ("async", "async def f(x):\n    async with x:\n        pass"),
    ("global", "N = 0\ndef f():\n    global N\n    N += 1"),
    ("set-order", "for x in {1, 2}:\n    pass"),
    ("set-order", "for x in set([1, 2]):\n    pass"),
    ("set-order", "x = [y for y in frozenset('ab')]"),
    ("set-order", "x = {y: 1 for y in {'a', 'b'}}"),
    ("set-order", "x = list({'a', 'b'})"),
    ("set-order", "x = tuple(set('ab'))"),
    ("set-order", "x = ', '.join({'a', 'b'})"),
    ("set-order", "x = [*{'a', 'b'}]"),
    ("set-order", "x = next(iter({'a', 'b'}))"),
    ("set-order", "WORDS = frozenset('ab')\nx = list(WORDS)"),
    ("set-order", "def f(names: set[str]):\n    return [n for n in names]"),
    ("set-order", "def f(a):\n    seen = set(a)\n    for x in seen:\n        yield x"),
    ("set-order", "def f(a, b):\n    for x in set(a) - set(b):\n        yield x"),
    ("set-order", "def f(a):\n    both = {1} | set(a)\n    return [x for x in both]"),
    ("set-order", "def f(a):\n    return set(a).pop()"),
    ("set-order", "def f(a):\n    first, second = {1, 2}\n    return first"),
    ("set-order", "def f(a):\n    yield from {1, 2}"),
    ("set-order", "def f(a):\n    return max({'a', 'b'}, key=len)"),
    ("set-order", "def f(a):\n    return sorted((x for x in {'a', 'b'}), key=len)"),
    ("set-order", "def f(a):\n    return ','.join(x for x in {'a', 'b'})"),
)

INNOCENT: tuple[str, ...] = (
    "import re\nfrom collections.abc import Mapping",
    "from recollect.core.text import cut\nfrom recollect.errors import Refused",
    "WORDS = frozenset('ab')\ndef f(x):\n    return x in WORDS",
    "def f(codes):\n    return tuple(sorted(set(codes)))",
    "def f(codes):\n    return len(set(codes)) == len(codes)",
    "def f(a):\n    return frozenset(x.strip() for x in {'a', 'b'} | set(a))",
    "def f(a):\n    return {x.strip() for x in set(a)}",
    "def f(a):\n    return any(x in 'ab' for x in set(a))",
    "def f(item):\n    return item.id",
    "def f(item):\n    return {'id': item.id}",
    "class A:\n    @property\n    def id(self):\n        return 1",
    "def f(a, b):\n    return a // b",
    "from datetime import UTC, datetime\nx = datetime.fromtimestamp(0, tz=UTC).strftime('%Y-%m-%d %H:%M')",
    "def f(d):\n    return d.pop('key')",
    "def f(rows):\n    return [row for row in dict.fromkeys(rows)]",
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_core_module_is_pure(path: Path) -> None:
    """No module of the core imports, reads or walks anything that could differ between two machines."""
    assert violations(path.read_text(encoding="utf-8")) == []


def test_the_core_was_found() -> None:
    """The purity test looks at the real core, not at an empty folder."""
    assert {"state.py", "log.py", "policy.py"} <= {path.name for path in MODULES}


@pytest.mark.parametrize(("rule", "code"), PLANTED, ids=[f"{rule}-{n}" for n, (rule, _) in enumerate(PLANTED)])
def test_planted_violation_is_found(rule: str, code: str) -> None:
    """Each rule of the purity test fires on the smallest code that breaks it."""
    assert rule in [violation.rule for violation in violations(code)]


@pytest.mark.parametrize("code", INNOCENT)
def test_pure_code_is_left_alone(code: str) -> None:
    """The purity test does not fire on code that only looks like a violation."""
    assert violations(code) == []
