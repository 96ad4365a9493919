"""What a companion costs with many users in one file: writing, recall, upkeep; and that nobody slows anybody down.

Run: python bench/companion.py [--users 100] [--personas 3] [--turns 100] [--checks 300] [--file PATH]

The full size is --users 10000: three million turns. Ten users stand in a small file of their own too, and both are
asked by turns: the ratio is what the number of users costs.
With --file the memory stays there and a second run goes on where the first ended.
Times are of the processor, so that other work beside it does not count.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from recollect import Memory

START_MS = 1_767_225_600_000
MINUTE_MS = 60_000
DAY_MS = 1_440 * MINUTE_MS
FEW = 10
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
        at += MINUTE_MS if number % 10 else DAY_MS
        saying = SAYINGS[chance.randrange(len(SAYINGS))]
        turns.append({"text": saying.format(**words(chance)), "at": at})
    return turns


def words(chance: random.Random) -> dict[str, str]:
    return {"person": chance.choice(PEOPLE), "place": chance.choice(PLACES), "thing": chance.choice(THINGS)}


def spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def fill(memory: Memory, users: range, personas: int, turns: int) -> float:
    """Write the conversations of these users, each in one batch; those that are there are passed over."""
    seconds = 0.0
    for user in users:
        for persona in range(personas):
            chat, said = memory.session(user=f"user{user}", persona=f"p{persona}"), turns_of(user, persona, turns)
            if not chat.list(kind="short_term", limit=1).items:
                seconds += spent(lambda chat=chat, said=said: chat.remember_many(said))
    return seconds


def one_turn_ms(memory: Memory, personas: int) -> float:
    """A message of a user who talks; the middle of thirty."""
    found = []
    for number in range(30):
        chat, at = memory.session(user="user0", persona=f"p{number % personas}"), START_MS + 90 * DAY_MS + number
        found.append(spent(lambda chat=chat, at=at: chat.remember("I'll finish the attic tomorrow.", at=at)) * 1_000)
    return sorted(found)[15]


def beside(memory: Memory, few: Memory, args: argparse.Namespace) -> None:
    """The same users in a small file and among all, by turns, so that a busy machine is busy for both."""
    chance = random.Random(7)
    times: dict[str, list[float]] = {"recall among all": [], "recall among ten": []}
    both = (("recall among all", memory), ("recall among ten", few))
    for number in range(args.checks):
        user, persona = f"user{number % FEW}", f"p{number % args.personas}"
        question = chance.choice(QUESTIONS).format(**words(chance))
        for name, file in both:
            chat = file.session(user=user, persona=persona)
            ask = partial(chat.recall, question, at=START_MS + 30 * DAY_MS)
            # The second time counts: the index of a user who talks is in memory.
            ask()
            times[name].append(spent(ask) * 1_000)
    upkeep: dict[str, list[float]] = {"upkeep among all": [], "upkeep among ten": []}
    for user in range(FEW):
        for name, file in (("upkeep among all", memory), ("upkeep among ten", few)):
            work = partial(file.upkeep, START_MS + 400 * DAY_MS, user=f"user{user}")
            upkeep[name].append(spent(work) * 1_000)
    for kind in (times, upkeep):
        (name, many), (_, ten) = kind.items()
        many, ten = sorted(many), sorted(ten)
        p50, p95 = many[len(many) // 2], many[len(many) * 95 // 100]
        print(f"{name}: p50 {p50:.2f} ms, p95 {p95:.2f} ms; among ten p50 {ten[len(ten) // 2]:.2f} ms: ", end="")
        print(f"{p50 / ten[len(ten) // 2]:.2f} x", flush=True)


def run(memory: Memory, few: Memory, args: argparse.Namespace) -> None:
    seconds = fill(memory, range(args.users), args.personas, args.turns)
    total = args.users * args.personas * args.turns
    if seconds:
        print(f"written in batches of {args.turns}: {total / seconds:,.0f} turns/s", flush=True)
    fill(few, range(FEW), args.personas, args.turns)
    beside(memory, few, args)
    print(f"one turn: {one_turn_ms(memory, args.personas):.2f} ms", flush=True)
    now = START_MS + 401 * DAY_MS
    began = time.process_time()
    done = memory.upkeep(now)
    took = time.process_time() - began
    told = f"{done.sessions_closed:,} sessions ended and summed up, {done.curated:,} acts of the curator"
    print(f"upkeep of {done.users:,} users: {told}, {done.users / took:,.0f} users/s", flush=True)
    idle = spent(lambda: memory.upkeep(now))
    print(f"upkeep with nothing due: {idle * 1_000:,.0f} ms for {args.users:,} users", flush=True)


def opened(path: str) -> Memory:
    return Memory.open(path, policy="companion", tracing=False)


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, default in (("users", 100), ("personas", 3), ("turns", 100), ("checks", 300)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--file", default="")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(args.file or Path(folder) / "companion.db")
        small = str(Path(folder) / "few.db")
        with opened(str(path)) as memory, opened(small) as few:
            run(memory, few, args)
        size = path.stat().st_size / 1e6
    total = args.users * args.personas * args.turns
    print(f"{args.users:,} users x {args.personas} personas x {args.turns} turns = {total:,} turns, {size:,.0f} MB")


if __name__ == "__main__":
    main()
