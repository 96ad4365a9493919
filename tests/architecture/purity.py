"""Reads a core module's syntax tree and names everything in it that is not pure.

1. Imports come from an allow-list; whatever is not on it is a violation, however harmless it looks.
2. Names that reach outside (files, screens, memory addresses) or fold numbers into floats are banned wherever they
   stand, called or passed on.
3. The order of a set depends on the hash seed, so a set may be asked, sorted and counted, but never walked.

Never: imports or runs the code it judges.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

ALLOWED_IMPORTS = frozenset(
    """
    __future__ dataclasses enum typing types collections collections.abc re json hashlib unicodedata itertools
    functools bisect operator string tomllib datetime recollect.errors
    """.split()
)
ALLOWED_PACKAGE = "recollect.core"
BANNED_NAMES = frozenset("open print input hash id float eval exec compile globals breakpoint __import__".split())
CLOCK_METHODS = frozenset({"now", "today", "utcnow"})
# Directives of strftime that print in the machine's language.
LOCALE_DIRECTIVES = ("%a", "%A", "%b", "%B", "%c", "%p", "%x", "%X")
SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})
SET_MAKERS = frozenset({"set", "frozenset"})
SET_ANNOTATIONS = frozenset({"set", "frozenset", "Set", "AbstractSet", "FrozenSet", "MutableSet"})
# What these make of a walk does not depend on its order.
ORDER_FREE = frozenset({"set", "frozenset", "sorted", "any", "all", "sum", "min", "max", "len"})
WALKERS = frozenset({"list", "tuple", "iter", "enumerate", "map", "filter", "zip", "next", "dict", "reversed", "join"})


class Violation(NamedTuple):
    """One impurity: the rule it breaks, the line, and what stands there."""

    rule: str
    line: int
    detail: str


def violations(source: str) -> list[Violation]:
    """Everything in a module that the core may not hold, in order of lines."""
    tree = ast.parse(source)
    sets = _names_of_sets(tree)
    harmless = _order_free(tree)
    nodes = [node for node in ast.walk(tree) if node not in harmless]
    found = [violation for node in nodes for violation in _judge(node, sets)]
    return sorted(found, key=lambda violation: (violation.line, violation.rule, violation.detail))


def _judge(node: ast.AST, sets: frozenset[str]) -> Iterator[Violation]:
    for rule in (_imports, _names, _floats, _clocks, _asynchrony, _globals):
        yield from rule(node)
    yield from _set_walks(node, sets)


def _imports(node: ast.AST) -> Iterator[Violation]:
    names: list[str] = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = ["." * node.level + (node.module or "")]
    for name in names:
        is_core = name == ALLOWED_PACKAGE or name.startswith(f"{ALLOWED_PACKAGE}.")
        if not is_core and name not in ALLOWED_IMPORTS:
            yield Violation("import", node.lineno, name)  # type: ignore[attr-defined]


def _names(node: ast.AST) -> Iterator[Violation]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in BANNED_NAMES:
        yield Violation(f"name:{node.id}", node.lineno, node.id)


def _floats(node: ast.AST) -> Iterator[Violation]:
    if isinstance(node, ast.Constant) and isinstance(node.value, (float, complex)):
        yield Violation("float", node.lineno, repr(node.value))
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div):
        yield Violation("division", node.lineno, "/ makes a float; use //")


def _clocks(node: ast.AST) -> Iterator[Violation]:
    if isinstance(node, ast.Attribute) and node.attr in CLOCK_METHODS:
        yield Violation("clock", node.lineno, node.attr)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    method, has_zone = node.func.attr, any(keyword.arg == "tz" for keyword in node.keywords)
    if method == "fromtimestamp" and not has_zone and len(node.args) < 2:
        yield Violation("clock", node.lineno, "fromtimestamp without a time zone reads the machine's")
    if method == "astimezone" and not has_zone and not node.args:
        yield Violation("clock", node.lineno, "astimezone without a time zone reads the machine's")
    if method == "strftime":
        formats = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if any(directive in text for text in formats for directive in LOCALE_DIRECTIVES):
            yield Violation("locale", node.lineno, "a strftime directive that prints in the machine's language")


def _asynchrony(node: ast.AST) -> Iterator[Violation]:
    if isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)):
        yield Violation("async", node.lineno, type(node).__name__)


def _globals(node: ast.AST) -> Iterator[Violation]:
    if isinstance(node, ast.Global):
        yield Violation("global", node.lineno, ", ".join(node.names))


def _set_walks(node: ast.AST, sets: frozenset[str]) -> Iterator[Violation]:
    walked: list[ast.expr] = []
    if isinstance(node, (ast.For, ast.comprehension)):
        walked = [node.iter]
    elif isinstance(node, (ast.Starred, ast.YieldFrom)) or _unpacks(node):
        walked = [node.value]  # type: ignore[attr-defined]
    elif isinstance(node, ast.Call):
        walked = _walked_by_call(node, sets)
    for expression in walked:
        if _is_set(expression, sets):
            yield Violation("set-order", expression.lineno, ast.unparse(expression)[:60])


def _unpacks(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets)


def _order_free(tree: ast.Module) -> frozenset[ast.AST]:
    """The loops inside comprehensions whose result has no order: a set made from a set is the same set."""
    free: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.SetComp):
            free.extend(node.generators)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ORDER_FREE:
            is_keyed = any(keyword.arg == "key" for keyword in node.keywords)
            for argument in node.args:
                if isinstance(argument, ast.GeneratorExp) and (node.func.id in SET_MAKERS or not is_keyed):
                    free.extend(argument.generators)
    return frozenset(free)


def _walked_by_call(node: ast.Call, sets: frozenset[str]) -> list[ast.expr]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name in WALKERS:
        return list(node.args)
    if name in {"min", "max"} and any(keyword.arg == "key" for keyword in node.keywords):
        return list(node.args)
    if name == "pop" and not node.args and isinstance(node.func, ast.Attribute) and _is_set(node.func.value, sets):
        return [node.func.value]
    return []


def _is_set(node: ast.expr, sets: frozenset[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Name(id=name):
            return name in sets
        case ast.Call(func=ast.Name(id=name)):
            return name in SET_MAKERS
        case ast.Call(func=ast.Attribute(value=value, attr=attr)):
            return attr in SET_METHODS and _is_set(value, sets)
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right=right):
            return _is_set(left, sets) or _is_set(right, sets)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_set(body, sets) or _is_set(orelse, sets)
        case _:
            return False


def _names_of_sets(tree: ast.Module) -> frozenset[str]:
    """Every name the module binds to a set, wherever; two rounds, so that a set made from a named set counts too."""
    names: frozenset[str] = frozenset()
    for _ in range(2):
        found = set(names)
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and _is_set(node.value, names):
                found.update(target.id for target in node.targets if isinstance(target, ast.Name))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if _says_set(node.annotation) or (node.value is not None and _is_set(node.value, names)):
                    found.add(node.target.id)
            elif isinstance(node, ast.arg) and node.annotation is not None and _says_set(node.annotation):
                found.add(node.arg)
        names = frozenset(found)
    return names


def _says_set(annotation: ast.expr) -> bool:
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    name = outer.id if isinstance(outer, ast.Name) else getattr(outer, "attr", "")
    return name in SET_ANNOTATIONS
