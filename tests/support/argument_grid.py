"""The candidates of a grid, and the statements of an argument about them.

Statements are read from the text. This is shared by the checks of chains and of nets.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from solver import Layout
from solver.logic.sentences.places import house_name

CELL = re.compile(r"r(\d+)c(\d+)")
_RUN = re.compile(r"r(\d+)c(\d+)–r(\d+)c(\d+)")


class Statement(NamedTuple):
    """The statement that one of the cells has the value (`is_true`), or that none does."""

    cells: tuple[int, ...]
    value: int
    is_true: bool


@dataclass
class Grid:
    """The candidates of each cell, from which statements remove some, and the cells of each house.

    Houses have the names that sentences use, such as "row 4".
    """

    layout: Layout
    domains: list[set[int]]
    houses: dict[str, tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.houses = {house_name(self.layout, house): house.cells for house in self.layout.houses}

    @staticmethod
    def of(layout: Layout, bits: Iterable[int]) -> "Grid":
        values = range(1, layout.size + 1)
        return Grid(layout, [{v for v in values if mask >> (v - 1) & 1} for mask in bits])

    def after(self, statements: Iterable[Statement]) -> "Grid":
        """Return a new grid without the candidates that the statements remove.

        A value in a cell leaves only this value there and removes it from all cells that see the
        cell. A value in one of several cells only removes it from cells that see all of them.
        """
        domains = [set(values) for values in self.domains]
        for cells, value, is_true in statements:
            if not is_true:
                for cell in cells:
                    domains[cell].discard(value)
                continue
            if len(cells) == 1:
                domains[cells[0]] &= {value}
            for cell in range(self.layout.cells):
                if all(self.link(one, cell) for one in cells):
                    domains[cell].discard(value)
        return Grid(self.layout, domains)

    def link(self, one: int, other: int) -> str | None:
        """Return the name of a house that contains both cells, "rule", or None.

        "rule" means that the cells see each other by a rule alone. A cell doesn't see itself.
        """
        if one == other:
            return None
        for name, cells in self.houses.items():
            if one in cells and other in cells:
                return name
        pairs = {frozenset(pair) for links in self.layout.links for pair in links.pairs}
        return "rule" if frozenset((one, other)) in pairs else None

    def see(self, through: str, cells: Iterable[int], others: Iterable[int]) -> bool:
        """Return whether all cells see all others through `through`, such as "row 1 and box 2".

        Each pair of cells must see each other through at least one of the houses or rules.
        """
        pairs = [frozenset(pair) for pair in product(cells, others)]
        for name in through.split(" and "):
            seen = [
                frozenset(pair)
                for links in self.layout.links
                if links.kind in name
                for pair in links.pairs
            ]
            house = set(self.houses.get(name, ()))
            pairs = [pair for pair in pairs if pair not in seen and not pair <= house]
        return not pairs

    def places(self, house: str, value: int) -> set[int]:
        return {cell for cell in self.houses[house] if value in self.domains[cell]}

    def cell(self, name: str) -> int:
        row, column = map(int, CELL.fullmatch(name).groups())  # type: ignore[union-attr]
        return (row - 1) * self.layout.columns + column - 1

    def cells(self, text: str) -> tuple[int, ...]:
        return tuple(self.cell(match[0]) for match in CELL.finditer(text))

    def statements(self, text: str) -> list[Statement]:
        """Read statements such as "neither r1c1 nor r1c2 is 5" or "r1c1 is not 5 or 6".

        The second form gives one statement per cell and value. Also reads "5 is in r1c1 or r1c2",
        "one of r1c1 and r1c2 is 5", and "r1c1 is 5". Returns [] for other texts.
        """
        text = text[:1].lower() + text[1:]
        if match := re.fullmatch(r"(?:neither|none of) (.*) is (\d+)", text):
            return [Statement(self.cells(match[1]), int(match[2]), is_true=False)]
        if match := re.fullmatch(r"(\d+) is in (.*)", text):
            return [Statement(self.cells(match[2]), int(match[1]), is_true=True)]
        if match := re.fullmatch(r"(one of .*|r\d+c\d+) is (\d+)", text):
            return [Statement(self.cells(match[1]), int(match[2]), is_true=True)]
        denied = re.findall(r"((?:r\d+c\d+(?:, and |, | and )?)+) (?:is|are) not ([\d, or]+)", text)
        return [
            Statement((cell,), int(value), is_true=False)
            for names, values in denied
            for cell, value in product(self.cells(names), re.findall(r"\d+", values))
        ]


def without_ranges(text: str) -> str:
    """Replace ranges such as "r1c2–r2c3" by comma-separated lists of all cells between them."""

    def listed(match: re.Match[str]) -> str:
        top, left, bottom, right = map(int, match.groups())
        rows, columns = range(top, bottom + 1), range(left, right + 1)
        return ", ".join(f"r{row}c{column}" for row in rows for column in columns)

    return _RUN.sub(listed, text)


def follows(statement: Statement, reason: str, left: Grid, named: list[Statement]) -> bool:
    """Return whether a statement follows for a reason such as "row 4" or "last place in row 4".

    Other reasons are "last candidate", "same cell", and "", if `left` already excludes the value.
    `named` are the statements of the lines that the text names, and `left` is the grid after them.
    """
    cells, value, is_true = statement
    if is_true and reason == "last candidate":
        return left.domains[cells[0]] <= {value}
    if is_true:
        name = house_of_last_places(reason, cells)
        house = left.houses[name]
        is_whole = len(house) == left.layout.size and set(cells) <= set(house)
        return is_whole and left.places(name, value) <= set(cells)
    if reason == "same cell":
        return any(one.is_true and one.cells == cells and one.value != value for one in named)
    if not reason:
        return all(value not in left.domains[cell] for cell in cells)
    return any(
        one.is_true and one.value == value and left.see(reason, one.cells, cells) for one in named
    )


def house_of_last_places(reason: str, cells: Sequence[int]) -> str:
    """Return the name of the house in "last place in row 4".

    Asserts that the text has this form, with "places" if there are several cells.
    """
    match = re.fullmatch(r"last place(s?) (?:in|on) (.*)", reason)
    assert match, reason
    assert bool(match[1]) == (len(cells) > 1), reason
    return match[2]
