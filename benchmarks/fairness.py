"""How long a job of ten puzzles takes beside loads that would hold every worker.

python benchmarks/fairness.py [--seconds 20] [--slots 2] [--scale 0.01] [--only WORD]

Runs a private Redis, a worker and the web server on this machine. One client puts each load into
the queue; another sends jobs of ten puzzles all the while, one after the other, and waits for
their results by long polling. Prints the median, the 99th percentile and the longest time from
submit to results, and how soon a cancelled load has left its processes. Then twenty clients with
jobs of many sizes: what part of the records done each of them got.

`--scale` makes the load of ten million puzzles, and the numbers of jobs, smaller; a load is
large enough as long as it outlasts the measurement, which is checked.
"""

import argparse
import itertools
import json
import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
from running import running

SEVENTEEN = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
ALPHABET = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0"
HARD = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"
CLIENTS = 20
# The records of a job, by client in turn, and how many each of them has in all.
SIZES = (200, 6_000, 20_000, 60_000)
SUPPLY = 60_000
Load = Callable[["Client", float], list[str]]


class Client:
    """Somebody with an API key."""

    def __init__(self, url: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=600)

    def submit(self, data: bytes | str, **options: object) -> str:
        """Submit a job and return its id."""
        query = {name: str(value) for name, value in options.items()}
        answer = self._http.post("/api/v1/jobs", content=data, params=query)
        answer.raise_for_status()
        return str(answer.json()["id"])

    def job(self, job_id: str, **query: str) -> dict[str, object]:
        """Return a job."""
        return dict(self._http.get(f"/api/v1/jobs/{job_id}", params=query).json())

    def results(self, job_id: str) -> int:
        """Fetch the results and return how many there are."""
        return len(self._http.get(f"/api/v1/jobs/{job_id}/results").text.splitlines())

    def done(self, jobs: list[str]) -> int:
        """Return how many records of some jobs are done."""
        return sum(int(str(self.job(job_id)["done"])) for job_id in jobs)

    def cancel(self, job_id: str) -> None:
        """Cancel a job."""
        self._http.post(f"/api/v1/jobs/{job_id}/cancel")

    def busy(self) -> int:
        """Return how many processes are solving something."""
        workers = self._http.get("/api/v1/workers").json()["workers"]
        return sum(len(worker["doing"]) for worker in workers)


def seventeens(count: int, seed: int) -> str:
    """Return 17-clue puzzles, one a line: one of them with its digits in other orders."""
    dice = random.Random(seed)
    orders = ["".join(dice.sample("123456789", 9)) for _ in range(min(count, 5_000))]
    tables = [str.maketrans("123456789", order) for order in orders]
    lines = [SEVENTEEN.translate(table) for table in tables]
    return "\n".join(itertools.islice(itertools.cycle(lines), count)) + "\n"


