"""Measure the response times of the job page for a job of ten million puzzles.

    python benchmarks/pages.py [--puzzles N]

Runs a private Redis and the web server on this machine. The benchmark stores the results of a job
chunk by chunk, as a worker does, but makes them up: steps and ratings are random, all on one board,
and a few chunks contain a rare outcome and a rare rating. Then it requests each page several times,
and prints the median and the longest time. It does so for a job without ratings, then for one with
ratings.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np
from running import Processes, await_web, find_port

from solver.board.layout import Layout
from solver.board.result import Outcome
from solver.board.symbols import Symbols
from solver.board.text_lines import Lines
from solver.formats.format import Block
from solver.formats.splitter import block_records
from worker.ingest.stream import RECORDS_WITH_LOGIC
from worker.job import JobOptions
from worker.private_redis import PrivateRedis
from worker.records.boards import pack_board
from worker.records.chunk_result import ChunkResult
from worker.records.explanations import StoredDifficulty
from worker.service import Service, connect_service
from worker.settings import Settings

PUZZLE = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
SOLUTION = "953168742862734951417952836746893125281645397395271468138529674574386219629417583"
RARE = 500  # One chunk in this many has a record that is invalid and one with the highest rating.
TIMES = 15
SINGLE, HARD = 0, 706  # codes of techniques
ANY_PAGE = {
    "first page": "",
    "last page": "offset={last}",
    "one outcome": "outcome=solved",
    "one outcome, last page": "outcome=solved&offset={last_solved}",
    "rare outcome": "outcome=invalid",
    "most steps": "sort=-steps",
    "fewest steps": "sort=steps",
    "fewest steps, in the middle": "sort=steps&offset={middle}",
    "most steps of one outcome": "sort=-steps&outcome=solved",
}
RATED_PAGE = {
    "hardest": "sort=-rating",
    "easiest": "sort=rating",
    "easiest, in the middle": "sort=rating&offset={middle}",
    "one rating": "rating=2.0..2.9",
    "one rating, in the middle": "rating=1.0..1.9&offset={eighth}",
    "rare rating": "rating=9.0..",
}


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--puzzles", type=int, default=10_000_000, help="size of the job (default: %(default)s)"
    )
    puzzles = parser.parse_args().puzzles
    with tempfile.TemporaryDirectory(prefix="sudokuq-") as folder:
        redis = PrivateRedis(Path(folder))
        redis.start()
        processes = Processes(redis.url, Path(folder))
        port = find_port()
        processes.web(port=port)
        try:
            service = connect_service(Settings(redis_url=redis.url))
            await_web(f"http://127.0.0.1:{port}")
            for rated in (False, True):
                job_id = store(service, puzzles, rated=rated)
                print(f"{puzzles:,} puzzles, {'rated' if rated else 'not rated'}")
                ask(f"http://127.0.0.1:{port}/jobs/{job_id}", puzzles, rated=rated)
                service.jobs.delete(job_id)
        finally:
            processes.stop()
            redis.stop()


def store(service: Service, puzzles: int, *, rated: bool) -> str:
    """Store a finished job of `puzzles` records with made-up results, and return its ID."""
    job_id = service.jobs.create(
        name=f"{puzzles:,}.txt", options=JobOptions(rate=rated), format="line", context={},
        client="benchmark",
    )  # fmt: skip
    records = RECORDS_WITH_LOGIC if rated else block_records(81)
    random = np.random.default_rng(1)
    usual = [made_up(random, records, rated=rated, rare=False) for _ in range(16)]
    rare = made_up(random, records, rated=rated, rare=True)
    whole, rest = divmod(puzzles, records)
    sizes = [records] * whole + [rest] * (rest > 0)
    for size in sizes:
        service.jobs.add_chunk(job_id, Block(b"", size, 1))
    service.jobs.seal(job_id)
    for chunk, size in enumerate(sizes):
        service.chunks.acquire(job_id, chunk, holder="benchmark")
        result = rare if chunk % RARE == RARE - 1 else usual[chunk % len(usual)]
        service.chunks.commit(job_id, chunk, done=0, total=size, result=result.slice(0, size))
    return job_id


def made_up(random: np.random.Generator, records: int, *, rated: bool, rare: bool) -> ChunkResult:
    """Return made-up results of a chunk.

    If `rare`, the first record is invalid, and the second one has the highest rating. Only results
    that are `rated` have difficulties.
    """
    outcomes = np.full(records, Outcome.SOLVED, np.uint8)
    ratings = random.choice([12, 15, 20, 23, 26, 28, 34, 42, 66, 72, 83], records)
    if rare:
        outcomes[0] = Outcome.INVALID
        ratings[1] = 90
    difficulties = {
        place: StoredDifficulty(500, 2, (int(rating), 12, 12), {SINGLE: 40, HARD: 1})
        for place, rating in enumerate(ratings)
        if outcomes[place] == Outcome.SOLVED
    }
    board = pack_board(Layout.boxed(3, 3), Symbols.usual(9))
    assert board is not None
    return ChunkResult(
        lines=np.arange(1, records + 1, dtype="<i8").tobytes(),
        outcomes=outcomes.tobytes(),
        counts=(outcomes == Outcome.SOLVED).astype("<i8").tobytes(),
        steps=random.geometric(0.05, records).astype("<i8").tobytes(),
        puzzles=Lines("\n".join([PUZZLE] * records)),
        solutions=Lines("\n".join(SOLUTION if o == Outcome.SOLVED else "" for o in outcomes)),
        kinds=(board,),
        kind_of=np.zeros(records, "<i4").tobytes(),
        difficulties=difficulties if rated else {},
    )


def ask(url: str, puzzles: int, *, rated: bool) -> None:
    """Request a job's result pages several times, and print the response times.

    `url` is the URL of the job's page, and `puzzles` is the number of puzzles in the job. If
    `rated`, pages that sort or filter by rating are requested, too. Each page is requested up to 15
    times, or until its requests have taken more than 3 seconds. Prints the median and the longest
    time in milliseconds. Raises httpx.HTTPStatusError for an error response.
    """
    places = {
        "last": puzzles - 50,
        "last_solved": puzzles - puzzles // RARE,
        "middle": puzzles // 2,
        "eighth": puzzles // 8,
    }
    with httpx.Client(timeout=300) as http:
        for name, query in (ANY_PAGE | RATED_PAGE if rated else ANY_PAGE).items():
            address = f"{url}?{query.format(**places)}"
            seconds = []
            for _ in range(TIMES):
                began = time.perf_counter()
                answer = http.get(address)
                seconds.append(time.perf_counter() - began)
                answer.raise_for_status()
                if sum(seconds) > 3:
                    break
            rows = answer.text.count('<tr id="n')
            typical, longest = statistics.median(seconds) * 1000, max(seconds) * 1000
            print(f"  {name:<28} {typical:7.0f} ms   at most {longest:7.0f} ms   {rows} rows")


if __name__ == "__main__":
    main()
