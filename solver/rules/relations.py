"""Restrict pairs of cells by a relation between their numbers, and find the adjacent pairs."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.primitive_constraints import Domain, Relation

# (first number, second number, the constraint's parameter) → bool
Allows = Callable[[int, int, Any], bool]
Allowed = tuple[int, ...]  # for each value of the other cell, the allowed values as bits


def side_by_side(layout: Layout) -> list[tuple[int, int]]:
    """Return the pairs of cells that are adjacent in a row or column, without holes.

    The first cell of a pair is to the left of the second, or above it.
    """
    cells, columns, holes = layout.cells, layout.columns, layout.holes
    pairs: list[tuple[int, int]] = []
    for cell in range(cells):
        if (cell + 1) % columns:
            pairs.append((cell, cell + 1))
        if cell + columns < cells:
            pairs.append((cell, cell + columns))
    return [pair for pair in pairs if holes.isdisjoint(pair)] if holes else pairs


def relate(
    pairs: Iterable[tuple[int, int]], allows: Allows, value: Hashable, layout: Layout
) -> tuple[Relation | Domain, ...]:
    """Return primitive constraints so that `allows` holds for the numbers of each pair of cells.

    They are two relations, one for each direction of the pairs. `value` is the parameter of the
    constraint, the last argument of `allows`. If a cell is paired with itself, a domain limits it
    to the values that are related to themselves.
    """
    forth, back = _allowed(allows, value, layout.numbers)
    pairs = tuple(pairs)
    apart = tuple([pair for pair in pairs if pair[0] != pair[1]])
    turned = tuple([(second, first) for first, second in apart])
    both = Relation(apart, forth), Relation(turned, back)
    if len(apart) == len(pairs):
        return both
    itself = sum(1 << place for place, to in enumerate(forth) if to >> place & 1)
    alone = dict.fromkeys(first for first, second in pairs if first == second)
    return (*both, *(Domain(cell, itself) for cell in alone))


@kept_table
def _allowed(allows: Allows, value: Hashable, numbers: range) -> tuple[Allowed, Allowed]:
    """Return the two tables of a relation between the numbers of two cells.

    The first table has, for each value of the first cell, the values allowed in the second, as bits
    (bit 0 = value 1). The second table has, for each value of the second cell, those allowed in the
    first. allows(first number, second number, `value`) returns whether two numbers are valid.
    """
    charge(len(numbers) ** 2 // 2)
    forth = tuple(
        sum(1 << j for j, b in enumerate(numbers) if allows(a, b, value)) for a in numbers
    )
    back = tuple(
        sum(1 << i for i, to in enumerate(forth) if to >> j & 1) for j in range(len(forth))
    )
    return forth, back
