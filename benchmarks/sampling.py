"""Compare the puzzles of each way of sampling: their givens and their ratings.

    python benchmarks/sampling.py [--puzzles N] [--controlled-bias N] [--published FILE]
        [--pictures FOLDER]

This makes classic minimal puzzles on all cores, rates them, and prints a table with means and the
distributions in percent. Controlled bias takes some seconds of CPU time for each puzzle. FILE has
one puzzle per line of Berthier's controlled-bias collection, which is then rated and compared. With
--pictures, the distributions are drawn as SVG files. They show Berthier's puzzles instead of ours
with controlled bias if FILE is given.
"""

import argparse
import csv
import io
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb, sqrt
from pathlib import Path

import sampling_chart


@dataclass(frozen=True)
class Sample:
    """Puzzles as pairs of their number of givens and their rating.

    If `corrected` is true, weights make a controlled-bias sample stand for all minimal puzzles.
    """

    name: str
    puzzles: list[tuple[int, float]]
    corrected: bool = False

    def weight(self, givens: int) -> float:
        """Return the weight of a puzzle with this number of givens, 1 if not `corrected`."""
        return comb(81, givens) if self.corrected else 1

    def mean(self, member: int) -> tuple[float, float]:
        """Return the weighted mean of the givens (0) or the ratings (1), and its standard error."""
        pairs = [(self.weight(puzzle[0]), puzzle[member]) for puzzle in self.puzzles]
        total = sum(weight for weight, _ in pairs)
        mean = sum(weight * value for weight, value in pairs) / total
        error = sqrt(sum((weight * (value - mean)) ** 2 for weight, value in pairs)) / total
        return mean, error

    def shares(self, member: int) -> Mapping[int, float]:
        """Return the weighted share of each number of givens (0) or whole point of rating (1)."""
        weights: dict[int, float] = {}
        for puzzle in self.puzzles:
            value = int(puzzle[member])
            weights[value] = weights.get(value, 0) + self.weight(puzzle[0])
        total = sum(weights.values())
        return {value: weight / total for value, weight in sorted(weights.items())}


def main() -> None:
    """Generate and rate the samples, and print a table of their givens and ratings.

    With --pictures, also draws two charts in that folder.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=100_000, help="made from the top down")
    parser.add_argument("--controlled-bias", type=int, default=1000)
    parser.add_argument("--published", type=Path)
    parser.add_argument("--pictures", type=Path)
    arguments = parser.parse_args()
    top_down = ["generate", f"--count={arguments.puzzles}", "--seed=11"]
    # Few puzzles have more givens, and the limit halves the time.
    controlled = ["generate", f"--count={arguments.controlled_bias}", "--seed=11", "--givens=..32",
                  "--sampling=controlled-bias"]  # fmt: skip
    made = rated(controlled)
    samples = [
        Sample("Top-down", rated(top_down)),
        Sample("Top-down, 180° symmetry", rated([*top_down, "--symmetry=180"])),
        Sample("Controlled bias", made),
        Sample("Controlled bias, corrected", made, corrected=True),
    ]
    if arguments.published:
        puzzles = rated(["solve", str(arguments.published)])
        samples.append(Sample("Berthier's collection", puzzles))
        samples.append(Sample("Berthier's, corrected", puzzles, corrected=True))
    if arguments.pictures:
        for member, name, title in (
            (0, "sampled-givens", "Givens of minimal puzzles"),
            (1, "sampled-ratings", "Sudoku Explainer's rating of minimal puzzles"),
        ):
            drawn = {sample.name: sample.shares(member) for sample in (*samples[:2], *samples[-2:])}
            (arguments.pictures / f"{name}.svg").write_text(sampling_chart.draw(title, drawn))
    for line in table(samples):
        print(line)


def rated(arguments: list[str]) -> list[tuple[int, float]]:
    """Return (number of givens, rating) for each puzzle that a command of sudokuq rates.

    `arguments` are the command, and its arguments besides --rate and the format.
    """
    command = [
        sys.executable,
        "-m",
        "web.commands.cli",
        *arguments,
        "--rate",
        "--output=csv",
        "-j0",
    ]
    made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    rows = csv.DictReader(io.StringIO(made.stdout))
    return [(81 - row["puzzle"].count("."), float(row["rating"])) for row in rows]


def table(samples: list[Sample]) -> list[str]:
    """Return the lines of a Markdown table with a column for each sample."""
    rows = [["", *(sample.name for sample in samples)]]
    rows.append(["---", *("--:" for _ in samples)])
    rows.append(["puzzles", *(f"{len(sample.puzzles):,}" for sample in samples)])
    for member, title in ((0, "givens"), (1, "rating")):
        means = [sample.mean(member) for sample in samples]
        rows.append([f"mean {title}", *(f"{mean:.2f} ± {error:.2f}" for mean, error in means)])
    for member, title in ((0, "givens"), (1, "rating")):
        shares = [sample.shares(member) for sample in samples]
        for value in sorted(set().union(*shares)):
            label = f"{value} {title}" if member == 0 else f"{title} {value}.x"
            rows.append([label, *(f"{share.get(value, 0):.2%}" for share in shares)])
    return [f"| {' | '.join(row)} |" for row in rows]


if __name__ == "__main__":
    main()
