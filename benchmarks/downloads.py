"""Measure downloads of a rated job as CSV and Parquet: seconds, size, and the web server's memory.

    python benchmarks/downloads.py [--records N] [--formats csv,parquet,report]

Rates the 500 bundled sample puzzles once, and stores their results again and again, in chunks as
workers store them, until the job has N records. No worker runs during the downloads. A new web
server serves each format, so that its peak memory belongs to this format. Also prints the server's
CPU seconds, and when the first bytes arrive. The format `report` is the report on the job instead
of its results.
"""

import argparse
import os
import platform
import tempfile
import time
from http.client import HTTPConnection
from importlib.resources import files
from itertools import cycle
from pathlib import Path

from running import Processes, await_web, find_port, memory_of, processor_time_of

from solver.formats.format import Block
from web.commands.solve_blocks import solve_blocks
from worker.ingest.stream import Stream, open_stream
from worker.job import JobOptions
from worker.private_redis import PrivateRedis
from worker.records.chunk_result import ChunkResult
from worker.service import connect_service
from worker.settings import Settings

_PIECE = 1 << 18


def rated_chunks(options: JobOptions) -> list[ChunkResult]:
    """Return the rated results of the bundled sample in chunks, as a worker stores them."""
    sample = (files("solver") / "samples" / "sample.txt").read_bytes()
    stream = open_stream((sample,), options=options, settings=Settings())
    assert isinstance(stream, Stream)
    return [result for _, result in solve_blocks(stream, processes=1)]


def store(url: str, records: int) -> str:
    """Store a finished job with `records` rated puzzles in the Redis at `url`. Returns its id."""
    options = JobOptions(rate=True)
    service = connect_service(Settings(redis_url=url))
    job_id = service.jobs.create(
        name="rated", options=options, format="line", context={}, client="benchmark"
    )
    stored, chunks = 0, []
    for result in cycle(rated_chunks(options)):
        part = result.slice(0, min(len(result), records - stored))
        stored += len(part)
        block = Block(b"x\n", records=len(part), line=1)
        chunks.append((service.jobs.add_chunk(job_id, block), part))
        if stored == records:
            break
    service.jobs.seal(job_id)
    for number, part in chunks:
        service.chunks.acquire(job_id, number, holder="benchmark")
        service.chunks.commit(job_id, number, done=0, total=len(part), result=part)
    job = service.jobs.get(job_id)
    assert job is not None
    assert job.state.final
    service.app.close()
    service.redis.close()
    return job_id


def measure(redis_url: str, folder: Path, job_id: str, name: str) -> None:
    """Download a job from a new web server, and print the time, size, and memory.

    `name` is a format of results, or "report". The logs of the server go to `folder`.
    """
    port = find_port()
    processes = Processes(redis_url, folder)
    web = processes.web(port=port)
    try:
        await_web(f"http://127.0.0.1:{port}")
        before, idle = processor_time_of(web.pid), memory_of(web.pid)
        client = HTTPConnection(f"127.0.0.1:{port}", timeout=600)
        began, size, first = time.perf_counter(), 0, 0.0
        wanted = "report" if name == "report" else f"results?format={name}"
        client.request("GET", f"/api/v1/jobs/{job_id}/{wanted}")
        response = client.getresponse()
        assert response.status == 200
        while piece := response.read(_PIECE):
            first = first or time.perf_counter() - began
            size += len(piece)
        seconds = time.perf_counter() - began
        client.close()
        peaks = ", ".join(f"{peak:.0f}" for peak in memory_of(web.pid, peak=True))
        print(
            f"{name:<8} {seconds:7.2f} s  first bytes after {first:5.2f} s  {size / 1e6:7.1f} MB  "
            f"processor {processor_time_of(web.pid) - before:6.2f} s  "
            f"MB of processes: {', '.join(f'{each:.0f}' for each in idle)} idle, {peaks} at peak",
            flush=True,
        )
    finally:
        processes.stop()


def main() -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000, help="default: %(default)s")
    parser.add_argument("--formats", default="csv,parquet", help="default: %(default)s")
    options = parser.parse_args()
    print(f"machine: {platform.processor() or platform.machine()}, {os.cpu_count()} cores")
    print(f"load: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
    with tempfile.TemporaryDirectory(prefix="sudokuq-") as name:
        redis = PrivateRedis(Path(name))
        redis.start()
        try:
            job_id = store(redis.url, options.records)
            for format_ in options.formats.split(","):
                measure(redis.url, Path(name), job_id, format_)
        finally:
            redis.stop()


if __name__ == "__main__":
    main()
