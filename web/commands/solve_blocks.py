"""Solves the blocks of an input in order, on one or more cores of this machine."""

import math
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

import numpy as np

from solver.engines.engine import GO_ON
from solver.formats.format import Context
from solver.preparing import Code, is_kept
from web.commands.exits import fail
from web.commands.interruptible import in_thread
from web.commands.prepare import make_ready
from web.commands.process_pool import ProcessEnded, process_pool
from worker.job import JobOptions
from worker.records.chunk_result import ChunkResult
from worker.records.selected_block import StoredBlock
from worker.rejection import Rejected

Block_co = TypeVar("Block_co", bound=StoredBlock, covariant=True)
Key = TypeVar("Key")
_BLOCKS_AHEAD = 2  # per process, so that no process idles while a result is written


class BlockSource(Protocol[Block_co]):
    """An input in blocks, with the options for solving them."""

    @property
    def format(self) -> str:
        """The name of the format in which the blocks are written."""
        ...

    @property
    def context(self) -> Context:
        """The details from the beginning of the input that the format requires."""
        ...

    @property
    def options(self) -> JobOptions:
        """The options with which the puzzles are solved."""
        ...

    def blocks(self) -> Iterator[Block_co]:
        """Yield the blocks in order. Raises Rejected if a part of the input is unreadable."""
        ...


@dataclass(frozen=True, slots=True)
class _Task:
    """A block of puzzles, with everything that another process needs to solve it."""

    block: StoredBlock
    format: str
    context: Context
    options: JobOptions


# The result of a block, or the units of code that must be compiled before it can be solved.
_Solved = ChunkResult | frozenset[Code]
_Start = Callable[[Callable[[], _Solved]], "Future[_Solved]"]


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def solve_blocks(
    stream: BlockSource[Block_co], *, processes: int
) -> Generator[tuple[Block_co, ChunkResult]]:
    """Yield each block of an input with its results, in order.

    If a part of the input is unreadable, raises Rejected after the blocks before that part.
    """
    with closing(solve_inputs([(None, stream)], processes=processes)) as solved:
        for _, block, result in solved:
            yield block, result


def solve_inputs(
    inputs: Iterable[tuple[Key, BlockSource[Block_co]]], *, processes: int
) -> Generator[tuple[Key, Block_co, ChunkResult]]:
    """Yield each block of several inputs with its results, in order.

    Each block comes with the key of its input. An input is opened only when the blocks of the ones
    before it have been read. If a part of an input is unreadable, raises Rejected after the blocks
    before that part.
    """
    with _workers(processes) as (start, ahead):
        waiting: deque[tuple[Key, Block_co, _Task, Future[_Solved]]] = deque()
        rejected = None
        try:
            for key, block, task in _tasks(inputs):
                waiting.append((key, block, task, start(partial(_solve, task))))
                if len(waiting) == ahead:
                    its_key, first, its_task, future = waiting.popleft()
                    yield its_key, first, _finished(start, its_task, future)
        except Rejected as error:  # the blocks before it are whole
            rejected = error
        while waiting:
            its_key, first, its_task, future = waiting.popleft()
            yield its_key, first, _finished(start, its_task, future)
        if rejected is not None:
            raise rejected


def _tasks(
    inputs: Iterable[tuple[Key, BlockSource[Block_co]]],
) -> Iterator[tuple[Key, Block_co, _Task]]:
    for key, stream in inputs:
        for block in stream.blocks():
            yield key, block, _Task(block, stream.format, dict(stream.context), stream.options)


def _finished(start: _Start, task: _Task, future: "Future[_Solved]") -> ChunkResult:
    """Wait for the results of a block, and return them.

    If the block needs code that isn't compiled yet, compiles the code, and then solves the block.
    """
    result = future.result()
    if not isinstance(result, ChunkResult):
        make_ready(result)
        result = start(partial(_solve, task, is_ready=True)).result()
    if not isinstance(result, ChunkResult):
        raise TypeError("a block is solved even if its code could not be kept")
    return result


def _solve(task: _Task, *, is_ready: bool = False) -> _Solved:
    """Return the results of a block, or the units of code that must be compiled first.

    If `is_ready`, the block is solved even if code is missing in the cache.
    """
    # Loading Numba takes most of a second, and a process that only reads doesn't need it.
    from worker.process.generate_block import solver_of  # noqa: PLC0415

    solver = solver_of(
        task.block,
        format=task.format,
        context=task.context,
        options=task.options,
        seconds=math.inf,
    )
    missing = frozenset(code for code in solver.codes if not is_kept(code))
    if missing and not is_ready:
        return missing
    return solver.solve(0, len(solver), flag=np.full(1, GO_ON, np.uint8))


@contextmanager
def _workers(processes: int) -> Iterator[tuple[_Start, int]]:
    """Provide a function that starts calls, and the number of calls to have in progress.

    The function starts a call, and returns its future. If `processes` is 1, calls run in a thread
    of this process. Otherwise, they run in a pool of processes, which ends with the `with` block.
    Exits with a message if one of them ends unexpectedly.
    """
    if processes == 1:
        yield in_thread, 1
        return
    try:
        with process_pool(processes) as start:
            yield start, processes * _BLOCKS_AHEAD
    except ProcessEnded:
        fail(
            "a solver process ended unexpectedly, perhaps because of too little memory; try "
            "fewer with -j"
        )
