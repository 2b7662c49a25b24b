"""Search for unsound steps: no step may remove a digit of the solution.

    python -m benchmarks.soundness [FILE …] [--order hodoku|explainer] [--generate N]
                                   [--variants N] [--seconds S] [--every K] [--seed S]

The puzzles come from files in any format, from a generator of puzzles without redundant givens, and
from a generator of variants. Puzzles without exactly one solution are skipped. A path that ends in
the solution is sound, because a digit removed from a cell never returns. On all other paths, each
step is compared with the solution. Prints the number of puzzles for each source, and fails if any
step was unsound.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Outcome
from solver.engines.engine import GO_ON
from solver.explaining import ORDERS
from solver.formats import parse
from solver.logic.board import Board
from solver.logic.board_tables import Unexplained, board_of
from solver.logic.deduction_rows import PLACE, REMOVE
from solver.logic.grid import grid_of
from solver.logic.rating import hodoku
from solver.logic.solving_path import solving_steps
from solver.logic.sudoku_explainer import rating as explainer
from solver.logic.technique_table import GUESS
from solver.solving import solve_many

Grid = NDArray[np.uint8]  # (cells,)
Grids = NDArray[np.uint8]  # (n, cells)
Rows = NDArray[np.int32]
VARIANTS = ("diagonal", "windoku", "antiknight", "antiking", "disjointgroups")
_CLASSIC = Layout.boxed(3, 3)
_STOP = np.full(1, GO_ON, np.uint8)
_AT_A_TIME = 2_000


class Unique(NamedTuple):
    """Puzzles of one layout and their unique solutions, both (n, cells)."""

    layout: Layout
    givens: Grids
    solutions: Grids


def main() -> None:
    """Check the steps of all sources' puzzles, and print a table.

    Exits with 1 if a step is unsound.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="files of puzzles")
    parser.add_argument(
        "--order", choices=ORDERS, default="hodoku", help="solving order (default: %(default)s)"
    )
    parser.add_argument(
        "--generate", type=int, default=0, help="number of classic puzzles to generate"
    )
    parser.add_argument(
        "--variants", type=int, default=0, help="number of puzzles to generate per variant"
    )
    parser.add_argument("--seconds", type=float, default=float("inf"), help="time limit per source")
    parser.add_argument("--every", type=int, default=1, help="use only every Kth puzzle of a file")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: %(default)s)")
    options = parser.parse_args()
    sources = [
        (path.name, of_file(path, order=options.order, every=options.every))
        for path in options.files
    ]
    if options.generate:
        made = generated(_CLASSIC, options.generate, seed=options.seed)
        sources.append(("generated", made))
    for variant in VARIANTS if options.variants and options.order == "hodoku" else ():
        (empty,) = parse("." * 81, variant=(variant,))
        if not isinstance(empty, Invalid):
            made = generated(empty.layout, options.variants, seed=options.seed)
            sources.append((variant, made))
    print("| source | puzzles | solved | unsound | per second |")
    print("|---|---:|---:|---:|---:|")
    is_sound = True
    for name, batches in sources:
        is_sound &= report(name, batches, order=options.order, seconds=options.seconds)
    sys.exit(not is_sound)


def report(name: str, batches: Iterator[Unique], *, order: str, seconds: float) -> bool:
    """Check the steps of a source's puzzles, print its row, and return whether all are sound.

    `batches` are the source's puzzles. Those that are left after `seconds` are skipped, and so are
    boards that can't be explained. A puzzle that the steps solve correctly counts as sound. In
    others, each step is compared with the solution.
    """
    puzzles = solved = unsound = 0
    began, spent = time.monotonic(), time.process_time()
    for batch in batches:
        board = board_of(batch.layout)
        if isinstance(board, Unexplained):
            continue
        is_solved = solved_by_explainer() if order == "explainer" else solved_by_hodoku(board)
        for givens, solution in zip(batch.givens, batch.solutions, strict=True):
            if time.monotonic() - began > seconds:
                break
            puzzles += 1
            if is_solved(givens, solution):
                solved += 1
                continue
            for rows in path(board, givens, order=order):
                if not is_sound(rows, solution):
                    unsound += 1
                    print(f"UNSOUND in {givens.tolist()}: {rows.tolist()}", file=sys.stderr)
    speed = puzzles / (time.process_time() - spent)
    print(f"| {name} | {puzzles} | {solved} | {unsound} | {speed:.0f} |", flush=True)
    return unsound == 0


