"""Compare the speed and the numbers of ratings with pencilmark's, on puzzles that both can read.

    python benchmarks/pencilmark.py PYTHON [--classic N] [--generated N] [--every K] [--seconds S]

PYTHON is the interpreter of a virtual environment with the PyPI package pencilmark. The puzzles are
the variants and short-form killers in ../shared/data that can be written for f-puzzles, generated
killers, and evenly spaced puzzles of ratings/se-rated.tsv. Both programs rate puzzle after puzzle
in turn, in one process each, after a first puzzle that isn't measured. The times are CPU times of
the proof of uniqueness and the rating, without reading the puzzle. The classic puzzles are also
rated in one call, which saves the costs per call. Prints one row per source and
rating. "By logic" counts puzzles rated without trial and error (pencilmark) or without a complete
search (sudokuq), within the limit of CPU time. The last column is Spearman's rank correlation over
puzzles that both rated by logic.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from explained import of_file

from solver.board.puzzle import Puzzle
from solver.engines.engine import GO_ON
from solver.formats import parse
from solver.formats.objects.fpuzzles_writer import write_fpuzzles
from solver.generating import generate
from solver.logic.rating.own_rating import OwnRating
from solver.rating import rate_many
from solver.rating_by_steps import rate_by_steps
from solver.solving import solve

_DATA = Path(__file__).parents[2] / "shared" / "data"
_WARM_UP = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# Runs in the other virtual environment: reads f-puzzles objects, and writes seconds, number, and
# whether the rating is by logic. Some ratings ignore their limit, so a timer interrupts them
# after twice the time. A few don't stop even then.
_OTHER = """
import json, signal, sys, time
class TimeUp(BaseException):
    pass
def end(*_):
    raise TimeUp
signal.signal(signal.SIGPROF, end)
try:
    import pencilmark
    from importlib.metadata import version
    from pencilmark import sources
except ImportError:
    sys.exit("pencilmark isn't installed there: pip install pencilmark")
print(json.dumps(version("pencilmark")), flush=True)
for line in sys.stdin:
    seconds, puzzle = json.loads(line)
    signal.setitimer(signal.ITIMER_PROF, 2 * seconds, 1)
    try:
        loaded = pencilmark.load(sources.fpuzzles.to_puzzle(puzzle))
    except (Exception, TimeUp) as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps({"refused": repr(error)}), flush=True)
        continue
    began = time.process_time()
    try:
        card = pencilmark.rate(loaded, max_seconds=seconds)
    except (Exception, TimeUp) as error:
        card = {"error": repr(error), "difficulty": None, "contains": []}
    signal.setitimer(signal.ITIMER_PROF, 0)
    spent = time.process_time() - began
    names = [each["name"] for each in card["contains"]]
    print(json.dumps({"seconds": spent, "number": card["difficulty"], "names": names,
                      "error": card.get("error"), "band": card.get("band")}), flush=True)
"""


class Rated(NamedTuple):
    """A rating: the CPU time, and the number, or None if it isn't by logic."""

    seconds: float
    number: float | None


