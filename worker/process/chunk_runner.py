"""Processes one chunk, or as much of it as its time slice allows.

A chunk is a block of a job's records. A process solves its records from the first one without a
result, commits the results, and then requeues the rest of the chunk, so that processes alternate
between jobs. A record that takes long is suspended, and its chunk is deferred, unless a slot for
slow records is free.
"""

import logging
import os
import secrets
import socket
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from solver.board.checkpoint import Checkpoint
from solver.engines.engine import GO_ON
from solver.preparing import Code
from worker.logs import logging_about, shown_id
from worker.process.generate_block import GenerationSolver, solver_of
from worker.process.heartbeat import Heartbeat
from worker.process.seen_puzzles import SeenPuzzles
from worker.process.shutdown_flag import ShutdownFlag
from worker.process.slots import Slots
from worker.process.solve_block import BlockSolver, failed_results
from worker.records.chunk_result import ChunkResult
from worker.records.selected_block import with_source
from worker.service import Service
from worker.store import schema
from worker.store.chunks import AcquiredChunk, Busy, JobPlan, Newer
from worker.store.counters import (
    CHUNK_SECONDS,
    ENGINE_SECONDS,
    RECORDS,
    SUSPENDED,
    add_to,
    labeled,
    timed,
)
from worker.store.scripts import ScriptReply
from worker.store.serialization import UNREADABLE
from worker.store.throughput import count_done

logger = logging.getLogger(__name__)

Solver = BlockSolver | GenerationSolver

# attempts at a record that may crash a worker process before the record fails
MAX_ATTEMPTS = 3
_CRASHED = f"worker processes crashed on this puzzle {MAX_ATTEMPTS} times; please report the puzzle"
_UNREADABLE = "the stored puzzles can't be read; another version of sudokuq may have stored them"
_REDIS_PAUSE = 0.5
# The time slice of a slow record while others are waiting. It doubles each time that the record
# must start from the beginning.
_SLOW_SLICE_SECONDS = 5.0
# Parsed chunks that a process keeps while they aren't done, because they come back in turn.
_MAX_PARSED = 8
_SOLVER_ERROR = "internal error while solving; please report this puzzle with the id of its job"
_NO_MEMORY = "this puzzle needs more memory than a worker may use (SUDOKUQ_WORKER_MEMORY_BYTES)"


