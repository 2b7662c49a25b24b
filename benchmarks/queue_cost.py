"""Measure the overhead of the queue: records per second from upload to download, without solving.

    python benchmarks/queue_cost.py [--puzzles N] [--with-engine] [--file FILE]

Runs a private Redis, two worker processes, and the web server on this machine. Uploads one job of N
puzzles, which repeats the puzzles of FILE, as a raw request body. Waits until the job is finished
and downloads every result as JSON lines.

Without `--with-engine`, this benchmark replaces the workers' engine. The substitute returns the
same ready-made grid for every puzzle, with the puzzle's givens filled in, and skips verification.
Parsing, packing, storing, and writing of all records are unchanged.
"""

import argparse
import json
import os
import platform
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path

import httpx
import numpy as np
from running import Running, memory_of, processor_time_of, running

from worker.connection import connect

PUZZLE = b".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...\n"
SOLUTION = "953168742862734951417952836746893125281645397395271468138529674574386219629417583"
PIECE = 1 << 18
PIECE_LINES = 3_000

# The program that a worker without an engine runs instead of `sudokuq worker`.
NO_ENGINE = f"""
import numpy as np
from solver import solving
from solver.board.result import Batch
from worker.process import solve_block
GRIDS = np.tile(np.array([int(c) for c in "{SOLUTION}"], np.uint8), (40_000, 1))
def answer(givens, **options):
    n = len(givens)
    return Batch(np.zeros(n, np.uint8), givens + GRIDS[:n] * (givens == 0),
                 np.ones(n, np.int64), np.zeros(n, np.int64))
solve_block.solve_many = answer
from web.commands.cli import main
main(["worker", "--concurrency", "2"])
"""


def pieces(puzzles: int, lines: list[bytes]) -> Iterator[bytes]:
    """Return the upload in pieces: the lines repeated up to `puzzles` lines.

    The pieces are joined in advance, so that the measured time doesn't include this.
    """
    lines = lines * -(-PIECE_LINES // len(lines))
    parts = [lines[start : start + PIECE_LINES] for start in range(0, len(lines), PIECE_LINES)]
    texts = [b"".join(part) for part in parts]

    def send(puzzles: int) -> Iterator[bytes]:
        for part, text in cycle(zip(parts, texts, strict=True)):
            if puzzles <= len(part):
                yield b"".join(part[:puzzles])
                return
            yield text
            puzzles -= len(part)

    return send(puzzles)


def small_job(client: httpx.Client, seconds: list[float]) -> None:
    """Submit ten puzzles during the large job, and append the seconds until they are solved."""
    began = time.perf_counter()
    job = client.post("/api/v1/jobs", content=PUZZLE * 10).json()
    while job["state"] != "finished":
        job = client.get(f"/api/v1/jobs/{job['id']}", params={"wait": 5}).json()
    seconds.append(time.perf_counter() - began)


def processor_times(service: Running) -> dict[str, float]:
    """Return the CPU seconds used so far by each part of the service and by this client."""
    redis = connect(service.redis_url).info("cpu")
    return {
        "worker": processor_time_of(service.worker),
        "web": processor_time_of(service.web),
        "Redis": redis["used_cpu_user"] + redis["used_cpu_sys"],
        "client": time.process_time(),
    }


def main() -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--puzzles", type=int, default=1_000_000, help="size of the job (default: %(default)s)"
    )
    parser.add_argument("--with-engine", action="store_true", help="really solve the puzzles")
    parser.add_argument("--file", type=Path, help="file with one puzzle per line")
    options = parser.parse_args()
    lines = [PUZZLE]
    if options.file:
        every = options.file.read_bytes().splitlines(keepends=True)
        lines = [line for line in every if not line.startswith(b"#")]
    worker = () if options.with_engine else (sys.executable, "-c", NO_ENGINE)
    with running(slots=2, worker=worker) as service:
        run(service, options.puzzles, lines)


def run(service: Running, puzzles: int, lines: list[bytes]) -> None:
    """Upload a job, wait for it, download the results, and print the time that each part took.

    The job consists of `puzzles` puzzles, for which `lines` is repeated. After its upload, a job of
    ten puzzles is uploaded to measure how long it waits. Exits with a message if any result is
    missing.
    """
    url = service.url
    waited: list[float] = []
    upload = pieces(puzzles, lines)
    another = httpx.Client(base_url=url, timeout=60)  # Creating a client takes 50 ms.
    before = processor_times(service)
    began = time.perf_counter()
    # The standard library's HTTP client needs a third of httpx's time per byte, and this
    # doesn't measure the client. It doesn't request Zstandard, so responses aren't compressed.
    client = HTTPConnection(url.removeprefix("http://"), timeout=120)
    chunked = {"Transfer-Encoding": "chunked"}
    client.request("POST", "/api/v1/jobs", upload, chunked, encode_chunked=True)
    job = json.load(client.getresponse())
    uploaded = time.perf_counter()
    small = threading.Thread(target=small_job, args=(another, waited))
    small.start()
    while job["state"] != "finished":
        client.request("GET", f"/api/v1/jobs/{job['id']}?wait=20")
        job = json.load(client.getresponse())
    finished = time.perf_counter()
    results, last = 0, b""
    client.request("GET", f"/api/v1/jobs/{job['id']}/results")
    response = client.getresponse()
    while piece := response.read(PIECE):
        results += int(np.count_nonzero(np.frombuffer(piece, np.uint8) == ord("\n")))
        last = piece
    client.close()
    downloaded = time.perf_counter()
    after = processor_times(service)
    small.join()
    another.close()
    if results != puzzles or json.loads(last.splitlines()[-1])["n"] != puzzles:
        raise SystemExit(f"{results} results for {puzzles} puzzles")
    print(
        f"machine            {platform.processor() or platform.machine()}, {os.cpu_count()} cores"
    )
    print(f"upload             {uploaded - began:8.2f} s")
    print(f"solved after       {finished - began:8.2f} s")
    print(f"download           {downloaded - finished:8.2f} s")
    print(f"records per second {puzzles / (downloaded - began):8,.0f}")
    print(f"job of ten puzzles {waited[0]:8.2f} s")
    for name, used in after.items():
        print(f"processor s, {name:<8}{used - before[name]:6.2f}")
    for name, process in (("worker", service.worker), ("web", service.web)):
        peaks = ", ".join(f"{size:.0f}" for size in memory_of(process, peak=True))
        print(f"peak MB, {name:<9} {peaks}")


if __name__ == "__main__":
    main()
