"""Collects the results of a chunk's records in columns, in any order."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.board.display import joined
from solver.board.puzzle import Invalid
from solver.board.result import Batch, Outcome
from solver.board.symbols import Symbols
from solver.board.text_lines import Lines
from solver.checks.givens import find_conflict
from solver.checks.verification import is_solution
from solver.formats.format import Group
from worker.process.rating import RatedBatch
from worker.records.boards import pack_board
from worker.records.chunk_result import ChunkResult
from worker.records.explanations import StoredDifficulty, StoredExplanation, StoredOwnRating
from worker.records.minimality import StoredMinimality
from worker.records.remarks import BREAKS_RULE, IS_WRONG
from worker.records.true_candidates import StoredCandidates

T = TypeVar("T")

UNVERIFIED = "internal error: the solution failed verification; please report this puzzle"
_NO_KIND = -1


class ResultColumns:
    """Collects the columns of a `ChunkResult`, with a position for each of `records`, from 0.

    Each call stores the results at some positions. The positions in its argument `places` must
    ascend. Positions without a result stay empty.
    """

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
        self._minimality: dict[int, StoredMinimality] = {}
        self._difficulties: dict[int, StoredDifficulty] = {}
        self._own_ratings: dict[int, StoredOwnRating] = {}
        self._explanations: dict[int, StoredExplanation] = {}

    @property
    def answered(self) -> int:
        """The number of results before the first position without a result.

        Ratings, true candidates, redundant givens, and canonical forms alone don't count as
        results.
        """
        gaps = np.flatnonzero(~self._is_answered)
        return int(gaps[0]) if len(gaps) else len(self._is_answered)

    def put_ratings(self, places: NDArray[np.int64], rated: RatedBatch) -> None:
        """Store the ratings and explanations of a batch, and remarks about missing ratings.

        Puzzle n of the batch has the position places[n].
        """
        for row, difficulty in rated.difficulties.items():
            self._difficulties[int(places[row])] = difficulty
        for row, own in rated.own_ratings.items():
            self._own_ratings[int(places[row])] = own
        for row, remark in rated.remarks.items():
            self._add_remark(int(places[row]), remark)
        for row, explanation in rated.explanations.items():
            self._explanations[int(places[row])] = explanation

    def put_invalid(self, place: int, invalid: Invalid) -> None:
        """Store a record that isn't a puzzle, with the reason."""
        self._is_answered[place] = True
        self._outcomes[place] = Outcome.INVALID
        self._puzzles.put(np.array([place]), Lines(invalid.text.replace("\n", " ")))
        self._details[place] = invalid.detail

    def put_batch(
        self,
        places: NDArray[np.int64],
        group: Group,
        batch: Batch,
        *,
        lists: bool,
    ) -> None:
        """Store the puzzles and search results of a batch.

        Puzzle n of the batch is the puzzle n of `group`, and has the position places[n]. `group`
        may have further puzzles, which aren't stored. If `lists` is False, solutions are listed
        only for puzzles with several. Invalid puzzles, and those whose solution failed the check,
        get a detail with the reason.
        """
        rows = as_slice(places)
        self._is_answered[rows] = True
        self._outcomes[rows] = batch.outcomes
        self._counts[rows] = batch.counts
        self._steps[rows] = batch.steps
        board = pack_board(group.layout, group.symbols)
        if board is not None:
            self._kind_of[rows] = self._kinds.setdefault(board, len(self._kinds))
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
            if lists or len(listed) > 1:
                self._listed[int(places[row])] = write_many(listed).split() if len(listed) else []
        if batch.regions is not None:
            for row in np.flatnonzero(solved).tolist():
                self._regions[int(places[row])] = batch.regions[row].tobytes()
        if group.candidates is not None:
            for place, left in zip(places.tolist(), group.candidates, strict=False):
                self._candidates[place] = packed(left)

    def put_candidates(
        self, places: NDArray[np.int64], counted: Sequence[StoredCandidates | None]
    ) -> None:
        """Store true candidates at the given positions. None means that a puzzle has none."""
        for place, candidates in zip(places.tolist(), counted, strict=False):
            if candidates is not None:
                self._true_candidates[place] = candidates

    def put_minimality(
        self, places: NDArray[np.int64], tested: Sequence[StoredMinimality | None]
    ) -> None:
        """Store the redundant givens and constraints of the puzzles at the given positions.

        None stands for a puzzle that wasn't tested.
        """
        for place, minimality in zip(places.tolist(), tested, strict=False):
            if minimality is not None:
                self._minimality[place] = minimality

    def put_minlex(self, places: NDArray[np.int64], forms: NDArray[np.uint8]) -> None:
        """Store canonical forms at the given positions.

        `forms` contains grids of digits (n, 81).
        """
        self._minlex.put(places, Symbols.usual(9).write_many(forms))

    def compare(
        self,
        places: NDArray[np.int64],
        group: Group,
        batch: Batch,
        expected: NDArray[np.uint8],
    ) -> None:
        """Add a remark to each puzzle whose solution in the upload differs from the computed one.

        Invalid puzzles get no such remark. `places`, `group`, and `batch` are those of `put_batch`.
        `expected` (n, cells) contains the solutions in the upload. A row of zeros means that the
        upload contains no solution.
        """
        expected = expected[: len(batch)]
        differ = expected.any(axis=1) & (expected != batch.solutions).any(axis=1)
        differ &= batch.outcomes != Outcome.INVALID
        for row in np.flatnonzero(differ).tolist():
            self._add_remark(int(places[row]), _difference(group, batch, row, expected[row]))

    def _add_remark(self, place: int, remark: str) -> None:
        known = self._details.get(place)
        self._details[place] = joined((known, remark)) if known else remark

    def result(
        self,
        lines: NDArray[np.int64],
        *,
        notes: dict[int, str],
        names: dict[int, str],
        own: dict[int, tuple[str, ...]],
        own_names: tuple[str, ...],
    ) -> ChunkResult:
        """Return the results of the first records, as many as `lines` contains.

        `lines` are the line numbers of these records in the upload. The other arguments come from
        the upload, too, and have the meaning that `ChunkResult` describes. `notes` are remarks
        about how records were parsed, by position.
        """
        end = len(lines)
        used = np.flatnonzero(np.bincount(self._kind_of[:end] - _NO_KIND)[1:])
        boards = list(self._kinds)
        # index −1 is the last item, which stays −1
        numbers = np.full(len(boards) + 1, _NO_KIND, "<i4")
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
            details=_combined_details(between(self._details, 0, end), notes),
            names=names,
            own=own,
            own_names=own_names,
            candidates=between(self._candidates, 0, end),
            listed=between(self._listed, 0, end),
            regions=between(self._regions, 0, end),
            minlex=self._minlex.lines(end) if self._minlex else Lines(""),
            true_candidates=between(self._true_candidates, 0, end),
            minimality=between(self._minimality, 0, end),
            difficulties=between(self._difficulties, 0, end),
            own_ratings=between(self._own_ratings, 0, end),
            explanations=between(self._explanations, 0, end),
        )


