"""Writes to a memory from a process of its own, and prints what it was answered. Run by `test_processes.py`.

writer_process.py <file> <user> <session> <count> <command prefix or ->
"""

from __future__ import annotations

import json
import sys

from recollect import Memory


def main() -> None:
    target, user, session, count, commands = sys.argv[1:]
    print("ready", flush=True)
    sys.stdin.readline()
    answers = []
    with Memory.open(target) as memory:
        chat = memory.session(user=user, session=session)
        for number in range(int(count)):
            command = "" if commands == "-" else f"{commands}-{number}"
            receipt = chat.remember(f"Turn {number} of {session or user}.", at=1_767_225_600_000, command_id=command)
            answers.append([receipt.is_repeat, list(receipt.ids)])
    print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
