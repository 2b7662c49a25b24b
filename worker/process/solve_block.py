"""Solves a block of records: parses them, solves them, and collects the results in columns.

Doesn't use Redis. A record is known by its index in the block, from 0.
"""

import dataclasses
import time
from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.result import Outcome
from solver.board.text_lines import Lines
from solver.canonical.minlex import has_minlex, minlex
from solver.engines.engine import GO_ON, StopFlag
from solver.formats import read_block
from solver.formats.format import Context, DigitBlock, Group, Records
from solver.preparing import Code, needed
from solver.solving import solve_many
from worker.job import JobOptions
from worker.options import read_options
from worker.process.minimality import find_redundant
from worker.process.rating import rate_and_explain
from worker.process.result_columns import ResultColumns, as_slice, between, packed
from worker.process.true_candidates import count_candidates
from worker.records.boards import pack_board
from worker.records.chunk_result import ChunkResult
from worker.records.generation_block import GenerationBlock
from worker.records.selected_block import SelectedBlock, StoredBlock

# Records of several groups, and records to rate or explain, are solved in stretches of this many.
# The length doubles while a stretch takes less than this time. The results of one stretch can be
# lost when the chunk's time slice ends.
_FIRST_STRETCH = 4
_STRETCH_SECONDS = 0.02
_DIGITS = "123456789"
_NO_GROUP = -1
_NO_RECORD = -1


