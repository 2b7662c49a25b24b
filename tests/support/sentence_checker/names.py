"""Read the names of cells, houses, and values in a sentence."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, product
from typing import NamedTuple

from solver.board.layout import Layout
from solver.board.primitive_constraints import House
from solver.board.symbols import Symbols
from solver.logic.sentences.places import house_name

# Not the cell in the name of a house, such as "cage at r1c1".
_LINE = "(?:line|arrow|diagonal|thermometer|palindrome|loop)"
_CELL = r"(?<!at )(?<!diagonal from )r\d+c\d+"
# The ends in the name of a line, and the first cells of several cages.
_ENDS = re.compile(
    rf"{_LINE} r\d+c\d+–r\d+c\d+|{_LINE}s( r\d+c\d+–r\d+c\d+(,|,? and)?)+"
    r"|[Tt]he cages at r\d+c\d+(, r\d+c\d+)*,? and r\d+c\d+"
)
_STATEMENT = (
    r"(?:(?:[Oo]ne of )?{cells} is {value}|(?:[Nn]either|[Nn]one of) {cells} is {value}"
    r"|{cells} (?:is|are) not {values}|it is (?:not )?{value}|{value} is in {cells})"
)
_MOST_DIGITS = 9  # rows and columns up to which short forms are used
_NUMBER = r"\d+"
_NUMBERS = r"\d+(?:–\d+)?"
_PLURALS = {"rows": "row", "columns": "column", "boxes": "box", "regions": "region"}


def plural_of(kind: str) -> str:
    """Return "rows", "columns", "boxes", or "regions", and "houses" for houses of other kinds."""
    return next((plural for plural, one in _PLURALS.items() if one == kind), "houses")


LOCATED = r"(?:In(?! the diagonal)|On(?= the diagonal))"  # before the name of a house


def _list_of(item: str) -> str:
    """Return the regular expression of a list such as "a", "a and b", or "a, b, or c"."""
    return rf"(?:{item})(?:(?:, (?:{item}))*,? (?:and|or|nor) (?:{item}))?"


class Candidate(NamedTuple):
    """A value that a cell can have."""

    cell: int
    value: int


class CellSet(NamedTuple):
    """Cells with all of their candidates, as in "r1c1 and r1c2 {347}"."""

    cells: tuple[int, ...]
    values: tuple[int, ...]


class Names:
    """The names of a puzzle's cells, houses, and values, and how to find them in a text."""

    def __init__(self, layout: Layout, symbols: Symbols) -> None:
        self.layout = layout
        self.symbols = symbols
        self._houses: dict[str, list[House]] = {}
        for house in layout.houses:
            for name in {house.name, house_name(layout, house)}:
                self._houses.setdefault(name, []).append(house)
        self._values = {symbol: value for value, symbol in enumerate(symbols.values, 1)}

    @cached_property
    def _value(self) -> str:
        return rf"(?<!\w)(?:{self._symbol})(?!\w)"

    @cached_property
    def _symbol(self) -> str:
        return "|".join(map(re.escape, sorted(self._values, key=len, reverse=True)))

    @cached_property
    def patterns(self) -> dict[str, str]:
        """The regular expression of each kind of name and list of names."""
        house = "|".join(
            chain(
                sorted(map(re.escape, self._houses), key=len, reverse=True),
                (rf"{plural} {_list_of(_NUMBERS)}" for plural in _PLURALS),
            )
        )
        house = rf"(?:{house})(?!\w)"
        cells = _list_of(rf"{_CELL}(?:–{_CELL})?")
        values = _list_of(rf"{self._value}(?:–{self._value})?")
        described = rf"{_CELL} \({values}\)"
        entry = rf"(?:{self._value}(?:–{self._value})?|\w+)"
        sets = rf"(?:{cells}|{_CELL}(?:,{_CELL})*) {{{entry}(?: {entry})*}}"
        return {
            "cell": _CELL,
            "cells": cells,
            # The end of a list that begins with words.
            "described": rf"(?:, {described})*,? and {described}",
            "value": self._value,
            "plural": rf"(?<!\w)(?:{self._symbol})s(?!\w)",
            "values": values,
            "house": house,
            "houses": _list_of(house),
            "sets": _list_of(sets),
            "candidates": _list_of(rf"{values} in {cells}"),
            "number": _NUMBER,
            "statement": _STATEMENT.format(cells=cells, value=self._value, values=values),
            "text": r".+",
        }

    def cells(self, text: str) -> tuple[int, ...]:
        """Return all cells that a text names, in order, each one once.

        A range such as "r1c2–r1c6" stands for all cells from the first to the last one. Cells in
        the name of a line, a cage, or a diagonal, such as "cage at r1c1", and cells outside the
        grid are left out.
        """
        text = _ENDS.sub("", text)
        found: dict[int, None] = {}
        for first, last in re.findall(rf"({_CELL})(?:–({_CELL}))?", text):
            names = self._names_between(first, last) if last else [first]
            cells = chain.from_iterable(map(self._cells_named, names))
            found |= dict.fromkeys(cell for cell in cells if cell is not None)
        return tuple(found)

    @staticmethod
    def _names_between(first: str, last: str) -> list[str]:
        """Return the names of the cells from `first` to `last`, which are in a row or a column.

        The list is empty if they are in neither.
        """
        rows, columns = (
            [int(name[1:].split("c")[part]) for name in (first, last)] for part in (0, 1)
        )
        if rows[0] != rows[1] and columns[0] != columns[1]:
            return []
        return [
            f"r{row}c{column}"
            for row in range(rows[0], rows[1] + 1)
            for column in range(columns[0], columns[1] + 1)
        ]

    def _cells_named(self, name: str) -> Iterator[int | None]:
        """Yield the cells of a name such as r1c2, or of a short form such as r12c3.

        Yields None for cells outside the grid. Boards with more than 9 rows or columns have no
        short forms.
        """
        rows, columns = name[1:].split("c")
        if max(self.layout.rows, self.layout.columns) > _MOST_DIGITS:
            yield self.layout.cell_named(name)
            return
        for row, column in product(rows, columns):
            yield self.layout.cell_named(f"r{row}c{column}")

    def values(self, text: str) -> tuple[int, ...]:
        """Return the values in a list such as "1, 3, and 5" or "1 and 4–9"."""
        found: list[int] = []
        for first, last in re.findall(rf"({self._value})(?:–({self._value}))?", text):
            value = self._values[first]
            found += range(value, self._values[last] + 1) if last else [value]
        return tuple(found)

    def houses(self, text: str) -> tuple[House, ...]:
        """Return all houses that a text names, such as "row 4", "rows 2 and 7", or "boxes 1–3"."""
        found = re.findall(self.patterns["house"], text)
        return tuple(dict.fromkeys(chain.from_iterable(map(self._houses_named, found))))

    def _houses_named(self, name: str) -> Iterator[House]:
        """Yield the houses that a name stands for, which is several if it's a plural."""
        if name in self._houses:
            yield from self._houses[name]
            return
        plural, numbers = name.split(" ", 1)
        for number in numbers_in(numbers):
            yield from self._houses[f"{_PLURALS[plural]} {number}"]

    def sets(self, text: str) -> tuple[CellSet, ...]:
        """Return the sets in a text such as "r1c1 and r1c2 {347} and r2c3 {47}"."""
        cells = self.patterns["cells"]
        pairs = re.finditer(rf"({cells}|{_CELL}(?:,{_CELL})*) {{([^}}]*)}}", text)
        return tuple(CellSet(self.cells(pair[1]), self.values_in_set(pair[2])) for pair in pairs)

    def values_in_set(self, text: str) -> tuple[int, ...]:
        """Return the values in a set such as "1358", or "1 3–7 12" if some symbols are longer.

        An unknown symbol makes a set of the first form empty. In the second form, it is ignored.
        """
        if any(len(symbol) > 1 for symbol in self._values):
            return self.values(text)
        known = {*text} <= {*self._values}
        return tuple(self._values[symbol] for symbol in text) if known else ()

    def described(self, text: str) -> tuple[CellSet, ...]:
        """Return the cells and values in a text such as "r1c1 (3 or 4) and r1c2 (4 or 5)"."""
        pairs = re.finditer(rf"({_CELL}) \(({self.patterns['values']})\)", text)
        return tuple(CellSet(self.cells(pair[1]), self.values(pair[2])) for pair in pairs)

    def lines(self, cells: Iterable[int]) -> tuple[House, ...]:
        """Return the rows and columns that contain at least one of the cells."""
        members = set(cells)
        return tuple(
            house
            for house in self.layout.houses
            if house.kind in ("row", "column") and not members.isdisjoint(house.cells)
        )

    def candidates(self, text: str) -> tuple[Candidate, ...]:
        """Return the candidates in a text such as "1 and 2 from r1c1; and 3 from r1c2"."""
        pairs = re.finditer(
            rf"({self.patterns['values']}) (?:from|in) ({self.patterns['cells']})", text
        )
        return tuple(
            Candidate(cell, value)
            for pair in pairs
            for value in self.values(pair[1])
            for cell in self.cells(pair[2])
        )


def numbers_in(text: str) -> list[str]:
    """Return all numbers in a text, as texts, with all that a range such as "3–6" stands for."""
    found = re.findall(r"(\d+)(?:–(\d+))?", text)
    return [str(n) for first, last in found for n in range(int(first), int(last or first) + 1)]
