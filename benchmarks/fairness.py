"""Measure how long jobs of ten puzzles take while large loads keep every worker busy.

python benchmarks/fairness.py [--seconds 18] [--slots 2] [--scale 0.3] [--only WORD]

Runs a private Redis, a worker, and the web server on this machine. Everything takes less than five
minutes. For each load, the worker is suspended while one client submits the load. Then another
client submits jobs of ten puzzles, one after the other, and waits for their results with long
polling. Only jobs that finish before the load count. The load is submitted again until enough
seconds have passed. Prints the median, the 99th percentile, and the longest time from submission to
results.

Afterward, the benchmark cancels a few jobs of each long-running kind, and measures how soon all
worker processes are free. Finally, twenty clients submit jobs of several sizes, and it prints each
client's share of the records done.

`--scale` reduces the number of puzzles or jobs of each load.
"""

import argparse
import itertools
import json
import os
import random
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import httpx
from running import Running, running

from solver.formats.splitter import block_records

SEVENTEEN = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
ALPHABET = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0"
HARD = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"
# Sudoku Explainer rates it 11.9.
HARDEST = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."
CLIENTS = 20
# Records per job, assigned to the clients in turn, and records per client.
SIZES = (200, 6_000, 20_000, 60_000)
SUPPLY = 60_000
# The content of a job and its options.
Upload = tuple[str, dict[str, object]]
# A function that returns the jobs of a load, given the value of --scale. The first line of its
# docstring is the label in the table.
Load = Callable[[float], list[Upload]]
UPLOADERS = 4
CANCELLED = 3  # cancellations per kind of job


class Client:
    """An HTTP client with an API key."""

    def __init__(self, url: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=600)

    def submit(self, data: bytes | str, **options: object) -> str:
        """Submit a job and return its ID. `options` are query parameters, such as limit=2."""
        query = {name: str(value) for name, value in options.items()}
        answer = self._http.post("/api/v1/jobs", content=data, params=query)
        answer.raise_for_status()
        return str(answer.json()["id"])

    def job(self, job_id: str, **query: str) -> dict[str, object]:
        """Return the JSON of a job. `query` are parameters of the request, such as wait="5"."""
        return dict(self._http.get(f"/api/v1/jobs/{job_id}", params=query).json())

    def results(self, job_id: str) -> int:
        """Download a job's results and return their number."""
        return len(self._http.get(f"/api/v1/jobs/{job_id}/results").text.splitlines())

    def done(self, jobs: list[str]) -> int:
        """Return how many records of some jobs are done."""
        return sum(int(str(self.job(job_id)["done"])) for job_id in jobs)

    def cancel(self, job_id: str) -> None:
        """Cancel a job."""
        self._http.post(f"/api/v1/jobs/{job_id}/cancel")

    def delete(self, job_id: str) -> None:
        """Delete a job."""
        self._http.delete(f"/api/v1/jobs/{job_id}")

    def are_unfinished(self, jobs: list[str]) -> bool:
        """Return whether any of the jobs is still active, checking the last one first."""
        states = (self.job(job_id)["state"] for job_id in reversed(jobs))
        return any(state in ("uploading", "queued", "running") for state in states)

    def busy(self) -> int:
        """Return how many processes of all workers are solving something."""
        workers = self._http.get("/api/v1/workers").json()["workers"]
        return sum(len(worker["doing"]) for worker in workers)


def seventeens(count: int, seed: int) -> str:
    """Return `count` puzzles with 17 clues, one per line: one puzzle with its digits permuted.

    After at most 5,000 permutations, the lines repeat. `seed` determines the permutations.
    """
    dice = random.Random(seed)
    orders = ["".join(dice.sample("123456789", 9)) for _ in range(min(count, 5_000))]
    tables = [str.maketrans("123456789", order) for order in orders]
    lines = [SEVENTEEN.translate(table) for table in tables]
    return "\n".join(itertools.islice(itertools.cycle(lines), count)) + "\n"


def hard_board(seed: int, box: int = 6) -> str:
    """Return the text of a random board with box² rows and columns, and about 60% empty cells.

    `seed` determines the board.
    """
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
    """Return the JSON of an empty 16×16 killer with one cage of twelve cells.

    `seed` determines its row and its sum. It has hundreds of combinations.
    """
    cage = [f"r{1 + seed % 16}c{column}" for column in range(1, 13)]
    constraint = {"type": "killer", "cells": cage, "sum": 90 + seed % 20}
    return json.dumps({"size": 16, "givens": "." * 256, "constraints": [constraint]})


