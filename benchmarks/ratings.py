"""Rate puzzles with Sudoku Explainer's scale: agreement with known ratings, histogram, and speed.

    python benchmarks/ratings.py FILE [--compare FILE] [--variant NAMES]

Each line of FILE has a puzzle and its rating, ER or ER/EP/ED. Lines that start with # are comments.
With --compare, each line of its file has another program's name and its puzzles per second, and
this prints how many times as fast sudokuq is. With --variant, they are puzzles of a variant
that SukakuExplainer supports, or of several, such as diagonal,antiknight.
"""

import argparse
import time
from collections import Counter
from pathlib import Path

import numpy as np

from solver.logic.sudoku_explainer.rating import rate_many
from solver.logic.sudoku_explainer.variants import RULES


def main() -> None:
    """Rate the puzzles of a file, and print the agreement, the speed, and a histogram.

    Up to 20 puzzles with another rating are printed for each of ER, EP, and ED. Exits with an error
    for an unsupported variant.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="file of puzzles with ratings")
    parser.add_argument(
        "--compare", type=Path, help="file with a name and puzzles per second in each line"
    )
    parser.add_argument("--variant", default="", help="names of the puzzles' rules, with commas")
    options = parser.parse_args()
    variant = frozenset(filter(None, options.variant.split(",")))
    if not variant <= set(RULES):
        parser.error(f"the variants that have a rating are {', '.join(RULES)}")
    lines = [line.split() for line in options.file.read_text().splitlines()]
    rows = [row for row in lines if len(row) >= 2 and not row[0].startswith("#")]
    givens = np.array([[int(c) if c.isdigit() else 0 for c in row[0]] for row in rows], np.uint8)
    stop = np.zeros(1, np.uint8)
    rate_many(givens[:1], variant=variant, stop=stop)
    began = time.process_time()
    ratings = rate_many(givens, variant=variant, stop=stop)
    seconds = time.process_time() - began
    print(f"{len(rows)} puzzles, {len(rows) / seconds:.0f} per second of CPU time")
    if options.compare:
        for line in options.compare.read_text().splitlines():
            name, speed = line.rsplit(maxsplit=1)
            print(f"  {len(rows) / seconds / float(speed):.0f} times {name}")
    for name, ours, column in zip(("ER", "EP", "ED"), ratings, range(3), strict=True):
        pairs = [
            (row, round(float(row[1].split("/")[column]) * 10), rated)
            for row, rated in zip(rows, ours, strict=True)
            if len(row[1].split("/")) > column
        ]
        differing = [pair for pair in pairs if pair[1] != pair[2]]
        print(f"{name}: {len(pairs) - len(differing)} of {len(pairs)} equal")
        for row, given, rated in differing[:20]:
            print(f"  {row[0]} given {given / 10}, rated {rated / 10}")
    for rating, count in sorted(Counter(ratings.er.tolist()).items()):
        print(f"{rating / 10:5.1f} {count:6}")


if __name__ == "__main__":
    main()
