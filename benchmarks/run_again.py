"""Measure how long it takes to run the puzzles of a job again.

python benchmarks/run_again.py [--puzzles 1000000] [--rounds 3]

Uploads 17-clue puzzles to a web server with one worker of two slots. When the job is finished, this
runs its puzzles again with other options. Each line of the output has the seconds until the
response with the new job, until its first result, and until its last one, and the CPU seconds of
the web server until the response. At last, this compares the results of a repetition of all puzzles
with those of the upload, except for their source.
"""

import argparse
import time
from itertools import zip_longest
from typing import Any

import httpx
from fairness import seventeens
from running import running
from scaling import processor_seconds

_POLL_SECONDS = 0.005
_FINAL = ("finished", "cancelled", "failed")
_REQUESTS: dict[str, dict[str, Any]] = {
    "all": {},
    "the solved ones": {"where": {"outcome": "solved"}},
    "the solved ones, to be rated": {"where": {"outcome": "solved"}, "options": {"rate": True}},
}


def main() -> None:
    """Measure how long it takes to create jobs from the puzzles of a large finished job.

    At last, runs all puzzles again, and compares the results of both jobs.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with running() as service, httpx.Client(base_url=service.url, timeout=600) as http:
        began = time.monotonic()
        first = http.post("/api/v1/jobs", content=seventeens(arguments.puzzles, 1)).json()
        print(f"uploaded in {time.monotonic() - began:.2f} s", flush=True)
        wait(http, first, until_done=arguments.puzzles)
        print(f"solved after {time.monotonic() - began:.2f} s", flush=True)
        for what, request in _REQUESTS.items():
            for _ in range(arguments.rounds):
                run_again(http, first, what, request, web=service.web)
        job = http.post("/api/v1/jobs", json={"from_job": first["id"]}).json()
        wait(http, job, until_done=arguments.puzzles)
        compare(http, first, job)


def run_again(
    http: httpx.Client, first: dict[str, Any], what: str, request: dict[str, Any], *, web: int
) -> None:
    """Run puzzles of the job `first` again, print the times, and delete the new job.

    `request` has the other members of the request, and `what` describes it in the output. With
    other options, the last result isn't awaited. `web` is the process ID of the web server.
    """
    cpu = processor_seconds(web)
    began = time.monotonic()
    answer = http.post("/api/v1/jobs", json={"from_job": first["id"], **request})
    responded = time.monotonic() - began
    cpu = processor_seconds(web) - cpu
    job = answer.raise_for_status().json()
    wait(http, job, until_done=1)
    started = time.monotonic() - began
    finished = "not awaited"
    if "options" not in request:
        wait(http, job, until_done=job["total"])
        finished = f"{time.monotonic() - began:.2f} s"
    http.delete(f"/api/v1/jobs/{job['id']}")
    print(
        f"{what} ({job['total']:,}): response {responded:.2f} s (CPU {cpu:.2f} s), first result "
        f"{started:.2f} s, last result {finished}",
        flush=True,
    )


def wait(http: httpx.Client, job: dict[str, Any], *, until_done: int) -> None:
    """Wait until `until_done` records of a job are done, and the job has ended unless that is 1."""
    while True:
        now = http.get(f"/api/v1/jobs/{job['id']}").json()
        if now["done"] >= until_done and (until_done == 1 or now["state"] in _FINAL):
            return
        time.sleep(_POLL_SECONDS)


def compare(http: httpx.Client, first: dict[str, Any], job: dict[str, Any]) -> None:
    """Print how many results of two jobs are equal.

    `first` and `job` are the jobs as JSON. The records of `job` come from `first`, which its
    results name in two more columns.
    """
    query = {"format": "csv"}
    with (
        http.stream("GET", f"/api/v1/jobs/{first['id']}/results", params=query) as one,
        http.stream("GET", f"/api/v1/jobs/{job['id']}/results", params=query) as other,
    ):
        pairs = zip_longest(one.iter_lines(), other.iter_lines())
        next(pairs)
        equal = sum(f"{a},{first['id']},{a.partition(',')[0]}" == b for a, b in pairs)
    print(f"{equal:,} of {job['total']:,} results are equal")


if __name__ == "__main__":
    main()