class Other:
    """The process with pencilmark. If it ends, the benchmark exits with its status.

    `python` is its interpreter. `seconds` is its limit of CPU time per rating, and it's interrupted
    after twice as long.
    """

    def __init__(self, python: str, seconds: float) -> None:
        self._seconds = seconds
        self._process = subprocess.Popen(
            [python, "-c", _OTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.version = self._answer()

    def rate(self, puzzle: dict[str, object]) -> Rated | None:
        """Return the rating of an f-puzzles object, or None if pencilmark can't read it."""
        assert self._process.stdin is not None
        print(json.dumps([self._seconds, puzzle]), file=self._process.stdin, flush=True)
        answer = self._answer()
        if "refused" in answer:
            return None
        guessed = "Trial and error" in answer["names"] or answer["error"] is not None
        return Rated(answer["seconds"], None if guessed else answer["number"])

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit(self._process.wait())
        return json.loads(line)


def main() -> None:
    """Rate the puzzles of all sources with both programs, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="interpreter of a virtual environment with pencilmark")
    parser.add_argument("--classic", type=int, default=80, help="number of classic puzzles")
    parser.add_argument("--generated", type=int, default=40, help="number of generated killers")
    parser.add_argument("--every", type=int, default=1, help="use only every Kth variant")
    parser.add_argument("--seconds", type=float, default=30.0, help="limit per rating")
    options = parser.parse_args()
    other = Other(options.python, options.seconds)
    for puzzle in parse(_WARM_UP):
        assert isinstance(puzzle, Puzzle)
        other.rate(write_fpuzzles(puzzle) or {})
        _by_steps(next(of_file(_DATA / "variants" / "killer-short-form.txt", every=1)), 30)
        _classic(puzzle)
    print(f"pencilmark {other.version}, Python {sys.version.split()[0]}")
    print("| source | puzzles | by logic | median s | total s | times as fast "
          "| rank correlation |")  # fmt: skip
    for name, puzzles in _sources(options):
        compare(name, puzzles, other, seconds=options.seconds)


def _sources(options: argparse.Namespace) -> Iterator[tuple[str, Iterator[Puzzle]]]:
    variants = _DATA / "variants"
    yield "classic", _rated_puzzles(options.classic)
    made = generate(count=options.generated, seed=1, random_constraints={"killer": {}})
    yield "generated killers", (each.puzzle for each in made if each.puzzle is not None)
    yield "variants", of_file(variants / "puzzles.jsonl", every=options.every)
    yield "short-form killers", of_file(variants / "killer-short-form.txt", every=options.every)


def _rated_puzzles(count: int) -> Iterator[Puzzle]:
    lines = (_DATA / "ratings" / "se-rated.tsv").read_text().splitlines()
    texts = [field for line in lines for field in line.split() if len(field) == 81]
    for text in texts[:: max(1, len(texts) // count)][:count]:
        for puzzle in parse(text):
            if isinstance(puzzle, Puzzle):
                yield puzzle


def compare(name: str, puzzles: Iterator[Puzzle], other: Other, *, seconds: float) -> None:
    """Rate puzzles with both programs in turn, and print one row per rating of ours.

    Puzzles that can't be written for f-puzzles or that the other program can't read are skipped.
    The single ratings go to stderr. If `name` is "classic", a line on rating all in one call
    follows.
    """
    theirs: list[Rated] = []
    ours: dict[str, list[Rated]] = {}
    together: list[tuple[int, ...]] = []
    for puzzle in puzzles:
        written = write_fpuzzles(puzzle)
        rated = None if written is None else other.rate(written)
        if rated is None:
            continue
        theirs.append(rated)
        together.append(puzzle.givens)
        own = _classic(puzzle) if name == "classic" else {"own": _by_steps(puzzle, seconds)}
        for scale, each in own.items():
            ours.setdefault(scale, []).append(each)
        print(name, rated, own, file=sys.stderr, flush=True)
    for scale, mine in ours.items():
        _print_row(f"{name}, {scale}", mine, theirs)
    if name == "classic":
        _print_batch(together, sum(each.seconds for each in theirs))


def _by_steps(puzzle: Puzzle, seconds: float) -> Rated:
    began = time.process_time()
    result = solve(puzzle)
    own = None
    if result.unique and result.solution is not None:
        stop = np.full(1, GO_ON, np.uint8)
        own = rate_by_steps(puzzle, result.solution, seconds=seconds, stop=stop)
    return Rated(time.process_time() - began, own.rating if isinstance(own, OwnRating) else None)


def _classic(puzzle: Puzzle) -> dict[str, Rated]:
    began = time.process_time()
    (rated,) = rate_many(np.array([puzzle.givens], np.uint8))
    took = time.process_time() - began
    if rated is None:
        return {"SE": Rated(took, None), "HoDoKu": Rated(took, None)}
    return {"SE": Rated(took, rated.rating), "HoDoKu": Rated(took, rated.score)}


def _print_batch(givens: list[tuple[int, ...]], their_seconds: float) -> None:
    began = time.process_time()
    rate_many(np.array(givens, np.uint8))
    took = time.process_time() - began
    print(
        f"All {len(givens)} classic puzzles in one call: {took:.2f} s, {their_seconds / took:.0f} "
        "times as fast in total",
        flush=True,
    )


def _print_row(name: str, mine: list[Rated], theirs: list[Rated]) -> None:
    both = [
        (one.number, another.number)
        for one, another in zip(mine, theirs, strict=True)
        if one.number is not None and another.number is not None
    ]
    my_times, their_times = ([each.seconds for each in side] for side in (mine, theirs))
    ratios = [another / one for one, another in zip(my_times, their_times, strict=True)]
    logic = [sum(each.number is not None for each in side) for side in (mine, theirs)]
    print(
        f"| {name} | {len(mine)} | {logic[0]} / {logic[1]} | {median(my_times):.4f} / "
        f"{median(their_times):.4f} | {sum(my_times):.2f} / {sum(their_times):.2f} | "
        f"{median(ratios):.1f} median, {sum(their_times) / sum(my_times):.1f} total | "
        f"{_spearman(both):.3f} ({len(both)}) |",
        flush=True,
    )


def _spearman(pairs: list[tuple[float, float]]) -> float:
    """Return the rank correlation of pairs of numbers, with mean ranks for ties.

    The result is NaN for fewer than two pairs.
    """
    if len(pairs) < 2:
        return float("nan")
    ranks = [_ranks(np.array(side)) for side in zip(*pairs, strict=True)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _ranks(numbers: np.ndarray) -> np.ndarray:
    _, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[places]


if __name__ == "__main__":
    main()
