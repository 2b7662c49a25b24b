"""Fuzz the HTTP API with requests generated from its OpenAPI description.

python benchmarks/fuzz_api.py [--examples 200] [--slowest 1.0]

Runs a private Redis, a worker, and the web server on this machine. For each operation, schemathesis
sends `--examples` valid requests and as many invalid ones. Half of them refer to an existing job.
Prints the number of requests by status, and the slowest time. Exits with 1 if a response had status
500 or above, or took longer than `--slowest` seconds.
"""

import argparse
import contextlib
import sys
import time
from collections import Counter
from typing import Any

import httpx
import schemathesis
from fairness import Client, service
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
PUZZLES = "12.4...2....4..1\n................\nno puzzle\n"


class Run:
    """Sends requests. Counts their statuses, and collects failures and slow responses.

    statuses  number of responses by status
    bad       descriptions of the responses with status 500 or above, and of those that took longer
              than the limit
    slowest   the longest time of a response in seconds

    The parameter `slowest` is the limit in seconds.
    """

    def __init__(self, url: str, *, slowest: float) -> None:
        self.statuses: Counter[int] = Counter()
        self.bad: list[str] = []
        self.slowest = 0.0
        self._client = Client(url, "key0")
        self._most_seconds = slowest
        self._job_id = ""

    def job_id(self) -> str:
        """Return the ID of an existing job: the last one if it still exists, or else a new one."""
        if not self._job_id or "id" not in self._client.job(self._job_id):
            self._job_id = self._client.submit(PUZZLES)
        return self._job_id

    def send(self, case: Any) -> None:
        """Send one generated request with wait=0, and record its status.

        The request is recorded as bad if the status is 500 or above, or if the response took too
        long.
        """
        case.query = {**(case.query or {}), "wait": "0"}
        began = time.monotonic()
        answer = case.call(headers={"Authorization": "Bearer key0"})
        seconds = time.monotonic() - began
        self.slowest = max(self.slowest, seconds)
        self.statuses[answer.status_code] += 1
        if answer.status_code >= 500 or seconds > self._most_seconds:
            self.bad.append(f"{answer.status_code} after {seconds:.1f} s: {case.as_curl_command()}")


def fuzz(operation: Any, mode: GenerationMode, run: Run, *, examples: int) -> None:
    """Send random requests for one API operation, valid or invalid ones according to `mode`.

    `run` sends up to `examples` of them and records the responses. In about half, the job exists.
    """

    @given(operation.as_strategy(generation_mode=mode), st.booleans())
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Any, is_ours: bool) -> None:  # noqa: FBT001 (hypothesis's)
        if is_ours and "job_id" in (case.path_parameters or {}):
            case.path_parameters["job_id"] = run.job_id()
        run.send(case)

    # A request without parameters and body can't be invalid.
    with contextlib.suppress(Unsatisfiable):
        check()


def main() -> None:
    """Fuzz all operations except event streams, and print the results.

    Exits with 1 if a response is bad.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--examples",
        type=int,
        default=200,
        help="requests per operation and kind (default: %(default)s)",
    )
    parser.add_argument(
        "--slowest", type=float, default=1.0, help="time limit in seconds (default: %(default)s)"
    )
    options = parser.parse_args()
    with service(slots=2) as queue:
        document = httpx.get(f"{queue.url}/api/openapi.json").json()
        schema = schemathesis.openapi.from_dict(document)
        schema.config.update(base_url=queue.url)
        run = Run(queue.url, slowest=options.slowest)
        for loaded in schema.get_all_operations():
            operation = loaded.ok()  # type: ignore[union-attr]
            if operation.path.endswith("/events"):
                continue  # Its responses last as long as the job.
            for mode in MODES:
                fuzz(operation, mode, run, examples=options.examples)
    print(f"{run.statuses.total():,} requests, the slowest {run.slowest:.2f} s")
    for status, number in sorted(run.statuses.items()):
        print(f"    {status}  {number:,}")
    for line in run.bad:
        print(line)
    sys.exit(bool(run.bad))


if __name__ == "__main__":
    main()