def solved_by_explainer() -> Callable[[Grid, Grid], bool]:
    """Return a function that returns whether Sudoku Explainer's order leads to the solution.

    It takes a puzzle's givens and its solution.
    """
    memory = explainer.new_memory()

    def is_solved(givens: Grid, solution: Grid) -> bool:
        explainer.rate_many(givens[None], stop=_STOP, memory=memory)
        return bool((memory["outer"]["state"]["values"] == solution).all())

    return is_solved


def solved_by_hodoku(board: Board) -> Callable[[Grid, Grid], bool]:
    """Return a function that returns whether HoDoKu's order leads to the solution without a guess.

    It takes a puzzle's givens and its solution.
    """
    solver = hodoku.Solver(board, _STOP)

    def is_solved(givens: Grid, solution: Grid) -> bool:
        counts = solver.counts(givens, solution) or {}
        return GUESS not in counts and bool((solver.values == solution).all())

    return is_solved


def path(board: Board, givens: Grid, *, order: str) -> Iterator[Rows]:
    """Yield each step of a puzzle's explanation, as a flat array of (tag, cell, value)."""
    if order == "explainer":
        return explainer.step_rows(givens, stop=_STOP)
    return solving_steps(board, grid_of(board, tuple(givens.tolist())), stop=_STOP)


def is_sound(rows: Rows, solution: Grid) -> bool:
    """Return whether a step places only digits of the solution and removes none of them.

    `rows` is a step as `path` yields it.
    """
    tags, cells, values = rows.reshape(-1, 3).T
    places, removes = tags == PLACE, tags == REMOVE
    is_right = (solution[cells[places]] == values[places]).all()
    return bool(is_right and (solution[cells[removes]] != values[removes]).all())


def of_file(path: Path, *, order: str, every: int) -> Iterator[Unique]:
    """Yield puzzles of a file with exactly one solution, in batches of one layout.

    Puzzles with pencil marks are left out. If `order` is "explainer", so are all but classic 9×9
    puzzles. Only every `every`th puzzle is used.
    """
    puzzles = [puzzle for puzzle in parse(path.read_text())[::every] if isinstance(puzzle, Puzzle)]
    if order == "explainer":
        puzzles = [puzzle for puzzle in puzzles if puzzle.layout is _CLASSIC]
    while puzzles:
        layout = puzzles[0].layout
        same = [puzzle for puzzle in puzzles if puzzle.layout == layout and not puzzle.candidates]
        puzzles = [puzzle for puzzle in puzzles if puzzle.layout != layout]
        for start in range(0, len(same), _AT_A_TIME):
            givens = [puzzle.givens for puzzle in same[start : start + _AT_A_TIME]]
            yield unique(layout, np.array(givens, np.uint8))


def unique(layout: Layout, givens: Grids) -> Unique:
    """Solve puzzles, and return those with exactly one solution, together with the solutions."""
    batch = solve_many(givens, layout=layout)
    is_unique = (batch.outcomes == Outcome.SOLVED) & (batch.counts == 1)
    return Unique(layout, givens[is_unique], batch.solutions[is_unique])


def generated(layout: Layout, count: int, *, seed: int) -> Iterator[Unique]:
    """Yield random puzzles without redundant givens, in batches.

    There are `count` puzzles in all, minus those whose solution couldn't be proved to be unique.
    """
    numbers = np.random.default_rng(seed)
    for start in range(0, count, _AT_A_TIME):
        size = min(_AT_A_TIME, count - start)
        givens = solved_grids(layout, size, numbers)
        for cells in numbers.permuted(np.tile(np.arange(81), (size, 1)), axis=1).T:
            tried = givens.copy()
            tried[np.arange(size), cells] = 0
            needed = solve_many(tried, layout=layout).counts != 1
            tried[needed] = givens[needed]
            givens = tried
        yield unique(layout, givens)


def solved_grids(layout: Layout, count: int, numbers: np.random.Generator) -> Grids:
    """Return `count` random full grids: solutions of boards with a few random givens."""
    grids = np.zeros((0, 81), np.uint8)
    while len(grids) < count:
        givens = np.zeros((count, 81), np.uint8)
        rows = np.arange(count)
        for cell in numbers.choice(81, 8, replace=False):
            givens[rows, cell] = numbers.integers(1, 10, count)
        batch = solve_many(givens, layout=layout, limit=1, step_limit=1_000)
        solved = batch.outcomes == Outcome.SOLVED
        grids = np.concatenate([grids, batch.solutions[solved]])[:count]
    return grids


if __name__ == "__main__":
    main()
