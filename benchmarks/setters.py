"""Measure the response times of the editor's live verdict with many simultaneous setters.

Each setter adds a given every second or two, and requests a verdict after each change as the editor
does. Every third setter has cages. Every fourth shows the true candidates, and requests them after
the verdict.

    python benchmarks/setters.py [--url http://127.0.0.1:8000] [--setters 20] [--seconds 20]
"""

import argparse
import json
import random
import statistics
import threading
import time
from dataclasses import dataclass, field

import httpx

_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
_CAGES = [
    {"type": "killer", "cells": ["r1c1", "r2c1"], "sum": 11},
    {"type": "killer", "cells": ["r5c5", "r5c6", "r6c6"], "sum": 12},
    {"type": "thermo", "cells": ["r3c1", "r3c2"]},
]
# The parameters of both requests, as in web/static/editor/verdict.js
_SHARED: dict[str, int | str] = {"wait": 4, "expires_in": 60}
_VERDICT = _SHARED | {"limit": 3, "step_limit": 100_000}
_CANDIDATES = _SHARED | {"limit": 10, "step_limit": 2_000, "true_candidates": "true"}


@dataclass
class Measured:
    """The response times of one kind of request in seconds, and the statuses of the responses."""

    times: list[float] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    def ask(self, http: httpx.Client, text: str, parameters: dict[str, int | str]) -> str:
        """Solve a puzzle, record the time, and return the outcome, or "" if there is no result.

        `text` is the puzzle, and `parameters` are those of the query. If solving takes longer than
        the request waits, deletes the job.
        """
        begin = time.monotonic()
        answer = http.post("/api/v1/solve", params=parameters, content=text)
        self.times.append(time.monotonic() - begin)
        self.statuses.append(answer.status_code)
        if answer.status_code == 202:
            http.delete(answer.json()["links"]["self"])
        return str(answer.json()["outcome"]) if answer.status_code == 200 else ""

    def report(self, name: str) -> str:
        """Return the percentiles in milliseconds, as a text. `name` is what was requested."""
        if len(self.times) < 2:
            return f"{len(self.times)} {name}"
        cuts = [round(1000 * seconds) for seconds in statistics.quantiles(self.times, n=100)]
        return (
            f"{len(self.times)} {name}, {sum(each != 200 for each in self.statuses)} not in time: "
            f"p50 {cuts[49]} ms, p95 {cuts[94]} ms, p99 {cuts[98]} ms"
        )


def main() -> None:
    """Run the setters, and print percentiles of the response times of both kinds of requests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--setters", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    verdicts, candidates = Measured(), Measured()
    end = time.monotonic() + arguments.seconds
    threads = [
        threading.Thread(target=_draw, args=(arguments.url, number, end, verdicts, candidates))
        for number in range(arguments.setters)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(verdicts.report("verdicts"))
    print(candidates.report("true candidates"))


def _draw(url: str, number: int, end: float, verdicts: Measured, candidates: Measured) -> None:
    """Change a puzzle again and again until the time `end`, and record the response times.

    This is one user of the service at `url`. Their `number` determines the puzzle, and which
    requests they send. `end` is a time of `time.monotonic`.
    """
    chance = random.Random(number)
    cells = chance.sample(range(81), 81)
    with httpx.Client(base_url=url, timeout=30) as http:
        time.sleep(chance.uniform(0, 1.5))
        for count in range(12, 40):
            if time.monotonic() > end:
                return
            shown = set(cells[:count])
            text = "".join(each if cell in shown else "." for cell, each in enumerate(_SOLUTION))
            if number % 3 == 0:
                text = json.dumps({"puzzle": text, "constraints": _CAGES})
            outcome = verdicts.ask(http, text, _VERDICT)
            if number % 4 == 0 and outcome in ("solved", "multiple"):
                candidates.ask(http, text, _CANDIDATES)
            time.sleep(chance.uniform(1, 2))


if __name__ == "__main__":
    main()
