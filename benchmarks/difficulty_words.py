"""Compare difficulty words with HoDoKu's levels, and print how many puzzles get each word.

    python -m benchmarks.difficulty_words FILE

Each line of FILE begins with a classic puzzle. Lines that start with # are comments.
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from solver.logic.rating.difficulty import WORDS
from solver.logic.rating.reference_ratings import rate_many
from solver.logic.technique_table import Level
from solver.solving import solve_many


def main() -> None:
    """Rate the puzzles of a file that have one solution, and print a table of words and levels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="file of puzzles")
    lines = [line.split() for line in parser.parse_args().file.read_text().splitlines()]
    puzzles = [line[0] for line in lines if line and not line[0].startswith("#")]
    givens = np.array([[int(c) if c.isdigit() else 0 for c in text] for text in puzzles], np.uint8)
    batch = solve_many(givens)
    unique = np.flatnonzero(batch.counts == 1)
    rated, _ = rate_many(givens[unique], batch.solutions[unique])
    counts = Counter((each.word, each.level) for each in rated)
    print(f"{'':12}{'share':>8}", *(f"{level.name.lower():>8}" for level in Level))
    for word in WORDS:
        numbers = [counts[word, level] for level in Level]
        print(f"{word:12}{sum(numbers) / len(rated):8.1%}", *(f"{each:8,}" for each in numbers))


if __name__ == "__main__":
    main()
