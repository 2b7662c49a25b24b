"""Reads the results of a collection once, and keeps a few bytes per puzzle for its report."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

import msgspec
import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.result import Outcome
from solver.board.text_lines import Lines
from solver.logic.technique_table import GUESS, TECHNIQUES
from web.report.claims import claim_column
from web.report.patterns import NONE, symmetries
from worker.job import JobOptions
from worker.records.boards import StoredBoard, pack_board, unpack_board
from worker.records.chunk_result import ChunkResult
from worker.records.remarks import is_wrong_solution

# The names of this many puzzles are kept, which takes some 20 MB.
MAX_NAMES = 200_000
# Puzzles of each kind of problem that a report describes one by one.
MAX_DESCRIBED = 20
UNKNOWN = -1
NO_FORM = 0
_CLASSIC = Layout.boxed(3, 3)
_CODES = 10_000  # HoDoKu's codes of techniques have four digits.
# The position of each code in `TECHNIQUES`. Guesses and codes that are unknown here have none.
_RANKS = np.full(_CODES, UNKNOWN, np.int16)
for _rank, _code in enumerate(TECHNIQUES):
    if _code != GUESS:
        _RANKS[int(_code)] = _rank
_NOTHING = ChunkResult(
    lines=b"", outcomes=b"", counts=b"", steps=b"", puzzles=Lines(""), solutions=Lines("")
)


class Differing(msgspec.Struct, frozen=True):
    """Two solutions of a puzzle, and the names of the cells in which they differ."""

    solutions: tuple[str, str]
    cells: list[str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """The columns of a collection that its report needs, each with one item per puzzle.

    numbers    the puzzles' numbers in the collection, ascending
    outcomes   codes of `Outcome`
    counts     solutions found
    wrong      whether the upload gives a wrong solution
    ratings    Sudoku Explainer's rating in tenths
    scores     HoDoKu's score
    levels     HoDoKu's level
    hardest    the hardest technique, as an index in `TECHNIQUES`
    classic    whether the board is a classic 9×9 board
    givens     number of givens
    symmetry   index in `web.report.patterns.NAMES`
    minimal    1 if all givens and constraints are needed, 0 if some are redundant
    same       equal for identical puzzles, `NO_FORM` for records that aren't puzzles
    forms      equal for puzzles that are equal up to symmetry, `NO_FORM` if that is unknown
    claims     the claimed difficulty, as an index in `labels`

    A number that is unknown is `UNKNOWN`. `claimed_by` is the name of the column with the claimed
    difficulty, and `labels` has its distinct fields. `needed` counts the puzzles that need each
    technique, and is indexed by HoDoKu's code. `names` and `details` belong to some of the puzzles,
    by number, and so do the `differing` solutions of puzzles that have several.
    """

    options: JobOptions
    numbers: NDArray[np.int64]
    outcomes: NDArray[np.uint8]
    counts: NDArray[np.int64]
    wrong: NDArray[np.bool_]
    ratings: NDArray[np.int16]
    scores: NDArray[np.int32]
    levels: NDArray[np.int8]
    hardest: NDArray[np.int16]
    classic: NDArray[np.bool_]
    givens: NDArray[np.int16]
    symmetry: NDArray[np.uint8]
    minimal: NDArray[np.int8]
    same: NDArray[np.int64]
    forms: NDArray[np.int64]
    claims: NDArray[np.int32]
    claimed_by: str | None
    labels: tuple[str, ...]
    needed: NDArray[np.int64]
    names: dict[int, str]
    details: dict[int, str]
    differing: dict[int, Differing]

    def __len__(self) -> int:
        return len(self.numbers)

    def name(self, place: int) -> str | None:
        """Return the name of the puzzle at a position, or None if it has none or it isn't kept."""
        return self.names.get(int(self.numbers[place]))


@dataclass(slots=True)
class _Collected:
    """The data that `read_columns` has collected from the parts so far.

    labels      the index of each distinct claimed difficulty, in the order in which they occur
    claimed_by  the name of the column with the claimed difficulty, None if no part has one
    needed      the number of puzzles that need each technique, by HoDoKu's code
    names       the names of puzzles, by number, at least the first `MAX_NAMES` of them
    details     the remarks that the report describes, by the number of their puzzle
    differing   two solutions of some puzzles that have several, by number
    described   the number of remarks in `details`, by outcome (`len(Outcome)` for wrong solutions)
    """

    labels: dict[str, int] = field(default_factory=dict)
    claimed_by: str | None = None
    needed: NDArray[np.int64] = field(default_factory=lambda: np.zeros(_CODES, np.int64))
    names: dict[int, str] = field(default_factory=dict)
    details: dict[int, str] = field(default_factory=dict)
    differing: dict[int, Differing] = field(default_factory=dict)
    described: Counter[int] = field(default_factory=Counter)


