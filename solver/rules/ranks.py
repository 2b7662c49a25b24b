"""Full rank: rows and columns are numbers, read from both ends, and stand in an order."""

from collections.abc import Sequence
from itertools import chain, combinations
from typing import Any

from solver.board.layout import Domain, Layout, Part, Regular
from solver.rules.rule import Cells, Constraint, Machine, Rule, same, unrolled

# What a line is beside another one: the value, from 0, of an unseen cell.
_LESS, _EQUAL, _MORE = 0, 1, 2
_RANKS = ("fullrank", "fullranktied")
_SIDES = 4  # of the grid, where lines begin


def _sides(layout: Layout) -> list[list[Cells]]:
    """Return the rows and columns, by the side of the grid where they begin."""
    rows = [tuple(range(c, c + layout.columns)) for c in range(0, layout.cells, layout.columns)]
    columns = list(zip(*rows, strict=True))
    return [side for lines in (rows, columns) for side in (lines, [line[::-1] for line in lines])]


def _compared(length: int, value: Any, numbers: range) -> Machine:
    """Read what a second line is beside the first if it begins with a number, and that beginning.

    Then a number of each in turn, those behind the first ones. States: nothing, what is said, (it,
    the number of the first line), it is so.
    """
    del length
    begins = value

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            said = number - numbers[0]
            return said if said <= _MORE else None
        if state == "so":
            return state
        if place == 1:
            return state if number == begins else "so"
        if place % 2 == 0:
            return (state, number)
        said, first = state
        if number == first:
            return said
        return "so" if said == (_LESS if number < first else _MORE) else None

    return Machine(
        None,
        follow,
        lambda state: state in ("so", _EQUAL),
        lambda place: place if place < 2 else 2 + place % 2,
    )


def _so_many_less(length: int, value: Any, numbers: range) -> Machine:
    """State: how many of the lines are less."""
    del length
    wanted = value

    def follow(count: int, number: int, place: int) -> int | None:
        del place
        count += number - numbers[0] == _LESS
        return count if count <= wanted else None

    return Machine(
        0, follow, lambda count: count == wanted, same, lambda number: number - numbers[0] == _LESS
    )


def _rank(*, tied: bool) -> Any:
    """Return the `parts`: so many lines are less that it has its rank, and no other is equal.

    Each value begins four lines, one on each side of the grid, and the first four ranks are those
    of lines that begin with the least one, and so on. So the rank says what the line begins with,
    and an unseen cell for each other side what the line there is that begins with the same.
    """

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        name, line, rank = constraint.name, constraint.cells, constraint.number
        houses = sum(house.kind in ("row", "column") for house in layout.houses)
        if {layout.rows, layout.columns, houses // 2} != {layout.size} or layout.absent:
            return f"the constraint {name!r} needs a square grid with a value for each row"
        others = [side for side in _sides(layout) if line not in side]
        if len(others) == _SIDES:
            return f"the constraint {name!r} needs a whole row or column"
        if not 1 <= rank <= _SIDES * layout.size:
            return f"the constraint {name!r} has rank {rank} of {_SIDES * layout.size}"
        if layout.size <= _MORE:
            return f"the constraint {name!r} needs a board of {_MORE + 1} values or more"
        begins, place = divmod(rank - 1, _SIDES)
        compared = unrolled(_compared, 2 * layout.size, layout.numbers[begins], layout.numbers)
        less = unrolled(_so_many_less, _SIDES - 1, place, layout.numbers)
        if isinstance(compared, str) or isinstance(less, str):
            reason = compared if isinstance(compared, str) else less
            return f"the constraint {name!r} {reason}"
        kinds = 1 << _LESS | 1 << _MORE | (1 << _EQUAL if tied else 0)
        made: list[Part] = [Domain(line[0], 1 << begins)]
        said = tuple(range(-1, -_SIDES, -1))
        for cell, side in zip(said, others, strict=True):
            made.append(Domain(cell, kinds & _known(side, rank, layout)))
            for other in side:
                turns = chain.from_iterable(zip(line[1:], other[1:], strict=True))
                made.append(Regular((cell, other[0], *turns), compared))
        return (*made, Regular(said, less))

    return parts


def _known(side: Sequence[Cells], rank: int, layout: Layout) -> int:
    """Return what the line of a side may be beside one of a rank that begins with the same value.

    It may be one whose rank is given too: lines are equal where their ranks are.
    """
    for other in layout.constraints:
        value = other.value if other.name in _RANKS and other.cells in side else 0
        if isinstance(value, int) and value and (value - 1) // _SIDES == (rank - 1) // _SIDES:
            return 1 << (_LESS if value < rank else _MORE if value > rank else _EQUAL)
    return 1 << _LESS | 1 << _EQUAL | 1 << _MORE


def _apart(length: int, value: Any, numbers: range) -> Machine:
    """Read a number of each line in turn. States: so far equal, (the first's), they differ."""
    del length, value, numbers

    def follow(state: Any, number: int, place: int) -> Any:
        if state == "differ":
            return state
        if place % 2 == 0:
            return (number,)
        return "equal" if state == (number,) else "differ"

    return Machine("equal", follow, lambda state: state == "differ", lambda place: place % 2)


def no_ties(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Return that no two of the lines are equal."""
    if layout.absent:
        return f"the constraint {constraint.name!r} needs a grid without holes"
    differing = [0] * layout.cells  # from each cell, as bits
    for house in layout.houses:
        cells = sum(1 << cell for cell in house.cells)
        for cell in house.cells:
            differing[cell] |= cells & ~(1 << cell)
    parts = []
    for one, other in combinations(chain.from_iterable(_sides(layout)), 2):
        pairs = list(zip(one, other, strict=False))
        if len(one) != len(other) or any(differing[here] >> there & 1 for here, there in pairs):
            continue
        automaton = unrolled(_apart, 2 * len(one), 0, layout.numbers)
        if isinstance(automaton, str):
            return f"the constraint {constraint.name!r} {automaton}"
        parts.append(Regular(tuple(chain.from_iterable(pairs)), automaton))
    return tuple(parts)


_ROW = '"cells": ["r1c1", "r1c2", "r1c3", "r1c4", "r1c5", "r1c6", "r1c7", "r1c8", "r1c9"]'

RANK_RULES = (
    Rule(
        "fullrank",
        "Of all rows and columns, read from both ends as numbers, so many are at most this line, "
        "and no other equals it.",
        f'{{"type": "fullrank", {_ROW}, "rank": 17}}',
        _rank(tied=False),
        least=1,
        value="rank",
    ),
    Rule(
        "fullranktied",
        "As full rank; lines that are equal share the first of the ranks that they take.",
        f'{{"type": "fullranktied", {_ROW}, "rank": 17}}',
        _rank(tied=True),
        least=1,
        value="rank",
    ),
)