class _Gathered:
    """A column with one line of text per record. Lines that haven't been stored are empty."""

    def __init__(self, records: int) -> None:
        self._records = records
        self._parts: list[tuple[NDArray[np.int64], Lines]] = []

    def __bool__(self) -> bool:
        """Return whether any line has been stored."""
        return bool(self._parts)

    def put(self, places: NDArray[np.int64], lines: Lines) -> None:
        """Store lines of text at the given positions, which ascend."""
        if len(places):
            self._parts.append((places, lines))

    def lines(self, end: int) -> Lines:
        """Return the first `end` lines of the column."""
        if len(self._parts) == 1 and end == self._records:
            places, lines = self._parts[0]
            return lines.spread(places, count=end)
        texts = np.full(self._records, "", object)
        for places, lines in self._parts:
            texts[places] = lines.split()
        return Lines("\n".join(texts[:end].tolist()))


def as_slice(places: NDArray[np.int64]) -> NDArray[np.int64] | slice:
    """Return ascending positions as a slice if there are no gaps between them, else unchanged.

    NumPy is faster with slices than with arrays of positions.
    """
    if len(places) and places[-1] - places[0] == len(places) - 1:
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def between(by_record: Mapping[int, T], start: int, end: int) -> dict[int, T]:
    """Return the items of the records start…end−1, renumbered from 0."""
    return {record - start: each for record, each in by_record.items() if start <= record < end}


def _combined_details(details: dict[int, str], notes: dict[int, str]) -> dict[int, str]:
    """Combine remarks about results with notes about how the records were parsed, by position."""
    both = {
        record: joined((details[record], notes[record])) for record in details.keys() & notes.keys()
    }
    return notes | details | both


def packed(candidates: NDArray[np.uint64]) -> bytes:
    """Return the candidates of one puzzle in the form that `ChunkResult` stores.

    `candidates` contains one bit mask per cell.
    """
    return candidates.astype("<u8").tobytes()


def _difference(
    group: Group,
    batch: Batch,
    row: int,
    expected: NDArray[np.uint8],
) -> str:
    """Return a remark about a solution in the upload that differs from the computed one.

    `expected` is the solution in the upload of the puzzle with the index `row` in the group and
    batch.

    The remark on a wrong solution names the first wrong cell. There are other remarks for a further
    correct solution, and for a puzzle of which no solution was found.
    """
    if is_solution(group.layout, group.givens[row], expected):
        return "the solution in the upload is correct, but there is another one"
    if batch.counts[row] == 0:
        return BREAKS_RULE
    cell = int(np.flatnonzero(expected != batch.solutions[row])[0])
    table = (group.symbols.blank, *group.symbols.values)
    ours, theirs = table[batch.solutions[row][cell]], table[expected[cell]]
    place = group.layout.cell_name(cell)
    return f"{IS_WRONG}: it has {theirs} in {place}, expected {ours}"
