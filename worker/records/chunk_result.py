"""The results of a chunk, as columns with one entry per record."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome
from solver.board.text_lines import Lines
from solver.logic.technique_table import GUESS
from worker.records.boards import StoredBoard, unpack_board
from worker.records.explanations import StoredDifficulty, StoredExplanation, StoredOwnRating
from worker.records.guess_classes import classes_of
from worker.records.minimality import StoredMinimality
from worker.records.true_candidates import StoredCandidates

_T = TypeVar("_T")


class ChunkResult(msgspec.Struct, frozen=True, kw_only=True):
    """The results of consecutive records, as columns of the same length n.

    lines      n × int64, little-endian: the line of each record in the upload
    outcomes   n × uint8: codes of `Outcome`
    counts     n × int64: solutions found
    steps      n × int64: guesses
    puzzles    n lines of text: the puzzle in the user's symbols
    solutions  n lines of text: the first solution found in the user's symbols, empty if there is
               none
    kinds      the distinct boards of the records; see `worker.records.boards`
    kind_of    n × int32, little-endian: index in `kinds` of each record's board, −1 if the record
               is not a puzzle or its board is too large to store
    details    remarks by position
    names      the names of records in the upload, by position
    own        the fields of the user's additional columns, by position
    own_names  the names of these columns
    candidates candidates given in the upload, by position: cells × uint64, little-endian, bits as
               in `solver.board.puzzle.Puzzle`
    listed     all solutions by position, if requested. In jobs with ratings and a limit of 2, two
               solutions of puzzles that have several.
    regions    regions of the solution, by position: cells × uint8, from 1 in reading order
    true_candidates, minimality  by position, if requested
    minlex     n lines of text: the canonical form, empty if there is none, if requested
    difficulties, own_ratings, explanations  by position, if requested
    source     the id of the job from which the records were selected, or ""
    source_numbers  n × int64, little-endian: the number of each record in that job, from 1

    Positions count from 0 in these columns. Columns "by position" have no entry for other records.
    Results of older versions, which stored no boards, have no kinds.
    """

    lines: bytes
    outcomes: bytes
    counts: bytes
    steps: bytes
    puzzles: Lines
    solutions: Lines
    kinds: tuple[bytes, ...] = ()
    kind_of: bytes = b""
    details: dict[int, str] = {}
    names: dict[int, str] = {}
    own: dict[int, tuple[str, ...]] = {}
    own_names: tuple[str, ...] = ()
    candidates: dict[int, bytes] = {}
    listed: dict[int, list[str]] = {}
    regions: dict[int, bytes] = {}
    minlex: Lines = Lines("")
    true_candidates: dict[int, StoredCandidates] = {}
    minimality: dict[int, StoredMinimality] = {}
    difficulties: dict[int, StoredDifficulty] = {}
    own_ratings: dict[int, StoredOwnRating] = {}
    explanations: dict[int, StoredExplanation] = {}
    source: str = ""
    source_numbers: bytes = b""

    def __len__(self) -> int:
        return len(self.outcomes)

    def outcome_counts(self) -> dict[str, int]:
        """Return the number of records by outcome, for the outcomes that occur."""
        codes = np.frombuffer(self.outcomes, np.uint8)
        numbers = np.bincount(codes, minlength=len(Outcome)).tolist()
        return {o.label: n for o, n in zip(Outcome, numbers, strict=True) if n}

    def solved(self) -> NDArray[np.bool_]:
        """Return a mask (n,) of the records for which one or more solutions were found."""
        return self.integers(self.counts) > 0

    def rating_counts(self) -> dict[str, int]:
        """Return the number of records with each Sudoku Explainer rating, such as "7.1"."""
        ratings = (known.ratings for known in self.difficulties.values())
        return dict(Counter(f"{known[0] / 10:.1f}" for known in ratings if known is not None))

    def sudokuq_counts(self) -> dict[str, int]:
        """Return the number of records with each sudokuq rating, such as "140"."""
        ratings = (known.rating for known in self.own_ratings.values())
        return dict(Counter(f"{rating}" for rating in ratings if rating is not None))

    def step_counts(self) -> dict[str, dict[int, int]]:
        """Return the number of records as {outcome: {class of guesses: number}}.

        A class is a range of numbers of guesses (see `classes_of`), represented by its smallest
        number.
        """
        codes = np.frombuffer(self.outcomes, np.uint8)
        classes = classes_of(self.integers(self.steps))
        counts: dict[str, dict[int, int]] = {}
        for code in np.unique(codes).tolist():
            known, numbers = np.unique(classes[codes == code], return_counts=True)
            counts[Outcome(code).label] = dict(zip(known.tolist(), numbers.tolist(), strict=True))
        return counts

    def ratings(self) -> NDArray[np.int64]:
        """Return the Sudoku Explainer rating of each record in tenths, or −1 if it has none."""
        tenths = np.full(len(self), -1, np.int64)
        for place, known in self.difficulties.items():
            if known.ratings is not None:
                tenths[place] = known.ratings[0]
        return tenths

    def sudokuq_ratings(self) -> NDArray[np.int64]:
        """Return the sudokuq rating of each record, or −1 if it has none."""
        ratings = np.full(len(self), -1, np.int64)
        for place, known in self.own_ratings.items():
            if known.rating is not None:
                ratings[place] = known.rating
        return ratings

    def technique_counts(self) -> dict[str, int]:
        """Return the number of records that need each technique, by its HoDoKu code ("0003").

        Guesses of HoDoKu are left out. Where it would guess, explanations use techniques of
        Sudoku Explainer.
        """
        needed = Counter(code for known in self.difficulties.values() for code in known.counts)
        named = {f"{code:04}": number for code, number in needed.items()}
        named.pop(GUESS, None)
        return named

    @staticmethod
    def integers(column: bytes) -> NDArray[np.int64]:
        """Convert a column of int64 from bytes to an array."""
        return np.frombuffer(column, np.dtype("<i8"))

    def boards(self) -> list[StoredBoard | None]:
        """Return the board of each record.

        It is None if the record's board isn't stored, or if it uses rules that are unknown here.
        """
        if not self.kinds:
            return [None] * len(self)
        places = np.frombuffer(self.kind_of, "<i4").tolist()
        return [None if place < 0 else unpack_board(self.kinds[place]) for place in places]

    def slice(self, start: int, stop: int) -> "ChunkResult":
        """Return the results of the records at the positions start…stop−1, counted from 0.

        A `stop` beyond the last record stands for all records from `start` on.
        """
        whole = start == 0 and stop >= len(self)
        return self if whole else self.at(range(start, min(stop, len(self))))

    def at(self, places: Sequence[int]) -> "ChunkResult":
        """Return the results of the records at the given positions (from 0), in this order.

        The positions must differ. `kinds` stays complete, also if some of its boards are no longer
        used.
        """
        taken = np.asarray(places, np.intp)
        moved = {place: n for n, place in enumerate(taken.tolist())}

        def column(values: bytes, kind: str) -> bytes:
            return np.frombuffer(values, kind)[taken].tobytes() if values else values

        def lines(every: Lines) -> Lines:
            return every.at(places, count=len(self)) if every else every

        def by_place(values: dict[int, _T]) -> dict[int, _T]:
            return {n: values[place] for place, n in moved.items() if place in values}

        return ChunkResult(
            lines=column(self.lines, "<i8"),
            outcomes=column(self.outcomes, "u1"),
            counts=column(self.counts, "<i8"),
            steps=column(self.steps, "<i8"),
            puzzles=lines(self.puzzles),
            solutions=lines(self.solutions),
            kinds=self.kinds,
            kind_of=column(self.kind_of, "<i4"),
            details=by_place(self.details),
            names=by_place(self.names),
            own=by_place(self.own),
            own_names=self.own_names,
            candidates=by_place(self.candidates),
            listed=by_place(self.listed),
            regions=by_place(self.regions),
            minlex=lines(self.minlex),
            true_candidates=by_place(self.true_candidates),
            minimality=by_place(self.minimality),
            difficulties=by_place(self.difficulties),
            own_ratings=by_place(self.own_ratings),
            explanations=by_place(self.explanations),
            source=self.source,
            source_numbers=column(self.source_numbers, "<i8"),
        )
