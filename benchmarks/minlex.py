"""Measure canonical forms, and counting solutions without listing them, on one core.

    python benchmarks/minlex.py FILE [FILE …]

Each file contains classic 9×9 puzzles. Prints the canonical forms per second, of the puzzles and of
their solutions, and the number of puzzles that aren't equivalent. Also prints the puzzles per
second when counting up to 1,000 solutions, with and without listing them. Times are CPU time, and
the fastest of three runs counts.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from solver.board.layout import Layout
from solver.canonical.minlex import minlex
from solver.formats import read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized
from solver.solving import solve_many, warm_up

_COUNTED = 2_000


def puzzles_in(path: Path) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Return the classic 9×9 puzzles of a file (n, 81). Invalid and other puzzles are left out."""
    data = path.read_bytes()
    recognized = recognize(data, final=True)
    assert isinstance(recognized, Recognized), recognized
    name, context = recognized.format.name, recognized.context
    records = read_block(Block(data, 1, 1), format=name, context=context, options=ReadOptions())
    plain = [group.givens for group in records.groups if group.layout is Layout.boxed(3, 3)]
    return np.concatenate(plain)


def per_second(work: Callable[[], object], number: int) -> str:
    """Return the items per CPU second of `work` as text, according to the best of three calls.

    A call of `work` processes `number` items.
    """
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return f"{number / best:,.0f}"


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="files of puzzles")
    warm_up(classic_only=True)
    minlex(np.zeros((1, 81), np.uint8))
    print("| file | puzzles | givens | different | forms/s | of solutions | listed/s | counted/s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for path in parser.parse_args().files:
        puzzles = puzzles_in(path)
        full = solve_many(puzzles).solutions
        few = puzzles[:_COUNTED]
        cells = (
            path.name,
            f"{len(puzzles):,}",
            f"{(puzzles > 0).sum(axis=1).mean():.1f}",
            f"{len(np.unique(minlex(puzzles), axis=0)):,}",
            per_second(lambda: minlex(puzzles), len(puzzles)),  # noqa: B023
            per_second(lambda: minlex(full), len(full)),  # noqa: B023
            per_second(lambda: solve_many(few, limit=1000), len(few)),  # noqa: B023
            per_second(lambda: solve_many(few, limit=1000, listed=False), len(few)),  # noqa: B023
        )
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
