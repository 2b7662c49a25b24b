"""Submit a batch to a running service and compare every result with the local solver's.

Usage: python tests/service/compose_check.py URL --slots N. Waits until the service has N slots.
"""

import argparse
import json
import time
from importlib.resources import files

import httpx

from solver import Puzzle, parse, solve


def main() -> None:
    """Solve the sample puzzles with a running service, and compare the results with those here.

    Waits up to ten minutes for the slots and for the job. Exits with an error message if that takes
    longer, or if a result differs from the local solver's.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--slots", type=int, required=True, help="number of slots to wait for")
    options = parser.parse_args()
    deadline = time.monotonic() + 600
    while ready_slots(options.url) != options.slots:
        if time.monotonic() > deadline:
            raise SystemExit(f"{options.slots} slots were not ready in time")
        time.sleep(0.5)
    text = (files("solver") / "samples" / "sample.txt").read_text()
    expected = [solve(puzzle).solution for puzzle in parse(text) if isinstance(puzzle, Puzzle)]
    job = httpx.post(f"{options.url}/api/v1/jobs", content=text.encode() * 20, timeout=60).json()
    while job["state"] != "finished":
        if time.monotonic() > deadline:
            raise SystemExit("the job did not finish in time")
        address = f"{options.url}/api/v1/jobs/{job['id']}"
        job = httpx.get(address, params={"wait": 20}, timeout=60).json()
    answer = httpx.get(f"{options.url}/api/v1/jobs/{job['id']}/results", timeout=60)
    found = [json.loads(line)["solution"] for line in answer.text.splitlines()]
    wanted = ["".join(map(str, solution or ())) for solution in expected] * 20
    if found != wanted:
        raise SystemExit("the results differ from the local solver's")
    print(f"{len(found):,} results from {options.slots} slots match the local solver's")


def ready_slots(url: str) -> int:
    """Return how many chunks can be solved concurrently, or 0 while the service isn't ready."""
    try:
        answer = httpx.get(f"{url}/readyz", timeout=5)
    except httpx.TransportError:
        return 0
    return int(answer.json()["slots"]) if answer.is_success else 0


if __name__ == "__main__":
    main()
