"""Look at every deduction of many puzzles: none may remove a value of the solution.

python -m benchmarks.soundness FILE... [--order explainer] [--most N]

Puzzles of any format that have one solution; others, and those of rules that logic does not know,
are counted and left out.
"""

import argparse
import time
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver import Invalid, Puzzle, parse, solve
from solver.logic.explainer import rating as explainer
from solver.logic.grid import grid_of
from solver.logic.rows import PLACE, REMOVE
from solver.logic.tables import Unexplained, board_of
from solver.logic.walk import walk

_STOP = np.zeros(1, np.uint8)


def main() -> None:
    """Print how many puzzles and deductions there were, and each that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--order", choices=("hodoku", "explainer"), default="hodoku")
    parser.add_argument("--most", type=int, default=1 << 30, help="puzzles of each file")
    options = parser.parse_args()
    counts = Counter[str]()
    began = time.process_time()
    for file in options.files:
        for puzzle in parse(file.read_text("utf-8"))[: options.most]:
            counts[_check(puzzle, options.order, counts)] += 1
    seconds = time.process_time() - began
    print(", ".join(f"{number} {name}" for name, number in counts.items()), f"in {seconds:.0f} s")


def _check(puzzle: Puzzle | Invalid, order: str, counts: Counter[str]) -> str:
    """Check one puzzle, count its deductions, and return what became of it."""
    if isinstance(puzzle, Invalid):
        return "invalid"
    board = board_of(puzzle.layout)
    if isinstance(board, Unexplained):
        return "of rules that logic does not know"
    result = solve(puzzle)
    if not result.unique or result.solution is None:
        return "without one solution"
    solution = np.array(result.solution)
    if order == "explainer":
        deductions = explainer.walk(np.array(puzzle.givens, np.uint8), stop=_STOP)
    else:
        grid = grid_of(board, puzzle.givens, candidates=puzzle.candidates)
        deductions = walk(board, grid, stop=_STOP)
    placed = sum(map(bool, puzzle.givens)) + len(puzzle.layout.absent)
    for rows in deductions:
        counts["deductions"] += 1
        placed += _placed(rows, solution, puzzle)
    return "solved" if placed == puzzle.layout.cells else "stuck"


def _placed(rows: NDArray[np.int32], solution: NDArray[np.int64], puzzle: Puzzle) -> int:
    """Return how many values a deduction places; say so if it is wrong."""
    tags, cells, values = rows.reshape(-1, 3).T
    places, removes = tags == PLACE, tags == REMOVE
    wrong = places & (solution[cells * places] != values)
    wrong |= removes & (solution[cells * removes] == values)
    if wrong.any():
        print(f"wrong: {rows[1]:04} in {puzzle.givens}: {rows.tolist()}")
    return int(places.sum())


if __name__ == "__main__":
    main()
