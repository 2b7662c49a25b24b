"""From a block of records to columns of answers: parse, solve, write. No Redis in here."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from solver.board.result import Batch, Outcome
from solver.checks.grids import find_conflict, is_solution
from solver.engines.engine import StopFlag
from solver.formats import read_block
from solver.formats.format import Block, Context, Group
from solver.solving import solve_many
from worker.boards import pack_board
from worker.explanations import StoredDifficulty, StoredExplanation
from worker.job import ChunkResult, JobOptions
from worker.node.logic import Studied, study
from worker.options import read_options

_NO_GROUP = -1
_NO_KIND = -1
_STUDIED_AT_A_TIME = 32
UNVERIFIED = "the engine's answer did not pass verification; please report this puzzle"


class BlockSolver:
    """The records of one block, parsed once, solved in as many pieces as it takes."""

    def __init__(self, block: Block, *, format: str, context: Context, options: JobOptions) -> None:
        self._options = options
        self._records = read_block(
            block, format=format, context=context, options=read_options(options)
        )
        count = len(self._records)
        self._group_of = np.full(count, _NO_GROUP, np.int64)
        self._row_of = np.zeros(count, np.int64)
        for number, group in enumerate(self._records.groups):
            self._group_of[group.rows] = number
            self._row_of[group.rows] = np.arange(len(group.rows))

    def __len__(self) -> int:
        return len(self._records)

    def solve(self, start: int, stop: int, *, flag: StopFlag) -> ChunkResult:
        """Answer the records start…stop−1, fewer if the flag is raised meanwhile."""
        columns = _Columns()
        for first, last in self._runs(start, stop):
            number = int(self._group_of[first])
            if number == _NO_GROUP:
                columns.add_invalid(
                    [self._records.invalid[record].text for record in range(first, last)],
                    [self._records.invalid[record].detail for record in range(first, last)],
                )
                continue
            group = self._records.groups[number]
            givens = group.givens[self._row_of[first] : self._row_of[last - 1] + 1]
            candidates = self._candidates(group, first, last)
            batch = solve_many(
                givens,
                layout=group.layout,
                limit=self._options.limit,
                step_limit=self._options.step_limit,
                stop=flag,
                candidates=candidates,
            )
            if self._options.asks_logic:
                studied = study(group, givens, batch, candidates, options=self._options, flag=flag)
                columns.add_studied(studied)
                batch = batch.first(studied.done)
            columns.add_batch(group, givens, batch, candidates)
            if group.expected is not None:
                expected = group.expected[self._row_of[first] :][: len(batch)]
                columns.compare(group, givens, batch, expected)
            if len(batch) < last - first:
                break
        end = start + len(columns)
        return columns.result(
            self._records.lines[start:end],
            notes=_between(self._records.notes, start, end),
            names=_between(self._records.names, start, end),
        )

    def _candidates(self, group: Group, first: int, last: int) -> NDArray[np.uint64] | None:
        """Return the candidates that stand in the records first…last−1, if any do."""
        if group.candidates is None:
            return None
        return group.candidates[self._row_of[first] : self._row_of[last - 1] + 1]

    def give_up(self, record: int, *, detail: str) -> ChunkResult:
        """Answer one record by `failed`."""
        number = int(self._group_of[record])
        line = int(self._records.lines[record])
        names = _between(self._records.names, record, record + 1)
        if number == _NO_GROUP:
            text = self._records.invalid[record].text.replace("\n", " ")
            return replace(failed_results(lines=[line], text=text, detail=detail), names=names)
        group = self._records.groups[number]
        text = group.symbols.write(group.givens[self._row_of[record]].tolist())
        board = pack_board(group.layout, group.symbols)
        return replace(
            failed_results(lines=[line], text=text.replace("\n", " "), detail=detail),
            kinds=() if board is None else (board,),
            kind_of=np.zeros(1, "<i4").tobytes(),
            names=names,
            candidates=_by_position(self._candidates(group, record, record + 1)),
        )

    def _runs(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield the stretches of consecutive records that belong to one group.

        Logic takes so much longer than solving that only short ones are solved before it.
        """
        changes = np.flatnonzero(np.diff(self._group_of[start:stop])) + 1 + start
        steps = range(start, stop, _STUDIED_AT_A_TIME) if self._options.asks_logic else ()
        edges = sorted({start, *changes.tolist(), *steps, stop})
        if start < stop:
            yield from pairwise(edges)


