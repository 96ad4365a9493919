"""Lets the conformance tests speak the language of the laws' conversations."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "laws"))
