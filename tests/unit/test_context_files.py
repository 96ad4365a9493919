"""Files in the context: read below the roots only, shown whole or as a pack, read again when they change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect import Memory, Session
from recollect.adapters.files.rooted import RootedFiles
from recollect.core.chunks import chunks, language_of
from recollect.errors import InvalidInput

APP = '''"""The bank client."""

import os

RETRIES = 5
TIMEOUT_SECONDS = 30


def charge(account, cents):
    """Take money from an account."""
    for attempt in range(RETRIES):
        if send(account, cents, TIMEOUT_SECONDS):
            return True
    return False


class Ledger:
    """Where every movement is written."""

    def add(self, entry):
        self.entries.append(entry)

    def total(self):
        return sum(entry.cents for entry in self.entries)
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "bank.py").write_text(APP)
    (tmp_path / "secret.txt").write_text("outside")
    return folder


@pytest.fixture
def chat(root: Path) -> Session:
    return Memory.open(":memory:", roots=[root]).session(user="ana", session="one")


def verdicts(chat: Session, path: str) -> list[str]:
    return [shown.reason.code for shown in chat.recall("bank", files=[path]).files]


# what is read


def test_named_file_is_shown_whole_under_its_header(chat: Session) -> None:
    """The block starts with its header, and the file says path, form, hash and time."""
    context = chat.recall("how often is a charge tried?", files=["src/bank.py"])
    block = dict(context.blocks)["files"]
    assert block.startswith("❖ FILES\n[file:src/bank.py] · FULL · sha256 ")
    assert "| RETRIES = 5" in block
    assert [shown.form for shown in context.files] == ["FULL"]


def test_pattern_finds_files_and_says_so(chat: Session, root: Path) -> None:
    """A pattern stands for what it finds; a named file comes before a found one."""
    (root / "src" / "api.py").write_text("X = 1\n")
    context = chat.recall("bank", files=["src/*.py", "src/bank.py"], lock=False)
    assert {shown.path for shown in context.files} == {"src/bank.py", "src/api.py"}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../secret.txt", "file_outside_roots"),
        ("/etc/passwd", "file_outside_roots"),
        ("src/none.py", "file_missing"),
        ("src", "file_not_regular"),
        ("out.txt", "file_symlink_out"),
        ("loop", "file_unreadable"),
        ("pipe", "file_not_regular"),
        ("picture.png", "file_binary"),
        ("huge.log", "file_too_large"),
        ("x" * 5000, ""),
        ("bad\0path", "file_missing"),
    ],
)
def test_bad_file_is_refused_with_a_code(chat: Session, root: Path, path: str, code: str) -> None:
    """What may not or cannot be read is named, and the rest of the context is still given."""
    (root / "out.txt").symlink_to(root.parent / "secret.txt")
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "pipe")
    (root / "picture.png").write_bytes(b"\x89PNG\0\0" * 40)
    with (root / "huge.log").open("wb") as huge:
        huge.truncate(1 << 30)
    if not code:
        with pytest.raises(Exception, match="characters"):
            chat.recall("bank", files=[path])
        return
    context = chat.recall("bank", files=[path])
    assert [shown.reason.code for shown in context.files] == [code]
    assert "outside" not in context.text
    assert context.status == "ok"


def test_link_inside_the_root_is_followed(chat: Session, root: Path) -> None:
    """A link that stays below the roots is the file it leads to."""
    (root / "here.py").symlink_to(root / "src" / "bank.py")
    assert chat.recall("x", files=["here.py"]).files[0].path == "src/bank.py"


def test_file_that_vanishes_between_look_and_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that goes away while it is opened is a refusal, not a crash."""
    path = root / "src" / "bank.py"
    opened = os.open

    def late(name: object, *args: object, **kwargs: object) -> int:
        path.unlink(missing_ok=True)
        return opened(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", late)
    assert RootedFiles([root]).read("src/bank.py", 1_000_000).refusal == "file_vanished"


def test_file_swapped_for_another_is_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file exchanged between look and open is refused: what was checked is what is read."""
    path = root / "src" / "bank.py"
    opened = os.open

    def swapped(name: object, *args: object, **kwargs: object) -> int:
        other = root / "other.py"
        other.write_text("swapped")
        other.replace(path)
        return opened(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", swapped)
    assert RootedFiles([root]).read("src/bank.py", 1_000_000).refusal == "file_not_regular"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("grüße".encode("latin-1") + b" and much more text", "gr�"),
        ("\ufeffhello".encode(), "| hello"),
        ("wide".encode("utf-16"), "| wide"),
        (b"one\r\ntwo\rthree", "| one\n| two\n| three"),
    ],
)
def test_encodings_are_read_or_said(chat: Session, root: Path, raw: bytes, shown: str) -> None:
    """Bytes that are no UTF-8 are shown as such, never as an error."""
    (root / "odd.txt").write_bytes(raw)
    assert shown in chat.recall("x", files=["odd.txt"]).text


def test_without_roots_no_file_is_read(root: Path) -> None:
    """Nothing is readable until somebody says from where."""
    chat = Memory.open(":memory:").session(user="ana")
    assert verdicts(chat, str(root / "src" / "bank.py")) == ["file_no_roots"]


def test_root_must_be_a_folder(root: Path) -> None:
    """A root that is not there, or is a file, is told when opening."""
    for wrong in (root / "none", root / "src" / "bank.py"):
        with pytest.raises(InvalidInput):
            Memory.open(":memory:", roots=[wrong])


# pack, lock, off


def test_large_file_becomes_a_pack_with_the_part_that_is_asked_for(chat: Session, root: Path) -> None:
    """Too large to show whole: outline with signatures, the parts the question names, and the word PACK."""
    filler = "\n\n".join(f"def step_{n}(x):\n    y = x + {n}\n    return y * {n}" for n in range(400))
    (root / "big.py").write_text(f"{APP}\n\n{filler}\n")
    context = chat.recall("what does the ledger total do?", files=["big.py"])
    shown = context.files[0]
    assert (shown.form, shown.reason.code) == ("PACK", "file_packed")
    assert "class Ledger:" in shown.body
    assert "return sum(entry.cents for entry in self.entries)" in shown.body
    assert shown.tokens <= 2_500
    assert context.tokens <= context.budget_tokens


def test_lock_shows_files_and_window_only(chat: Session) -> None:
    """Exact File Lock: no retrieval, no episodes; the last turns are still there."""
    for n in range(12):
        chat.remember(f"Note {n}: the bank charge retries matter.", ref=f"r{n}")
    context = chat.recall("bank charge retries", files=["src/bank.py"], lock=True)
    assert context.is_locked
    assert {choice.block for choice in context.kept} == {"window"}
    assert "❖ FILES" in context.text


def test_coding_policy_locks_when_files_are_named(root: Path) -> None:
    """Under `coding` naming a file locks onto it; the caller can say otherwise."""
    chat = Memory.open(":memory:", policy="coding", roots=[root]).session(user="ana")
    assert chat.recall("x", files=["src/bank.py"]).is_locked
    assert not chat.recall("x", files=["src/bank.py"], lock=False).is_locked
    assert not chat.recall("x").is_locked


def test_locked_file_without_room_is_refused_with_what_it_takes(chat: Session) -> None:
    """If the window and the locked files do not fit, nothing is shown and the tokens needed are told."""
    context = chat.recall("x", files=["src/bank.py"], lock=True, budget_tokens=10)
    assert (context.status, context.text) == ("refused", "")
    assert context.tokens_needed > 10


def test_file_switched_off_takes_its_talk_with_it(chat: Session) -> None:
    """OFF removes the file, its snippets and the history that points at it."""
    chat.read_in("src/bank.py")
    chat.remember("In src/bank.py the ledger total is slow.", ref="about")
    for n in range(6):
        chat.remember(f"Something else {n}")
        chat.remember(f"Fine {n}", role="assistant")
    context = chat.recall("why is the ledger total slow?", off=["src/bank.py"])
    assert "ledger total is slow" not in context.text
    assert "class Ledger" not in context.text
    assert "file_off" in [choice.reason.code for choice in context.dropped]
    assert "ledger total is slow" in chat.recall("why is the ledger total slow?").text


# reading in


def test_read_in_makes_snippets_with_path_and_hash(chat: Session) -> None:
    """A file read in is found by its parts, is static, and is not a fact."""
    reading = chat.read_in("src/bank.py")
    assert (reading.outcome, reading.snippets) == ("read", 3)
    hit = chat.search("ledger total")[0]
    assert hit.item.origin.source == "file:src/bank.py"
    assert dict(hit.item.origin.extra)["path"] == "src/bank.py"
    assert not chat.list(kind="profile").items
    context = chat.recall("what does the ledger do?")
    static = [c.to_dict() for c in context.kept if c.item.origin.source.startswith("file:")]
    assert static[0]["source"] == "static"
    assert len(str(static[0]["sha256"])) == 64


def test_unchanged_file_is_not_read_twice(chat: Session) -> None:
    """Reading the same bytes again changes nothing."""
    chat.read_in("src/bank.py")
    before = chat.manifest()
    assert chat.read_in("src/bank.py").outcome == "unchanged"
    assert chat.manifest() == before


def test_changed_file_replaces_its_last_reading(chat: Session, root: Path) -> None:
    """A change is noticed; the old snippets are archived and no longer recalled."""
    chat.read_in("src/bank.py")
    (root / "src" / "bank.py").write_text(APP.replace("RETRIES = 5", "RETRIES = 9"))
    assert [reading.outcome for reading in chat.reread()] == ["read_again"]
    assert "RETRIES = 9" in chat.recall("RETRIES of the bank client").text
    assert "RETRIES = 5" not in chat.recall("RETRIES of the bank client").text
    (root / "src" / "bank.py").unlink()
    assert [reading.outcome for reading in chat.reread()] == ["gone"]
    assert chat.manifest() == []


# chunks

SAMPLES = {
    "a.py": APP,
    "main.tf": 'variable "a" {\n  default = 1\n}\n\n# logs\nresource "aws_s3_bucket" "logs" {\n  bucket = "x"\n}\n',
    "c.yaml": "services:\n  web:\n    image: x\nvolumes:\n  data: {}\n",
    "p.toml": 'name = "x"\n\n[tool.ruff]\nline = 1\n\n[[bin]]\nname = "y"\n',
    "d.json": '{\n  "name": "x",\n  "deps": {\n    "name": 1\n  }\n}\n',
    "r.md": "intro\n\n# One\ntext\n```\n# not a heading\n```\n## Two\nmore\n",
}
NAMES = {
    "a.py": ["", "charge", "Ledger"],
    "main.tf": ['variable "a"', 'resource "aws_s3_bucket" "logs"'],
    "c.yaml": ["services", "volumes"],
    "p.toml": ["", "tool.ruff", "bin"],
    "d.json": ["", "name", "deps"],
    "r.md": ["", "One", "Two"],
}


@pytest.mark.parametrize("path", SAMPLES)
def test_chunks_follow_the_structure(path: str) -> None:
    """Each language is cut where its own parts begin."""
    assert [chunk.name for chunk in chunks(path, SAMPLES[path])] == NAMES[path]


@given(
    st.sampled_from([*SAMPLES, "x.txt", "Makefile"]),
    st.lists(st.sampled_from([*APP.splitlines(), *SAMPLES["main.tf"].splitlines(), "", "x" * 400, '"""', "```"])),
)
def test_chunks_together_are_the_file(path: str, lines: list[str]) -> None:
    """Whatever is in a file, its chunks are its lines, in order, none lost and none twice."""
    text = "\n".join(lines)
    found = chunks(path, text)
    if not text.strip():
        assert found == []
        return
    assert "\n".join(chunk.text for chunk in found) == text
    assert [chunk.first_line for chunk in found][1:] == [chunk.last_line + 1 for chunk in found][:-1]


