"""From a block of records to columns of answers: parse, solve, write. No Redis in here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from solver.board.puzzle import Invalid
from solver.board.result import Batch, Outcome, Standing
from solver.board.symbols import Symbols
from solver.board.text_lines import Lines
from solver.checks.grids import find_conflict, is_solution
from solver.engines.engine import GO_ON, StopFlag
from solver.formats import read_block
from solver.formats.format import Block, Context, DigitBlock, Group
from solver.minlex.canonical import has_minlex, minlex
from solver.preparing import Code, needed
from solver.solving import solve_many
from worker.boards import pack_board
from worker.explanations import StoredDifficulty, StoredExplanation
from worker.job import ChunkResult, JobOptions
from worker.node.candidates import count_candidates
from worker.node.logic import Studied, study
from worker.options import read_options
from worker.true_candidates import StoredCandidates

T = TypeVar("T")

# Records of several groups that are solved together, at first.
_FIRST_STRETCH = 64
_NO_GROUP = -1
_NO_KIND = -1
_NO_RECORD = -1
_STUDIED_AT_A_TIME = 32
UNVERIFIED = "the engine's answer did not pass verification; please report this puzzle"


class BlockSolver:
    """The records of one block, parsed once, solved in as many pieces as it takes."""

    def __init__(
        self,
        block: Block | DigitBlock,
        *,
        format: str,
        context: Context,
        options: JobOptions,
    ) -> None:
        self._options = options
        # Where the search, or rating, of the first record without an answer stands, if abandoned.
        self.standing: Standing | None = None
        self._records = read_block(
            block, format=format, context=context, options=read_options(options)
        )
        count = len(self._records)
        self._group_of = np.full(count, _NO_GROUP, np.int64)
        self._row_of = np.zeros(count, np.int64)
        for number, group in enumerate(self._records.groups):
            rows = _spots(group.rows)
            self._group_of[rows] = number
            self._row_of[rows] = np.arange(len(group.rows))

    def __len__(self) -> int:
        return len(self._records)

    @property
    def needs(self) -> Code:
        """What compiled code the records need."""
        if self._options.asks_logic:
            return Code.LOGIC
        groups = self._records.groups
        codes = (needed(each.layout, candidates=each.candidates is not None) for each in groups)
        return max((Code.MINLEX if self._options.minlex else Code.CLASSIC, *codes))

    def solve(
        self, start: int, stop: int, *, flag: StopFlag, standing: bytes | None = None
    ) -> ChunkResult:
        """Answer the records start…stop−1; fewer, but one, if the flag says FINISH meanwhile.

        If it says ABANDON, there may be none, and `self.standing` of the next one; the search of
        the first record goes on from `standing`, if that is given.

        The records of a group are solved together, so where groups take turns a later record
        may be solved before an earlier one, and is lost if the flag leaves a gap before it.
        Hence stretches that are short at first and double while there is time.
        """
        columns = _Columns(stop - start)
        first, length = start, _FIRST_STRETCH
        self.standing = None
        abandoned = _NO_RECORD
        while start < stop and (start == first or flag[0] == GO_ON):
            others = np.flatnonzero(self._group_of[start:stop] != self._group_of[start])
            end_of_group = start + int(others[0]) if len(others) else stop
            end = max(end_of_group, min(start + length, stop))
            if self._options.studies:
                # That takes so much longer than solving that little is solved before it.
                end = min(start + _STUDIED_AT_A_TIME, stop)
            for record in self._solve_stretch(first, start, end, columns, flag, standing=standing):
                abandoned = record
            start, length, standing = end, length * 2, None
        end = first + columns.answered
        if end != abandoned:
            self.standing = None
        return columns.result(
            self._records.lines[first:end],
            notes=_between(self._records.notes, first, end),
            names=_between(self._records.names, first, end),
        )

    def _solve_stretch(
        self,
        first: int,
        start: int,
        stop: int,
        columns: "_Columns",
        flag: StopFlag,
        *,
        standing: bytes | None,
    ) -> Iterator[int]:
        """Answer the records start…stop−1, group by group; `columns` begin with `first`.

        Yields the record whose search was abandoned, if that is so.
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
                done = self._solve_group(group, records, first, columns, flag, standing=standing)
                if done < len(records):
                    yield int(records[done])
            standing = None

    def _solve_group(
        self,
        group: Group,
        records: NDArray[np.int64],
        first: int,
        columns: "_Columns",
        flag: StopFlag,
        *,
        standing: bytes | None,
    ) -> int:
        """Answer some records of a group; return how many, fewer than all if the flag says so."""
        part = group.part(self._row_of[records])
        batch = solve_many(
            part.givens,
            layout=part.layout,
            limit=self._options.limit,
            listed=self._options.lists,
            step_limit=self._options.step_limit,
            stop=flag,
            candidates=part.candidates,
            standing=standing,
        )
        self.standing = batch.standing
        if self._options.asks_logic:
            studied = study(part, batch, options=self._options, flag=flag, standing=standing)
            columns.put_studied(records - first, studied)
            if studied.done < len(batch):
                self.standing = studied.standing
            batch = batch.first(studied.done)
        if self._options.true_candidates:
            counted = count_candidates(
                part, batch, options=self._options, flag=flag, standing=standing
            )
            columns.put_candidates(records - first, counted.candidates)
            if len(counted.candidates) < len(batch):
                self.standing = counted.standing
            batch = batch.first(len(counted.candidates))
        places = records[: len(batch)] - first
        columns.put_batch(places, part, batch)
        if self._options.minlex and has_minlex(part.layout) and part.candidates is None:
            rows = np.flatnonzero(batch.outcomes != Outcome.INVALID)
            columns.put_minlex(places[rows], minlex(part.givens[rows]))
        if part.expected is not None:
            columns.compare(places, part, batch, part.expected)
        return len(batch)

    def give_up(self, record: int, *, detail: str) -> ChunkResult:
        """Answer one record by `failed`."""
        number = int(self._group_of[record])
        line = int(self._records.lines[record])
        names = _between(self._records.names, record, record + 1)
        if number == _NO_GROUP:
            text = self._records.invalid[record].text.replace("\n", " ")
            return replace(failed_results(lines=[line], text=text, detail=detail), names=names)
        group, row = self._records.groups[number], int(self._row_of[record])
        text = group.symbols.write(group.givens[row].tolist())
        board = pack_board(group.layout, group.symbols)
        return replace(
            failed_results(lines=[line], text=text.replace("\n", " "), detail=detail),
            kinds=() if board is None else (board,),
            kind_of=np.zeros(1, "<i4").tobytes(),
            names=names,
            candidates={} if group.candidates is None else {0: _packed(group.candidates[row])},
        )


