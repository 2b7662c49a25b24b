"""Generates the puzzles of a chunk, and solves them like uploaded ones."""

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from msgspec.structs import replace

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout, usual_box
from solver.board.puzzle import Invalid
from solver.board.result import Outcome
from solver.canonical.minlex import has_minlex
from solver.engines.engine import StopFlag
from solver.formats.format import Context, Group, Records
from solver.generation.distinct import Seen
from solver.generation.generator import Generated, Generator, Pace, symbols_of
from solver.generation.request import PuzzleRequest
from solver.preparing import Code, needed
from worker.job import JobOptions
from worker.process.seen_puzzles import pack_digests
from worker.process.solve_block import BlockSolver, failed_results, parse_block
from worker.records.chunk_result import ChunkResult
from worker.records.generation_block import GENERATED, GenerationBlock, request_in
from worker.records.selected_block import SelectedBlock, StoredBlock

# Results are committed about that often. After a crash, the puzzles since then are made again.
_STRETCH_SECONDS = 0.5
_MOST_DIGITS = 9


def solver_of(
    block: StoredBlock,
    *,
    format: str,
    context: Context,
    options: JobOptions,
    seconds: float = _STRETCH_SECONDS,
) -> "BlockSolver | GenerationSolver":
    """Return the solver for the records of a block.

    A solver that generates its records returns the results that it has after `seconds`.
    """
    text = block.block if isinstance(block, SelectedBlock) else block
    if isinstance(text, GenerationBlock):
        return GenerationSolver(block, context=context, options=options, seconds=seconds)
    # The puzzles of a generated job that are solved again may be stored as lines of digits.
    written = "line" if format == GENERATED else format
    return parse_block(block, format=written, context=context, options=options)


class GenerationSolver:
    """Generates and solves the puzzles of one block, with the interface of `BlockSolver`.

    A call of `solve` can return fewer results than requested, so that they are committed soon.
    """

    def __init__(
        self,
        block: StoredBlock,
        *,
        context: Context,
        options: JobOptions,
        seconds: float = _STRETCH_SECONDS,
    ) -> None:
        """Prepare to generate the puzzles of `block`, which has their numbers.

        If a call of `solve` has results after `seconds`, it returns them.
        """
        self.checkpoint: Checkpoint | None = None
        self.new_digests = b""
        request = request_in(context)
        self._numbers = _numbers_of(block)
        self._seed = request.seed
        # The caller adds the puzzles of other blocks.
        self.seen = Seen(request.listed) if request.distinct else None
        self._part = request.part_of(self._numbers[0])
        self._options = options
        self._seconds = seconds
        self._generator: Generator | None = None
        self._span = (0, 0)  # of the indices whose puzzles the generator hasn't made yet

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def are_in_results(self) -> bool:
        """Whether the records can be restored from their results."""
        return self._part.random is None and is_plain(self._part.layout)

    @property
    def codes(self) -> frozenset[Code]:
        """The units of compiled code that the records need.

        These are the engine for the board, and the code that its generation and the job's options
        need.
        """
        # Boards with random parts need the general engine. Without the random constraints, the
        # same board may need the classic one.
        is_random = self._part.random is not None
        codes = {needed(self._part.layout)} | ({Code.GENERAL} if is_random else set())
        if Code.CLASSIC in codes:
            codes.add(Code.GENERATION)
        if self._options.minlex or (self.seen is not None and has_minlex(self._part.layout)):
            codes.add(Code.MINLEX)
        if self._options.needs_logic or self._part.needs_logic:
            codes.add(Code.LOGIC)
        return frozenset(codes)

    def solve(
        self, start: int, stop: int, *, flag: StopFlag, checkpoint: Checkpoint | None = None
    ) -> ChunkResult:
        """Generate and solve the records from `start` to stop−1, or only the first few of them.

        At least one result is returned, unless `flag` becomes ABANDON. The record `start` resumes
        from `checkpoint`, if given. Afterwards, `self.checkpoint` has the progress on the first
        record without a result, or None if there is none to save. `self.new_digests` has the packed
        digests of the results.
        """
        if self._generator is None or self._span != (start, stop) or checkpoint is not None:
            numbers = self._numbers[start:stop]
            self._generator = Generator(
                self._part,
                numbers,
                seed=self._seed,
                checkpoint=checkpoint,
                pace=_pace_of(self._part),
                seen=self.seen,
            )
        generated = self._generator.advance(stop=flag, seconds=self._seconds)
        solver = BlockSolver(_records(generated), options=self._options)
        result = _with_given_up(solver.solve(0, len(solver), flag=flag), generated)
        self._span = (start + len(result), stop)
        self.new_digests = pack_digests(generated[: len(result)])
        if len(result) < len(generated):  # The others must be made again.
            self._generator = None
        self.checkpoint = None if self._generator is None else self._generator.checkpoint
        return result

    def give_up(self, record: int, *, detail: str) -> ChunkResult:
        """Return a result with the outcome `failed` for one record, without generating it.

        `detail` is the reason for the user. The result has no puzzle and no digest.
        """
        self.new_digests = b""
        return failed_results(lines=[self._numbers[record]], text="", detail=detail)