class BlockSolver:
    """Solves the records of one block, which are parsed only once, in any number of calls.

    `checkpoint` is the saved state of the first record without a result after a call of `solve`, or
    None if this record wasn't suspended. `are_in_results` states whether the records can be
    restored from their results. A group consists of the block's puzzles with the same layout.
    """

    def __init__(
        self, records: Records, *, options: JobOptions, are_in_results: bool = False
    ) -> None:
        self._options = options
        # of the first record without a result, if it was suspended
        self.checkpoint: Checkpoint | None = None
        self.are_in_results = are_in_results
        self.new_digests = b""  # only generated puzzles have digests
        self._records = records
        count = len(records)
        self._group_of = np.full(count, _NO_GROUP, np.int64)
        self._row_of = np.zeros(count, np.int64)
        for number, group in enumerate(self._records.groups):
            rows = as_slice(group.rows)
            self._group_of[rows] = number
            self._row_of[rows] = np.arange(len(group.rows))

    def __len__(self) -> int:
        return len(self._records)

    @property
    def codes(self) -> frozenset[Code]:
        """The units of compiled code that the records need.

        These are the engines for the boards, and the code that the job's options need. A block
        without valid puzzles needs none.
        """
        codes = {
            needed(group.layout, candidates=group.candidates is not None)
            for group in self._records.groups
        }
        if codes and self._options.minlex:
            codes.add(Code.MINLEX)
        if codes and self._options.needs_logic:
            codes.add(Code.LOGIC)
        return frozenset(codes)

    def solve(
        self, start: int, stop: int, *, flag: StopFlag, checkpoint: Checkpoint | None = None
    ) -> ChunkResult:
        """Solve the records start…stop−1, and return their results from `start` on.

        If `flag` becomes FINISH, fewer records are solved, but at least one. If it becomes ABANDON,
        there may be no results. Then `self.checkpoint` belongs to the next record. The record
        `start` resumes from `checkpoint`, if given.

        The records of a group are solved together. If groups alternate, a later record may be
        solved before an earlier one. If the flag then stops the solver before the earlier one, the
        result of the later one is lost. The same applies to records that were solved but not rated
        or explained yet. Therefore only a few consecutive records are solved together, which limits
        the loss.
        """
        columns = ResultColumns(stop - start)
        first, length = start, _FIRST_STRETCH
        self.checkpoint = None
        abandoned = _NO_RECORD
        while start < stop and (start == first or flag[0] == GO_ON):
            end = min(start + length, stop)
            if not self._options.studies:
                others = np.flatnonzero(self._group_of[start:stop] != self._group_of[start])
                end = max(end, start + int(others[0]) if len(others) else stop)
            began = time.monotonic()
            for record in self._solve_stretch(
                first, start, end, columns, flag, checkpoint=checkpoint
            ):
                abandoned = record
            if time.monotonic() - began < _STRETCH_SECONDS:
                length *= 2
            start, checkpoint = end, None
        end = first + columns.answered
        if end != abandoned:
            self.checkpoint = None
        return columns.result(
            self._records.lines[first:end],
            notes=between(self._records.notes, first, end),
            names=between(self._records.names, first, end),
            own=between(self._records.own, first, end),
            own_names=self._records.own_names,
        )

    def _solve_stretch(
        self,
        first: int,
        start: int,
        stop: int,
        columns: ResultColumns,
        flag: StopFlag,
        *,
        checkpoint: Checkpoint | None,
    ) -> Iterator[int]:
        """Solve the records start…stop−1, group by group, and store the results in `columns`.

        Position 0 of the columns is the record `first`. `checkpoint` is that of the record `start`,
        or None. Invalid records always get results.

        For each group that the flag interrupts, yields the first record without a result. Then
        `self.checkpoint` is that of this record, if it was saved. Once the flag is set, groups are
        skipped and yield nothing, except for the group of the record `first`.
        """
        group_of = self._group_of[start:stop]
        turns = np.append(0, np.flatnonzero(np.diff(group_of)) + 1)
        for number in dict.fromkeys(group_of[turns].tolist()):
            records = np.flatnonzero(group_of == number) + start
            if number == _NO_GROUP:
                for record in records.tolist():
                    columns.put_invalid(record - first, self._records.invalid[record])
            elif records[0] == first or flag[0] == GO_ON:
                group = self._records.groups[number]
                done = self._solve_group(
                    group, records, first, columns, flag, checkpoint=checkpoint
                )
                if done < len(records):
                    yield int(records[done])
            checkpoint = None

    def _solve_group(
        self,
        group: Group,
        records: NDArray[np.int64],
        first: int,
        columns: ResultColumns,
        flag: StopFlag,
        *,
        checkpoint: Checkpoint | None,
    ) -> int:
        """Solve records of one group, store the results, and return the number of results.

        The results include what the options request, such as ratings, and the comparison with the
        solution in the upload. `records` contains the indices of the records in the block. Position
        0 of `columns` is the record `first`. There are fewer results than records if the flag stops
        the solver. Then `self.checkpoint` is that of the next record, if it was saved.
        """
        part = group.part(self._row_of[records])
        batch = solve_many(
            part.givens,
            layout=part.layout,
            limit=self._options.limit,
            listed=self._options.lists or self._options.keeps_two,
            step_limit=self._options.step_limit,
            stop=flag,
            candidates=part.candidates,
            checkpoint=checkpoint,
        )
        self.checkpoint = batch.checkpoint
        if self._options.needs_logic:
            rated = rate_and_explain(
                part, batch, options=self._options, flag=flag, checkpoint=checkpoint
            )
            columns.put_ratings(records - first, rated)
            if rated.done < len(batch):
                self.checkpoint = rated.checkpoint
            batch = batch.first(rated.done)
        if self._options.true_candidates:
            counted = count_candidates(
                part, batch, options=self._options, flag=flag, checkpoint=checkpoint
            )
            columns.put_candidates(records - first, counted.candidates)
            if len(counted.candidates) < len(batch):
                self.checkpoint = counted.checkpoint
            batch = batch.first(len(counted.candidates))
        if self._options.needs_minimality:
            tested = find_redundant(
                part, batch, options=self._options, flag=flag, checkpoint=checkpoint
            )
            columns.put_minimality(records - first, tested.minimality)
            if len(tested.minimality) < len(batch):
                self.checkpoint = tested.checkpoint
            batch = batch.first(len(tested.minimality))
        places = records[: len(batch)] - first
        columns.put_batch(places, part, batch, lists=self._options.lists)
        if self._options.minlex and has_minlex(part.layout) and part.candidates is None:
            rows = np.flatnonzero(batch.outcomes != Outcome.INVALID)
            columns.put_minlex(places[rows], minlex(part.givens[rows]))
        if part.expected is not None:
            columns.compare(places, part, batch, part.expected)
        return len(batch)

    def give_up(self, record: int, *, detail: str) -> ChunkResult:
        """Return a result with the outcome `failed` for one record, without solving it.

        `detail` is the reason for the user. The result has the puzzle's text, its candidates, its
        name, and the fields of the user's columns.
        """
        number = int(self._group_of[record])
        line = int(self._records.lines[record])
        fields_of_record = {
            "names": between(self._records.names, record, record + 1),
            "own": between(self._records.own, record, record + 1),
            "own_names": self._records.own_names,
        }
        if number == _NO_GROUP:
            text = self._records.invalid[record].text.replace("\n", " ")
            return replace(
                failed_results(lines=[line], text=text, detail=detail), **fields_of_record
            )
        group, row = self._records.groups[number], int(self._row_of[record])
        text = group.symbols.write(group.givens[row].tolist())
        board = pack_board(group.layout, group.symbols)
        return replace(
            failed_results(lines=[line], text=text.replace("\n", " "), detail=detail),
            kinds=() if board is None else (board,),
            kind_of=np.zeros(1, "<i4").tobytes(),
            candidates={} if group.candidates is None else {0: packed(group.candidates[row])},
            **fields_of_record,
        )


