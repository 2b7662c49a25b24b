"""Full rank: rows and columns are numbers, read from both ends, and stand in an order."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from solver.board.layout import Domain, Layout, Part, Regular
from solver.rules.rule import Cells, Constraint, Machine, Rule, same, unrolled

# What a line is beside another one: the value, from 0, of an unseen cell.
_LESS, _EQUAL, _MORE = 0, 1, 2


def lines_of(layout: Layout) -> Iterator[Cells]:
    """Yield the rows and columns, each from both ends."""
    for house in layout.houses:
        if house.kind in ("row", "column"):
            yield house.cells
            yield house.cells[::-1]


def _compared(length: int, value: Any, numbers: range) -> Machine:
    """Read what the second line is beside the first, then a number of each in turn.

    States: nothing, what is said, (it, the number of the first line), it is so.
    """
    del length, value

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            said = number - numbers[0]
            return said if said <= _MORE else None
        if state == "so":
            return state
        if place % 2:
            return (state, number)
        said, first = state
        if number == first:
            return said
        return "so" if said == (_LESS if number < first else _MORE) else None

    return Machine(
        None, follow, lambda state: state in ("so", _EQUAL), lambda place: place and 1 + place % 2
    )


def _at_most(length: int, value: Any, numbers: range) -> Machine:
    """State: how many of the lines are what is asked about."""
    del length
    wanted, most = value

    def follow(count: int, number: int, place: int) -> int | None:
        del place
        count += number - numbers[0] == wanted
        return count if count <= most else None

    return Machine(0, follow, lambda _: True, same, lambda number: number - numbers[0] == wanted)


def _rank(*, tied: bool) -> Any:
    """Return the `parts`: so few lines are less, and so few are more, that it has its rank."""

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        name, line, rank = constraint.name, constraint.cells, constraint.number
        if layout.rows != layout.size or layout.columns != layout.size or layout.absent:
            return f"the constraint {name!r} needs a square grid with a value for each row"
        lines = list(lines_of(layout))
        if line not in lines:
            return f"the constraint {name!r} needs a whole row or column"
        if not 1 <= rank <= len(lines):
            return f"the constraint {name!r} has rank {rank} of {len(lines)}"
        if layout.size <= _MORE:
            return f"the constraint {name!r} needs a board of {_MORE + 1} values or more"
        others = [other for other in lines if other != line]
        said = tuple(-place for place in range(1, len(others) + 1))
        kinds = 1 << _LESS | 1 << _MORE | (1 << _EQUAL if tied else 0)
        made: list[Part] = [Domain(cell, kinds) for cell in said]
        # Each value begins four lines: the first four ranks are those of lines that begin with the
        # least one, and so on.
        made.append(Domain(line[0], 1 << (rank - 1) // 4))
        compared = unrolled(_compared, 1 + 2 * layout.size, 0, layout.numbers)
        less = unrolled(_at_most, len(said), (_LESS, rank - 1), layout.numbers)
        more = unrolled(_at_most, len(said), (_MORE, len(lines) - rank), layout.numbers)
        for automaton in (compared, less, more):
            if isinstance(automaton, str):
                return f"the constraint {name!r} {automaton}"
        assert not isinstance(compared, str)  # noqa: S101 (for the type checker)
        assert not isinstance(less, str)  # noqa: S101
        assert not isinstance(more, str)  # noqa: S101
        for cell, other in zip(said, others, strict=True):
            turns = (each for pair in zip(line, other, strict=True) for each in pair)
            made.append(Regular((cell, *turns), compared))
        return (*made, Regular(said, less), Regular(said, more))

    return parts


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
    parts = []
    for one, other in combinations(lines_of(layout), 2):
        if len(one) != len(other):
            continue
        automaton = unrolled(_apart, 2 * len(one), 0, layout.numbers)
        if isinstance(automaton, str):
            return f"the constraint {constraint.name!r} {automaton}"
        turns = tuple(each for pair in zip(one, other, strict=True) for each in pair)
        parts.append(Regular(turns, automaton))
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
        "As full rank; lines that are equal share the ranks that they take.",
        f'{{"type": "fullranktied", {_ROW}, "rank": 17}}',
        _rank(tied=True),
        least=1,
        value="rank",
    ),
)
