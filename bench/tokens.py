"""How far the built-in token count is above exact ones, by kind of text, and whether it is ever below.

Run `python bench/tokens.py`; needs `recollect[tokens]`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from recollect.adapters.tokens.exact import ENCODINGS, ExactCounter
from recollect.adapters.tokens.safe import SafeCounter

ROOT = Path(__file__).resolve().parents[1]


def texts() -> dict[str, list[str]]:
    """Pieces of text by kind."""
    chats = [
        turn.get("text", "") for path in sorted((ROOT / "bench/data/chats").glob("*.json*")) for turn in _turns(path)
    ]
    return {
        "chats": [text for text in chats if text],
        "prose (docs)": [
            p for f in sorted((ROOT / "docs").rglob("*.md")) for p in f.read_text().split("\n\n") if p.strip()
        ],
        "code (src)": [
            p for f in sorted((ROOT / "src").rglob("*.py")) for p in f.read_text().split("\n\n\n") if p.strip()
        ],
        "config": [f.read_text() for f in sorted((ROOT / "src").rglob("*.toml"))],
    }


def _turns(path: Path) -> list[dict[str, str]]:
    lines = path.read_text(encoding="utf-8")
    raw = [json.loads(line) for line in lines.splitlines()] if path.suffix == ".jsonl" else json.loads(lines)
    found = raw.get("turns", []) if isinstance(raw, dict) else raw
    return [turn for turn in found if isinstance(turn, dict)]


def main() -> None:
    safe = SafeCounter()
    print("| text | pieces | encoding | above by | pieces below | worst |\n|---|---|---|---|---|---|")
    for kind, pieces in texts().items():
        if not pieces:
            print(f"no {kind}", file=sys.stderr)
            continue
        for name in ENCODINGS:
            exact = ExactCounter(name)
            counted = [(safe.count(piece), exact.count(piece)) for piece in pieces]
            above = sum(s for s, _ in counted) / sum(e for _, e in counted) - 1
            below = sum(s < e for s, e in counted)
            worst = min(s / e for s, e in counted if e)
            print(f"| {kind} | {len(pieces)} | {name} | {above:+.0%} | {below} | {worst:.2f} |")


if __name__ == "__main__":
    main()