class _Columns:
    """The columns of a `ChunkResult` while they grow."""

    def __init__(self) -> None:
        self._outcomes: list[NDArray[np.uint8]] = []
        self._counts: list[NDArray[np.int64]] = []
        self._steps: list[NDArray[np.int64]] = []
        self._puzzles: list[str] = []
        self._solutions: list[str] = []
        self._kinds: dict[bytes, int] = {}
        self._kind_of: list[NDArray[np.int32]] = []
        self._details: dict[int, str] = {}
        self._candidates: dict[int, bytes] = {}
        self._listed: dict[int, list[str]] = {}
        self._difficulties: dict[int, StoredDifficulty] = {}
        self._explanations: dict[int, StoredExplanation] = {}

    def __len__(self) -> int:
        return len(self._puzzles)

    def add_studied(self, studied: Studied) -> None:
        """Add what logic says of the batch that is added next."""
        first = len(self)
        self._difficulties |= {first + row: rated for row, rated in studied.difficulties.items()}
        self._explanations |= {first + row: entry for row, entry in studied.explanations.items()}

    def add_invalid(self, texts: list[str], details: list[str]) -> None:
        self._details.update(enumerate(details, len(self)))
        self._append(
            np.full(len(texts), Outcome.INVALID, np.uint8),
            np.zeros(len(texts), np.int64),
            np.zeros(len(texts), np.int64),
            [text.replace("\n", " ") for text in texts],
            [""] * len(texts),
            kind=_NO_KIND,
        )

    def add_batch(
        self,
        group: Group,
        givens: NDArray[np.uint8],
        batch: Batch,
        candidates: NDArray[np.uint64] | None,
    ) -> None:
        size, write_many = len(batch), group.symbols.write_many
        board = pack_board(group.layout, group.symbols)
        kind = _NO_KIND if board is None else self._kinds.setdefault(board, len(self._kinds))
        solutions = write_many(batch.solutions)
        for row in np.flatnonzero(batch.counts == 0).tolist():
            solutions[row] = ""
        for row in np.flatnonzero(batch.outcomes == Outcome.INVALID).tolist():
            conflict = find_conflict(group.layout, givens[row], group.symbols)
            self._details[len(self) + row] = conflict or "the givens break a rule"
        for row in np.flatnonzero(batch.outcomes == Outcome.FAILED).tolist():
            self._details[len(self) + row] = UNVERIFIED
        if batch.listed is not None:
            for row, listed in enumerate(batch.listed):
                self._listed[len(self) + row] = write_many(listed)
        self._candidates |= _by_position(
            None if candidates is None else candidates[:size], first=len(self)
        )
        self._append(
            batch.outcomes,
            batch.counts,
            batch.steps,
            write_many(givens[:size]),
            solutions,
            kind=kind,
        )

    def compare(
        self,
        group: Group,
        givens: NDArray[np.uint8],
        batch: Batch,
        expected: NDArray[np.uint8],
    ) -> None:
        """Remark on solutions in the upload that are not ours; of the batch added last."""
        first = len(self) - len(batch)
        differ = expected.any(axis=1) & (expected != batch.solutions).any(axis=1)
        differ &= batch.outcomes != Outcome.INVALID
        for row in np.flatnonzero(differ).tolist():
            remark = _difference(group, givens[row], batch, row, expected[row])
            known = self._details.get(first + row)
            self._details[first + row] = f"{known}; {remark}" if known else remark

    def _append(
        self,
        outcomes: NDArray[np.uint8],
        counts: NDArray[np.int64],
        steps: NDArray[np.int64],
        puzzles: list[str],
        solutions: list[str],
        *,
        kind: int,
    ) -> None:
        self._outcomes.append(outcomes)
        self._counts.append(counts)
        self._steps.append(steps)
        self._puzzles += puzzles
        self._solutions += solutions
        self._kind_of.append(np.full(len(puzzles), kind, "<i4"))

    def result(
        self, lines: NDArray[np.int64], *, notes: dict[int, str], names: dict[int, str]
    ) -> ChunkResult:
        return ChunkResult(
            lines=lines.astype("<i8").tobytes(),
            outcomes=b"".join(column.tobytes() for column in self._outcomes),
            counts=b"".join(column.astype("<i8").tobytes() for column in self._counts),
            steps=b"".join(column.astype("<i8").tobytes() for column in self._steps),
            puzzles="\n".join(self._puzzles),
            solutions="\n".join(self._solutions),
            kinds=tuple(self._kinds),
            kind_of=b"".join(column.tobytes() for column in self._kind_of),
            details=notes | self._details,
            names=names,
            candidates=self._candidates,
            listed=self._listed,
            difficulties=self._difficulties,
            explanations=self._explanations,
        )


def _between(by_record: Mapping[int, str], start: int, end: int) -> dict[int, str]:
    """Return what belongs to the records start…end−1, counted from start."""
    return {record - start: text for record, text in by_record.items() if start <= record < end}


def _by_position(candidates: NDArray[np.uint64] | None, first: int = 0) -> dict[int, bytes]:
    """Return the candidates of consecutive records as a `ChunkResult` keeps them."""
    rows = () if candidates is None else candidates.astype("<u8")
    return {place: row.tobytes() for place, row in enumerate(rows, first)}


def _difference(
    group: Group,
    givens: NDArray[np.uint8],
    batch: Batch,
    row: int,
    expected: NDArray[np.uint8],
) -> str:
    """Say what is to be said of a solution in the upload that is not ours."""
    if is_solution(group.layout, givens, expected):
        return "the upload gives another solution"
    if batch.counts[row] == 0:
        return "the solution in the upload breaks a rule"
    cell = int(np.flatnonzero(expected != batch.solutions[row])[0])
    table = (group.symbols.blank, *group.symbols.values)
    ours, theirs = table[batch.solutions[row][cell]], table[expected[cell]]
    place = group.layout.cell_name(cell)
    return f"the solution in the upload is wrong: {theirs} in {place}, not {ours}"


def failed_results(*, lines: list[int], text: str, detail: str) -> ChunkResult:
    """Return the answer to records that nobody could deal with."""
    count = len(lines)
    zeros = np.zeros(count, "<i8").tobytes()
    return ChunkResult(
        lines=np.array(lines, "<i8").tobytes(),
        outcomes=bytes([Outcome.FAILED]) * count,
        counts=zeros,
        steps=zeros,
        puzzles="\n".join([text] * count),
        solutions="\n" * (count - 1),
        details=dict.fromkeys(range(count), detail),
    )
