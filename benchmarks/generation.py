"""Measure how fast puzzles are made, next to other generators and with conditions.

    python benchmarks/generation.py [--puzzles N] [--tdoku PROGRAM] [--wishes]

Without --wishes, this counts minimal 9×9 puzzles with one solution per CPU second on one core, for
sudokuq and for each other generator that is installed: qqwing, sgt-solo, and tdoku's program
`generate`. QQWing and Solo remove givens from random full grids, as sudokuq does. tdoku removes
three givens from a puzzle, and completes and minimizes it.

With --wishes, this makes puzzles with conditions on all cores, with the command `sudokuq generate`,
and prints the elapsed seconds.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import time

from solver.generation.generator import Generator
from solver.generation.request import PuzzleRequest
from solver.preparing import Code, prepare

_WISHES = {
    "1,000 with 180° symmetry, rated 7.1 to 7.5": [
        "--count=1000", "--symmetry=180", "--rating=7.1..7.5"
    ],
    "1,000 that need an X-Wing and nothing harder": [
        "--count=1000", "--require=X-Wing", "--only=..X-Wing"
    ],
    "100 rated 9.0 or more": ["--count=100", "--rating=9.0.."],
    "10,000 of 6×6": ["--count=10000", "--box=2x3"],
    "10,000 with diagonals": ["--count=10000", "--variant=diagonal"],
    "10,000 windoku": ["--count=10000", "--variant=windoku"],
    "10,000 anti-knight": ["--count=10000", "--variant=antiknight"],
    "100 of 16×16": ["--count=100", "--box=4x4"],
    "10,000 random jigsaws": ["--count=10000", "--regions=random"],
    "1,000 killers with a score from 2,000 to 2,500": [
        "--count=1000", "--random-constraints=killer", "--hodoku-score=2000..2500"
    ],
}  # fmt: skip
# The commands of other generators, and how many puzzles to make, as a share of those of sudokuq
_OTHERS = {
    "QQWing": (["qqwing", "--generate", "{count}", "--one-line"], 0.02),
    "Solo": (["/usr/games/sgt-solo", "--generate", "{count}", "3x3"], 0.005),
}
_TDOKU = ["-p0", "-e0", "-s0", "-a1", "-l", "{count}"]


def main() -> None:
    """Print how many puzzles per second sudokuq and other programs generate, as far as installed.

    With --wishes, generates puzzles for several kinds of requests instead.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=20_000)
    parser.add_argument("--tdoku", help="the program generate of tdoku")
    parser.add_argument("--wishes", action="store_true")
    arguments = parser.parse_args()
    if arguments.wishes:
        make_wishes()
        return
    rates = {"sudokuq": our_rate(arguments.puzzles)}
    others = dict(_OTHERS)
    if arguments.tdoku:
        others["tdoku"] = ([arguments.tdoku, *_TDOKU], 1.0)
    for name, (command, share) in others.items():
        if shutil.which(command[0]):
            rates[name] = rate_of(command, max(int(arguments.puzzles * share), 1))
    for name, rate in rates.items():
        print(f"{name:8} {rate:9,.0f} per second, sudokuq {rates['sudokuq'] / rate:6.1f} times")


def our_rate(count: int) -> float:
    """Return the number of puzzles that sudokuq makes per CPU second, without compiling."""
    prepare(Code.CLASSIC)
    prepare(Code.GENERATION)
    began = time.process_time()
    for _ in Generator(PuzzleRequest(), range(1, count + 1), seed=1):
        pass
    return count / (time.process_time() - began)


def rate_of(command: list[str], count: int) -> float:
    """Return the number of puzzles that a program makes per CPU second.

    `command` contains {count} in the place of the number of puzzles. Only user time counts.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    words = [word.format(count=count) for word in command]
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return count / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def make_wishes() -> None:
    """Print the elapsed seconds and the command's messages for each wish.

    Prints the number of cores at the end.
    """
    for name, options in _WISHES.items():
        command = [sys.executable, "-m", "web.commands.cli", "generate", "-j0", *options]
        began = time.monotonic()
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - began
        print(f"{seconds:7.1f} s  {name}: {made.stderr.strip()}", flush=True)
    print(f"{os.cpu_count()} cores")


if __name__ == "__main__":
    main()