class _Columns:
    """The columns of a `ChunkResult` while answers are put into their places, from 0."""

    def __init__(self, records: int) -> None:
        self._is_answered = np.zeros(records, bool)
        self._outcomes = np.zeros(records, np.uint8)
        self._counts = np.zeros(records, "<i8")
        self._steps = np.zeros(records, "<i8")
        self._puzzles = _Gathered(records)
        self._solutions = _Gathered(records)
        self._minlex = _Gathered(records)
        self._kinds: dict[bytes, int] = {}
        self._kind_of = np.full(records, _NO_KIND, "<i4")
        self._details: dict[int, str] = {}
        self._candidates: dict[int, bytes] = {}
        self._listed: dict[int, list[str]] = {}
        self._regions: dict[int, bytes] = {}
        self._true_candidates: dict[int, StoredCandidates] = {}
        self._difficulties: dict[int, StoredDifficulty] = {}
        self._explanations: dict[int, StoredExplanation] = {}

    @property
    def answered(self) -> int:
        """How many records are answered before the first that is not."""
        gaps = np.flatnonzero(~self._is_answered)
        return int(gaps[0]) if len(gaps) else len(self._is_answered)

    def put_studied(self, places: NDArray[np.int64], studied: Studied) -> None:
        for row, difficulty in studied.difficulties.items():
            self._difficulties[int(places[row])] = difficulty
        for row, explanation in studied.explanations.items():
            self._explanations[int(places[row])] = explanation

    def put_invalid(self, place: int, invalid: Invalid) -> None:
        self._is_answered[place] = True
        self._outcomes[place] = Outcome.INVALID
        self._puzzles.put(np.array([place]), Lines(invalid.text.replace("\n", " ")))
        self._details[place] = invalid.detail

    def put_batch(
        self,
        places: NDArray[np.int64],
        group: Group,
        batch: Batch,
    ) -> None:
        spots = _spots(places)
        self._is_answered[spots] = True
        self._outcomes[spots] = batch.outcomes
        self._counts[spots] = batch.counts
        self._steps[spots] = batch.steps
        board = pack_board(group.layout, group.symbols)
        if board is not None:
            self._kind_of[spots] = self._kinds.setdefault(board, len(self._kinds))
        write_many = group.symbols.write_many
        self._puzzles.put(places, write_many(group.givens[: len(batch)]))
        solved = batch.counts > 0
        solutions = batch.solutions if solved.all() else batch.solutions[solved]
        self._solutions.put(places[solved], write_many(solutions))
        for row in np.flatnonzero(batch.outcomes == Outcome.INVALID).tolist():
            conflict = find_conflict(group.layout, group.givens[row], group.symbols)
            self._details[int(places[row])] = conflict or "the givens break a rule"
        for row in np.flatnonzero(batch.outcomes == Outcome.FAILED).tolist():
            self._details[int(places[row])] = UNVERIFIED
        for row, listed in enumerate(batch.listed or ()):
            self._listed[int(places[row])] = write_many(listed).split() if len(listed) else []
        if batch.regions is not None:
            for row in np.flatnonzero(solved).tolist():
                self._regions[int(places[row])] = batch.regions[row].tobytes()
        if group.candidates is not None:
            for place, left in zip(places.tolist(), group.candidates, strict=False):
                self._candidates[place] = _packed(left)

    def put_candidates(
        self, places: NDArray[np.int64], counted: Sequence[StoredCandidates | None]
    ) -> None:
        for place, candidates in zip(places.tolist(), counted, strict=False):
            if candidates is not None:
                self._true_candidates[place] = candidates

    def put_minlex(self, places: NDArray[np.int64], forms: NDArray[np.uint8]) -> None:
        self._minlex.put(places, Symbols.usual(9).write_many(forms))

    def compare(
        self,
        places: NDArray[np.int64],
        group: Group,
        batch: Batch,
        expected: NDArray[np.uint8],
    ) -> None:
        """Remark on solutions in the upload that are not ours."""
        expected = expected[: len(batch)]
        differ = expected.any(axis=1) & (expected != batch.solutions).any(axis=1)
        differ &= batch.outcomes != Outcome.INVALID
        for row in np.flatnonzero(differ).tolist():
            remark = _difference(group, batch, row, expected[row])
            known = self._details.get(int(places[row]))
            self._details[int(places[row])] = f"{known}; {remark}" if known else remark

    def result(
        self, lines: NDArray[np.int64], *, notes: dict[int, str], names: dict[int, str]
    ) -> ChunkResult:
        """Return the first answers, as many as there are lines."""
        end = len(lines)
        used = np.flatnonzero(np.bincount(self._kind_of[:end] - _NO_KIND)[1:])
        boards = list(self._kinds)
        numbers = np.full(len(boards) + 1, _NO_KIND, "<i4")  # −1 stays −1, for it is the last
        numbers[used] = np.arange(len(used))
        return ChunkResult(
            lines=lines.astype("<i8").tobytes(),
            outcomes=self._outcomes[:end].tobytes(),
            counts=self._counts[:end].tobytes(),
            steps=self._steps[:end].tobytes(),
            puzzles=self._puzzles.lines(end),
            solutions=self._solutions.lines(end),
            kinds=tuple(boards[number] for number in used.tolist()),
            kind_of=numbers[self._kind_of[:end]].tobytes(),
            details=_said(_between(self._details, 0, end), notes),
            names=names,
            candidates=_between(self._candidates, 0, end),
            listed=_between(self._listed, 0, end),
            regions=_between(self._regions, 0, end),
            minlex=self._minlex.lines(end) if self._minlex else Lines(""),
            true_candidates=_between(self._true_candidates, 0, end),
            difficulties=_between(self._difficulties, 0, end),
            explanations=_between(self._explanations, 0, end),
        )


