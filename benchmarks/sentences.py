"""Check every sentence of the explanations of many puzzles, and print a table of techniques.

PYTHONPATH=tests/support python -m benchmarks.sentences --library reglib-1.3.txt se-rated.tsv

Each text is checked in two ways. Its named cells, houses, and sums alone must imply its result,
and the claims of its sentences must be true (see `tests/support/sentence_checker`). False texts
and sentences that make no known claim are written to standard error.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sentence_checker.checking import check
from sentence_checker.library import steps_of_library
from sentence_checker.step import Step, steps_of

from solver import Puzzle, parse
from solver.explaining import ORDERS, explain
from solver.logic.technique_table import name_of


def main() -> None:
    """Check the texts of all sources, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="files of puzzles")
    parser.add_argument("--library", type=Path, help="path of reglib-1.3.txt")
    parser.add_argument("--order", choices=ORDERS, action="append", help="default: both orders")
    parser.add_argument("--count", type=int, default=1_000, help="most puzzles of a file")
    options = parser.parse_args()
    steps = Counter[str]()
    sentences, false, unparsed = Counter[str](), Counter[str](), Counter[str]()
    for step in steps_of_sources(options):
        code = step.deduction.code
        report = check(step)
        steps[code] += 1
        sentences[code] += report.sentences
        false[code] += bool(report.false)
        unparsed[code] += len(report.unparsed)
        for complaint in report.false:
            print(f"FALSE {code}: {complaint} IN {step.text!r}", file=sys.stderr)
        for sentence in report.unparsed:
            print(f"UNPARSED {code}: {sentence!r}", file=sys.stderr)
    print("| code | technique | texts | sentences | false texts | unparsed sentences |")
    print("|---|---|---:|---:|---:|---:|")
    for code in sorted(steps):
        counts = (steps[code], sentences[code], false[code], unparsed[code])
        print(f"| {code} | {name_of(code)} | {' | '.join(f'{count:,}' for count in counts)} |")
    totals = [sum(counts.values()) for counts in (steps, sentences, false, unparsed)]
    print(f"| | all | {' | '.join(f'{total:,}' for total in totals)} |")
    sys.exit(bool(totals[2] or totals[3]))


def steps_of_sources(options: argparse.Namespace) -> Iterator[Step]:
    """Yield the steps of all sources that the options name."""
    if options.library is not None:
        yield from steps_of_library(options.library)
    for path in options.files:
        for puzzle in puzzles_of(path, count=options.count):
            for order in options.order or ORDERS:
                yield from steps_of(explain(puzzle, order=order))


def puzzles_of(path: Path, *, count: int) -> Iterator[Puzzle]:
    """Yield up to `count` puzzles, spread evenly over a file."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    for line in lines[:: max(1, len(lines) // count)][:count]:
        if path.suffix == ".jsonl":
            text = "".join(json.loads(line)["input"].split())
        elif path.suffix == ".tsv":
            text = line.split("\t")[0]
        else:
            text = line
        yield from (puzzle for puzzle in parse(text) if isinstance(puzzle, Puzzle))


if __name__ == "__main__":
    main()