def read_columns(parts: Iterable[tuple[int, ChunkResult]], options: JobOptions) -> Columns:
    """Read the results of a collection, given in parts with the number of their first puzzle.

    Only one part is in memory at a time. Without parts, the columns are empty.
    """
    collected = _Collected()
    read = [_read_part(first, result, collected) for first, result in parts]
    read = read or [_read_part(1, _NOTHING, collected)]
    columns = {name: np.concatenate([each[name] for each in read]) for name in read[0]}
    return Columns(
        options=options,
        claimed_by=collected.claimed_by,
        labels=tuple(collected.labels),
        needed=collected.needed,
        names=collected.names,
        details=collected.details,
        differing=collected.differing,
        **columns,
    )


def _read_part(
    first: int, result: ChunkResult, collected: _Collected
) -> dict[str, NDArray[np.generic]]:
    """Return the columns of one part by name, and add its other data to `collected`.

    `first` is the number of its first puzzle in the collection.
    """
    count = len(result)
    outcomes = np.frombuffer(result.outcomes, np.uint8)
    wrong = np.zeros(count, bool)
    for place, detail in result.details.items():
        wrong[place] = is_wrong_solution(detail)
    _describe(first, result, outcomes, wrong, collected)
    columns: dict[str, NDArray[np.generic]] = {
        "numbers": np.arange(first, first + count),
        "outcomes": outcomes,
        "counts": ChunkResult.integers(result.counts),
        "wrong": wrong,
        "minimal": _minimal(result),
        "forms": _hashes(result.minlex.split() if result.minlex else [""] * count),
        "claims": _claims(result, collected),
    }
    return columns | _difficulty(result, collected) | _givens(result)


def _describe(
    first: int,
    result: ChunkResult,
    outcomes: NDArray[np.uint8],
    wrong: NDArray[np.bool_],
    collected: _Collected,
) -> None:
    """Add the names and remarks of a part's puzzles to `collected`, up to the limits on them.

    Remarks are limited for each outcome, and for wrong solutions. Also adds two solutions of the
    first puzzles that have several.
    """
    if len(collected.names) < MAX_NAMES:
        collected.names |= {first + place: name for place, name in result.names.items()}
    for place, detail in result.details.items():
        kind = len(Outcome) if wrong[place] else int(outcomes[place])
        if collected.described[kind] < MAX_DESCRIBED:
            collected.described[kind] += 1
            collected.details[first + place] = detail
    if len(collected.differing) < MAX_DESCRIBED and any(result.listed.values()):
        boards = result.boards()
        for place, solutions in sorted(result.listed.items()):
            board = boards[place]
            if len(solutions) < 2 or board is None:
                continue
            if len(collected.differing) < MAX_DESCRIBED:
                collected.differing[first + place] = differing(board, solutions[0], solutions[1])


def differing(board: StoredBoard, first: str, second: str) -> Differing:
    """Return two solutions with the names of the cells in which they differ."""
    pairs = zip(board.symbols.split(first), board.symbols.split(second), strict=True)
    cells = [board.layout.cell_name(cell) for cell, (a, b) in enumerate(pairs) if a != b]
    return Differing((first, second), cells)


def _minimal(result: ChunkResult) -> NDArray[np.int8]:
    minimal = np.full(len(result), UNKNOWN, np.int8)
    for place, tested in result.minimality.items():
        if tested.minimal is not None:
            minimal[place] = tested.minimal
    return minimal


def _claims(result: ChunkResult, collected: _Collected) -> NDArray[np.int32]:
    """Return the claimed difficulty of each record as an index of its label in `collected`.

    Records without a claim have UNKNOWN. Adds new labels to `collected`, and the name of the column
    that contains the claims.
    """
    claims = np.full(len(result), UNKNOWN, np.int32)
    column = claim_column(result.own_names)
    if column is None:
        return claims
    collected.claimed_by = result.own_names[column]
    labels = collected.labels
    for place, fields in result.own.items():
        label = fields[column].strip() if column < len(fields) else ""
        if label:
            claims[place] = labels.setdefault(label, len(labels))
    return claims


