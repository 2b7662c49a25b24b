"""The public variant puzzles: what each takes to read, to solve and to prove unique, on one core.

python benchmarks/variants.py [--data ../shared/data] [--rival TIMES]

Prints a table: rules, milliseconds to read a puzzle, milliseconds to make its tables, to solve it
and to prove its solution the only one, guesses. What is not read is named with its reason.
TIMES are the same for Interactive Sudoku Solver, measured under Node in one process that had
warmed up: a JSON list a line, [number, name, [ms to build, ms to solve, solutions, backtracks]].
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

from solver import Invalid, Puzzle, parse, solve
from solver.engines.general.learning.tables import problem_of
from solver.engines.general.plain.tables import tables_of
from solver.rules.registry import with_constraints
from solver.rules.variants import with_variants

REPEAT = 3
LONG = 5.0  # seconds; what takes longer is measured once


def read(text: str) -> Puzzle | Invalid:
    """Return the puzzle behind a constraint string, with nothing kept of an earlier one."""
    for kept in (with_constraints, with_variants, tables_of, problem_of):
        kept.cache_clear()
    return parse("".join(text.split()))[0]


def timed(record: dict[str, Any]) -> tuple[str, float, float, int]:
    """Return (outcome, seconds to read, seconds to solve, guesses), the best of a few runs."""
    best = ("", 0.0, float("inf"), 0)
    for _ in range(REPEAT):
        start = time.perf_counter()
        puzzle = read(record["input"])
        between = time.perf_counter()
        if isinstance(puzzle, Invalid):
            return (puzzle.detail, 0.0, 0.0, 0)
        result = solve(puzzle, step_limit=10_000_000)
        end = time.perf_counter()
        if end - between < best[2]:
            best = (result.outcome.name.lower(), between - start, end - between, result.steps)
        if end - between > LONG:
            break
    return best


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rival", type=Path)
    arguments = parser.parse_args()
    rival = {}
    if arguments.rival:
        rows = map(json.loads, arguments.rival.read_text().splitlines())
        rival = {number: row for number, _, row in rows if row and row[0] != "error"}
    records = [
        json.loads(line)
        for line in (arguments.data / "variants" / "puzzles.jsonl").read_text().splitlines()
    ]
    for record in records[:10]:
        timed(record)
    print("| # | puzzle | rules | outcome | read, ms | solved, ms | guesses | rival, ms |")
    print("|--:|---|---|---|--:|--:|--:|--:|")
    ours, theirs, faster, count = 0.0, 0.0, 0, 0
    for number, record in enumerate(records, 1):
        outcome, reading, solving, guesses = timed(record)
        rules = ", ".join(record["types"]) or "none"
        name = record["name"].replace("|", "/")
        if not solving:
            print(f"| {number} | {name} | {rules} | {outcome} | | | | |")
            continue
        other = rival.get(number)
        shown = f"{other[0] + other[1]:.1f}" if other else ""
        print(
            f"| {number} | {name} | {rules} | {outcome} | {1e3 * reading:.1f} "
            f"| {1e3 * solving:.1f} | {guesses:,} | {shown} |",
            flush=True,
        )
        if other:
            count += 1
            ours, theirs = ours + reading + solving, theirs + (other[0] + other[1]) / 1e3
            faster += reading + solving < (other[0] + other[1]) / 1e3
    if count:
        print(f"\n{count} puzzles: {ours:.1f} s; rival {theirs:.1f} s; {faster} of them faster.")


if __name__ == "__main__":
    main()
