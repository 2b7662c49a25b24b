"""Check every sentence of the explanations of many puzzles, and print a table of techniques.

PYTHONPATH=tests/support python -m benchmarks.sentences --library reglib-1.3.txt se-rated.tsv

Each text is checked in two ways. Its named cells, houses, and sums alone must imply its result,
and the claims of its sentences must be true (see `tests/support/sentence_checker`). False texts,
sentences that make no known claim, and steps that weren't checked within the limits of time are
written to standard error. Below the table, there are the numbers of words per step.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import NamedTuple

import numpy as np
from sentence_checker.checking import check
from sentence_checker.library import steps_of_library
from sentence_checker.step import Step, steps_of

from solver import Puzzle, parse
from solver.engines.engine import ABANDON, GO_ON
from solver.explaining import ORDERS, explain_unique
from solver.logic.technique_table import name_of
from solver.solving import solve


class Named(NamedTuple):
    """A puzzle with the name or the number that it has in its file."""

    name: str
    puzzle: Puzzle


def main() -> None:
    """Check the texts of all sources, print the table, and fail if a text is false or unparsed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="files of puzzles")
    parser.add_argument("--library", type=Path, help="path of reglib-1.3.txt")
    parser.add_argument("--order", choices=ORDERS, action="append", help="default: both orders")
    parser.add_argument("--count", type=int, default=1_000, help="most puzzles of a file")
    parser.add_argument("--seconds", type=float, default=120, help="limit for each puzzle")
    parser.add_argument("--minutes", type=float, default=600, help="limit for the whole run")
    options = parser.parse_args()
    steps, words = Counter[str](), Counter[int]()
    sentences, false, unparsed = Counter[str](), Counter[str](), Counter[str]()
    end = monotonic() + 60 * options.minutes
    for step in steps_of_sources(options):
        if monotonic() > end:
            complain("UNCHECKED: all further puzzles, because the time is over")
            break
        code = step.deduction.code
        report = check(step)
        steps[code] += 1
        words[len(step.text.split())] += 1
        sentences[code] += report.sentences
        false[code] += bool(report.false)
        unparsed[code] += len(report.unparsed)
        for complaint in report.false:
            complain(f"FALSE {code}: {complaint} IN {step.text!r}")
        for sentence in report.unparsed:
            complain(f"UNPARSED {code}: {sentence!r}")
    print("| code | technique | texts | sentences | false texts | unparsed sentences |")
    print("|---|---|---:|---:|---:|---:|")
    for code in sorted(steps):
        counts = (steps[code], sentences[code], false[code], unparsed[code])
        print(f"| {code} | {name_of(code)} | {' | '.join(f'{count:,}' for count in counts)} |")
    totals = [sum(counts.values()) for counts in (steps, sentences, false, unparsed)]
    print(f"| | all | {' | '.join(f'{total:,}' for total in totals)} |")
    lengths = sorted(words.elements()) or [0]
    median, most = (lengths[int(len(lengths) * share)] for share in (0.5, 0.9))
    print(f"\nWords per step: median {median}, 90th percentile {most}, longest {lengths[-1]}.")
    sys.exit(bool(totals[2] or totals[3]))


def complain(text: str) -> None:
    """Write a line to standard error."""
    print(text, file=sys.stderr, flush=True)


def steps_of_sources(options: argparse.Namespace) -> Iterator[Step]:
    """Yield the steps of all sources that the options name.

    Each file that was read is reported on standard error.
    """
    if options.library is not None:
        yield from steps_of_library(options.library)
    for path in options.files:
        for named in puzzles_of(path, count=options.count):
            for order in options.order or ORDERS:
                yield from steps_within(options.seconds, named, order)
        complain(f"read {path.name}")


def steps_within(seconds: float, named: Named, order: str) -> Iterator[Step]:
    """Yield the steps that solve a puzzle in a solving order, until `seconds` have passed.

    The time includes explaining the puzzle. Steps that are left are reported on standard error.
    """
    end = monotonic() + seconds
    stop = np.full(1, GO_ON, np.uint8)
    solution = solve(named.puzzle).solution
    if solution is None:
        complain(f"UNCHECKED: {named.name} has no solution")
        return
    timer = Timer(seconds, stop.fill, (ABANDON,))
    timer.start()
    try:
        explanation = explain_unique(named.puzzle, solution, order=order, stop=stop)
    finally:
        timer.cancel()
    for number, step in enumerate(steps_of(explanation), 1):
        if monotonic() > end:
            left = len(explanation.deductions) - number + 1
            complain(f"UNCHECKED: {left} or more steps of {named.name}, after {seconds:g} s")
            return
        yield step


def puzzles_of(path: Path, *, count: int) -> Iterator[Named]:
    """Yield up to `count` puzzles, spread evenly over a file.

    Lines that aren't valid puzzles are skipped with a complaint. Lines of a .jsonl file are objects
    with `name` and `input`. In a .tsv file, puzzles are in the first column.
    """
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    chosen = list(enumerate(lines, 1))[:: max(1, len(lines) // count)][:count]
    for number, line in chosen:
        name = f"number {number} of {path.name}"
        if path.suffix == ".jsonl":
            record = json.loads(line)
            name, text = f"{record['name']!r}", "".join(record["input"].split())
        elif path.suffix == ".tsv":
            text = line.split("\t")[0]
        else:
            text = line
        puzzles = [puzzle for puzzle in parse(text) if isinstance(puzzle, Puzzle)]
        if not puzzles:
            complain(f"UNCHECKED: {name} isn't a valid puzzle")
        yield from (Named(name, puzzle) for puzzle in puzzles)


if __name__ == "__main__":
    main()
