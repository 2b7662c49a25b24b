"""Compare variant puzzles with Interactive Sudoku Solver, cold, including the time to read them.

python benchmarks/variants.py [--iss CHECKOUT] [--data DIR] [--others] [--only TEXT] [--seconds S]

CHECKOUT is a clone of https://github.com/sigh/Interactive-Sudoku-Solver, which Node runs. The
puzzles are the 120 public variants or, with --others, all further puzzles in CHECKOUT. Each program
gets the text of a puzzle and finds out whether its solution is unique. Both have warmed up, but
reuse nothing from an earlier puzzle. They take turns, and the best of a few runs counts.

Prints a table with the milliseconds and their ratio for each puzzle, and the geometric mean of the
ratios. Puzzles that sudokuq can't read are listed with the reason.
"""

import argparse
import functools
import gc
import json
import math
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from solver import Invalid, Layout, parse
from solver.board.budget import forget_tables
from solver.board.result import Outcome
from solver.checks.verification import are_solutions
from solver.engines.engine import ABANDON, GO_ON
from solver.engines.general.backtracking.tables import tables_of
from solver.solving import solve_many, warm_up

REPEAT = 3
LONG = 0.5  # seconds; slower puzzles are measured once
STEPS = 10**9
SCRIPT = Path(__file__).with_name("interactive_sudoku_solver.mjs")
# Caches that don't depend on the puzzle: classic boards, tables of relations, and compiled code.
SPARED = (
    "boxed",
    "grid",
    "_allowed",
    "_pairs_by_distance",
    "_compiled_checks",
    "is_ready",
    "words_here",
    "folder",
)
# box sizes of the boards whose tables are built in advance
PLAIN = ((2, 2), (2, 3), (3, 3), (4, 4))


@dataclass(frozen=True)
class Run:
    """One program's result for a puzzle: time, solutions found, and guesses or backtracks."""

    milliseconds: float
    solutions: int
    guesses: int


