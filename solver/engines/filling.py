"""Solve large boards with few givens: relabel a known pattern so that it contains the givens.

A search can get lost on a large empty board, although a solution is easy to write down. With boxes
of h×w cells, the value in row r and column c (all counted from 0) is, modulo the size,

    w · (r mod h) + r div h + c

It remains a solution if rows are exchanged within a band, columns within a stack, whole bands,
whole stacks, and values. Backtracking finds exchanges with which the pattern contains the givens.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, permutations

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout

FEWEST_VALUES = 50  # up to this size the search finds everything that this module does
_MOST_GIVENS = 200
_MOST_TRIES = 5_000  # places of the pattern that are tried for the givens


def is_fillable(layout: Layout) -> bool:
    """Return whether a board is large and square, and has no rules but rows, columns, and boxes.

    Large boards have `FEWEST_VALUES` or more. Boards without boxes are fillable, too.
    """
    size = layout.size
    if size < FEWEST_VALUES or layout.shape is not None or layout.links or layout.has_parts:
        return False
    box = layout.box if layout.boxes else None
    return layout.houses == Layout.grid(size, size, size=size, box=box).houses


def fill(layout: Layout, givens: NDArray[np.uint8], limit: int) -> NDArray[np.uint8] | None:
    """Return `limit` solutions of a puzzle, or None if this method doesn't find as many.

    `givens` (cells,) has one value per cell, 0 if the cell is empty. `layout` must be fillable, see
    `is_fillable`. The result has the shape (limit, cells). Its solutions arise from one solution by
    exchanging values that don't occur among the givens. None doesn't mean that the puzzle has fewer
    solutions.
    """
    size = layout.size
    fit = _Fit(size, layout.box)
    cells = np.flatnonzero(givens).tolist()
    if len(cells) > _MOST_GIVENS:
        return None
    wanted = [(*divmod(cell, size), int(givens[cell]) - 1) for cell in cells]
    if not _place(wanted, 0, fit, iter(range(_MOST_TRIES))):
        return None
    rows = np.array(_completed(fit.rows, fit.bands, layout.box[0], size))
    columns = np.array(_completed(fit.columns, fit.stacks, layout.box[1], size))
    pattern = fit.value(rows[:, None], columns).ravel()
    value_of = np.empty(size, np.uint8)
    for value, shown in fit.values.there.items():
        value_of[shown] = value + 1
    free = [value + 1 for value in range(size) if value not in fit.values.there]
    others = [shown for shown in range(size) if shown not in fit.values.back]
    solutions = []
    for names in islice(permutations(free), limit):
        value_of[others] = names
        solutions.append(value_of[pattern])
    return np.array(solutions) if len(solutions) == limit else None


@dataclass(slots=True)
class _Names:
    """A one-to-one assignment of numbers of the pattern to numbers of the board.

    The numbers are those of rows, columns, bands, stacks, or values, from 0. `there` maps numbers
    of the board to numbers of the pattern, and `back` is the reverse. Numbers without an assignment
    are in neither.
    """

    there: dict[int, int] = field(default_factory=dict)
    back: dict[int, int] = field(default_factory=dict)

    def assignable(self, number: int, among: Sequence[int]) -> list[int]:
        """Return those numbers of the pattern in `among` that a number of the board can get.

        If the board's number has an assignment already, it can only get the same one again.
        Otherwise, it can get the pattern's unassigned numbers.
        """
        known = self.there.get(number)
        if known is not None:
            return [known] if known in among else []
        return [other for other in among if other not in self.back]

    def bind(self, number: int, other: int) -> bool:
        """Assign a number of the pattern (`other`) to a number of the board (`number`).

        Returns False, without changing anything, if the board's number has an assignment already.
        Otherwise, returns True. `other` must not have been assigned then.
        """
        if number in self.there:
            return False
        self.there[number], self.back[other] = other, number
        return True

    def free(self, number: int) -> None:
        """Remove the assignment of a number of the board. It must have one."""
        del self.back[self.there.pop(number)]


class _Fit:
    """The assignments of the pattern's lines, bands, stacks, and values to those of the board.

    Lines are rows and columns. Only numbers of the board that the givens need have an assignment.
    `size` is the number of values, and boxes have `high` rows and `wide` columns.
    """

    def __init__(self, size: int, box: tuple[int, int]) -> None:
        self.size, (self.high, self.wide) = size, box
        self.rows, self.columns, self.values = _Names(), _Names(), _Names()
        self.bands, self.stacks = _Names(), _Names()

    def value(self, row: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pattern's values, from 0, at the given rows and columns of the pattern."""
        return (self.wide * (row % self.high) + row // self.high + column) % self.size

    def lines(self, line: int, names: _Names, groups: _Names, length: int) -> Iterator[int]:
        """Yield the pattern's rows or columns that can be assigned to a row or column of the board.

        `names` are the assignments of rows or columns, and `groups` those of bands or stacks, each
        of which has `length` rows or columns.
        """
        for group in groups.assignable(line // length, range(self.size // length)):
            yield from names.assignable(line, range(group * length, (group + 1) * length))

    def columns_for(self, row: int, column: int, value: int) -> Iterator[int]:
        """Yield the pattern's columns that can be assigned to a column of the board.

        `row` is a row of the pattern, `column` and `value` are those of the board. The value where
        that row meets the yielded column must be assigned to `value` already, or both of them must
        be unassigned.
        """
        begin = self.wide * (row % self.high) + row // self.high
        shown = self.values.there.get(value)
        for other in self.lines(column, self.columns, self.stacks, self.wide):
            here = (begin + other) % self.size
            if here == shown or (shown is None and here not in self.values.back):
                yield other


def _place(
    wanted: Sequence[tuple[int, int, int]], at: int, fit: _Fit, tries: Iterator[int]
) -> bool:
    """Assign the pattern's lines and values to the board's, so that all givens fit.

    `wanted` are the givens as (row, column, value), counted from 0. Those before the index `at` fit
    already. Each attempt to fit a given takes one item from `tries`. Returns False if `tries` runs
    out, or if no assignment is possible, and leaves `fit` as it was.
    """
    if at == len(wanted):
        return True
    row, column, value = wanted[at]
    for own_row in fit.lines(row, fit.rows, fit.bands, fit.high):
        for own_column in fit.columns_for(own_row, column, value):
            if next(tries, None) is None:
                return False
            shown = (fit.wide * (own_row % fit.high) + own_row // fit.high + own_column) % fit.size
            bound = [
                (names, number)
                for names, number, other in (
                    (fit.rows, row, own_row),
                    (fit.bands, row // fit.high, own_row // fit.high),
                    (fit.columns, column, own_column),
                    (fit.stacks, column // fit.wide, own_column // fit.wide),
                    (fit.values, value, shown),
                )
                if names.bind(number, other)
            ]
            if _place(wanted, at + 1, fit, tries):
                return True
            for names, number in bound:
                names.free(number)
    return False


def _completed(names: _Names, groups: _Names, length: int, size: int) -> list[int]:
    """Assign a row or column of the pattern to each of the board that has none yet.

    Each row or column of the board gets the first free one that fits its band or stack. `names` are
    the assignments of rows or columns, and `groups` those of bands or stacks, each of which has
    `length` rows or columns. Both are completed. Returns the pattern's row or column for each of
    the board's `size` rows or columns, in order.
    """
    lines = []
    for group in range(size // length):
        own_group = next(iter(groups.assignable(group, range(size // length))))
        groups.bind(group, own_group)
        for line in range(group * length, (group + 1) * length):
            own = next(
                iter(names.assignable(line, range(own_group * length, (own_group + 1) * length)))
            )
            names.bind(line, own)
            lines.append(own)
    return lines