class _Gathered:
    """One line of text for each record, empty at first, put in by many at a time."""

    def __init__(self, records: int) -> None:
        self._records = records
        self._parts: list[tuple[NDArray[np.int64], Lines]] = []

    def __bool__(self) -> bool:
        """Whether there is any line."""
        return bool(self._parts)

    def put(self, places: NDArray[np.int64], lines: Lines) -> None:
        """Put so many lines into their places, which ascend."""
        if len(places):
            self._parts.append((places, lines))

    def lines(self, end: int) -> Lines:
        """Return the first lines, so many."""
        if len(self._parts) == 1 and end == self._records:
            places, lines = self._parts[0]
            return lines.spread(places, count=end)
        texts = np.full(self._records, "", object)
        for places, lines in self._parts:
            texts[places] = lines.split()
        return Lines("\n".join(texts[:end].tolist()))


def _spots(places: NDArray[np.int64]) -> NDArray[np.int64] | slice:
    """Return places that ascend as a slice if none is left out: NumPy looks up no number then."""
    if len(places) and places[-1] - places[0] == len(places) - 1:
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def _between(by_record: Mapping[int, T], start: int, end: int) -> dict[int, T]:
    """Return what belongs to the records start…end−1, counted from start."""
    return {record - start: what for record, what in by_record.items() if start <= record < end}


def _said(details: dict[int, str], notes: dict[int, str]) -> dict[int, str]:
    """Return what is said of records: what came out, and behind it how they were read."""
    both = {
        record: f"{what}; {notes[record]}" for record, what in details.items() if record in notes
    }
    return notes | details | both


def _packed(candidates: NDArray[np.uint64]) -> bytes:
    """Return the candidates of one record as a `ChunkResult` keeps them."""
    return candidates.astype("<u8").tobytes()


def _difference(
    group: Group,
    batch: Batch,
    row: int,
    expected: NDArray[np.uint8],
) -> str:
    """Say what is to be said of a solution in the upload that is not ours."""
    if is_solution(group.layout, group.givens[row], expected):
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
        puzzles=Lines("\n".join([text] * count)),
        solutions=Lines("\n" * (count - 1)),
        details=dict.fromkeys(range(count), detail),
    )
