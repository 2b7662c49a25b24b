"""Count how many puzzles are explained to the end, and check that no step removes a true digit.

    python benchmarks/explained.py [FILE …] [--seconds S] [--every K] [--list]
                                   [--generate N] [--random N] [--seed S] [--abandon S]

The files contain puzzles in any format, or JSON lines with a puzzle as "input". Without files,
these are the variants and the short-form killers in ../shared/data. With --generate, puzzles with
random constraints take their place, whose solutions depend on these constraints. With --random,
these are puzzles of every rule with a few random constraints and many givens. A puzzle counts as
explained if its steps lead to the solution within the limit of CPU time. Prints one row per source:
the puzzles, the explained ones, those of them whose steps include a complete search, all steps and
those from rules and trials, the unsound steps, and the times.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import numpy as np
from random_variants import ALL_RULES, random_variants

from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Outcome
from solver.engines.engine import ABANDON, GO_ON
from solver.explaining import explain_unique
from solver.formats import parse
from solver.generating import generate
from solver.generation.random_constraints import RANDOM_RULES
from solver.logic.explanation import Explanation
from solver.solving import solve

_SHARED = Path(__file__).parents[2] / "shared" / "data" / "variants"
_FILES = (_SHARED / "puzzles.jsonl", _SHARED / "killer-short-form.txt")
_SEARCHED = "4005"
COLUMNS = (
    "source",
    "puzzles",
    "explained",
    "with a search",
    "steps",
    "from rules and trials",
    "unsound",
    "median s",
    "slowest s",
)


def main() -> None:
    """Explain the puzzles of all sources and print a table. Exits with 1 if a step is unsound.

    The sources are files, or with --random or --generate, random puzzles instead.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=_FILES, help="files of puzzles")
    parser.add_argument("--seconds", type=float, default=4.0, help="limit of CPU time per puzzle")
    parser.add_argument("--list", action="store_true", help="print a line for each puzzle")
    parser.add_argument("--every", type=int, default=1, help="use only every Kth puzzle of a file")
    parser.add_argument("--generate", type=int, default=0, help="number of random variants")
    parser.add_argument("--random", type=int, default=0, help="number of puzzles for each rule")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: %(default)s)")
    parser.add_argument(
        "--abandon", type=float, default=3600.0, help="seconds until an explanation is cut off"
    )
    options = parser.parse_args()
    sources = [(path.name, of_file(path, every=options.every)) for path in options.files]
    if options.generate:
        sources = [("random variants", generated(options.generate, seed=options.seed))]
    if options.random:
        sources = [
            (rule, random_variants(rule, count=options.random, seed=options.seed))
            for rule in ALL_RULES
        ]
    print(f"| {' | '.join(COLUMNS)} |\n|---|{'---:|' * (len(COLUMNS) - 1)}")
    sound = [report(name, puzzles, options) for name, puzzles in sources]
    sys.exit(not all(sound))


def report(name: str, puzzles: Iterator[Puzzle], options: argparse.Namespace) -> bool:
    """Explain a source's puzzles, print its row, and return whether all steps are sound.

    Puzzles without a unique solution are skipped. `name` is the label of the row, and `options` are
    those of the command line. Puzzles with unsound steps get a line of their own, and with --list,
    all do.
    """
    total = explained = searched = steps = rule_steps = unsound = 0
    times: list[float] = []
    for number, puzzle in enumerate(puzzles, 1):
        result = solve(puzzle)
        if result.outcome is not Outcome.SOLVED or result.solution is None:
            continue
        total += 1
        began = time.process_time()
        explanation = explained_within(options.abandon, puzzle, result.solution)
        took = time.process_time() - began
        times.append(took)
        in_time = explanation.solved and took <= options.seconds
        explained += in_time
        codes = Counter(deduction.code for deduction in explanation.deductions)
        searched += in_time and _SEARCHED in codes
        steps += codes.total()
        rule_steps += sum(count for code, count in codes.items() if code >= "4000")
        wrong = unsound_steps(explanation, result.solution)
        unsound += wrong
        if options.list or wrong:
            names = sorted({each.name for each in puzzle.layout.constraints})
            used = {code: codes[code] for code in sorted(codes) if code >= "4000"}
            print(number, explanation.ending, f"{took:.2f} s", wrong, used, *names)
    times.sort()
    slowest, median = (times[-1], times[len(times) // 2]) if times else (0.0, 0.0)
    counts = (total, explained, searched, steps, rule_steps, unsound)
    print("|", name, "|", *(f"{count} |" for count in counts), f"{median:.2f} | {slowest:.1f} |")
    sys.stdout.flush()
    return unsound == 0


def explained_within(seconds: float, puzzle: Puzzle, solution: tuple[int, ...]) -> Explanation:
    """Explain a puzzle, and cut the explanation off after a number of seconds."""
    stop = np.full(1, GO_ON, np.uint8)
    timer = Timer(seconds, stop.fill, (ABANDON,))
    timer.start()
    try:
        return explain_unique(puzzle, solution, stop=stop)
    finally:
        timer.cancel()


def unsound_steps(explanation: Explanation, solution: tuple[int, ...]) -> int:
    """Return the number of steps that remove a digit of the solution or place another one."""
    return sum(
        any(solution[cell] == value for cell, value in deduction.eliminations)
        or any(solution[cell] != value for cell, value in deduction.placements)
        for deduction in explanation.deductions
    )


def generated(count: int, *, seed: int) -> Iterator[Puzzle]:
    """Yield puzzles with random constraints, `count` for each rule of the generator.

    Puzzles that can't be made are left out.
    """
    for rule in RANDOM_RULES:
        for made in generate(count=count, seed=seed, random_constraints={rule: {}}):
            if made.puzzle is not None:
                yield made.puzzle


def of_file(path: Path, *, every: int) -> Iterator[Puzzle]:
    """Yield each valid puzzle whose position in a file, from 0, is a multiple of `every`.

    In a .jsonl file, each line has an upload as its member "input".
    """
    text = path.read_text()
    lines = text.splitlines()
    is_json = path.suffix == ".jsonl"
    inputs = [json.loads(line)["input"] for line in lines] if is_json else [text]
    puzzles = [puzzle for each in inputs for puzzle in parse(each)]
    for puzzle in puzzles[::every]:
        if not isinstance(puzzle, Invalid):
            yield puzzle


if __name__ == "__main__":
    main()