def parse_block(
    block: StoredBlock, *, format: str, context: Context, options: JobOptions
) -> BlockSolver:
    """Parse the records of a block, and return the solver for them.

    Raises TypeError if the puzzles of the block are to be generated, so that it contains no text.
    """
    text = block.block if isinstance(block, SelectedBlock) else block
    if isinstance(text, GenerationBlock):
        raise TypeError("these puzzles must be generated")
    records = read_block(text, format=format, context=context, options=read_options(options))
    are_in_results = isinstance(text, DigitBlock) and _are_repeated(text, records)
    if isinstance(block, SelectedBlock):
        records = _select(records, block)
    return BlockSolver(records, options=options, are_in_results=are_in_results)


def _select(records: Records, block: SelectedBlock) -> Records:
    """Return the selected records among all records of `block`."""
    selected = records if block.places is None else records.at(block.places)
    return selected if block.lines is None else dataclasses.replace(selected, lines=block.lines)


def _are_repeated(block: DigitBlock, records: Records) -> bool:
    """Return whether the records of a block can be restored from the puzzles in their results.

    They can't if they have names, notes, candidates, or solutions, for example, or if the results
    use other symbols. `records` are the parsed records.
    """
    if len(records.groups) != 1 or records.names or records.notes or records.own_names:
        return False
    (group,) = records.groups
    if group.candidates is not None or group.expected is not None:
        return False
    symbols = group.symbols
    return (
        "".join(symbols.values) == _DIGITS[: len(symbols.values)]
        and (symbols.blank == chr(block.blank) or bool(block.grid.all()))
        and np.array_equal(group.givens, block.grid)
    )


def failed_results(*, lines: list[int], text: str, detail: str) -> ChunkResult:
    """Return results with the outcome `failed` for consecutive records.

    `lines` contains their line numbers in the upload. All records get `text` as their puzzle, and
    `detail` as the reason.
    """
    count = len(lines)
    zeros = np.zeros(count, "<i8").tobytes()
    return ChunkResult(
        lines=np.array(lines, "<i8").tobytes(),
        outcomes=bytes([Outcome.FAILED]) * count,
        counts=zeros,
        steps=zeros,
        puzzles=Lines("\n".join([text] * count)),
        solutions=Lines("\n" * (count - 1)),
        details=dict.fromkeys(range(count), detail),
    )
