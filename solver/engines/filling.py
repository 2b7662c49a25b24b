"""Large boards with few givens: the usual pattern, with its lines and values renamed to fit them.

A search may lose its way on a large empty board, though a solution can be written down. With boxes
of h×w cells, the value in row r and column c (all counted from 0) is, modulo the size,

    w · (r mod h) + r div h + c

It remains a solution if rows are exchanged within a band, columns within a stack, whole bands,
whole stacks, and values. Which of these fit the givens is found by backtracking.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, permutations

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout

FEWEST_VALUES = 50  # up to here the search finds all that this does
_MOST_GIVENS = 200
_MOST_TRIES = 5_000  # places of the pattern that are tried for the givens


def is_fillable(layout: Layout) -> bool:
    """Return whether a board is large, square, and has no rules but rows, columns and boxes."""
    size = layout.size
    if size < FEWEST_VALUES or layout.shape is not None or layout.links or layout.has_parts:
        return False
    box = layout.box if layout.boxes else None
    return layout.houses == Layout.grid(size, size, size=size, box=box).houses


def fill(layout: Layout, givens: NDArray[np.uint8], limit: int) -> NDArray[np.uint8] | None:
    """Return `limit` solutions (limit, cells) of a puzzle (cells,), or None if they are not found.

    They differ in values that are not given. None says nothing about the puzzle.
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
    """Which number of the pattern stands for which of the board, in both directions."""

    there: dict[int, int] = field(default_factory=dict)
    back: dict[int, int] = field(default_factory=dict)

    def choices(self, number: int, among: Sequence[int]) -> list[int]:
        """Return the numbers of the pattern that may stand for one of the board."""
        known = self.there.get(number)
        if known is not None:
            return [known] if known in among else []
        return [other for other in among if other not in self.back]

    def bind(self, number: int, other: int) -> bool:
        """Let a number of the pattern stand for one of the board; return whether that is new."""
        if number in self.there:
            return False
        self.there[number], self.back[other] = other, number
        return True

    def free(self, number: int) -> None:
        """Undo a `bind` that was new."""
        del self.back[self.there.pop(number)]


class _Fit:
    """Names for the values, lines and bands of the pattern, as far as the givens need them."""

    def __init__(self, size: int, box: tuple[int, int]) -> None:
        self.size, (self.high, self.wide) = size, box
        self.rows, self.columns, self.values = _Names(), _Names(), _Names()
        self.bands, self.stacks = _Names(), _Names()

    def value(self, row: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the values of the pattern, from 0."""
        return (self.wide * (row % self.high) + row // self.high + column) % self.size

    def lines(self, line: int, names: _Names, groups: _Names, length: int) -> Iterator[int]:
        """Yield the lines of the pattern that may stand for one, in groups of a length."""
        for group in groups.choices(line // length, range(self.size // length)):
            yield from names.choices(line, range(group * length, (group + 1) * length))

    def columns_for(self, row: int, column: int, value: int) -> Iterator[int]:
        """Yield the columns that may stand for one, given the row of the pattern and a value."""
        begin = self.wide * (row % self.high) + row // self.high
        shown = self.values.there.get(value)
        for other in self.lines(column, self.columns, self.stacks, self.wide):
            here = (begin + other) % self.size
            if here == shown or (shown is None and here not in self.values.back):
                yield other


def _place(
    wanted: Sequence[tuple[int, int, int]], at: int, fit: _Fit, tries: Iterator[int]
) -> bool:
    """Find places in the pattern for the givens (row, column, value) from one on."""
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
    """Return the lines of the pattern that stand for all lines; those left over, in order."""
    lines = []
    for group in range(size // length):
        own_group = next(iter(groups.choices(group, range(size // length))))
        groups.bind(group, own_group)
        for line in range(group * length, (group + 1) * length):
            own = next(
                iter(names.choices(line, range(own_group * length, (own_group + 1) * length)))
            )
            names.bind(line, own)
            lines.append(own)
    return lines