def hard_board(seed: int, box: int = 6) -> str:
    """Return a board of 36×36 with 60% of its cells blank."""
    dice, size = random.Random(seed), box * box
    values = dice.sample(ALPHABET[:size], size)
    bands = [dice.sample(range(box), box) for _ in range(box)]
    rows = [band * box + row for band in dice.sample(range(box), box) for row in bands[band]]
    columns = [band * box + row for band in dice.sample(range(box), box) for row in bands[band]]
    return "".join(
        "." if dice.random() < 0.6 else values[(box * (row % box) + row // box + column) % size]
        for row in rows
        for column in columns
    )


def killer(seed: int) -> str:
    """Return a 16×16 killer whose cages have hundreds of combinations each."""
    cage = [f"r{1 + seed % 16}c{column}" for column in range(1, 13)]
    constraint = {"type": "killer", "cells": cage, "sum": 90 + seed % 20}
    return json.dumps({"size": 16, "givens": "." * 256, "constraints": [constraint]})


def ten_million(client: Client, scale: float) -> list[str]:
    """Ten million puzzles of 17 clues."""
    return [client.submit(seventeens(int(10_000_000 * scale), 1))]


def hard_boards(client: Client, scale: float) -> list[str]:
    """1,000 boards of 36×36, 60% blank, step limit 10^8."""
    boards = "\n".join(hard_board(seed) for seed in range(max(int(1_000 * scale), 40)))
    return [client.submit(boards + "\n", step_limit=10**8)]


def just_above_small(client: Client, scale: float) -> list[str]:
    """200 jobs just above the bound of small: one chunk, and one puzzle more."""
    del scale
    return [client.submit(seventeens(16_385, seed)) for seed in range(200)]


def many_solutions(client: Client, scale: float) -> list[str]:
    """10,000 puzzles with a list of 10,000 solutions each."""
    blank = "." * 80
    count = max(int(10_000 * scale), 300)
    puzzles = "\n".join(f"{1 + k % 9}{blank}" for k in range(count)) + "\n"
    return [client.submit(puzzles, limit=10_000)]


def dear_tables(client: Client, scale: float) -> list[str]:
    """1,000 killers of 16×16, each with a table of its own to build."""
    count = max(int(1_000 * scale), 60)
    return [client.submit("\n".join(killer(seed) for seed in range(count)) + "\n")]


LOADS: tuple[Load, ...] = (
    ten_million,
    hard_boards,
    just_above_small,
    many_solutions,
    dear_tables,
)


@contextmanager
def service(*, slots: int) -> Iterator[str]:
    """Run everything, with a key for each client, and yield the address of the web."""
    keys = ",".join(f"key{number}" for number in range(CLIENTS + 2))
    with running(slots=slots, SUDOKUQ_API_KEYS=keys) as service:
        yield service.url


def measure(client: Client, *, seconds: float) -> list[float]:
    """Return the seconds that each job of ten puzzles took, one after the other."""
    taken: list[float] = []
    until = time.monotonic() + seconds
    for seed in itertools.count():
        began = time.monotonic()
        if began > until:
            return taken
        job_id = client.submit(seventeens(10, seed))
        while client.job(job_id, wait="5")["state"] != "finished":
            pass
        assert client.results(job_id) == 10
        taken.append(time.monotonic() - began)
        time.sleep(0.05)
    return taken


def report(name: str, taken: list[float], more: str = "") -> None:
    """Print a row of the table."""
    last = sorted(taken)[min(int(len(taken) * 0.99), len(taken) - 1)]
    middle = statistics.median(taken)
    print(f"| {name} | {len(taken)} | {middle:.2f} | {last:.2f} | {max(taken):.2f} | {more} |")


def behind(load: Load, url: str, *, seconds: float, scale: float) -> None:
    """Measure beside one load."""
    heavy, light = Client(url, "key0"), Client(url, "key1")
    jobs: list[str] = []
    thread = threading.Thread(target=lambda: jobs.extend(load(heavy, scale)))
    thread.start()
    time.sleep(3)
    taken = measure(light, seconds=seconds)
    thread.join()
    lasts = any(heavy.job(job_id)["state"] in ("queued", "running") for job_id in jobs)
    for job_id in jobs:
        heavy.cancel(job_id)
    began = time.monotonic()
    while heavy.busy():
        time.sleep(0.02)
    more = f"{time.monotonic() - began:.2f}" if lasts else "over before the measurement was"
    report((load.__doc__ or "").rstrip("."), taken, more)


def shares(url: str, *, seconds: float) -> None:
    """Print what part of the records done each of twenty clients got while all had work.

    The puzzles are alike, so that records stand for processor time. Five clients each have jobs
    of one of four sizes, two of which are small jobs: those of one chunk.
    """

    def fill(number: int) -> tuple[Client, list[str]]:
        client, size = Client(url, f"key{2 + number}"), SIZES[number % len(SIZES)]
        return client, [client.submit(f"{HARD}\n" * size) for _ in range(SUPPLY // size)]

    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = list(pool.map(fill, range(CLIENTS)))

    def done() -> list[int]:
        with ThreadPoolExecutor(CLIENTS) as pool:
            return list(pool.map(lambda pair: pair[0].done(pair[1]), clients))

    before = done()
    time.sleep(seconds)
    after = done()
    got = [later - earlier for earlier, later in zip(before, after, strict=True)]
    print(f"\n| jobs of | share of each of the five clients, of {sum(got):,} records |")
    print("|---|---|")
    for kind, size in enumerate(SIZES):
        parts = ", ".join(f"{records / sum(got):.1%}" for records in got[kind :: len(SIZES)])
        print(f"| {size:,} | {parts} |")
    if max(after) == SUPPLY:
        print("some ran out of work; measure for less long")
    for client, jobs in clients:
        for job_id in jobs:
            client.cancel(job_id)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", default="", help="loads whose name has this word")
    options = parser.parse_args()
    with service(slots=options.slots) as url:
        print("| beside | jobs | median s | p99 s | longest s | processes free after s |")
        print("|---|---|---|---|---|---|")
        report("nothing", measure(Client(url, "key1"), seconds=options.seconds / 4))
        for load in LOADS:
            if options.only in load.__name__:
                behind(load, url, seconds=options.seconds, scale=options.scale)
        if options.only in "shares":
            shares(url, seconds=options.seconds)


if __name__ == "__main__":
    main()
