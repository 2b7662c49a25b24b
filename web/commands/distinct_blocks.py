"""Makes generated puzzles distinct whose blocks were generated independently of each other."""

import math
from collections.abc import Generator, Iterable

import numpy as np
from numpy.typing import NDArray

from solver.engines.engine import GO_ON
from solver.formats.format import Context
from solver.generation.request import GenerationRequest
from worker.job import JobOptions
from worker.records.chunk_result import ChunkResult
from worker.records.generation_block import GenerationBlock


def distinct_blocks(
    blocks: Iterable[tuple[GenerationBlock, ChunkResult]],
    request: GenerationRequest,
    *,
    context: Context,
    options: JobOptions,
) -> Generator[tuple[GenerationBlock, ChunkResult]]:
    """Yield the blocks of a request with their results, so that no two puzzles are equivalent.

    The order stays the same. A block is generated again if one of its puzzles is equivalent to a
    puzzle of an earlier block, or to a puzzle that the request lists. Then its puzzles depend on
    those of earlier blocks.
    """
    # Loading Numba takes most of a second, and the blocks are generated in other processes first.
    from solver.generation.distinct import Seen, digests_of  # noqa: PLC0415
    from worker.process.generate_block import GenerationSolver  # noqa: PLC0415

    seen = Seen(request.listed)
    for block, result in blocks:
        settled = result
        layout = request.part_of(block.first).layout
        numbers, grids = _puzzles(block, result)
        digests = digests_of(layout, grids)
        if all(seen.is_new(digest, number=block.first) for digest in digests):
            for number, digest in zip(numbers, digests, strict=True):
                seen.add(digest, number=number)
        else:
            solver = GenerationSolver(block, context=context, options=options, seconds=math.inf)
            solver.seen = seen
            settled = solver.solve(0, len(solver), flag=np.full(1, GO_ON, np.uint8))
        yield block, settled


def _puzzles(block: GenerationBlock, result: ChunkResult) -> tuple[list[int], NDArray[np.uint8]]:
    """Return the numbers of the puzzles that could be made, and their givens (n, cells)."""
    lines = result.puzzles.text.split("\n")
    made = [(number, line) for number, line in enumerate(lines, block.first) if line]
    givens = [[0 if sign == "." else int(sign) for sign in line] for _, line in made]
    cells = len(givens[0]) if givens else 0
    return [number for number, _ in made], np.array(givens, np.uint8).reshape(-1, cells)
