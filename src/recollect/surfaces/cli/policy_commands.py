"""`policy show`, `policy check`, `policy presets`, `policy dry-run`: the rules, readable and tried out.

`policy show` prints TOML that reads back to the very same policy: redirect it, change a line, check it, use it.

Never: changes a policy or a memory.
Spec: architecture "Policy"; wants.md "policy as enforced data with a dry run".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated

import typer

from recollect.core.reasons import BORDER, DENIED, QUARANTINED
from recollect.surfaces.cli.address import Call, Group, asks

app = typer.Typer(name="policy", help="Read, check and try out policies.", no_args_is_help=True)

Given = Annotated[str, typer.Argument(metavar="POLICY", help="A preset or a TOML file.")]


@app.command()
@asks(Group.POLICY)
def show(call: Call) -> None:
    """Print the policy in force, whole, as TOML.

    \b
    recollect policy show --policy coding > my-policy.toml
    """
    from recollect.assemble import read_policy

    policy = read_policy(call.settings().policy)
    if call.as_json:
        call.printer.json({"name": policy.name, "hash": policy.hash, "policy": policy.snapshot})
        return
    call.printer.text(f"# {policy.name}, hash {policy.hash}", style="dim")
    call.printer.text("\n".join(toml_lines(policy.snapshot)))


@app.command()
@asks()
def check(call: Call, policy: Given) -> None:
    """Say whether a policy is valid, and what is wrong if not.

    \b
    recollect policy check my-policy.toml
    """
    from recollect.assemble import read_policy

    read = read_policy(policy)
    if call.as_json:
        call.printer.json({"valid": True, "name": read.name, "hash": read.hash})
    else:
        call.printer.text(f"✓ {read.name} is valid, hash {read.hash[:12]}", style="green")


@app.command()
@asks()
def presets(call: Call) -> None:
    """List the policies that come with recollect."""
    from recollect.assemble import PRESETS, preset_text, read_policy

    rows = [(name, _about(preset_text(name)), read_policy(name).hash) for name in PRESETS]
    if call.as_json:
        call.printer.json({"presets": [{"name": n, "about": about, "hash": digest} for n, about, digest in rows]})
        return
    from recollect.surfaces.cli.show import grid

    table = grid("preset", "what it is for")
    for name, about, _ in rows:
        table.add_row(name, about)
    call.printer.show(table)


@app.command("dry-run")
@asks(Group.WHERE)
def dry_run(call: Call, other: Given) -> None:
    """Offer everything stored to another policy, and count what it would refuse. Nothing is written.

    \b
    recollect policy dry-run contract
    """
    with call.memory() as memory:
        found = memory.policy.dry_run(other, tenant=call.tenant)
    if call.as_json:
        call.printer.json(found.to_dict())
        return
    from recollect.surfaces.cli.show import grid

    call.printer.text(f"{found.policy} would keep {found.kept:,} of {found.turns:,} stored turns.")
    if found.refused:
        table = grid("refused", "why")
        for code, count in found.refused.items():
            table.add_row(f"{count:,}", f"{_sentence(code)}\n  {', '.join(found.examples[code])}")
        call.printer.show(table)


def _sentence(code: str) -> str:
    return DENIED.get(code) or QUARANTINED.get(code) or BORDER.get(code) or code


def _about(text: str) -> str:
    """The comment a preset opens with."""
    lines = text.splitlines()
    opening = lines[: next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))]
    return " ".join(line.removeprefix("#").strip() for line in opening)


def toml_lines(policy: Mapping[str, object], path: str = "") -> Iterator[str]:
    """Nested plain data as TOML: plain values first, then a table for each nested one."""
    tables = [(key, value) for key, value in policy.items() if isinstance(value, Mapping) and not _is_leaf(value)]
    named = [key for key, _ in tables]
    for key, value in policy.items():
        if key not in named:
            yield f"{key} = {_toml_value(value)}"
    for key, value in tables:
        inner = f"{path}.{key}" if path else key
        yield f"\n[{inner}]"
        yield from toml_lines(value, inner)


def _is_leaf(value: Mapping[str, object]) -> bool:
    """A retention rule reads better on one line."""
    return value.keys() == {"mode", "ticks"}


def _toml_value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return "[\n" + "".join(f"    {_toml_value(entry)},\n" for entry in value) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(_toml_value(entry) for entry in value) + "]"
    # JSON's strings, whole numbers, true and false are TOML's, but for DEL, which TOML wants escaped. What the printer
    # spells out on top of that (`\\u202e`) is a TOML escape of itself.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
