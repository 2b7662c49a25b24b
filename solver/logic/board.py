"""The tables that compiled techniques read: houses and peers of a layout, as lists and as bits."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import House, Layout
from solver.compiling.arrays import inverted, padded

ROW, COLUMN, BOX, OTHER = range(4)

Ints = NDArray[np.int32]
Words = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A layout with rules that no technique knows: their names."""

    rules: tuple[str, ...]

    @property
    def detail(self) -> str:
        """What to tell somebody who asked for an explanation."""
        return f"logic does not know {', '.join(self.rules)}"


class Board(NamedTuple):
    """A layout, as compiled techniques read it.

    A set of cells is a row of words, two at least; cell c is bit c % 64 of word c // 64:

        word 0:  r1c1 r1c2 … r8c1   word 1:  r8c2 … r9c9     (bit 0 first)

    Lists are closed by −1. Houses are numbered as in the layout.
    """

    size: int
    house_cells: Ints  # (houses, size + 1)
    house_sets: Words  # (houses, words)
    kinds: Ints  # (houses,): ROW, COLUMN, BOX or OTHER
    complete: Ints  # (houses,): 1 where each value has a place in it
    cell_houses: Ints  # (cells, most + 1), in the order of the houses
    lines: Ints  # (3, cells): the row, the column and the box of a cell, −1 for none
    peers: Ints  # (cells, most + 1), in ascending order
    peer_sets: Words  # (cells, words)
    sees: NDArray[np.uint8]  # (cells, cells)
    exists: Ints  # (cells,): 0 for holes

    @property
    def words(self) -> int:
        """The number of words in a set of cells."""
        return int(self.peer_sets.shape[1])


@lru_cache(maxsize=32)
def board_of(layout: Layout) -> Board | Unexplained:
    """Return the tables of a layout; or, where it has other rules than houses, links, domains."""
    unknown = unknown_rules(layout)
    if unknown:
        return Unexplained(unknown)
    cells = layout.cells
    sees = np.zeros((cells, cells), np.bool_)
    for house in layout.houses:
        sees[np.ix_(house.cells, house.cells)] = True
    for links in layout.links:
        for one, other in links.pairs:
            sees[one, other] = sees[other, one] = True
    np.fill_diagonal(sees, val=False)
    lists = [sorted(house.cells) for house in layout.houses]
    kinds = [_kind(house) for house in layout.houses]
    lines = np.full((3, cells), -1, np.int32)
    for number, (kind, members) in enumerate(zip(kinds, lists, strict=True)):
        if kind != OTHER:
            lines[kind, members] = number
    exists = np.ones(cells, np.int32)
    exists[list(layout.absent)] = 0
    return Board(
        size=layout.size,
        house_cells=_closed(lists),
        house_sets=cell_sets(lists, cells),
        kinds=np.array(kinds, np.int32),
        complete=np.array([len(members) == layout.size for members in lists], np.int32),
        cell_houses=_closed(inverted(lists, cells)),
        lines=lines,
        peers=_closed([np.flatnonzero(row).tolist() for row in sees]),
        peer_sets=cell_sets([np.flatnonzero(row).tolist() for row in sees], cells),
        sees=sees.astype(np.uint8),
        exists=exists,
    )


def unknown_rules(layout: Layout) -> tuple[str, ...]:
    """Return the names of the rules of a layout that no technique knows."""
    if not (layout.relations or layout.sums or layout.regulars or layout.combinations):
        return ()
    names = [getattr(getattr(rule, "rule", rule), "name", "rule") for rule in layout.constraints]
    return tuple(dict.fromkeys(names))


def cell_sets(lists: list[list[int]], cells: int) -> Words:
    """Return lists of cells as sets, two words each at least."""
    words = max(2, -(-cells // 64))
    sets = np.zeros((len(lists), words), np.uint64)
    for row, members in enumerate(lists):
        for cell in members:
            sets[row, cell // 64] |= np.uint64(1 << (cell % 64))
    return sets.view(np.int64)


def _kind(house: House) -> int:
    return {"row": ROW, "column": COLUMN, "box": BOX}.get(house.kind, OTHER)


def _closed(lists: list[list[int]]) -> Ints:
    return padded(lists, width=1 + max(map(len, lists), default=0))
