"""Collections of puzzles with known defects, for reports on them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.checks.givens import find_conflict
from solver.solving import solve

LEVELS = ("★", "★★", "★★★", "★★★★", "★★★★★")


@dataclass
class Seeded:
    """A CSV table with defects, and the numbers of the puzzles that have each defect, from 1."""

    text: str = ""
    defects: dict[str, list[int]] = field(default_factory=dict)


@dataclass
class _Record:
    puzzle: str
    solution: str
    level: str
    origin: int  # equal for copies
    defects: tuple[str, ...] = ()


def seeded(
    puzzles: Sequence[str], ratings: Sequence[float], *, of_each: int, seed: int = 7
) -> Seeded:
    """Return a shuffled table of puzzles, of which `of_each` get each kind of defect.

    The defects are `invalid`, `unsolvable`, `multiple`, `wrong-solution`, `disagrees`, `identical`
    (copies), and `equivalent` (copies and transformed puzzles). Copies are added to the puzzles,
    which must be different and have one solution each. There must be at least 7 × `of_each`.
    `ratings` are the puzzles' ratings. The claimed level is the fifth of the ratings to which a
    puzzle belongs, except for puzzles with the defect `disagrees`, which are two levels away.
    """
    rng = random.Random(seed)
    # Puzzles with the same rating get the same level.
    cuts = np.quantile(ratings, [0.2, 0.4, 0.6, 0.8])
    places = [int(np.searchsorted(cuts, rating, side="right")) for rating in ratings]
    solutions = ["".join(map(str, solve(puzzle).solution or ())) for puzzle in puzzles]
    records = [
        _Record(puzzle, solution, LEVELS[place], number)
        for number, (puzzle, solution, place) in enumerate(
            zip(puzzles, solutions, places, strict=True)
        )
    ]
    chosen = iter(rng.sample(range(len(puzzles)), 7 * of_each))
    for record in (records[next(chosen)] for _ in range(of_each)):
        record.puzzle, record.defects = _conflicting(record.puzzle), ("invalid",)
        record.solution = ""
    for record in (records[next(chosen)] for _ in range(of_each)):
        record.puzzle, record.defects = _unsolvable(record, rng), ("unsolvable",)
        record.solution = ""
    for record in (records[next(chosen)] for _ in range(of_each)):
        record.puzzle, record.defects = _ambiguous(record.puzzle, rng), ("multiple",)
        record.solution = ""
    for number, record in enumerate([records[next(chosen)] for _ in range(of_each)]):
        cell = rng.randrange(81)
        # Every other solution has a cell too few, so it can't be read.
        wrong = str(int(record.solution[cell]) % 9 + 1) if number % 2 else ""
        record.solution = record.solution[:cell] + wrong + record.solution[cell + 1 :]
        record.defects = ("wrong-solution",)
    for place in [next(chosen) for _ in range(of_each)]:
        record = records[place]
        record.level = LEVELS[places[place] + (2 if places[place] < 3 else -2)]
        record.defects = ("disagrees",)
    for record in [records[next(chosen)] for _ in range(of_each)]:
        records += [_Record(record.puzzle, record.solution, record.level, record.origin)]
    for record in [records[next(chosen)] for _ in range(of_each)]:
        puzzle, solution = turned((record.puzzle, record.solution), rng)
        records += [_Record(puzzle, solution, record.level, record.origin)]
    rng.shuffle(records)
    return _table(records)


def turned(grids: tuple[str, str], rng: random.Random) -> tuple[str, str]:
    """Return two 9×9 grids (81 characters) after the same random symmetry.

    It permutes bands, stacks, lines in them, and digits, and can transpose the grids.
    """
    digits = rng.sample("123456789", 9)
    table = str.maketrans("123456789", "".join(digits))
    rows, columns = _lines(rng), _lines(rng)
    cells = [9 * row + column for row in rows for column in columns]
    if rng.random() < 0.5:
        cells = [9 * row + column for column in columns for row in rows]
    first, second = ("".join(grid[cell] for cell in cells).translate(table) for grid in grids)
    return first, second


def _lines(rng: random.Random) -> list[int]:
    return [3 * band + line for band in rng.sample(range(3), 3) for line in rng.sample(range(3), 3)]


def _table(records: list[_Record]) -> Seeded:
    found = Seeded("puzzle,solution,stars,name\n")
    first: dict[int, str] = {}
    for number, record in enumerate(records, 1):
        found.text += f"{record.puzzle},{record.solution},{record.level},no. {number}\n"
        for defect in record.defects:
            found.defects.setdefault(defect, []).append(number)
        if record.origin in first:
            same = first[record.origin] == record.puzzle
            for defect in ("identical", "equivalent") if same else ("equivalent",):
                found.defects.setdefault(defect, []).append(number)
        first.setdefault(record.origin, record.puzzle)
    return found


def _conflicting(puzzle: str) -> str:
    """Return a puzzle with one more given, which repeats another one in its row."""
    row = next(row for row in range(9) if 0 < puzzle[9 * row : 9 * row + 9].count(".") < 9)
    given = next(each for each in puzzle[9 * row : 9 * row + 9] if each != ".")
    empty = puzzle.index(".", 9 * row)
    return puzzle[:empty] + given + puzzle[empty + 1 :]


def _unsolvable(record: _Record, rng: random.Random) -> str:
    """Return a record's puzzle with one more given, which breaks no rule but leaves no solution."""
    layout, symbols = Layout.boxed(3, 3), Symbols.usual(9)
    while True:
        cell = rng.choice([cell for cell, given in enumerate(record.puzzle) if given == "."])
        value = rng.choice("123456789".replace(record.solution[cell], ""))
        puzzle = record.puzzle[:cell] + value + record.puzzle[cell + 1 :]
        givens = np.array(symbols.read(puzzle), np.uint8)
        if find_conflict(layout, givens, symbols) is None:
            return puzzle


def _ambiguous(puzzle: str, rng: random.Random) -> str:
    """Return a puzzle without some givens, removed at random until it has several solutions."""
    while solve(puzzle).unique:
        cell = rng.choice([cell for cell, given in enumerate(puzzle) if given != "."])
        puzzle = puzzle[:cell] + "." + puzzle[cell + 1 :]
    return puzzle
