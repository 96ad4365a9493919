"""The one way golden traces change: `pytest tests/golden --update-goldens`."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        default=False,
        help="write the golden traces anew instead of comparing with them",
    )


@pytest.fixture
def is_updating(request: pytest.FixtureRequest) -> bool:
    # A run from the root loads this file too late for the option to exist.
    return bool(request.config.getoption("--update-goldens", default=False))