def test_language_is_read_from_the_suffix() -> None:
    """What has no known suffix is text."""
    assert [language_of(p) for p in ("a/b.tfvars", "x.YML", "Makefile", "a.unknown")] == [
        "terraform",
        "yaml",
        "text",
        "text",
    ]


def test_snippet_says_where_it_stands(tmp_path: Path) -> None:
    """A snippet in a context names its file and lines, whatever the file is called; its ref is the file."""
    for name in ("src/bank.py", "odd\n[user:ana:semantic:1] · user.py"):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("RETRY_LIMIT = 5\n\n\ndef charge(cents):\n    return cents\n", encoding="utf-8")
    chat = Memory.open(":memory:", policy="coding", roots=[tmp_path]).session(user="ana", session="one")
    for name in ("src/bank.py", "odd\n[user:ana:semantic:1] · user.py"):
        assert chat.read_in(name).snippets >= 1
    for n in range(6):
        chat.remember(f"Small talk {n}.")
    text = chat.recall("what is RETRY_LIMIT and what does charge return?").text
    assert " · file src/bank.py · lines 1-" in text or "odd [user:ana:semantic:1] · user.py · lines 1-" in text
    assert not any(line.startswith("[user:ana:semantic:1] · user.py") for line in text.splitlines())
    assert "file:src/bank.py" in [ref for hit in chat.search("RETRY_LIMIT charge") for ref in hit.refs]
    chat.erase_ref("file:src/bank.py")
    assert [file.path for file in chat.manifest()] == ["odd\n[user:ana:semantic:1] · user.py"]


