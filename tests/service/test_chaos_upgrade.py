"""A rolling upgrade and a rollback with real workers of two versions that store different data."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from breaking import HARD, RECORDS, TINY, check_results, job_of, submit
from running import Processes
from services import wait_until

from worker.service import Service
from worker.store import chunks, jobs, schema
from worker.store.serialization import pack, unpack_block

pytestmark = [pytest.mark.redis, pytest.mark.chaos]
# A worker of the next version. Its blocks have a prefix that this version can't read.
NEWER = """
from worker.store import schema
schema.SCHEMA += 1
from worker.store import chunks
unpack = chunks.unpack_block
chunks.unpack_block = lambda blob: unpack(blob.removeprefix(b"newer"))
from web.commands.cli import main
main(["worker", "--concurrency", "1"])
"""


class Fleet:
    """Start and stop workers of both versions, and open jobs as either web server would.

    `log` is the file to which older workers write.
    """

    def __init__(
        self, queue: Service, crew: Processes, logs: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._queue, self._crew, self._monkeypatch = queue, crew, monkeypatch
        self._own = schema.SCHEMA
        self.log = logs / "worker.log"

    def start_older(self) -> subprocess.Popen[bytes]:
        return self._crew.worker(concurrency=1)

    def start_newer(self) -> subprocess.Popen[bytes]:
        return self._crew.start([sys.executable, "-c", NEWER], log="newer.log")

    def await_slots(self, slots: int) -> None:
        wait_until(lambda: self._queue.registry.slots() == slots)

    def as_newer(self) -> None:
        """Make this process act as the newer web server.

        Its jobs have a newer schema, and their chunks are stored so that older processes can't read
        them.
        """
        self._monkeypatch.setattr(schema, "SCHEMA", self._own + 1)
        self._monkeypatch.setattr(jobs, "pack", lambda thing: b"newer" + pack(thing))
        self._monkeypatch.setattr(
            chunks, "unpack_block", lambda blob: unpack_block(blob.removeprefix(b"newer"))
        )

    def as_older(self) -> None:
        self._monkeypatch.undo()


def stop(worker: subprocess.Popen[bytes]) -> None:
    """Stop a worker as an upgrade does, and wait until it has ended."""
    worker.terminate()
    assert worker.wait(60) == 0


@pytest.fixture
def fleet(
    queue: Service, crew: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Fleet:
    return Fleet(queue, crew, tmp_path, monkeypatch)


def finish(queue: Service, job_id: str) -> None:
    wait_until(lambda: job_of(queue, job_id).state.final, seconds=600)
    check_results(queue, job_id)


def test_rolling_upgrade_loses_nothing(fleet: Fleet, queue: Service) -> None:
    """The web server is upgraded first, which is the harder order."""
    older = fleet.start_older()
    fleet.await_slots(1)
    before = submit(queue, HARD * RECORDS)
    wait_until(lambda: job_of(queue, before).done > 0)
    fleet.as_newer()
    after = submit(queue, HARD * RECORDS)
    small = submit(queue, TINY)
    wait_until(lambda: "left a chunk to newer workers" in fleet.log.read_text())
    assert not job_of(queue, after).state.final
    fleet.start_newer()
    fleet.await_slots(2)
    wait_until(lambda: job_of(queue, small).outcomes["solved"] == 1)
    stop(older)
    for job_id in (before, after):
        finish(queue, job_id)


def test_rollback_loses_nothing(fleet: Fleet, queue: Service) -> None:
    worker = fleet.start_newer()
    fleet.await_slots(1)
    fleet.as_newer()
    newer = submit(queue, HARD * RECORDS)
    wait_until(lambda: job_of(queue, newer).done > 0)
    fleet.start_older()
    fleet.await_slots(2)
    stop(worker)
    done = job_of(queue, newer).done
    assert done < RECORDS
    fleet.as_older()
    finish(queue, submit(queue, HARD * RECORDS))
    # time for the newer version's chunks to be dispatched again, which must not happen
    time.sleep(3)
    fleet.as_newer()
    assert (job_of(queue, newer).done, job_of(queue, newer).state) == (done, "running")
    fleet.start_newer()
    finish(queue, newer)
