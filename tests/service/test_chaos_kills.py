"""No result is lost or duplicated if a process is killed with SIGKILL.

A worker is killed in any phase of a chunk, and a web server during an upload. A function is patched
so that the process kills itself at exactly that point. A process that ended is started again, as a
supervisor would do.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from breaking import HARD, check_results, job_of, submit
from running import Processes
from services import wait_until

from worker.service import Service

pytestmark = [pytest.mark.redis, pytest.mark.chaos]
RECORDS = 1_000
DEATHS = 2
# Kills its process before or after a call of a function, once for each mark file it can create.
KILLS = """
import os, signal, sys
from functools import reduce
from importlib import import_module

def die():
    for number in range({deaths}):
        try:
            os.close(os.open(f"{marks}/death-{{number}}", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)

module, _, name = "{place}".partition(":")
*owners, name = name.split(".")
owner = reduce(getattr, owners, import_module(module))
function = getattr(owner, name)

def dies(*arguments, **options):
    if "{when}" == "before":
        die()
    answer = function(*arguments, **options)
    if "{when}" == "after":
        die()
    return answer

setattr(owner, name, dies)
"""
WORKS = """
from web.commands.cli import main
main(["worker", "--concurrency", "2"])
"""
UPLOADS = """
from worker.ingest.ingest import ingest
from worker.job import JobOptions
from worker.service import connect_service
from worker.settings import Settings
text = {text!r} * {records}
service = connect_service(Settings.from_environment())
ingest(service, [text.encode()], options=JobOptions(), name="a", client="me")
"""
# The phases of a chunk in a worker, in chronological order.
PHASES = {
    "after its lease is acquired": ("worker.store.chunks:ChunkStore.acquire", "after"),
    "before it is parsed": ("worker.process.chunk_runner:_parse", "before"),
    "before results are committed": ("worker.store.chunks:ChunkStore.commit", "before"),
    "after results are committed": ("worker.store.chunks:ChunkStore.commit", "after"),
    "before the job's end is recorded": ("worker.store.active_jobs:ActiveJobs.remove", "before"),
    "before it is requeued": ("worker.store.chunks:ChunkStore.requeue", "before"),
    "while it is requeued": ("worker.store.chunks:ChunkStore.requeue", "after"),
    "before the next chunks are selected": ("worker.store.chunks:ChunkStore.dispatch", "before"),
    "before the next chunks are sent": ("worker.store.chunks:ChunkStore.dispatch", "after"),
    "before the recovery": ("worker.dispatch:Dispatcher.recover_lost_chunks", "before"),
    "before the recovery sends it again": ("worker.store.recovery:Recovery.recover", "after"),
    "after the recovery": ("worker.dispatch:Dispatcher.recover_lost_chunks", "after"),
}


def deaths(folder: Path) -> int:
    return len(list(folder.glob("death-*")))


def finish(queue: Service, crew: Processes, program: str, job_id: str) -> None:
    """Run a worker, restarted whenever it has ended, until a job is done and its end recorded.

    Fails after 600 s, or if any result is missing or wrong.
    """
    worker: subprocess.Popen[bytes] | None = None

    def is_done() -> bool:
        nonlocal worker
        if worker is None or worker.poll() is not None:
            worker = crew.start([sys.executable, "-c", program], log="worker.log")
        return job_of(queue, job_id).state.final and queue.active_jobs.count_all() == 0

    wait_until(is_done, seconds=600)
    check_results(queue, job_id, records=RECORDS)


@pytest.mark.parametrize("phase", PHASES)
def test_chunk_survives_the_death_of_its_process(
    phase: str, queue: Service, hasty: Processes, tmp_path: Path
) -> None:
    place, when = PHASES[phase]
    program = KILLS.format(deaths=DEATHS, marks=tmp_path, place=place, when=when) + WORKS
    job_id = submit(queue, HARD * RECORDS)
    finish(queue, hasty, program, job_id)
    assert deaths(tmp_path) > 0  # A place such as the recovery may be reached only once.


def test_upload_survives_the_death_of_its_web_server_before_dispatch(
    queue: Service, hasty: Processes, tmp_path: Path
) -> None:
    """The upload is complete, but its last chunks haven't been dispatched."""
    place, when = "worker.store.jobs:JobStore.seal", "after"
    kills = KILLS.format(deaths=1, marks=tmp_path, place=place, when=when)
    uploads = UPLOADS.format(text=HARD, records=RECORDS)
    web = hasty.start([sys.executable, "-c", kills + uploads], log="web.log")
    assert web.wait(300) == -9
    (job_id,) = queue.active_jobs.ids()
    assert job_of(queue, job_id).sealed_at is not None
    finish(queue, hasty, WORKS, job_id)
