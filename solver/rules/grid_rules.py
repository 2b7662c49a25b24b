"""Rules for whole grids that involve more than adjacent pairs; see `solver.rules.neighbors`."""

from collections.abc import Sequence
from typing import Any

from solver.board.layout import Layout
from solver.board.primitive_constraints import Domain, House, Part, Regular
from solver.rules.full_rank import no_ties
from solver.rules.rule import Constraint, Machine, Rule, fault_in, one_phase, unrolled
from solver.rules.sets import same_values
from solver.rules.wording import Wording


def _flatmates(length: int, value: int, numbers: range) -> Machine:
    """Return an automaton that reads a column from the top and checks each middle number.

    The least number of the board must be directly above it, or the greatest directly below.
    `length` and `value` are unused. State: (the last number, whether the greatest number must come
    next).
    """
    del length, value
    least, most = numbers[0], numbers[-1]
    middle = numbers[(len(numbers) - 1) // 2]

    def follow(state: tuple[int, bool], number: int, place: int) -> tuple[int, bool] | None:
        del place
        above, must = state
        if must and number != most:
            return None
        return number, number == middle and above != least

    return Machine((most + 1, False), follow, lambda state: not state[1], one_phase)


def _dutch_flatmates(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    parts = []
    for column in range(layout.columns):
        cells = tuple(range(column, layout.cells, layout.columns))
        if layout.holes.intersection(cells):
            return fault_in(constraint, "needs a grid without holes", layout)
        automaton = unrolled(_flatmates, len(cells), 0, layout.numbers)
        if isinstance(automaton, str):
            return fault_in(constraint, automaton, layout)
        parts.append(Regular(cells, automaton))
    return tuple(parts)


def _region_same_values(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    longest = max((len(house.cells) for house in layout.houses), default=0)
    houses = [house.cells for house in layout.houses if len(house.cells) == longest]
    if longest == layout.size:
        return ()
    return same_values(constraint, houses, layout)


def _zero_apart(length: int, value: int, numbers: range) -> Machine:
    """Return an automaton that reads a cell, then the numbers missing in its row, column, and box.

    If the cell is 0, these missing numbers must differ. All three parameters are unused. States:
    start, "any" if the cell isn't 0, the set of missing numbers read so far.
    """
    del length, value, numbers

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            return frozenset() if number == 0 else "any"
        if state == "any":
            return state
        return None if number in state else state | {number}

    return Machine(None, follow, lambda _: True, lambda place: place == 0)


def _doppelganger(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile the doppelganger rule, with an auxiliary cell per house for its missing number.

    One more auxiliary cell per kind of house holds 0, which no house misses. For each cell, an
    automaton requires that the missing numbers of its houses differ if the cell is 0. Returns an
    error message if the board doesn't have the right values or houses.
    """
    if layout.lowest != 0 or layout.rows != layout.columns or layout.size != layout.rows + 1:
        example = '"shape": "9x9", "size": 10, "lowest": 0'
        fault = "needs a square grid and one more value than rows, starting at 0, such as"
        return fault_in(constraint, f"{fault} {example}", layout)
    kinds = ("row", "column", "box", "region")
    if any(len(house.cells) != layout.rows for house in layout.houses if house.kind in kinds):
        fault = f"needs rows, columns, and boxes of {layout.rows} cells each"
        return fault_in(constraint, fault, layout)
    parts: list[Part] = []
    missing_of: dict[int, list[int]] = {}  # for each cell, the auxiliary cells of its houses
    auxiliary_count = 0
    for kind in kinds:
        misses = []
        for house in layout.houses:
            if house.kind == kind:
                auxiliary_count += 1
                misses.append(-auxiliary_count)
                parts.append(House(kind, house.number, (*house.cells, -auxiliary_count)))
                for cell in house.cells:
                    missing_of.setdefault(cell, []).append(-auxiliary_count)
        if misses:
            # One more cell holds 0, which no house misses.
            auxiliary_count += 1
            parts.append(Domain(-auxiliary_count, 1))
            parts.append(House(f"missing in a {kind}", 0, (*misses, -auxiliary_count)))
    for cell, misses in missing_of.items():
        automaton = unrolled(_zero_apart, 1 + len(misses), 0, layout.numbers)
        if isinstance(automaton, str):
            return fault_in(constraint, automaton, layout)
        parts.append(Regular((cell, *misses), automaton))
    return tuple(parts)


def _rule(name: str, wording: Wording, parts: Any, *, hides: bool = False) -> Rule:
    """Return a rule without cells. `parts` compiles it, and `hides` is as in `Rule`."""
    return Rule(name, wording, f'{{"type": "{name}"}}', parts, hides=hides)


GRID_RULES: Sequence[Rule] = (
    _rule(
        "dutchflatmates",
        Wording(
            "Dutch flatmates",
            "Each {middle} has a {lowest} directly above it or a {highest} directly below it.",
        ),
        _dutch_flatmates,
    ),
    _rule(
        "regionsamevalues",
        Wording(
            "Regions with the same digits",
            "The largest rows, columns, and regions all contain the same digits.",
        ),
        _region_same_values,
    ),
    _rule(
        "doppelganger",
        Wording(
            "Doppelganger",
            "Each row, column, and box lacks one digit, never 0; two of the same kind, "
            "or two that share a 0, never lack the same digit.",
            note="Only for square grids with one more digit than rows, counted from 0.",
        ),
        _doppelganger,
        hides=True,
    ),
    _rule(
        "noties",
        Wording("No ties", "No two rows or columns, read in both directions, are equal."),
        no_ties,
    ),
)
