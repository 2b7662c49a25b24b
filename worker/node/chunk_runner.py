"""What a worker does with a message: one chunk, or as much of it as its time budget allows."""

import logging
import os
import socket
from collections.abc import Callable
from functools import lru_cache, partial

from solver.engines.engine import GO_ON
from worker.job import ChunkResult
from worker.node.heartbeat import Heartbeat
from worker.node.solve_block import BlockSolver, failed_results
from worker.service import Service
from worker.store.chunks import Busy, JobPlan, Work
from worker.store.scripts import Verdict

logger = logging.getLogger(__name__)

# Workers may die on a record so many times before it is given up.
MOST_TRIES = 3
_DIED = f"workers died on this record {MOST_TRIES} times"
_BROKE = "an error inside the solver; please report this puzzle"


class ChunkRunner:
    """Runs chunks in one process of the worker called `worker`."""

    def __init__(self, service: Service, *, worker: str) -> None:
        self._service = service
        self._chunks = service.chunks
        self._worker = worker
        # A job's plan never changes, and its chunks come in a row.
        self._plan: Callable[[str], JobPlan | None] = lru_cache(maxsize=64)(self._chunks.plan)

    def run(self, job_id: str, chunk: int) -> None:
        """Solve the chunk unless that is done or being done; send what follows."""
        holder = f"{socket.gethostname()}:{os.getpid()}"
        work = self._begin(job_id, chunk, holder=holder)
        plan = self._plan(job_id) if work is not None else None
        if work is None or plan is None:
            return
        process = os.getpid()
        self._service.registry.begin(self._worker, process, job_id=job_id, chunk=chunk)
        try:
            self._solve(job_id, chunk, work, plan, holder=holder)
        finally:
            self._service.registry.end(self._worker, process)

    def _begin(self, job_id: str, chunk: int, *, holder: str) -> Work | None:
        work = self._chunks.begin(job_id, chunk, holder=holder)
        if isinstance(work, Busy) and _is_dead(work.holder):
            work = self._chunks.begin(job_id, chunk, holder=holder, dead=work.holder)
        return None if isinstance(work, Busy) else work

    def _solve(self, job_id: str, chunk: int, work: Work, plan: JobPlan, *, holder: str) -> None:
        settings = self._service.settings
        solver = _parse(work, plan)
        with Heartbeat(
            partial(self._chunks.renew, job_id, chunk, holder=holder),
            budget=settings.chunk_seconds,
            interval=settings.lease_seconds / 3,
        ) as heartbeat:
            verdict = self._pieces(job_id, chunk, work, solver, heartbeat)
        if verdict is Verdict.MORE:
            if self._chunks.put_back(job_id, chunk, holder=holder):
                self._service.dispatcher.send_again(job_id, chunk)
        elif verdict is Verdict.CHUNK:
            self._service.dispatcher.advance(job_id)

    def _pieces(
        self,
        job_id: str,
        chunk: int,
        work: Work,
        solver: BlockSolver | None,
        heartbeat: Heartbeat,
    ) -> Verdict:
        """Commit result after result until the chunk or its time ends; return the last verdict."""
        total, done, careful = work.block.records, work.done, work.careful
        while True:
            if solver is None:
                lines = [work.block.line] * (total - done)
                result = failed_results(lines=lines, text="", detail=_BROKE)
            elif careful and work.tries > MOST_TRIES and done == work.done:
                result = solver.give_up(done, detail=_DIED)
            elif attempt := _attempt(solver, done, done + 1 if careful else total, heartbeat):
                result = attempt
            elif careful:
                result = solver.give_up(done, detail=_BROKE)
            else:  # some record of them broke the solver: find out which
                careful = True
                continue
            if heartbeat.lost:
                return Verdict.GONE
            verdict = self._chunks.commit(job_id, chunk, done=done, total=total, result=result)
            done += len(result)
            if verdict is not Verdict.MORE or heartbeat.flag[0] != GO_ON:
                return verdict


def _parse(work: Work, plan: JobPlan) -> BlockSolver | None:
    try:
        return BlockSolver(
            work.block, format=plan.format, context=plan.context, options=plan.options
        )
    except Exception:
        logger.exception("a block could not be read")
        return None


def _attempt(
    solver: BlockSolver, start: int, stop: int, heartbeat: Heartbeat
) -> ChunkResult | None:
    """Return the answers, or None where an error inside the solver got in the way."""
    try:
        return solver.solve(start, stop, flag=heartbeat.flag)
    except Exception:
        logger.exception("an error inside the solver, records %d to %d", start, stop)
        return None


def _is_dead(holder: str) -> bool:
    """Return whether a holder was a process of this machine that is no more."""
    host, _, process = holder.rpartition(":")
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
