"""Measure the response times of the editor's live verdict with many simultaneous setters.

Each setter adds a given every second or two, and requests a verdict after 0.5 s as the editor does.
Every third setter has cages, and every fourth requests the true candidates.

    python benchmarks/setters.py [--url http://127.0.0.1:8000] [--setters 20] [--seconds 20]
"""

import argparse
import json
import random
import statistics
import threading
import time

import httpx

_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
_CAGES = [
    {"type": "killer", "cells": ["r1c1", "r2c1"], "sum": 11},
    {"type": "killer", "cells": ["r5c5", "r5c6", "r6c6"], "sum": 12},
    {"type": "thermo", "cells": ["r3c1", "r3c2"]},
]
_OPTIONS: dict[str, int | str] = {"limit": 3, "step_limit": 100_000, "wait": 4, "expires_in": 60}


def main() -> None:
    """Print the percentiles of the response times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--setters", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    times: list[float] = []
    statuses: list[int] = []
    end = time.monotonic() + arguments.seconds
    threads = [
        threading.Thread(target=_draw, args=(arguments.url, number, end, times, statuses))
        for number in range(arguments.setters)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cuts = [round(1000 * seconds) for seconds in statistics.quantiles(times, n=100)]
    print(f"{len(times)} verdicts, {sum(status != 200 for status in statuses)} not in time")
    print(
        f"p50 {cuts[49] * 1000:.0f} ms, p95 {cuts[94] * 1000:.0f} ms, p99 {cuts[98] * 1000:.0f} ms"
    )


def _draw(url: str, number: int, end: float, times: list[float], statuses: list[int]) -> None:
    """Change a puzzle again and again until the time `end`, and record the response times."""
    chance = random.Random(number)
    cells = chance.sample(range(81), 81)
    options = dict(_OPTIONS)
    if number % 4 == 0:
        options |= {"limit": 10, "true_candidates": "true"}
    with httpx.Client(base_url=url, timeout=30) as http:
        time.sleep(chance.uniform(0, 1.5))
        for count in range(12, 40):
            if time.monotonic() > end:
                return
            shown = set(cells[:count])
            text = "".join(each if cell in shown else "." for cell, each in enumerate(_SOLUTION))
            if number % 3 == 0:
                text = json.dumps({"puzzle": text, "constraints": _CAGES})
            begin = time.monotonic()
            answer = http.post("/api/v1/solve", params=options, content=text)
            times.append(time.monotonic() - begin)
            statuses.append(answer.status_code)
            time.sleep(chance.uniform(1, 2))


if __name__ == "__main__":
    main()
