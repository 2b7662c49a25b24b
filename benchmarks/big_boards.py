"""Compare 16×16 and 25×25 boards with SAT and constraint solvers, on one core, in one run.

python benchmarks/big_boards.py [--data ../shared/data] [--repeat 3]

Every solver solves each puzzle and proves that its solution is unique. Times include encoding. The
competitors are Glucose 4 and CaDiCaL 1.5.3 in python-sat, with the usual clauses (a value per cell,
a cell per value, at most one of each), and CP-SAT of OR-tools with one worker and an all-different
constraint per house. Solvers that aren't installed are omitted: pip install python-sat ortools.
Random 25×25 boards are made from one solution by permuting values, bands, rows, and columns, and
emptying 45 to 60% of the cells. Prints a table for benchmarks/results/performance.md: seconds for
all puzzles of a file, best of the repetitions.
"""

import argparse
import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path

from solver import Invalid, Layout, Puzzle, parse, solve
from solver.board.symbols import Symbols

FILES = ("test1.0f", "test2.16", "test3.16", "test4.1g", "test6.1g", "25x25.braces.txt")


def clauses(layout: Layout) -> list[list[int]]:
    """Return the usual SAT clauses: one value per cell, and each value once per house.

    The candidate (cell, value) is the literal cell · size + value. Cells count from 0, values from
    1. Every house must have `size` cells.
    """
    size = layout.size
    literals = [[cell * size + value + 1 for value in range(size)] for cell in range(layout.cells)]
    for house in layout.houses:
        literals += [[cell * size + value + 1 for cell in house.cells] for value in range(size)]
    return [
        clause
        for group in literals
        for clause in (group, *([-a, -b] for a, b in combinations(group, 2)))
    ]


def by_sat(name: str) -> Callable[[Puzzle], bool]:
    """Return a function that checks whether a puzzle's solution is unique.

    `name` is the name of a SAT solver in python-sat, which the function uses. The puzzle must have
    a solution.
    """
    from pysat.solvers import Solver

    def is_unique(puzzle: Puzzle) -> bool:
        size = puzzle.layout.size
        with Solver(name=name, bootstrap_with=clauses(puzzle.layout)) as solver:
            for cell, value in enumerate(puzzle.givens):
                if value:
                    solver.add_clause([cell * size + value])
            assert solver.solve()
            solver.add_clause([-literal for literal in solver.get_model() if literal > 0])
            return not solver.solve()

    return is_unique


def by_cp_sat(puzzle: Puzzle) -> bool:
    """Return whether a puzzle's solution is unique, according to CP-SAT.

    The puzzle must have a solution.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = [
        model.new_int_var(given or 1, given or puzzle.layout.size, "") for given in puzzle.givens
    ]
    for house in puzzle.layout.houses:
        model.add_all_different([cells[cell] for cell in house.cells])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    others = []
    for cell, given in zip(cells, puzzle.givens, strict=True):
        if not given:
            other = model.new_bool_var("")
            model.add(cell != solver.value(cell)).only_enforce_if(other)
            others.append(other)
    model.add_bool_or(others)
    return bool(solver.solve(model) == cp_model.INFEASIBLE)


def by_sudokuq(puzzle: Puzzle) -> bool:
    """Return whether a puzzle's solution is unique, according to sudokuq.

    Returns False if this isn't decided after 10⁸ guesses.
    """
    return solve(puzzle, step_limit=100_000_000).unique is True


def random_boards(puzzle: Puzzle, count: int) -> list[Puzzle]:
    """Return boards equivalent to a puzzle's solution, with 45 to 60% of the cells emptied.

    Their solutions may not be unique. Every call returns the same boards.
    """
    solution = solve(puzzle).solution
    assert solution is not None
    size, (rows, columns) = puzzle.layout.size, puzzle.layout.box
    boards = []
    for seed in range(count):
        chance = random.Random(seed)

        def shuffled(band: int, chance: random.Random = chance) -> list[int]:
            bands = [list(range(k, k + band)) for k in range(0, size, band)]
            chance.shuffle(bands)
            return [line for lines in bands for line in chance.sample(lines, band)]

        value_of = [0, *chance.sample(range(1, size + 1), size)]
        row_of, column_of = shuffled(rows), shuffled(columns)
        full = [value_of[solution[r * size + c]] for r in row_of for c in column_of]
        blanks = chance.sample(range(size * size), round(size * size * chance.uniform(0.45, 0.6)))
        for cell in blanks:
            full[cell] = 0
        boards.append(Puzzle(puzzle.layout, tuple(full), Symbols.numbers(size)))
    return boards


def measure(is_unique: Callable[[Puzzle], bool], puzzles: list[Puzzle], repeat: int) -> str:
    """Return the seconds that `is_unique` takes for all puzzles, as text.

    The best of `repeat` runs counts. There are no more runs after one of over 30 s. If any result
    differs from sudokuq's, returns an error message.
    """
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        found = [is_unique(puzzle) for puzzle in puzzles]
        best = min(best, time.perf_counter() - start)
        if found != [by_sudokuq(puzzle) for puzzle in puzzles]:
            return "different result"
        if best > 30:
            break
    return f"{best:.3f}"


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("../shared/data"),
        help="folder with large/ (default: %(default)s)",
    )
    parser.add_argument("--repeat", type=int, default=3, help="repetitions (default: %(default)s)")
    arguments = parser.parse_args()
    solvers: dict[str, Callable[[Puzzle], bool]] = {"sudokuq": by_sudokuq}
    if find_spec("pysat"):
        solvers |= {"Glucose 4": by_sat("glucose4"), "CaDiCaL 1.5.3": by_sat("cadical153")}
    if find_spec("ortools"):
        solvers["CP-SAT"] = by_cp_sat
    print(f"| file | puzzles | {' | '.join(solvers)} |")
    print(f"|---|--:|{'--:|' * len(solvers)}")
    sets = {}
    for name in FILES:
        found = parse((arguments.data / "large" / name).read_bytes())
        sets[name] = [puzzle for puzzle in found if not isinstance(puzzle, Invalid)]
    sets["random 25×25"] = random_boards(sets[FILES[-1]][0], 30)
    for name, puzzles in sets.items():
        by_sudokuq(puzzles[0])
        times = [measure(solver, puzzles, arguments.repeat) for solver in solvers.values()]
        print(f"| {name} | {len(puzzles)} | {' | '.join(times)} |", flush=True)


if __name__ == "__main__":
    main()