@lru_cache(maxsize=8)  # A process makes many blocks of the same request, one after the other.
def _pace_of(part: PuzzleRequest) -> Pace:
    return Pace.of(part)


def is_plain(layout: Layout) -> bool:
    """Return whether a layout is a board of digits with the usual boxes and no other rules."""
    box = usual_box(layout.size) if layout.size <= _MOST_DIGITS else None
    return box is not None and layout is Layout.boxed(*box)


def _numbers_of(block: StoredBlock) -> list[int]:
    numbered = block.block if isinstance(block, SelectedBlock) else block
    if not isinstance(numbered, GenerationBlock):
        raise TypeError("the block contains puzzles")
    numbers = range(numbered.first, numbered.first + numbered.records)
    if isinstance(block, SelectedBlock) and block.places is not None:
        return [numbers[place] for place in block.places.tolist()]
    return list(numbers)


def _records(generated: list[Generated]) -> Records:
    """Return puzzles in the form of parsed records. Those that were given up count as invalid.

    The line of a record is the number of its puzzle.
    """
    rows_of: dict[Layout, list[int]] = {}
    for row, each in enumerate(generated):
        if each.givens is not None:
            rows_of.setdefault(each.layout, []).append(row)
    return Records(
        lines=np.array([each.number for each in generated], np.int64),
        groups=tuple(
            Group(
                layout,
                symbols_of(layout),
                np.array(rows, np.int64),
                np.array([generated[row].givens for row in rows], np.uint8),
            )
            for layout, rows in rows_of.items()
        ),
        invalid={
            row: Invalid(_reasons(each))
            for row, each in enumerate(generated)
            if each.givens is None
        },
    )


def _with_given_up(result: ChunkResult, generated: Iterable[Generated]) -> ChunkResult:
    """Return results in which puzzles that couldn't be made have the outcome `gave_up`."""
    outcomes = bytearray(result.outcomes)
    for row, each in zip(range(len(result)), generated, strict=False):
        if each.givens is None:
            outcomes[row] = Outcome.GAVE_UP
    return replace(result, outcomes=bytes(outcomes))


def _reasons(generated: Generated) -> str:
    """Return a sentence on why a puzzle was given up.

    It has the share of attempts that each condition rejected.
    """
    shares = ", ".join(
        f"{reason} {_percent(count / generated.attempts)}"
        for reason, count in Counter(generated.rejected).most_common()
    )
    return (
        f"none of {generated.attempts:,} attempts met all conditions; rejected because of: {shares}"
    )


def _percent(share: float) -> str:
    """Format a share in percent with enough digits to distinguish it from 0% and 100%."""
    digits = max(0, -math.floor(math.log10(min(share, 1 - share) or 1)) - 2)
    return f"{share:.{digits}%}"
