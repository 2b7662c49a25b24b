"""The clients of the load test. Locust runs them, and `benchmarks/load.py` starts Locust."""

from typing import Any

from fairness import seventeens
from locust import FastHttpUser, task

PUZZLES = seventeens(10, 1)
WAIT = "20"


def submit(user: Any) -> str:
    """Upload ten puzzles and return the path of their job's URL."""
    answer = user.client.post("/api/v1/jobs", data=PUZZLES, name="upload ten puzzles")
    return f"/api/v1/jobs/{answer.json()['id']}"


def await_end(user: Any, address: str) -> None:
    """Poll a job with long requests until it's finished. `address` is the path of its URL."""
    state = None
    while state != "finished":
        state = user.client.get(f"{address}?wait={WAIT}", name="wait for the job").json()["state"]


class Poller(FastHttpUser):  # type: ignore[misc]  # locust is not always installed
    """Locust user that requests the same job again and again."""

    weight = 3

    def on_start(self) -> None:
        """Submit the job, and wait until it is finished."""
        self.address = submit(self)
        await_end(self, self.address)

    @task  # type: ignore[untyped-decorator]
    def poll(self) -> None:
        """Request the job once."""
        self.client.get(self.address, name="poll a job")


class Submitter(FastHttpUser):  # type: ignore[misc]
    """Locust user that submits ten puzzles, waits, fetches the results, and deletes the job."""

    weight = 1

    @task  # type: ignore[untyped-decorator]
    def solve(self) -> None:
        """Submit one job, wait for it, fetch and check its results, and delete it."""
        address = submit(self)
        await_end(self, address)
        name = "fetch the results"
        with self.client.get(f"{address}/results", name=name, catch_response=True) as answer:
            if answer.text.count('"outcome":"solved"') != len(PUZZLES.splitlines()):
                answer.failure("not all are solved")
        self.client.delete(address, name="delete the job")
