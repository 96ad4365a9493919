"""What another policy would have done with what is already stored.

Every stored turn is offered again under the other policy; nothing is written. Because a masked or denied text is not
stored, the answer speaks of what is there: what that policy would have denied, quarantined or kept.

Never: writes, and never judges by anything but the policy's own checks.
Spec: wants.md "policy as enforced data with a dry run".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from recollect.core.item import MemoryItem
from recollect.core.policy import Policy
from recollect.core.spaces import may_write
from recollect.core.values import Kind, Lens, Place, Space
from recollect.core.write.admit import refusal
from recollect.core.write.erasure import turn_of
from recollect.core.write.offer import offers
from recollect.engine.listing import all_items
from recollect.ports.store import Filter, Reader

EXAMPLES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """How many stored turns another policy would keep, and why it would refuse the others."""

    policy: str
    turns: int
    kept: int
    refused: dict[str, int]
    examples: dict[str, tuple[str, ...]]

    def to_dict(self) -> dict[str, object]:
        return {
            "policy": self.policy,
            "turns": self.turns,
            "kept": self.kept,
            "refused": self.refused,
            "examples": {code: list(ids) for code, ids in self.examples.items()},
        }


def dry_run(reader: Reader, policy: Policy) -> DryRun:
    """Offer every stored episode again."""
    turns = kept = 0
    examples: dict[str, list[str]] = {}
    refused: dict[str, int] = {}
    for item in _episodes(reader):
        turns += 1
        code = _verdict(item, policy)
        if not code:
            kept += 1
            continue
        refused[code] = refused.get(code, 0) + 1
        if len(examples.setdefault(code, [])) < EXAMPLES:
            examples[code].append(item.id)
    return DryRun(
        policy=policy.name,
        turns=turns,
        kept=kept,
        refused=dict(sorted(refused.items())),
        examples={code: tuple(ids) for code, ids in sorted(examples.items())},
    )


def _episodes(reader: Reader) -> Iterator[MemoryItem]:
    for place in reader.places():
        yield from all_items(reader, place, Filter(kinds=(Kind.SEMANTIC,), statuses=()))


def _verdict(item: MemoryItem, policy: Policy) -> str:
    """The code that would have refused an episode, or ''."""
    for candidate in offers(turn_of(item), policy, _lens(item.ref.place), ()):
        if candidate.kind is Kind.SEMANTIC:
            code = refusal(candidate, policy) or candidate.quarantine
            border = may_write(policy, candidate.place.space)
            return code or ("" if border == "allowed" else border)
    return "policy_deny_promotion"


def _lens(place: Place) -> Lens:
    owner = place.owner if place.space is Space.USER else place.owner.split("/", 1)[0]
    return Lens(user=owner.split("~", 1)[0])
