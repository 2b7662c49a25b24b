"""The names and descriptions of job options for forms, the API description, and the command line.

The types, defaults, and bounds are in `worker.job.JobOptions`. This module imports only the
standard library, because remote commands must work without msgspec and NumPy.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OptionText:
    """The texts about an option: label in forms, description, and value on the command line.

    `title` is the label, and `description` is one or more sentences. `value` is a placeholder for
    the option's value on the command line, such as RxC. It is None for a switch. `default` is the
    default value as text. It is None for a switch, and if the default comes from the puzzle.
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
        "Stop the search after this many solutions. 1 finds a solution, 2 also proves whether it "
        "is the only one, and higher numbers count and list the solutions.",
        "N",
        "2",
    ),
    "step_limit": OptionText(
        "Guesses per puzzle",
        "Stop the search of a puzzle after this many guesses. A puzzle that needs more is "
        "undecided.",
        "N",
        "1000000",
    ),
    "box": OptionText(
        "Box shape",
        "Rows x columns of a box, for example 2x3. Set this if the puzzle doesn't show its boxes "
        "and they aren't the usual ones.",
        "RxC",
    ),
    "variant": OptionText(
        "Extra rules", "Rules that apply to every puzzle, separated by commas.", "NAMES"
    ),
    "symbols": OptionText(
        "Symbols",
        "All symbols in the order of their values, for example ABCDEFGHI. Separate symbols of "
        "several characters with spaces.",
        "TEXT",
    ),
    "blank": OptionText(
        "Empty cell", "The symbol of empty cells, if it isn't one of . 0 * _ - ?", "TEXT"
    ),
    "count_only": OptionText("Count only", "Count the solutions without listing them."),
    "true_candidates": OptionText(
        "True candidates",
        "List the values that each cell takes in some solution, each with the number of these "
        "solutions up to the limit. A value that is undecided when the search stops has the number "
        "0.",
    ),
    "minimal": OptionText(
        "Redundant givens and constraints",
        "List the givens and constraints that each puzzle with a unique solution doesn't need. A "
        "given or a constraint is redundant if the solution is still the only one without it. "
        "Rules for the whole grid aren't tested.",
    ),
    "reduce": OptionText(
        "Minimal puzzles",
        "Add a minimal puzzle for each puzzle with a unique solution. It lacks redundant givens, "
        "which are removed first, in reading order, and then redundant constraints. Includes the "
        "option minimal.",
    ),
    "minlex": OptionText(
        "Find duplicates",
        "Find puzzles that are equal up to symmetry. Classic 9x9 puzzles that are the same after "
        "turning, mirroring, relabeling, or moving rows get the same extra text (minlex).",
    ),
    "rate": OptionText(
        "Rate the difficulty",
        "Rate the difficulty of each puzzle that has a unique solution, as Sudoku Explainer and "
        "HoDoKu do. Boards other than classic 9x9 and six of its variants have the sudokuq rating.",
    ),
    "rate_seconds": OptionText(
        "Seconds per sudokuq rating",
        "Stop the sudokuq rating of a puzzle after this many seconds of CPU time. A puzzle that "
        "needs more has no rating.",
        "N",
        "20",
    ),
    "explain": OptionText(
        "Explanations",
        "Add the steps with which a person would solve each puzzle that has a unique solution.",
    ),
}

# The options that control how puzzles are read. Commands and requests that don't create a job
# accept only these.
READING_OPTIONS = ("format", "box", "variant", "symbols", "blank")
