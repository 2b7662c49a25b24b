"""Who comes to the service under load, for locust; `benchmarks/load.py` starts it."""

from typing import Any

from fairness import seventeens
from locust import FastHttpUser, task

PUZZLES = seventeens(10, 1)
WAIT = "20"


def submit(user: Any) -> str:
    """Upload ten puzzles and return the address of their job."""
    answer = user.client.post("/api/v1/jobs", data=PUZZLES, name="upload ten puzzles")
    return f"/api/v1/jobs/{answer.json()['id']}"


def await_end(user: Any, address: str) -> None:
    """Poll a job, by long requests, until it is finished."""
    state = None
    while state != "finished":
        state = user.client.get(f"{address}?wait={WAIT}", name="wait for the job").json()["state"]


class Poller(FastHttpUser):  # type: ignore[misc]  # locust is not always installed
    """Asks for the same job again and again."""

    weight = 3

    def on_start(self) -> None:
        """Make the job."""
        self.address = submit(self)
        await_end(self, self.address)

    @task  # type: ignore[untyped-decorator]
    def poll(self) -> None:
        """Ask for it once."""
        self.client.get(self.address, name="poll a job")


class Submitter(FastHttpUser):  # type: ignore[misc]
    """Submits ten puzzles, waits for them, fetches the results and deletes the job."""

    weight = 1

    @task  # type: ignore[untyped-decorator]
    def solve(self) -> None:
        """Do so once."""
        address = submit(self)
        await_end(self, address)
        name = "fetch the results"
        with self.client.get(f"{address}/results", name=name, catch_response=True) as answer:
            if answer.text.count('"outcome":"solved"') != len(PUZZLES.splitlines()):
                answer.failure("not all are solved")
        self.client.delete(address, name="delete the job")