def _difficulty(result: ChunkResult, collected: _Collected) -> dict[str, NDArray[np.generic]]:
    count = len(result)
    scores, levels = np.full(count, UNKNOWN, np.int32), np.full(count, UNKNOWN, np.int8)
    hardest = np.full(count, UNKNOWN, np.int16)
    places, known = np.array([*result.difficulties], np.intp), [*result.difficulties.values()]
    scores[places] = [UNKNOWN if each.score is None else each.score for each in known]
    levels[places] = [UNKNOWN if each.level is None else each.level for each in known]
    lengths = np.array([len(each.counts) for each in known], np.intp)
    codes = np.fromiter(chain.from_iterable(each.counts for each in known), np.intp)
    collected.needed += np.bincount(codes, minlength=_CODES)
    if len(codes):
        starts = (np.cumsum(lengths) - lengths)[lengths > 0]
        hardest[places[lengths > 0]] = np.maximum.reduceat(_RANKS[codes], starts)
    ratings = result.ratings().astype(np.int16)
    return {"ratings": ratings, "scores": scores, "levels": levels, "hardest": hardest}


def _givens(result: ChunkResult) -> dict[str, NDArray[np.generic]]:
    """Return the columns that depend on the givens, by name.

    They are `classic`, `givens`, `symmetry`, and `same`. Records whose board isn't stored have the
    values that mean unknown.
    """
    count = len(result)
    classic, givens = np.zeros(count, bool), np.full(count, UNKNOWN, np.int16)
    symmetry, same = np.full(count, NONE, np.uint8), np.full(count, NO_FORM, np.int64)
    kind_of = np.frombuffer(result.kind_of, "<i4")
    if not len(kind_of):
        return {"classic": classic, "givens": givens, "symmetry": symmetry, "same": same}
    texts = result.puzzles.split()
    for number, packed in enumerate(result.kinds):
        board, places = unpack_board(packed), np.flatnonzero(kind_of == number)
        if board is None:
            continue
        lines = texts if len(places) == count else [texts[place] for place in places.tolist()]
        patterns = _patterns(board, lines)
        rows, columns = board.layout.rows, board.layout.columns
        classic[places] = board.layout is _CLASSIC
        givens[places] = patterns.sum(axis=1)
        symmetry[places] = symmetries(patterns.reshape(-1, rows, columns))
        board_hash, blank = hash(_board_key(packed)), board.symbols.blank
        same[places] = board_hash ^ _hashes(
            lines if blank == "." else [line.replace(blank, ".") for line in lines]
        )
    return {"classic": classic, "givens": givens, "symmetry": symmetry, "same": same}


def _patterns(board: StoredBoard, lines: Sequence[str]) -> NDArray[np.bool_]:
    """Return which cells have givens (n, cells), for puzzles on a board.

    Puzzles that the board can't read have none.
    """
    cells, symbols = board.layout.cells, board.symbols
    text = "".join(lines)
    is_plain = text.isascii() and not symbols.separator and len(text) == len(lines) * cells
    if is_plain and {*map(len, lines)} == {cells}:
        codes = np.frombuffer(text.encode(), np.uint8).reshape(-1, cells)
        known = np.zeros(256, bool)
        known[[ord(symbol) for symbol in symbols.values if symbol.isascii()]] = True
        return known[codes]
    rows = [board.read(line) or (0,) * cells for line in lines]
    return np.array(rows, np.int64).reshape(-1, cells) > 0


@lru_cache(maxsize=64)
def _board_key(packed: bytes) -> bytes | None:
    """Return a key that boards have in common if only their sign for empty cells differs.

    A board that can't be read here, or that has a dot as a symbol, keeps its own bytes as the key.
    Returns None if the board is too large to be stored.
    """
    board = unpack_board(packed)
    if board is None or "." in board.symbols.values:
        return packed
    return pack_board(board.layout, replace(board.symbols, blank="."))


def _hashes(texts: Sequence[str]) -> NDArray[np.int64]:
    """Return the hash of each text. That of an empty text is 0, which is `NO_FORM`.

    Other texts can have different hashes in another process.
    """
    return np.array([*map(hash, texts)], np.int64)
