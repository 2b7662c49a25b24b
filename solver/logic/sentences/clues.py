"""The clues of constraints in a few words, such as "difference at least 6"."""

from typing import cast

from solver.logic.sentences.wording import Wording
from solver.rules.rule import Constraint

# Of rules whose constraints can have different numbers.
_NUMBERS = {
    "whisper": "difference at least {}", "lockout": "difference at least {}",
    "difference": "difference {}", "ratio": "ratio {}", "modular": "modulus {}",
    "sumline": "segments of sum {}", "sumloop": "segments of sum {}",
    "lunchbox": "sum {}", "rellik": "no sum {}",
}  # fmt: skip


def clue_of(index: int, words: Wording) -> str:
    """Return a constraint's number in words, such as "difference at least 6", where it is needed.

    That is where the puzzle has constraints of the same rule with other numbers. Elsewhere, returns
    "".
    """
    constraint = cast("Constraint", words.layout.constraints[index])
    form = _NUMBERS.get(constraint.name)
    if form is None or constraint.number < 0:
        return ""
    rule, number = constraint.name, constraint.number
    others = cast("tuple[Constraint, ...]", words.layout.constraints)
    is_usual = all(other.number == number for other in others if other.name == rule)
    return "" if is_usual else form.format(number)
