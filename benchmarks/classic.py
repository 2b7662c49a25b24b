"""Compare the classic engine with other solvers: 9×9 puzzles per second on one core.

    python benchmarks/classic.py [--data FOLDER] [--rounds N] [--tdoku PROGRAM]

Prints the tables of benchmarks/results/performance.md. FOLDER holds the public sets, one puzzle per
line. Every solver proves that a solution is unique (limit 2). sudokuq is called through
`solver.solve_many`, which checks the givens, searches, and verifies every result. In each round,
all solvers run one after the other on the same core. The best round of each counts, and ratios are
within this run. Afterward, this prints the time per call by the number of its puzzles, the speed of
two processes side by side, and the speed with older CPU instruction sets.

PROGRAM is tdoku's `run_benchmark` (github.com/t-dillon/tdoku), built separately. Glucose runs in
python-sat, if that is installed. It's used incrementally, as a user would: the rules are added
once, the givens are assumptions, and a clause excludes the first solution.
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import Layout, Puzzle, parse, solve, solve_many

SETS = ("17-clue", "magictour-top1465", "forum-hardest-1106", "multiple-solutions")
AT_LEAST = 50_000  # puzzles per run, so that the clock's resolution doesn't matter
SAT_PUZZLES = 400
LEVELS = ("", "haswell", "x86-64")  # this processor, one with AVX2, and one with only SSE2

Grids = NDArray[np.uint8]


def read(file: Path) -> Grids:
    """Return the puzzles (n, 81) of a file of classic puzzles. Invalid ones are left out."""
    found = parse(file.read_bytes())
    return np.array([puzzle.givens for puzzle in found if isinstance(puzzle, Puzzle)], np.uint8)


def seconds(work: Callable[[], object]) -> float:
    """Call a function, and return how many seconds it ran."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def repeat(givens: Grids, number: int) -> Grids:
    """Repeat a set of puzzles as a whole until there are at least `number`."""
    return np.tile(givens, (-(-number // len(givens)), 1))


def run_ours(givens: Grids) -> float:
    """Return how many puzzles per second sudokuq solves, measured over one second.

    The second before it, which warms up, doesn't count. tdoku measures in the same way.
    """
    for _ in range(2):
        start, solved = time.perf_counter(), 0
        while time.perf_counter() < start + 1:
            solved += len(solve_many(givens))
    return solved / (time.perf_counter() - start)


def run_tdoku(program: str, givens: Grids) -> tuple[float, float]:
    """Return tdoku's puzzles per second, according to its clock, and its guesses per puzzle."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines("".join(".123456789"[v] for v in row) + "\n" for row in givens.tolist())
        file.flush()
        number = str(max(AT_LEAST, len(givens)))
        options = ["-c", "1", "-s", "tdoku", "-r", "0", "-v", "0", "-w", "1", "-t", "1"]
        printed = subprocess.run(
            [program, *options, "-n", number, file.name], capture_output=True, check=True, text=True
        ).stdout
    fields = printed.splitlines()[-1].split(",")
    return float(fields[-4]), float(fields[-1])


def sat_clauses() -> list[list[int]]:
    """Return the SAT clauses of 9×9 puzzles: one value per cell, and each value once per house.

    The candidate (cell, value) is the literal 9 · cell + value. Cells count from 0, values from 1.
    """
    literals = np.arange(1, 730).reshape(81, 9)
    houses = [list(house.cells) for house in Layout.boxed(3, 3).houses]
    groups = [row.tolist() for row in literals]
    groups += [literals[house, value].tolist() for house in houses for value in range(9)]
    pairs = [[-a, -b] for group in groups for a, b in combinations(group, 2)]
    return [*groups, *pairs]


def run_glucose(givens: Grids) -> float:
    """Return how many puzzles per second Glucose solves and checks for uniqueness."""
    from pysat.solvers import Solver

    with Solver(name="glucose4", bootstrap_with=sat_clauses()) as sat:
        fresh = 729

        def count(row: list[int]) -> int:
            nonlocal fresh
            given = [9 * cell + value for cell, value in enumerate(row) if value]
            if not sat.solve(assumptions=given):
                return 0
            fresh += 1  # The literal that activates the clause against this solution.
            chosen = {literal for literal in sat.get_model()[:729] if literal > 0}
            sat.add_clause([-fresh, *(-literal for literal in chosen.difference(given))])
            solutions = 2 if sat.solve(assumptions=[*given, fresh]) else 1
            sat.add_clause([-fresh])
            return solutions

        rows = givens.tolist()
        return len(rows) / seconds(lambda: [count(row) for row in rows])


def compare(data: Path, *, rounds: int, tdoku: str | None) -> None:
    """Print the table that compares the solvers on each set of puzzles in the folder `data`.

    The fastest of `rounds` runs counts. `tdoku` is the path of that program, None to leave it out.
    """
    sat = find_spec("pysat") is not None
    print("| set | puzzles/s | guesses | tdoku | guesses | ratio | Glucose | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for name in SETS:
        givens = read(data / f"{name}.txt")
        many = repeat(givens, 5000 if name.startswith("forum") else AT_LEAST)
        ours = theirs = glucose = guesses = 0.0
        for _ in range(rounds):
            ours = max(ours, run_ours(many))
            if tdoku:
                speed, guesses = run_tdoku(tdoku, givens)
                theirs = max(theirs, speed)
            if sat:
                step = max(1, len(givens) // SAT_PUZZLES)
                glucose = max(glucose, run_glucose(givens[::step]))
        steps = solve_many(givens).steps.mean()
        against = [f"{theirs:,.0f} | {guesses:.2f} | {ours / theirs:.1f}" if tdoku else "– | – | –"]
        against.append(f"{glucose:,.0f} | {ours / glucose:.0f}" if sat else "– | –")
        print(f"| {name} ({len(givens):,}) | {ours:,.0f} | {steps:.2f} | {' | '.join(against)} |")


def show_call_sizes(givens: Grids) -> None:
    """Print how long a call of `solve_many` takes, depending on the number of its puzzles.

    Also prints the time of `solve` for the text of one puzzle.
    """
    print("\n| puzzles per call | µs per call | puzzles/s |\n|---|---|---|")
    for size in (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000):
        part = repeat(givens, size)[:size]
        calls = max(1, 20_000 // size)
        best = min(seconds(lambda part=part: solve_many(part)) for _ in range(calls))  # type: ignore[misc]
        print(f"| {size:,} | {best * 1e6:,.0f} | {size / best:,.0f} |")
    text = "".join(".123456789"[value] for value in givens[0])
    best = min(seconds(lambda: solve(text)) for _ in range(200))
    print(f"\n`solve(text)` of one puzzle: {best * 1e6:.0f} µs")


def _work(arguments: tuple[str, int]) -> float:
    file, rounds = arguments
    many = repeat(read(Path(file)), AT_LEAST)
    solve_many(many)
    return seconds(lambda: [solve_many(many) for _ in range(rounds)]) / rounds / len(many)


def show_processes(file: Path) -> None:
    """Print the puzzles per second of one process, and the total of two side by side."""
    for number in (1, 2):
        with multiprocessing.get_context("spawn").Pool(number) as pool:
            speed = sum(1 / cost for cost in pool.map(_work, [(str(file), 10)] * number))
        print(f"{number} process{'es' if number > 1 else ''}: {speed:,.0f} puzzles/s")


def show_levels(file: Path) -> None:
    """Print the speed with each CPU instruction set in LEVELS, in two new processes each.

    The first process also compiles the code, which the second one loads.
    """
    program = f"""
from pathlib import Path
from benchmarks.classic import read, seconds, solve_many
givens = read(Path({str(file)!r}))
first = seconds(lambda: solve_many(givens[:1]))
best = min(seconds(lambda: solve_many(givens)) for _ in range(5))
print(f"{{len(givens) / best:,.0f}} puzzles/s, first call after {{first:.1f}} s")
"""
    for level in LEVELS:
        for start in ("first", "second"):
            with_level = {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": ""} if level else {}
            cache = Path(tempfile.gettempdir()) / f"classic-{os.getpid()}-{level}"
            environment = os.environ | with_level | {"NUMBA_CACHE_DIR": str(cache)}
            printed = subprocess.run(
                [sys.executable, "-c", program], env=environment, capture_output=True, text=True,
                check=True, cwd=Path(__file__).parents[1],
            ).stdout  # fmt: skip
            print(f"{level or 'this processor'}, {start} start: {printed.strip()}")


def main() -> None:
    """Run all parts of the benchmark, and print their tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("../shared/data/classic"),
        help="folder with the puzzle sets (default: %(default)s)",
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default: %(default)s)")
    parser.add_argument("--tdoku", help="path of tdoku's run_benchmark")
    options: Any = parser.parse_args()
    solve_many(np.zeros((1, 81), np.uint8))
    compare(options.data, rounds=options.rounds, tdoku=options.tdoku)
    seventeen = options.data / "17-clue.txt"
    show_call_sizes(read(seventeen))
    print()
    show_processes(seventeen)
    print()
    show_levels(seventeen)


if __name__ == "__main__":
    main()
