"""Fake secrets and texts that only look like one, all made at run time from a seed."""

from __future__ import annotations

from .families import DISGUISES, SEED, Sample
from .lookalikes import lookalikes
from .samples import samples

__all__ = ["DISGUISES", "SEED", "Sample", "lookalikes", "samples"]
