"""The clues of constraints in words, such as "difference at least 6" or "exactly two 3s"."""

from itertools import product
from typing import cast

from solver.logic.sentences.wording import Wording, count_in_words, listed
from solver.rules.rule import Constraint

# Of rules whose constraints can have different numbers.
_NUMBERS = {
    "whisper": "difference at least {}", "lockout": "difference at least {}",
    "difference": "difference {}", "ratio": "ratio {}", "modular": "modulus {}",
    "sumline": "segments of sum {}", "sumloop": "segments of sum {}",
    "lunchbox": "sum {}", "rellik": "no sum {}",
}  # fmt: skip
PAIRS = {"pairs": "Adjacent digits", "allpairs": "Any two digits"}
_MOST_LISTED = 6  # pairs that the rule's own sentence lists


def clue_of(index: int, words: Wording) -> str:
    """Return a constraint's number in words, such as "difference at least 6", or "".

    It is needed only if the puzzle has constraints of the same rule with other numbers. Otherwise,
    and for rules without a number, the result is "". `index` is that of the constraint in the
    layout.
    """
    constraint = cast("Constraint", words.layout.constraints[index])
    others = cast("tuple[Constraint, ...]", words.layout.constraints)
    if len({other.value for other in others if other.name == constraint.name}) == 1:
        return ""
    if constraint.name in PAIRS:
        relation = _difference(constraint, words.layout.numbers)
        return relation.replace("differ by", "difference") if " at " in relation else ""
    if constraint.name == "lookandsay":
        return contents(constraint, words)
    form = _NUMBERS.get(constraint.name)
    return form.format(constraint.number) if form and constraint.number >= 0 else ""


def contents(constraint: Constraint, words: Wording) -> str:
    """Return the digits that a look-and-say cage contains, such as "exactly two 3s and one 4"."""
    symbols = words.symbols.values
    parts: list[str] = []
    for count, number in zip(constraint.values[::2], constraint.values[1::2], strict=True):
        symbol = symbols[number - words.layout.lowest]
        parts.append(f"{count_in_words(count)} {symbol}{'' if count == 1 else 's'}")
    return f"exactly {listed(parts)}"


def pairs_in_words(constraint: Constraint, words: Wording) -> str:
    """Return the rule of pairs of digits as a sentence, or "" if its own sentence is better.

    For example, "Any two digits differ by at least 2", or "1 is followed by 1–5; 2 by 2–5; …".
    """
    relation, numbers = _difference(constraint, words.layout.numbers), words.layout.numbers
    if relation:
        return f"{PAIRS[constraint.name]} {relation}"
    allowed = _allowed(constraint)
    if len(allowed) <= _MOST_LISTED:
        return ""
    followers = {
        first: [second - numbers[0] + 1 for second in numbers if (first, second) in allowed]
        for first in numbers
    }
    (first, after), *others = (
        (words.value(number - numbers[0] + 1), words.ranges(values, last="or"))
        for number, values in followers.items()
        if values
    )
    start = "" if constraint.name == "pairs" else "in the order of the cells, "
    rest = "".join(f"; {one} by {values}" for one, values in others)
    return f"{start}{first} is followed by {after}{rest}"


def _allowed(constraint: Constraint) -> set[tuple[int, int]]:
    return {*zip(constraint.values[::2], constraint.values[1::2], strict=True)}


def _difference(constraint: Constraint, numbers: range) -> str:
    """Return the differences that a rule of pairs allows, such as "differ by at least 2".

    Returns "" unless the rule allows exactly the pairs with certain differences.
    """
    allowed = _allowed(constraint)
    differences = sorted({abs(first - second) for first, second in allowed})
    every = {pair for pair in product(numbers, repeat=2) if abs(pair[0] - pair[1]) in differences}
    if allowed != every or not differences:
        return ""
    if differences == [*range(1, len(numbers))]:
        return "differ"
    low, high, most = differences[0], differences[-1], numbers[-1] - numbers[0]
    if len(differences) != high - low + 1:
        return f"differ by {listed(map(str, differences), last='or')}"
    if low == high:
        return f"differ by {low}"
    if high == most:
        return f"differ by at least {low}"
    return f"differ by at most {high}" if low == 0 else f"differ by {low} to {high}"
