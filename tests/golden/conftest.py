"""Goldens are changed only on purpose: `pytest tests/golden --update-goldens`."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write the golden traces anew")
