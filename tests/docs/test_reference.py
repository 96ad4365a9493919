"""The reference pages say what the code says."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
assert SPEC is not None
assert SPEC.loader is not None
reference = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(reference)


@pytest.mark.parametrize("name", reference.PAGES)
def test_a_page_is_up_to_date(name: str) -> None:
    """A reason code, event, error, policy key or setting that is not documented fails here."""
    page = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert page == reference.PAGES[name](), "run: python scripts/reference.py"


def test_every_policy_key_is_explained() -> None:
    """No policy key is without a sentence, and no sentence without a key."""
    assert sorted(reference.POLICY) == sorted(reference.policy_paths())


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(page: str) -> None:
    """Every relative link of the front pages names a file that is there."""
    import re

    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (ROOT / target).exists(), target
