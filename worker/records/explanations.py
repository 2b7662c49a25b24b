"""Difficulties, explanations, and lists of available steps as they are stored."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np

from solver.board.conflict import Conflict
from solver.logic.available_steps import AvailableSteps
from solver.logic.deduction import unpack
from solver.logic.explanation import Ending, Explanation, Position, start_position
from solver.logic.rating.difficulty import Difficulty
from solver.logic.rating.own_rating import OwnRating
from solver.logic.technique_table import Level
from worker.records.boards import StoredBoard

AFTER = "after="  # begins the name of a position after some steps of the explanation


class StoredDifficulty(msgspec.Struct, frozen=True, array_like=True):
    """The stored form of a `Difficulty`.

    `ratings` are Sudoku Explainer's ER, EP, and ED in tenths, or None. `counts` has the number of
    steps by HoDoKu's technique code. `score` and `level` are HoDoKu's, or None.
    """

    score: int | None
    level: int | None
    ratings: tuple[int, int, int] | None
    counts: dict[int, int]

    @classmethod
    def of(cls, difficulty: Difficulty) -> "StoredDifficulty":
        """Convert a difficulty for storage.

        Sudoku Explainer's three ratings are stored as tenths, or not at all if one of them is
        missing.
        """
        known = (difficulty.rating, difficulty.pearl, difficulty.diamond)
        tenths = [round(10 * rating) for rating in known if rating is not None]
        return cls(
            difficulty.score,
            None if difficulty.level is None else int(difficulty.level),
            (tenths[0], tenths[1], tenths[2]) if len(tenths) == len(known) else None,
            {int(code): number for code, number in difficulty.counts.items()},
        )

    def read(self) -> Difficulty:
        """Return the stored difficulty.

        Ratings, score, and level that aren't stored are None.
        """
        rating, pearl, diamond = (
            (None, None, None) if self.ratings is None else (tenths / 10 for tenths in self.ratings)
        )
        return Difficulty(
            self.score,
            None if self.level is None else Level(self.level),
            rating,
            pearl,
            diamond,
            {f"{code:04}": number for code, number in self.counts.items()},
        )


class StoredOwnRating(msgspec.Struct, frozen=True, array_like=True):
    """The stored form of an `OwnRating`, whose members have the same meaning."""

    rating: int | None
    word: str
    solved: float

    @classmethod
    def of(cls, own: OwnRating) -> "StoredOwnRating":
        """Convert a sudokuq rating for storage."""
        return cls(own.rating, own.word, own.solved)


class StoredExplanation(msgspec.Struct, frozen=True, array_like=True):
    """The stored form of an `Explanation`, without its board.

    `rows` contains the steps. `candidates` are the initial candidates, as cells × uint64,
    little-endian. They are None if they follow from the givens, the board's houses, and its
    not-equal pairs. `conflict` has the fields of a `Conflict`. `pencil_marks` are encoded like
    `candidates`. The other members have the same meaning as in `Explanation`.
    """

    order: str
    ending: str
    rows: bytes
    difficulty: StoredDifficulty | None = None
    detail: str | None = None
    candidates: bytes | None = None
    conflict: tuple[tuple[int, ...], tuple[int, ...], str] | None = None
    pencil_marks: bytes | None = None

    @classmethod
    def of(cls, explanation: Explanation) -> "StoredExplanation":
        """Convert an explanation for storage, without the puzzle's board and givens.

        The candidates at the start are stored only if they don't simply follow from the givens.
        """
        bare = replace(explanation.layout, domains=())
        plain = start_position(bare, explanation.start.values).candidates
        own = explanation.start.candidates
        difficulty, conflict = explanation.difficulty, explanation.conflict
        marks = explanation.pencil_marks
        return cls(
            explanation.order,
            str(explanation.ending),
            explanation.rows,
            None if difficulty is None else StoredDifficulty.of(difficulty),
            explanation.detail,
            None if own == plain else _packed(own),
            None if conflict is None else (conflict.givens, conflict.constraints, conflict.detail),
            None if marks is None else _packed(marks),
        )

    def read(self, board: StoredBoard, givens: tuple[int, ...]) -> Explanation:
        """Return the stored explanation. `board` and `givens` are those of its puzzle."""
        start = start_position(board.layout, givens)
        if self.candidates is not None:
            start = Position(start.values, _unpacked(self.candidates))
        return Explanation(
            board.layout,
            board.symbols,
            start,
            self.order,
            Ending(self.ending),
            unpack(self.rows),
            None if self.difficulty is None else self.difficulty.read(),
            self.detail,
            self.rows,
            conflict=None if self.conflict is None else Conflict(*self.conflict),
            pencil_marks=None if self.pencil_marks is None else _unpacked(self.pencil_marks),
        )


class StoredSteps(msgspec.Struct, frozen=True, array_like=True):
    """The stored form of `AvailableSteps`, without its board and givens.

    `values` and `candidates` are those of the grid at the position. `candidates` are cells ×
    uint64, little-endian. `rows` contains the steps.

    In requests, a text stands for the position. "after=12" is the position after 12 steps of the
    explanation. "0:5,3:7" is the puzzle with more values, which a person typed, as pairs of a cell
    from 0 and a value from 1.
    """

    rows: bytes
    values: tuple[int, ...]
    candidates: bytes
    unlisted: tuple[str, ...]
    is_complete: bool

    @classmethod
    def of(cls, available: AvailableSteps) -> "StoredSteps":
        """Convert the steps that are available at a position for storage."""
        return cls(
            available.rows,
            available.position.values,
            _packed(available.position.candidates),
            available.unlisted,
            available.is_complete,
        )

    def read(self, board: StoredBoard, givens: tuple[int, ...]) -> AvailableSteps:
        """Return the stored steps. `board` and `givens` are those of the puzzle."""
        candidates = _unpacked(self.candidates)
        return AvailableSteps(
            board.layout,
            board.symbols,
            givens,
            Position(self.values, candidates),
            unpack(self.rows),
            self.unlisted,
            self.is_complete,
            rows=self.rows,
        )


def _packed(candidates: Sequence[int]) -> bytes:
    return np.array(candidates, "<u8").tobytes()


def _unpacked(candidates: bytes) -> tuple[int, ...]:
    return tuple(np.frombuffer(candidates, "<u8").tolist())