def ten_million(scale: float) -> list[Upload]:
    """Return a load: `scale` × ten million puzzles of 17 clues."""
    return [(seventeens(int(10_000_000 * scale), 1), {})]


def hard_boards(scale: float) -> list[Upload]:
    """Return a load: `scale` × 1,000 boards of 36×36, 60% blank, step limit 10^8."""
    boards = [hard_board(seed) for seed in range(int(1_000 * scale))]
    return [("\n".join(boards) + "\n", {"step_limit": 10**8})]


def just_above_small(scale: float) -> list[Upload]:
    """Return a load: `scale` × 200 jobs, each with one puzzle more than a small job may have."""
    size = block_records(81) + 1
    return [(seventeens(size, seed), {}) for seed in range(int(200 * scale))]


def many_solutions(scale: float) -> list[Upload]:
    """Return a load: `scale` × 10,000 puzzles with a list of 10,000 solutions each."""
    puzzles = "".join(f"{1 + k % 9}{'.' * 80}\n" for k in range(int(10_000 * scale)))
    return [(puzzles, {"limit": 10_000})]


def different_cages(scale: float) -> list[Upload]:
    """Return a load: `scale` × 10,000 killers of 16×16.

    Each has a different cage, so that nothing can be reused.
    """
    return [("\n".join(killer(seed) for seed in range(int(10_000 * scale))) + "\n", {})]


LOADS: tuple[Load, ...] = (
    ten_million,
    hard_boards,
    just_above_small,
    many_solutions,
    different_cages,
)

# Long-running jobs to cancel, by name.
LASTING: dict[str, Upload] = {
    "plain puzzles": (f"{HARD}\n" * 400_000, {}),
    "lists of 10,000 solutions": (f"1{'.' * 80}\n" * 5_000, {"limit": 10_000}),
    "a search on 36×36": (f"{hard_board(3)}\n{hard_board(4)}\n", {"step_limit": 10**8}),
    "ratings": (f"{HARDEST}\n" * 2_000, {"rate": 1}),
    "explanations": (f"{HARDEST}\n" * 2_000, {"explain": 1}),
    "canonical forms": (f"{HARD}\n" * 400_000, {"minlex": 1}),
    "true candidates": (f"1{'.' * 255}\n" * 50, {"true_candidates": 1, "limit": 1_000}),
    "killers of 16×16": ("\n".join(killer(seed) for seed in range(5_000)) + "\n", {}),
}


@contextmanager
def service(*, slots: int) -> Iterator[Running]:
    """Run Redis, a worker, and the web server until the end of the block.

    The worker has `slots` slots. The API keys key0, key1, … are valid, one for each client of the
    benchmark. Yields the URLs and process IDs.
    """
    keys = ",".join(f"key{number}" for number in range(CLIENTS + 2))
    with running(slots=slots, SUDOKUQ_API_KEYS=keys) as service:
        yield service


@contextmanager
def at_rest(service: Running) -> Iterator[None]:
    """Suspend the worker's processes during the block."""
    os.killpg(service.worker, signal.SIGSTOP)
    yield
    os.killpg(service.worker, signal.SIGCONT)


def submit_all(client: Client, uploads: list[Upload]) -> list[str]:
    """Submit the jobs of a load, up to four concurrently, and return their IDs in order."""
    with ThreadPoolExecutor(UPLOADERS) as pool:
        return list(pool.map(lambda upload: client.submit(upload[0], **upload[1]), uploads))


def measure(client: Client, *, until: float, behind: Callable[[], bool]) -> list[float]:
    """Submit jobs of ten puzzles, one after the other, and return the seconds that each took.

    `behind` returns whether the large load is still active. This ends when it returns False, or at
    the time `until` of the monotonic clock. A job that finishes after the load doesn't count.
    """
    taken: list[float] = []
    for seed in itertools.count():
        began = time.monotonic()
        if began > until:
            return taken
        job_id = client.submit(seventeens(10, seed))
        while client.job(job_id, wait="5")["state"] != "finished":
            pass
        assert client.results(job_id) == 10
        seconds = time.monotonic() - began
        if not behind():
            return taken
        taken.append(seconds)
    return taken


