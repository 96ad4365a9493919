"""What the score of a search hit is made of, as people read it: a tree for each hit, then the near misses.

Never: computes anything, and never prints a caller's text but through `safe`.
Spec: "Explained": every hit carries its parts as whole numbers and one plain sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from recollect.core.read.parts import PARTS, matched
from recollect.surfaces.cli.safe import visible, visible_line
from recollect.surfaces.cli.show import grid, score

if TYPE_CHECKING:
    from recollect.engine.context import SearchHit


# A hundredth of a deviation is the last digit that is printed.
SHOWN = 10
# What has no sentence of its own when it helps, because nobody was found for it.
NEITHER = {"newer": "how late it was said"}


def search_why(hits: Sequence[SearchHit], missed: Sequence[SearchHit]) -> Iterable[Text | Tree]:
    """Each hit with the parts of its score, largest first; then what nearly made it, and what it lacked."""
    for hit in hits:
        yield _tree(hit, Text(visible_line(hit.sentence), style="cyan"))
    if missed:
        yield Text(f"Near misses ({len(missed)})", style="bold yellow")
    for hit in missed:
        yield _tree(hit, Text(visible_line(f"lacked: {hit.lacked}"), style="yellow"))


def _tree(hit: SearchHit, told: Text) -> Tree:
    head = Text.assemble((f"{score(hit.score)}  ", "bold"), visible_line(hit.item.text), (f"  {hit.item.id}", "dim"))
    tree = Tree(head, guide_style="dim")
    tree.add(told)
    if hit.outdated_by:
        tree.add(Text(visible(f"outdated by {hit.outdated_by}"), style="yellow"))
    if hit.parts:
        tree.add(_parts(hit))
    return tree


def _parts(hit: SearchHit) -> Table:
    """Name, worth in standard deviations, and what it says."""
    table = grid("", "", "", header=False)
    table.columns[1].justify = "right"
    # What rounds to nothing would only be looked at twice.
    telling = [(name, value) for name, value in hit.parts if abs(value) >= SHOWN]
    for name, value in sorted(telling, key=lambda part: (-abs(part[1]), part[0])):
        said = (PARTS[name].helped or NEITHER.get(name, "")) if value > 0 else PARTS[name].lacked
        if name == "words" and value > 0 and hit.terms:
            said = matched(hit.terms)
        table.add_row(Text(name, style="cyan"), deviations(value), Text(visible_line(said), style="dim"))
    return table


def deviations(milli: int) -> str:
    """Thousandths as a signed decimal, without a float."""
    sign = "-" if milli < 0 else "+"
    return f"{sign}{abs(milli) // 1_000}.{abs(milli) % 1_000 // 10:02d}"