class ChunkRunner:
    """Runs chunks in one process of the worker with the name `worker`.

    A slow record needs one of the `slots`, which the worker's processes share. If none is free, the
    chunk is deferred, and the process is available for other chunks. A chunk is also deferred if it
    needs compiled code for which `are_ready` returns False. If `shutdown` is set, the chunk in
    progress is abandoned and requeued after the grace period. The engine is told to stop if a chunk
    must be deferred or its results are no longer needed. If it doesn't react, another thread calls
    `end_process`, which ends the process.
    """

    def __init__(
        self,
        service: Service,
        *,
        worker: str,
        shutdown: ShutdownFlag | None = None,
        slots: Slots | None = None,
        end_process: Callable[[], None] = lambda: None,
        are_ready: Callable[[Iterable[Code]], bool] = lambda _: True,
    ) -> None:
        self._service = service
        self._chunks = service.chunks
        self._worker = worker
        self._shutdown = shutdown or ShutdownFlag(grace=service.settings.grace_seconds)
        self._slots = slots or Slots(1)
        self._end_process = end_process
        self._counts: dict[str, float] = defaultdict(float)
        self._records_done = 0
        self._fault = _SOLVER_ERROR  # the reason why the last attempt had no result
        self._are_ready = are_ready
        self._parsed: dict[tuple[str, int], Solver] = {}
        self._seen = SeenPuzzles(lambda job, start: self._chunks.digests(job, start=start))
        # A job's plan never changes, and a process often gets several chunks of a job in a row.
        self._plan: Callable[[str], JobPlan | None] = lru_cache(maxsize=64)(self._chunks.plan)

    def run(self, job_id: str, chunk: int) -> None:
        """Solve a chunk for one time slice, and then send chunks that can be sent now.

        Does nothing if the chunk is done or another process has its lease. If Redis fails, results
        that aren't committed yet are lost, and the chunk is requeued when Redis responds again.
        """
        with logging_about(job_id, chunk=chunk):
            self._run_or_requeue(job_id, chunk)

    def _run_or_requeue(self, job_id: str, chunk: int) -> None:
        holder = _new_holder()
        try:
            is_finished = self._run(job_id, chunk, holder=holder)
        except RedisError as error:
            logger.warning("abandoned a chunk because Redis failed: %s", error)
            is_finished = False
        if not is_finished:
            self._requeue_when_possible(job_id, chunk, holder=holder)

    def _run(self, job_id: str, chunk: int, *, holder: str) -> bool:
        """Acquire the lease of a chunk, and solve as much of it as its time slice allows.

        Returns False if the work was abandoned because the lease was lost or the worker is shutting
        down. Then the caller must requeue the chunk. Otherwise returns True, even if the rest of
        the chunk has been requeued or deferred, or if there was nothing to do. If the chunk or its
        job can't be read, the job fails, and True is returned, too.
        """
        try:
            work = self._acquire(job_id, chunk, holder=holder)
            plan = self._plan(job_id) if work is not None else None
        except UNREADABLE:
            logger.exception("could not read a chunk")
            self._chunks.fail(job_id, fault=_UNREADABLE)
            return True
        if work is None or plan is None:
            return True
        if work.slow and not self._slots.acquire():
            self._defer(job_id, chunk, holder=holder, slow=False)
            return True
        process = os.getpid()
        self._service.registry.start_task(
            self._worker, process, job_id=job_id, chunk=chunk, since=work.acquired_at
        )
        began = time.monotonic()
        try:
            with self._service.telemetry.span(
                "chunk", parent=plan.trace, job=shown_id(job_id), chunk=chunk, tries=work.attempts
            ):
                return self._solve(job_id, chunk, work, plan, holder=holder)
        finally:
            self._slots.release()
            self._end(process, work, seconds=time.monotonic() - began)

    def _end(self, process: int, work: AcquiredChunk, *, seconds: float) -> None:
        """Record in one round trip that this process is idle, and add its work to the counters.

        `seconds` is the time since it acquired the chunk `work`. Redis errors are only logged,
        because the results are already stored.
        """
        try:
            with self._service.redis.pipeline(transaction=False) as pipe:
                self._service.registry.end_task(self._worker, process, pipe=pipe)
                self._service.registry.count_done(self._worker, self._records_done, pipe=pipe)
                count_done(pipe, self._records_done, now=work.acquired_at + seconds)
                add_to(pipe, self._counts | timed(CHUNK_SECONDS, seconds))
                pipe.execute()
        except RedisError as error:
            logger.warning("could not update the counters: %s", error)
        self._records_done = 0
        self._counts.clear()

    def _defer(
        self,
        job_id: str,
        chunk: int,
        *,
        holder: str,
        slow: bool = True,
        awaits_code: bool = False,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        """Defer a chunk, and send chunks of the client's other jobs in its place.

        `slow` states that its next record was suspended because it is slow, and `awaits_code` that
        it needs code that isn't compiled yet. `checkpoint` is the state of the search for this
        record, or None if it wasn't saved.
        """
        if slow:
            self._counts[SUSPENDED] += 1
        self._chunks.defer(
            job_id,
            chunk,
            holder=holder,
            slow=slow,
            awaits_code=awaits_code,
            checkpoint=checkpoint,
        )
        self._service.dispatcher.dispatch_others(job_id)

    def _acquire(self, job_id: str, chunk: int, *, holder: str) -> AcquiredChunk | None:
        """Acquire the lease of a chunk, also if its holder is a dead process on this machine.

        Returns None if another process holds it, or if there is nothing to do. Also returns None if
        the job was stored by a newer version, after sending the chunk to newer workers with a
        warning in the log.
        """
        work = self._chunks.acquire(job_id, chunk, holder=holder)
        if isinstance(work, Busy) and _is_dead(work.holder):
            work = self._chunks.acquire(job_id, chunk, holder=holder, dead=work.holder)
        if isinstance(work, Newer):
            logger.warning(
                "left a chunk to newer workers: the job has schema %d, but this version reads "
                "at most %d",
                work.schema,
                schema.SCHEMA,
            )
            self._service.dispatcher.leave_to_newer(job_id, chunk, work)
        return work if isinstance(work, AcquiredChunk) else None

    def _solve(
        self, job_id: str, chunk: int, work: AcquiredChunk, plan: JobPlan, *, holder: str
    ) -> bool:
        settings = self._service.settings

        def end() -> None:
            self._defer(job_id, chunk, holder=holder)
            self._service.registry.end_task(self._worker, os.getpid())
            self._end_process()

        with Heartbeat(
            partial(self._chunks.renew, job_id, chunk, holder=holder),
            lease=settings.lease_seconds,
            must_stop=self._shutdown.grace_is_over,
            may_continue=partial(self._slots.may_hold, _SLOW_SLICE_SECONDS * 2**work.restarts),
            on_unresponsive=end,
        ) as heartbeat:
            began = time.monotonic()
            heartbeat.allow(settings.chunk_seconds)
            solver = self._parsed_or_parse(job_id, chunk, work, plan)
            # If parsing took long, the next process to get the chunk has to parse it again. So
            # solving gets at least as much time as parsing took.
            heartbeat.allow(max(settings.chunk_seconds, time.monotonic() - began))
            is_ready = solver is None or self._are_ready(solver.codes)
            verdict = ScriptReply.MORE
            if is_ready:
                verdict = self._solve_and_commit(job_id, chunk, work, solver, heartbeat)
        if heartbeat.abandoned and not heartbeat.must_wait:
            return False
        if solver is not None and (verdict is ScriptReply.MORE or heartbeat.must_wait):
            self._keep_parsed(job_id, chunk, solver)
        if not is_ready:
            self._defer(job_id, chunk, holder=holder, slow=False, awaits_code=True)
            return True
        if heartbeat.must_wait and verdict in (ScriptReply.MORE, ScriptReply.GONE):
            checkpoint = None if solver is None else solver.checkpoint
            self._defer(job_id, chunk, holder=holder, checkpoint=checkpoint)
            return True
        if verdict is ScriptReply.MORE:
            self._requeue(job_id, chunk, holder=holder)
        elif verdict is ScriptReply.CHUNK_DONE:
            self._service.dispatcher.dispatch(job_id)
        elif verdict is ScriptReply.JOB_DONE:
            self._service.dispatcher.dispatch_others(job_id)
        return True

    def _parsed_or_parse(
        self, job_id: str, chunk: int, work: AcquiredChunk, plan: JobPlan
    ) -> Solver | None:
        """Return the parsed records of a chunk, from this process's memory if they are kept there.

        They are removed from the memory. If they are to be generated, they share this process's set
        of the job's puzzles. Returns None if the chunk can't be parsed, or if earlier
        attempts to parse it probably crashed.
        """
        solver = self._parsed.pop((job_id, chunk), None)
        # After that many crashes, parsing itself must be the cause: no attempt got as far as
        # failing a record.
        if solver is None and work.attempts <= MAX_ATTEMPTS + 1:
            solver = _parse(work, plan)
        if isinstance(solver, GenerationSolver) and solver.seen is not None:
            solver.seen = self._seen.of(job_id, solver.seen)
        return solver

    def _keep_parsed(self, job_id: str, chunk: int, solver: Solver) -> None:
        """Keep the parsed records of an unfinished chunk in case this process gets the chunk again.

        At most 8 chunks are kept. If there are more, the one that was added first is dropped.
        """
        self._parsed[job_id, chunk] = solver
        if len(self._parsed) > _MAX_PARSED:
            del self._parsed[next(iter(self._parsed))]

    def _requeue(self, job_id: str, chunk: int, *, holder: str) -> None:
        """End the lease of a chunk, and send a message for the chunk to the queue again."""
        self._service.dispatcher.send(job_id, self._chunks.requeue(job_id, chunk, holder=holder))

    def _requeue_when_possible(self, job_id: str, chunk: int, *, holder: str) -> None:
        """Requeue the chunk as soon as Redis responds, without counting this attempt as a crash.

        If the worker is shutting down and Redis doesn't respond, the chunk isn't requeued.
        """
        while True:
            try:
                self._requeue(job_id, chunk, holder=holder)
            except (RedisError, OperationalError):
                if self._shutdown.is_set:
                    return
                time.sleep(_REDIS_PAUSE)
            else:
                return

    def _solve_and_commit(
        self,
        job_id: str,
        chunk: int,
        work: AcquiredChunk,
        solver: Solver | None,
        heartbeat: Heartbeat,
    ) -> ScriptReply:
        """Solve records and commit their results until the chunk or its time slice ends.

        `solver` contains the chunk's parsed records. If it is None, all remaining records fail.
        Returns the store's reply to the last commit, or GONE if the heartbeat stopped the work. If
        the next record must be deferred, the results before it are committed first.

        If the solver breaks down, the records are solved one by one from then on, and the record
        that breaks it gets the outcome `failed`. After more than `MAX_ATTEMPTS` attempts at a
        chunk, of which one crashed, the next record gets this outcome without being solved.
        """
        total, done, careful = work.block.records, work.done, work.one_by_one
        checkpoint = work.checkpoint
        while True:
            if solver is None:
                lines = [work.block.line] * (total - done)
                result = failed_results(lines=lines, text="", detail=_SOLVER_ERROR)
            elif careful and work.attempts > MAX_ATTEMPTS and done == work.done:
                result = solver.give_up(done, detail=_CRASHED)
            elif attempt := self._attempt(
                solver, done, done + 1 if careful else total, heartbeat, checkpoint
            ):
                result = attempt
            elif heartbeat.abandoned:
                return ScriptReply.GONE
            elif careful:
                result = solver.give_up(done, detail=self._fault)
            else:  # One of the records broke the solver. Find out which.
                careful = True
                continue
            checkpoint = None
            if heartbeat.abandoned and not heartbeat.must_wait:
                return ScriptReply.GONE
            verdict = self._chunks.commit(
                job_id,
                chunk,
                done=done,
                total=total,
                result=with_source(result, work.block, first=done),
                keep_records=solver is None or not solver.are_in_results,
                new_digests=b"" if solver is None else solver.new_digests,
            )
            self._count(result, verdict)
            done += len(result)
            if verdict is not ScriptReply.MORE or heartbeat.flag[0] != GO_ON:
                return verdict

    def _count(self, result: ChunkResult, verdict: ScriptReply) -> None:
        if verdict in (ScriptReply.MORE, ScriptReply.CHUNK_DONE, ScriptReply.JOB_DONE):
            self._records_done += len(result)
            for outcome, number in result.outcome_counts().items():
                self._counts[labeled(RECORDS, outcome)] += number

    def _attempt(
        self,
        solver: Solver,
        start: int,
        stop: int,
        heartbeat: Heartbeat,
        checkpoint: Checkpoint | None,
    ) -> ChunkResult | None:
        """Solve the records start…stop−1 of a chunk, and return their results. None means an error.

        There are fewer results than records, or none, if the heartbeat's flag stops the solver.
        After an error, `self._fault` contains the reason for the user.
        """
        began = time.monotonic()
        try:
            return solver.solve(start, stop, flag=heartbeat.flag, checkpoint=checkpoint)
        except Exception as error:
            logger.exception("the solver raised an error for records %d to %d", start, stop)
            self._fault = _NO_MEMORY if isinstance(error, MemoryError) else _SOLVER_ERROR
            return None
        finally:
            self._counts[ENGINE_SECONDS] += time.monotonic() - began


def _parse(work: AcquiredChunk, plan: JobPlan) -> Solver | None:
    try:
        return solver_of(work.block, format=plan.format, context=plan.context, options=plan.options)
    except Exception:
        logger.exception("could not parse the puzzles of a chunk")
        return None


def _new_holder() -> str:
    """Return a unique name for one attempt at a chunk, as the holder of the lease.

    Hostname and process ID aren't enough, because a restarted container has the same ones as
    before.
    """
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


def _is_dead(holder: str) -> bool:
    """Return whether the holder of a lease was a process on this machine that has ended.

    A process works on one chunk after the other, so earlier attempts by this process have ended,
    too.
    """
    host, _, process = holder.rpartition(":")[0].rpartition(":")
    if host != socket.gethostname():
        return False
    if int(process) == os.getpid():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
