"""What a companion costs with many users in one file: writing, recall, upkeep; and that nobody slows anybody down.

Run: python bench/companion.py [--users 200] [--personas 3] [--turns 100] [--checks 300]

The full size is --users 10000 --personas 3 --turns 100: three million turns. Recall is measured on the same
users after a hundredth of them and after all of them; the ratio is what the number of users costs.
Times are of the processor, so that other work beside it does not count.
"""

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

from recollect import Memory

START_MS = 1_767_225_600_000
MINUTE_MS = 60_000
PEOPLE = "Priya Rahul John Sarah Mukesh Makesh Aisha Tom Lena Omar".split()
PLACES = "Pune Austin Lisbon Oslo Rome Delhi Berlin Quito Perth Leeds".split()
THINGS = "report cake flight garden guitar deck budget novel roof bicycle".split()
SAYINGS = (
    "My friend {person} lives in {place}.",
    "I'll finish the {thing} tomorrow.",
    "I keep forgetting the {thing}.",
    "We talked about the {thing} in {place} for an hour.",
    "I finished the {thing}.",
    "I want to work on the {thing} every morning.",
    "Maybe I could learn more about the {thing}.",
    "I prefer {place} to every other town.",
    "Not much today, the weather is fine.",
    "What do you think about {person}?",
)
QUESTIONS = ("how is {person}?", "what did I promise about the {thing}?", "tell me about {place}")


def turns_of(user: int, persona: int, count: int) -> list[dict[str, object]]:
    """A conversation of one user with one persona: ten messages a session, a day between sessions."""
    chance = random.Random(user * 31 + persona)
    at = START_MS + persona * 7 * MINUTE_MS
    turns: list[dict[str, object]] = []
    for number in range(count):
        at += MINUTE_MS if number % 10 else 1_440 * MINUTE_MS
        saying = SAYINGS[chance.randrange(len(SAYINGS))]
        turns.append({"text": saying.format(**words(chance)), "at": at})
    return turns


def words(chance: random.Random) -> dict[str, str]:
    return {"person": chance.choice(PEOPLE), "place": chance.choice(PLACES), "thing": chance.choice(THINGS)}


def fill(memory: Memory, users: range, personas: int, turns: int) -> float:
    began = time.process_time()
    for user in users:
        for persona in range(personas):
            memory.session(user=f"user{user}", persona=f"p{persona}").remember_many(turns_of(user, persona, turns))
    return time.process_time() - began


def recall_ms(memory: Memory, users: int, personas: int, checks: int) -> list[float]:
    chance = random.Random(7)
    spent = []
    for number in range(checks):
        chat = memory.session(user=f"user{number % users}", persona=f"p{number % personas}")
        question = chance.choice(QUESTIONS).format(**words(chance))
        chat.recall(question, at=START_MS + 30 * 1_440 * MINUTE_MS)
        began = time.process_time()
        chat.recall(question, at=START_MS + 30 * 1_440 * MINUTE_MS)
        spent.append((time.process_time() - began) * 1_000)
    return spent


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, default in (("users", 200), ("personas", 3), ("turns", 100), ("checks", 300)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    few = max(2, args.users // 100)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "companion.db"
        with Memory.open(str(path), policy="companion", tracing=False) as memory:
            seconds = fill(memory, range(few), args.personas, args.turns)
            alone = statistics.median(recall_ms(memory, few, args.personas, args.checks))
            seconds += fill(memory, range(few, args.users), args.personas, args.turns)
            among = sorted(recall_ms(memory, few, args.personas, args.checks))
            one = min(_one_turn(memory, user, args.personas) for user in range(20))
            now = START_MS + 400 * 1_440 * MINUTE_MS
            began = time.process_time()
            done = memory.upkeep(now)
            upkeep = time.process_time() - began
            began = time.process_time()
            memory.upkeep(now)
            idle = time.process_time() - began
            size = path.stat().st_size / 1e6
    total = args.users * args.personas * args.turns
    among_p50, among_p95 = among[len(among) // 2], among[len(among) * 95 // 100]
    print(
        f"{args.users} users x {args.personas} personas x {args.turns} turns = {total} turns in one file, {size:.0f} MB"
    )
    print(f"write in batches of {args.turns}: {total / seconds:,.0f} turns/s; one turn, best of 20: {one:.2f} ms")
    print(f"recall p50 / p95: {among_p50:.2f} / {among_p95:.2f} ms; with {few} users alone p50 {alone:.2f} ms")
    print(f"recall among all / among few: {among_p50 / alone:.2f} x")
    told = f"{done.sessions_closed} sessions ended and summed up, {done.curated} curated"
    print(f"upkeep: {told}, {args.users / upkeep:,.0f} users/s")
    print(f"upkeep with nothing due: {args.users / idle:,.0f} users/s")


def _one_turn(memory: Memory, user: int, personas: int) -> float:
    chat = memory.session(user=f"user{user % 2}", persona=f"p{user % personas}")
    began = time.process_time()
    chat.remember("I'll finish the attic tomorrow.", at=START_MS + 90 * 1_440 * MINUTE_MS + user)
    return (time.process_time() - began) * 1_000


if __name__ == "__main__":
    main()
