"""Several processes and threads on one file: nothing lost, nothing doubled, readers see whole commits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from recollect import Memory
from recollect.errors import RecollectError, StoreClosed, StoreError

WRITER = Path(__file__).with_name("writer_process.py")
Answers = list[tuple[bool, list[str]]]


def run_together(*calls: tuple[str, ...]) -> list[Answers]:
    """Start one process per call, let them all begin at once, and give back what each printed."""
    processes = [
        subprocess.Popen([sys.executable, str(WRITER), *call], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for call in calls
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    printed = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [0 for _ in processes]
    return [json.loads(text) for text in printed]


def whole(memory: Memory) -> None:
    assert memory.check() == []
    assert memory.replay() == []


@pytest.fixture
def target(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


def test_two_processes_lose_no_update(target: str) -> None:
    """Two processes writing for one user at once leave every turn of both, in one gapless numbering."""
    first, second = run_together((target, "ana", "one", "40", "-"), (target, "ana", "two", "40", "-"))
    ids = [item_id for answers in (first, second) for _, found in answers for item_id in found]
    assert len(ids) == len(set(ids)) == 160
    with Memory.open(target) as memory:
        whole(memory)
        chat = memory.session(user="ana", session="one")
        items = [item for item in chat.list(space="user", limit=1_000) if item.kind == "semantic"]
        assert sorted(item.ref.n for item in items) == list(range(1, 81))
        assert {item.id for item in items} <= set(ids)
        assert sorted(item.created_at for item in items) == list(range(2, 82))


def test_same_commands_from_two_processes_have_one_effect(target: str) -> None:
    """When two processes send the same commands, each is done once and both get the same answers."""
    call = (target, "ana", "one", "30", "command")
    first, second = run_together(call, call)
    assert [ids for _, ids in first] == [ids for _, ids in second]
    for (first_repeats, _), (second_repeats, _) in zip(first, second, strict=True):
        assert first_repeats is not second_repeats
    with Memory.open(target) as memory:
        whole(memory)
        assert memory.stats()["semantic.ACTIVE"] == 30


def test_two_processes_may_create_the_file_together(target: str) -> None:
    """Whoever comes first makes the database; the other finds it whole."""
    for number in range(3):
        path = f"{target}-{number}"
        run_together((path, "ana", "one", "1", "-"), (path, "bob", "two", "1", "-"))
        with Memory.open(path) as memory:
            whole(memory)
            assert memory.stats()["semantic.ACTIVE"] == 2


def test_process_sees_what_another_committed(target: str) -> None:
    """A memory that stays open recalls, searches and windows what another process writes meanwhile."""
    with Memory.open(target) as memory:
        chat = memory.session(user="ana", session="one")
        chat.remember("We decided to use Postgres for billing.")
        assert chat.search("turn") == []
        run_together((target, "ana", "one", "3", "-"))
        assert {hit.item.text for hit in chat.search("turn")} >= {f"Turn {n} of one." for n in range(3)}
        window = {choice.item.text for choice in chat.recall("billing").kept if choice.block == "window"}
        assert window >= {f"Turn {n} of one." for n in range(3)}
        whole(memory)


def test_reader_never_sees_half_a_commit(target: str) -> None:
    """While another thread commits batches, every read sees all of a batch or none of it."""
    batch = 7
    stop = threading.Event()
    failures: list[BaseException] = []
    with Memory.open(target) as memory:
        memory.session(user="ana").remember("The first words.")

        def write() -> None:
            chat = memory.session(user="ana", session="writer")
            for number in range(25):
                chat.remember_many([{"text": f"Batch {number} turn {n}."} for n in range(batch)])
            stop.set()

        def read(target: str) -> None:
            try:
                with Memory.open(target) as own:
                    chat = own.session(user="ana", session="reader")
                    while not stop.is_set():
                        semantic = len(chat.list(space="user", kind="semantic", limit=1_000))
                        assert semantic % batch == 1
                        found = chat.search("batch turn", limit=1_000)
                        assert sum("Batch" in hit.item.text for hit in found) % batch == 0
            except BaseException as error:
                failures.append(error)
                raise

        threads = [threading.Thread(target=write), threading.Thread(target=read, args=(target,))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert failures == []
        whole(memory)


def test_one_memory_serves_many_threads(target: str) -> None:
    """Threads sharing one memory, writing, failing and reading at once, lose nothing and break nothing."""
    failures: list[BaseException] = []
    with Memory.open(target) as memory:

        def work(number: int) -> None:
            try:
                chat = memory.session(user="ana", session=f"s{number}")
                for turn in range(12):
                    chat.remember(f"Turn {turn} of thread {number}.")
                    with pytest.raises(RecollectError):
                        chat.pin("user:ana:semantic:999999")
                    assert any("thread" in item.text for item in chat.recall("thread").items)
            except BaseException as error:
                failures.append(error)
                raise

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert failures == []
        assert memory.stats()["semantic.ACTIVE"] == 72
        whole(memory)


def test_forked_child_is_refused(target: str) -> None:
    """A memory opened before a fork refuses to work in the child, and still works in the parent."""
    with Memory.open(target) as memory:
        chat = memory.session(user="ana")
        chat.remember("Before the fork.")
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            answers = []
            for use in (lambda: chat.remember("In the child."), lambda: chat.recall("fork"), lambda: chat.list()):
                try:
                    use()
                    answers.append("no error")
                except StoreError as error:
                    answers.append(error.reason)
            os.write(writing, json.dumps(answers).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            answers = json.loads(pipe.read())
        os.waitpid(child, 0)
        assert answers == ["forked", "forked", "forked"]
        chat.remember("After the fork.")
        assert memory.stats()["semantic.ACTIVE"] == 2
        whole(memory)


@pytest.mark.parametrize("name", [":memory:", "memory.db"])
def test_closing_twice_is_fine_and_use_after_close_is_named(tmp_path: Path, name: str) -> None:
    """Close is repeatable; every call on a closed memory says that it was closed."""
    memory = Memory.open(name if name == ":memory:" else str(tmp_path / name))
    chat = memory.session(user="ana")
    item_id = chat.remember("Before the end.").ids[0]
    context = chat.recall("end")
    memory.close()
    memory.close()
    uses = (
        lambda: chat.remember("x"),
        lambda: chat.remember_many([{"text": "x"}]),
        lambda: chat.recall("x"),
        lambda: chat.search("x"),
        lambda: chat.list(),
        lambda: chat.get(item_id),
        lambda: chat.forget(item_id),
        lambda: chat.start_phase("x"),
        lambda: chat.phases(),
        lambda: chat.traces(),
        lambda: context.used([item_id]),
        lambda: memory.stats(),
        lambda: memory.replay(),
        lambda: memory.state_hash(),
        lambda: memory.policy.dry_run("contract"),
        lambda: memory.session(user="bob").remember("x"),
    )
    for use in uses:
        with pytest.raises(StoreClosed):
            use()


def test_closing_while_others_read_is_clean(target: str) -> None:
    """Whoever is caught by a close gets StoreClosed or their answer, never a crash or a foreign error."""
    memory = Memory.open(target)
    chat = memory.session(user="ana")
    chat.remember_many([{"text": f"Turn {n} about billing."} for n in range(200)])
    strange: list[BaseException] = []

    def read() -> None:
        for _ in range(200):
            try:
                chat.recall("billing")
                chat.remember("more billing")
            except StoreClosed:
                return
            except BaseException as error:
                strange.append(error)
                raise

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    threads[0].join(timeout=0.2)
    memory.close()
    for thread in threads:
        thread.join(timeout=30)
    assert strange == []
    with Memory.open(target) as again:
        whole(again)
