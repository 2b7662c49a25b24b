"""Records of an earlier job that are solved again in a new one."""

from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from solver.formats.format import Block, DigitBlock
from worker.records.chunk_result import ChunkResult
from worker.records.generation_block import GenerationBlock

UnselectedBlock = Block | DigitBlock | GenerationBlock


@dataclass(frozen=True, slots=True, eq=False)
class SelectedBlock:
    """A block of records that were selected from another job, the source.

    block    contains the selected records, and perhaps others
    source   the id of the source
    numbers  (n,) int64: the number of each selected record in the source, from 1, ascending
    places   (n,) int64: the index of each selected record in `block`, ascending, or None if all
             records of `block` are selected
    lines    (n,) int64: the line of each selected record in the upload, or None if `block` has it
    """

    block: UnselectedBlock
    source: str
    numbers: NDArray[np.int64]
    places: NDArray[np.int64] | None = None
    lines: NDArray[np.int64] | None = None

    @property
    def records(self) -> int:
        """The number of selected records."""
        return len(self.numbers)

    @property
    def line(self) -> int:
        """The line number of the first line of `block` in the upload, from 1."""
        return self.block.line


StoredBlock = UnselectedBlock | SelectedBlock


def with_source(result: ChunkResult, block: StoredBlock, *, first: int) -> ChunkResult:
    """Return `result` with the job and the numbers from which its records were selected.

    `result` has the results of records of `block`, from the index `first` on. If `block` wasn't
    selected from another job, `result` is returned unchanged.
    """
    if not isinstance(block, SelectedBlock):
        return result
    numbers = block.numbers[first : first + len(result)]
    return replace(result, source=block.source, source_numbers=numbers.astype("<i8").tobytes())
