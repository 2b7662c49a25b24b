"""The sentence about givens and constraints that contradict each other."""

from collections.abc import Sequence

from solver.board.puzzle import Puzzle
from solver.logic.sentences.rule_names import places_of
from solver.logic.sentences.wording import Wording, joined, listed

_MOST_GIVENS = 5  # that are named; more are counted
_MOST_CONSTRAINTS = 8


def conflict_in_words(puzzle: Puzzle, givens: Sequence[int], constraints: Sequence[int]) -> str:
    """Return the sentence that some givens and constraints of a puzzle contradict each other.

    For example, "the 5 in r1c1 and the cages at r1c1 and r2c1 contradict each other". A single one
    is impossible on its own, many are only counted, and without any, the empty board is impossible.
    `givens` are cells, and `constraints` are indices in the puzzle's layout.
    """
    if not givens and not constraints:
        return "even the empty board has no solution"
    words = Wording(puzzle.layout, puzzle.symbols)
    names = [
        f"the {words.value(puzzle.givens[cell])} in {puzzle.layout.cell_name(cell)}"
        for cell in givens
    ]
    if len(givens) > _MOST_GIVENS:
        names = [f"{len(givens)} givens"]
    if len(constraints) > _MOST_CONSTRAINTS:
        names.append(f"{len(constraints)} constraints")
    else:
        names += sorted(places_of(constraints, words), key=_is_list)
    if len(givens) + len(constraints) == 1:
        return f"{names[0]} is impossible on its own"
    # A list at the end needs no other commas.
    subject = joined(names) if any(map(_is_list, names[:-1])) else listed(names)
    return f"{subject} contradict each other"


def _is_list(name: str) -> bool:
    """Return whether the name of several constraints lists them, such as "the arrows … and …"."""
    return " and " in name or "," in name
