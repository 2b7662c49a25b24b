"""Divides the puzzles of a generation request into the blocks of its job."""

from collections.abc import Iterator

from solver.generation.request import GenerationRequest, PuzzleRequest
from worker.ingest.stream import block_size
from worker.job import JobOptions
from worker.records.generation_block import GenerationBlock

# Puzzles without conditions take microseconds. With conditions, they can take seconds each.
_MANY, _FEW = 2_000, 16
_MOST_CHUNKS = 20_000


def generation_blocks(request: GenerationRequest, options: JobOptions) -> Iterator[GenerationBlock]:
    """Yield the blocks of the requested puzzles.

    Puzzles with conditions take long, so their blocks are small. The options limit the size, too.
    Very large requests have larger blocks, so that there aren't too many of them.
    """

    def size(part: PuzzleRequest) -> int:
        records, _ = block_size(_FEW if part.is_selective else _MANY, options)
        return max(records, part.count // _MOST_CHUNKS)

    for numbers in request.ranges(size):
        yield GenerationBlock(numbers.start, len(numbers))