class InteractiveSudokuSolver:
    """Interactive Sudoku Solver in a separate process."""

    def __init__(self, checkout: Path, seconds: float) -> None:
        """Start the process, and solve the puzzles in WARMING, which warms it up.

        `checkout` is its local clone, and `seconds` the time limit per puzzle.
        """
        self._command = ["node", str(SCRIPT), str(checkout)]
        self._seconds = seconds
        self._start()

    def puzzles(self) -> list[dict[str, str]]:
        """Return the distinct puzzles in Interactive Sudoku Solver's repository.

        They are read from its local clone, as dictionaries with `name` and `input`. Two puzzles
        whose inputs differ only in white space count as the same.
        """
        listed = subprocess.run([*self._command, "list"], check=True, capture_output=True)
        rows = [json.loads(line) for line in listed.stdout.splitlines()]
        return list({"".join(row["input"].split()): row for row in rows}.values())

    def solve(self, text: str) -> Run | str:
        """Solve a puzzle, and return the result, or the reason for its absence.

        After the time limit, the process is replaced by a new one.
        """
        self._write(text)
        if not select.select([cast("Any", self._process.stdout)], [], [], self._seconds)[0]:
            self.close()
            self._start()
            return f"more than {self._seconds:.0f} s"
        answer = json.loads(cast("Any", self._process.stdout).readline())
        return answer if isinstance(answer, str) else Run(*answer)

    def close(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.communicate()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [*self._command, "solve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        for text in WARMING:
            self.solve(text)

    def _write(self, text: str) -> None:
        cast("Any", self._process.stdin).write(json.dumps(text).encode() + b"\n")


@functools.cache
def caches() -> list[Any]:
    """Return all `lru_cache` functions of the solver except those named in SPARED."""
    modules = [each for name, each in sys.modules.items() if name.startswith("solver.")]
    owners = [
        owner
        for module in modules
        for owner in (module, *(each for each in vars(module).values() if isinstance(each, type)))
    ]
    kept = {
        id(cache): cache
        for owner in owners
        for name, member in vars(owner).items()
        if isinstance(cache := getattr(member, "__func__", member), functools._lru_cache_wrapper)
        and name not in SPARED
    }
    return list(kept.values())


def forget() -> None:
    """Empty the solver's caches, and rebuild the tables of classic boards.

    These tables don't depend on the puzzle, so building them isn't measured.
    """
    forget_tables()
    for cache in caches():
        cache.cache_clear()
    for box in PLAIN:
        layout = Layout.boxed(*box)
        tables_of(layout)
        are_solutions(layout, *np.ones((2, 1, layout.cells), np.uint8))


def ours(text: str, seconds: float) -> Run | str:
    """Read and solve a puzzle with sudokuq, starting with empty caches.

    Returns the result, or why there is none. `seconds` is the time limit.
    """
    forget()
    gc.collect()
    stop = np.full(1, GO_ON, np.uint8)
    timer = threading.Timer(seconds, lambda: stop.__setitem__(0, ABANDON))
    timer.start()
    start = time.perf_counter()
    records = parse(text)
    puzzle = records[0]
    if isinstance(puzzle, Invalid) or len(records) > 1:
        timer.cancel()
        return puzzle.detail if isinstance(puzzle, Invalid) else f"{len(records)} puzzles"
    candidates = None if puzzle.candidates is None else np.array([puzzle.candidates], np.uint64)
    batch = solve_many(
        np.array([puzzle.givens], np.uint8),
        layout=puzzle.layout,
        step_limit=STEPS,
        stop=stop,
        candidates=candidates,
    )
    end = time.perf_counter()
    timer.cancel()
    if not len(batch):
        return f"more than {seconds:.0f} s"
    if Outcome(int(batch.outcomes[0])) is Outcome.INVALID:
        return "its givens conflict"
    return Run(1e3 * (end - start), int(batch.counts[0]), int(batch.steps[0]))


def by_turns(
    text: str, iss: InteractiveSudokuSolver | None, seconds: float
) -> tuple[Run | str, Run | str]:
    """Run both programs in turn on a puzzle, and return the fastest run of each, sudokuq's first.

    Each program runs three times, or once if it takes half a second or fails. sudokuq fails after
    `seconds`.
    A failed run is represented by its reason. `iss` is None if Interactive Sudoku Solver isn't run.
    """
    best: list[Run | str] = [ours(text, seconds), iss.solve(text) if iss else "not run"]
    for _ in range(REPEAT - 1):
        for place, run in enumerate(best):
            if not isinstance(run, str) and run.milliseconds < 1e3 * LONG:
                again = (
                    ours(text, seconds)
                    if place == 0
                    else cast("InteractiveSudokuSolver", iss).solve(text)
                )
                if not isinstance(again, str) and again.milliseconds < run.milliseconds:
                    best[place] = again
    return best[0], best[1]


def shared(data: Path) -> list[dict[str, str]]:
    """Return the public variant puzzles, as dictionaries with `name` and `input` (their text)."""
    lines = (data / "variants" / "puzzles.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def shown(run: Run | str) -> str:
    """Return the milliseconds of a run as text, or the reason for failure."""
    return run if isinstance(run, str) else f"{run.milliseconds:.1f}"


def rows(
    puzzles: list[dict[str, str]], iss: InteractiveSudokuSolver | None, seconds: float
) -> Iterator[tuple[float, bool]]:
    """Print a row for each puzzle, and yield (ratio, whether sudokuq was slow).

    The ratio is sudokuq's time divided by that of Interactive Sudoku Solver. Slow is more than 5 ms
    and more than twice as long. Puzzles that one of the programs didn't solve have no ratio, and
    nothing is yielded for them.
    """
    print("| # | puzzle | ms | guesses | ISS, ms | backtracks | ratio |")
    print("|--:|---|--:|--:|--:|--:|--:|")
    for number, puzzle in enumerate(puzzles, 1):
        run, other = by_turns(puzzle["input"], iss, seconds)
        ratio = ""
        if isinstance(run, Run) and isinstance(other, Run):
            value = run.milliseconds / other.milliseconds
            ratio = f"{value:.2f}"
            if run.solutions != other.solutions:
                ratio += f", but {run.solutions} and {other.solutions} solutions"
            yield value, run.milliseconds > 5 and value > 2
        guesses, backtracks = (
            "" if isinstance(each, str) else f"{each.guesses:,}" for each in (run, other)
        )
        name = puzzle["name"].replace("|", "/")[:60]
        print(
            f"| {number} | {name} | {shown(run)} | {guesses} | {shown(other)} "
            f"| {backtracks} | {ratio} |",
            flush=True,
        )


WARMING: list[str] = []


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("../shared/data"),
        help="folder with variants/ (default: %(default)s)",
    )
    parser.add_argument("--iss", type=Path, help="clone of Interactive Sudoku Solver")
    parser.add_argument("--others", action="store_true", help="use the puzzles in the clone")
    parser.add_argument(
        "--seconds", type=float, default=10, help="time limit per puzzle (default: %(default)s)"
    )
    parser.add_argument("--only", help="use only puzzles whose name contains this")
    arguments = parser.parse_args()
    puzzles = shared(arguments.data)
    WARMING.extend(puzzle["input"] for puzzle in puzzles[:20])
    iss = InteractiveSudokuSolver(arguments.iss, arguments.seconds) if arguments.iss else None
    warm_up()
    for text in WARMING:
        ours(text, arguments.seconds)
    gc.collect()
    gc.freeze()  # Otherwise, each collection before a puzzle would scan everything imported.
    if arguments.others and iss:
        known = {"".join(puzzle["input"].split()) for puzzle in puzzles}
        puzzles = [
            puzzle for puzzle in iss.puzzles() if "".join(puzzle["input"].split()) not in known
        ]
    if arguments.only:
        puzzles = [puzzle for puzzle in puzzles if arguments.only in puzzle["name"]]
    ratios = list(rows(puzzles, iss, arguments.seconds))
    if iss:
        iss.close()
    if ratios:
        mean = math.exp(sum(math.log(ratio) for ratio, _ in ratios) / len(ratios))
        print(
            f"\n{len(ratios)} puzzles solved by both: geometric mean of the ratios {mean:.2f}; "
            f"{sum(ratio < 1 for ratio, _ in ratios)} faster here; "
            f"{sum(slow for _, slow in ratios)} above 5 ms and twice the time of ISS."
        )


if __name__ == "__main__":
    main()
