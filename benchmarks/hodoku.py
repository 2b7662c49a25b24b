"""Compare scores and speed with HoDoKu in one run.

    python -m benchmarks.hodoku FILE --hodoku CLASSES [--count N] [--rounds N]

FILE has a puzzle at the start of each line, and comments in lines that start with #. CLASSES is the
class path of HoDoKu 2.2 (github.com/1to9only/HoDoKu), which is run with `/bs`. The benchmark picks
N puzzles from all over the file. In each round, both programs score all of them in turn. Speeds are
per second of CPU time, and per second of wall time in parentheses. HoDoKu's times include the start
of Java. Those of sudokuq exclude compiling, which happens once per machine.
"""

import argparse
import re
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.logic.board_tables import Unexplained
from solver.logic.rating.hodoku import Rating, rate
from solver.solving import solve_many

_LINE = re.compile(r"#\d+ (\w+) \((\d+)\)")
_LAYOUT = Layout.boxed(3, 3)
Grids = NDArray[np.uint8]  # (n, 81)
Times = tuple[float, float]  # CPU time and wall time in seconds


def main() -> None:
    """Print the speeds of each round and their ratio, and the agreement of the results.

    Puzzles whose scores or levels differ are listed.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="file of puzzles")
    parser.add_argument("--hodoku", type=Path, required=True, help="class path of HoDoKu 2.2")
    parser.add_argument(
        "--count", type=int, default=150, help="number of puzzles (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=1, help="rounds (default: %(default)s)")
    options = parser.parse_args()
    puzzles = read(options.file, options.count)
    givens = np.array([[int(c) if c.isdigit() else 0 for c in text] for text in puzzles], np.uint8)
    solutions = solve_many(givens).solutions
    ours(givens[:1], solutions[:1])
    for _ in range(options.rounds):
        ratings, mine = ours(givens, solutions)
        theirs, its = hodoku(puzzles, options.hodoku)
        for name, (processor, clock) in (("sudokuq", mine), ("HoDoKu", its)):
            print(
                f"{name:8} {len(puzzles) / processor:7.1f} per second ({len(puzzles) / clock:.1f})"
            )
        print(f"{its[0] / mine[0]:.1f} times as fast ({its[1] / mine[1]:.1f})")
        pairs = zip(puzzles, ratings, theirs, strict=True)
        differing = [pair for pair in pairs if (pair[1].level.name, pair[1].score) != pair[2]]
        print(f"{len(puzzles) - len(differing)} of {len(puzzles)} scores and levels equal")
        for puzzle, rating, scored in differing:
            print(f"  {puzzle} {rating.level.name} {rating.score}, HoDoKu {scored}")


def read(file: Path, count: int) -> list[str]:
    """Return up to `count` puzzles, spread evenly over a file. Dots are empty cells.

    Comments and lines of fewer than 81 characters are skipped.
    """
    lines = file.read_text().splitlines()
    puzzles = [line[:81].replace("0", ".") for line in lines if len(line) > 80 and line[0] != "#"]
    return puzzles[:: max(1, len(puzzles) // count)][:count]


def ours(givens: Grids, solutions: Grids) -> tuple[list[Rating], Times]:
    """Score puzzles with sudokuq, and return the ratings and the CPU and wall time in seconds.

    `solutions` are the puzzles' unique solutions.
    """
    processor, clock = time.process_time(), time.monotonic()
    ratings = rate(givens, solutions, layout=_LAYOUT)
    assert not isinstance(ratings, Unexplained)
    return ratings, (time.process_time() - processor, time.monotonic() - clock)


def hodoku(puzzles: list[str], classes: Path) -> tuple[list[tuple[str, int]], Times]:
    """Score puzzles with HoDoKu.

    Returns the level and score of each puzzle, and the CPU and wall time in seconds. `classes` is
    the class path of HoDoKu.
    """
    with tempfile.TemporaryDirectory() as folder:
        # HoDoKu would take an absolute path for an option.
        Path(folder, "puzzles").write_text("\n".join(puzzles) + "\n")
        command = ["java", "-Djava.awt.headless=true", "-XX:ActiveProcessorCount=1"]
        command += ["-cp", str(classes.resolve()), "sudoku.Main", "/bs", "puzzles"]
        processor, clock = _of_children(), time.monotonic()
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        times = _of_children() - processor, time.monotonic() - clock
        scored = _LINE.findall(Path(folder, "puzzles.out.txt").read_text())
    return [(level.upper(), int(score)) for level, score in scored], times


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