def report(name: str, taken: list[float], rounds: int = 1) -> None:
    """Print a row of the table: the median, 99th percentile, and maximum of the times `taken`.

    `rounds` is how often the load was submitted.
    """
    last = sorted(taken)[min(int(len(taken) * 0.99), len(taken) - 1)]
    middle = statistics.median(taken)
    row = f"| {name} | {rounds} | {len(taken)} | {middle:.2f} | {last:.2f} | {max(taken):.2f} |"
    print(row, flush=True)


def behind(load: Load, service: Running, *, seconds: float, scale: float) -> None:
    """Measure and print how long jobs of ten puzzles take while a large load is being solved.

    The load is submitted again until `seconds` have passed. What is left of it is canceled at the
    end. `scale` is the fraction of it to submit. If no job of ten puzzles was finished before the
    load, prints a hint instead.
    """
    heavy, light = Client(service.url, "key0"), Client(service.url, "key1")
    uploads, rounds = load(scale), 0
    taken: list[float] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with at_rest(service):
            jobs = submit_all(heavy, uploads)
        # The first job is excluded: the worker was only just resuming.
        taken += measure(light, until=until, behind=partial(heavy.are_unfinished, jobs))[1:]
        rounds += 1
    for job_id in jobs:
        heavy.cancel(job_id)
    if taken:
        label = (load.__doc__ or "").partition("\n")[0]
        report(label.removeprefix("Return a load: ").rstrip("."), taken, rounds)
    else:
        print(f"{load.__name__} finished before a job of ten puzzles did; use a larger --scale")


def freed(name: str, upload: Upload, service: Running) -> None:
    """Submit and cancel a job a few times, and print how soon all worker processes are free.

    `name` is the label in the table. If the job finishes before it can be canceled, prints this
    instead.
    """
    client, taken = Client(service.url, "key0"), []
    for number in range(CANCELLED):
        job_id = client.submit(upload[0], **upload[1])
        while not client.busy():
            time.sleep(0.01)
        time.sleep(1.0 + number / CANCELLED)
        if not client.are_unfinished([job_id]):
            print(f"{name}: finished before it could be canceled")
            return
        client.cancel(job_id)
        began = time.monotonic()
        while client.busy():
            time.sleep(0.005)
        taken.append(time.monotonic() - began)
        client.delete(job_id)
    print(f"| {name} | {', '.join(f'{seconds:.2f}' for seconds in taken)} |", flush=True)


def shares(service: Running, *, seconds: float) -> None:
    """Print the share of the records done that each of twenty clients got while all had work.

    All puzzles take equally long, so that records represent CPU time. There are five clients for
    each of four job sizes. Only those of the smallest size are small jobs, which have one chunk.
    The shares are measured over `seconds`. All jobs are canceled at the end.
    """

    def fill(number: int) -> tuple[Client, list[str]]:
        client, size = Client(service.url, f"key{2 + number}"), SIZES[number % len(SIZES)]
        return client, [client.submit(f"{HARD}\n" * size) for _ in range(SUPPLY // size)]

    with at_rest(service), ThreadPoolExecutor(CLIENTS) as pool:
        clients = list(pool.map(fill, range(CLIENTS)))
    time.sleep(2)

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
        print("some clients ran out of work; use fewer --seconds")
    for client, jobs in clients:
        for job_id in jobs:
            client.cancel(job_id)


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--seconds", type=float, default=18.0, help="seconds per load (default: %(default)s)"
    )
    parser.add_argument(
        "--slots", type=int, default=2, help="slots of the worker (default: %(default)s)"
    )
    parser.add_argument(
        "--scale", type=float, default=0.3, help="fraction of each load (default: %(default)s)"
    )
    parser.add_argument(
        "--only", default="", help="run only the parts whose name contains this word"
    )
    options = parser.parse_args()
    with service(slots=options.slots) as queue:
        print("| load | times submitted | jobs | median s | p99 s | longest s |")
        print("|---|---|---|---|---|---|")
        until = time.monotonic() + options.seconds / 4
        report("nothing", measure(Client(queue.url, "key1"), until=until, behind=lambda: True))
        for load in LOADS:
            if options.only in load.__name__:
                behind(load, queue, seconds=options.seconds, scale=options.scale)
        if options.only in "cancelling":
            print("\n| cancelled | all processes are free after s |")
            print("|---|---|")
            for name, upload in LASTING.items():
                freed(name, upload, queue)
        if options.only in "shares":
            shares(queue, seconds=options.seconds)


if __name__ == "__main__":
    main()
