"""The names and descriptions of job options for forms, the API description, and the command line.

The types, defaults, and bounds are in `worker.job.JobOptions`. This module imports only the
standard library, because remote commands must work without msgspec and NumPy.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OptionText:
    """The label of an option in forms, a sentence about it, and its value on the command line.

    `value` is a placeholder such as RxC, or None for a switch. `default` is the default of a value
    that doesn't come from the puzzle.
    """

    title: str
    description: str
    value: str | None = None
    default: str | None = None


OPTION_TEXTS = {
    "format": OptionText(
        "Format", "Input format. Set this only if auto-detection gets it wrong.", "NAME"
    ),
    "limit": OptionText(
        "Solutions to look for",
        "Stop after this many solutions: 1 finds one, 2 proves that it is the only one, more "
        "counts and lists them.",
        "N",
        "2",
    ),
    "step_limit": OptionText(
        "Steps per puzzle", "Maximum number of guesses per puzzle.", "N", "1000000"
    ),
    "box": OptionText(
        "Box", "Rows x columns of a box, for example 2x3, if the puzzle doesn't show it.", "RxC"
    ),
    "variant": OptionText("Extra rules", "Rules for every puzzle, separated by commas.", "NAMES"),
    "symbols": OptionText(
        "Symbols", "All symbols in order, for example ABCDEFGHI, or separated by spaces.", "TEXT"
    ),
    "blank": OptionText("Blank", "The symbol for an empty cell.", "TEXT"),
    "count_only": OptionText("Count only", "Count solutions without listing them."),
    "true_candidates": OptionText(
        "True candidates",
        "Add the values that each cell takes in some solution, and the number of these solutions, "
        "up to the limit. The number is 0 if the guesses ran out before it was decided.",
    ),
    "minlex": OptionText(
        "Canonical form",
        "Add the canonical form (minlex) of each classic 9x9 puzzle, which is the same for "
        "puzzles that are equal up to symmetry.",
    ),
    "rate": OptionText(
        "Rate",
        "Rate each classic 9x9 puzzle that has a unique solution, like Sudoku Explainer and "
        "HoDoKu.",
    ),
    "explain": OptionText("Explain", "Keep the steps with which a person solves each puzzle."),
}