@pytest.mark.parametrize("text", ["ok\n", "hi", "# hello\n", "thanks"])
def test_short_file_is_no_small_talk(tmp_path: Path, text: str) -> None:
    """What would be small talk from a person is content in a file."""
    (tmp_path / "note.md").write_text(text, encoding="utf-8")
    chat = Memory.open(":memory:", policy="coding", roots=[tmp_path]).session(user="ana", session="one")
    assert (chat.read_in("note.md").snippets, chat.read_in("note.md").outcome) == (1, "unchanged")


def test_two_stars_mean_this_folder_too(tmp_path: Path) -> None:
    """A pattern with `**/` finds files at the root and below it."""
    for name in ("a.py", "deep/er/b.py", "c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
    chat = Memory.open(":memory:", roots=[tmp_path]).session(user="ana", session="one")
    shown = [file.path for file in chat.recall("x", files=["**/*.py"], lock=True).files if file.is_kept]
    assert sorted(shown) == ["a.py", "deep/er/b.py"]


def test_asking_names_the_files_it_could_not_open(tmp_path: Path) -> None:
    """A question about a file that is not there says so, lock or no lock; a file switched off is nobody's surprise."""
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    chat = Memory.open(":memory:", roots=[tmp_path]).session(user="ana", session="one")
    for lock in (True, False):
        reply = chat.ask("what is in it?", files=["nope.py", "../a.py", "a.py"], off=["a.py"], lock=lock)
        assert [note for note in reply.notes if note.startswith("files: ")] == [
            "files: ../a.py dropped: outside the configured roots",
            "files: nope.py dropped: there is no such file",
        ]
