"""Load test with many concurrent clients: requests per second, response times, and memory.

    python -m pip install '.[load]'
    python benchmarks/load.py [--seconds 60] [--users 24] [--rounds 2]

Runs a private Redis, a worker with two slots, and the web server on this machine. Locust runs the
users in `benchmarks/visitors.py`, who send requests as fast as they get responses. Three quarters
of them poll a job. The others submit ten puzzles, wait, download the results, and delete the job.
Prints a table of requests per second, median, 99th percentile, and errors, and the memory of all
parts before the first round and after each one. Exits with 1 if any request failed.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from running import Running, memory_of, running

from worker.connection import connect

VISITORS = Path(__file__).with_name("visitors.py")
MB = 1 << 20


def visit(service: Running, *, users: int, seconds: int) -> Iterator[dict[str, str]]:
    """Run Locust's users for some seconds, and yield the rows of its table of statistics.

    There is a row for each kind of request, and one for all together.
    """
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "locust", "--locustfile", VISITORS, "--headless",
             "--host", service.url, "--users", str(users), "--spawn-rate", str(users),
             "--run-time", f"{seconds}s", "--csv", f"{folder}/load", "--only-summary"],
            check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with Path(folder, "load_stats.csv").open(newline="") as file:
            yield from csv.DictReader(file)


def show_memory(service: Running, when: str) -> None:
    """Print the memory in MiB of the web server, the worker, and Redis in a row labeled `when`."""
    redis = connect(service.redis_url)
    used = redis.info("memory")["used_memory"] / MB
    redis.close()
    web, worker = (sum(memory_of(process)) for process in (service.web, service.worker))
    print(f"| {when} | {web:.0f} | {worker:.0f} | {used:.1f} |", flush=True)


def main() -> None:
    """Run the load test and print its tables. Exits with 1 if a request failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--seconds", type=int, default=60, help="seconds per round (default: %(default)s)"
    )
    parser.add_argument(
        "--users", type=int, default=24, help="concurrent users (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=2, help="rounds (default: %(default)s)")
    options = parser.parse_args()
    failed = 0
    with running(slots=2) as service:
        print("| MB | web | workers | Redis |\n|---|---|---|---|")
        show_memory(service, "before")
        requests = 0
        for _ in range(options.rounds):
            counted = list(visit(service, users=options.users, seconds=options.seconds))
            requests += int(counted[-1]["Request Count"])
            failed += int(counted[-1]["Failure Count"])
            show_memory(service, f"after {requests:,} requests")
    print("\n| request | a second | median ms | p99 ms | longest ms | errors |")
    print("|---|---|---|---|---|---|")
    for row in counted:
        cells = (
            row["Name"], f"{float(row['Requests/s']):.0f}", row["50%"], row["99%"],
            f"{float(row['Max Response Time']):.0f}", row["Failure Count"],
        )  # fmt: skip
        print(f"| {' | '.join(cells)} |")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
