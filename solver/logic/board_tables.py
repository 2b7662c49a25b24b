"""Build the tables of a layout for compiled techniques, and find the rules that these ignore."""

from dataclasses import astuple, dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.primitive_constraints import FIELDS, Domain, House, Links, Sum
from solver.compiling.ragged import padded, transposed
from solver.compiling.records import new_record
from solver.logic.board import BOX, COLUMN, OTHER, ROW, Board, Ints, Words
from solver.logic.sums import MOST_HOUSES, MOST_SUMS, MOST_TERMS, Equation, equations
from solver.rules.rule import Constraint


@dataclass(frozen=True, slots=True)
class Unexplained:
    """The display names of a layout's rules that compiled techniques don't cover."""

    rules: tuple[str, ...]

    @property
    def detail(self) -> str:
        """A message that names these rules."""
        return f"explanations don't cover {' or '.join(self.rules)} yet"


@dataclass(frozen=True, slots=True)
class Capacity:
    """The array sizes for a size class of boards.

    A board of the class can have up to this many cells, houses, and values (`size`). A cell can
    have up to `cell_houses` − 1 houses and `peers` − 1 peers. `cells` is a multiple of 64.
    """

    cells: int
    houses: int
    size: int
    cell_houses: int
    peers: int

    @property
    def words(self) -> int:
        """The number of 64-bit words in a set of cells."""
        return self.cells // 64

    def holds(self, other: "Capacity") -> bool:
        """Return whether a board that needs the capacity `other` fits into this one."""
        mine, its = astuple(self), astuple(other)
        return all(capacity >= needed for capacity, needed in zip(mine, its, strict=True))


_CLASSES = (Capacity(128, 96, 16, 16, 128), Capacity(640, 320, 32, 16, 256))


def capacity_of(layout: Layout, sees: NDArray[np.bool_]) -> Capacity:
    """Return the smallest of the size classes that a layout fits into.

    For a layout that fits into none, the smallest capacity that holds it is returned. `sees` is the
    matrix of `seen_cells`.
    """
    lists = transposed([house.cells for house in layout.houses], layout.cells)
    needed = Capacity(
        cells=-(-layout.cells // 64) * 64,
        houses=len(layout.houses),
        size=layout.size,
        cell_houses=max(map(len, lists), default=0) + 1,
        peers=int(sees.sum(axis=1).max(initial=0)) + 1,
    )
    return next((capacity for capacity in _CLASSES if capacity.holds(needed)), needed)


def board_of(layout: Layout) -> Board | Unexplained:
    """Return the tables of a layout, or `Unexplained` if compiled techniques don't cover its rules.

    Such layouts have no rating, but `any_board_of` returns tables for their explanations.
    """
    unknown = unknown_rules(layout)
    return Unexplained(unknown) if unknown else any_board_of(layout)


@lru_cache(maxsize=32)
def any_board_of(layout: Layout) -> Board:
    """Return the tables of a layout. They leave out the rules that compiled techniques don't cover.

    All techniques remain sound, except for those that rely on uniqueness, which `Board.plain`
    excludes.
    """
    sees = seen_cells(layout)
    capacity = capacity_of(layout, sees)
    lists = [sorted(house.cells) for house in layout.houses]
    peers = [np.flatnonzero(row).tolist() for row in sees]
    kinds = [_kind(house) for house in layout.houses]
    board = new_record(
        Board,
        [
            ("value_count", "i8"),
            ("cell_count", "i8"),
            ("house_count", "i8"),
            ("house_cells", "i4", (capacity.houses, capacity.size + 1)),
            ("house_sets", "i8", (capacity.houses, capacity.words)),
            ("kinds", "i4", (capacity.houses,)),
            ("complete", "i4", (capacity.houses,)),
            ("cell_houses", "i4", (capacity.cells, capacity.cell_houses + 1)),
            ("lines", "i4", (3, capacity.cells)),
            ("peers", "i4", (capacity.cells, capacity.peers + 1)),
            ("peer_sets", "i8", (capacity.cells, capacity.words)),
            ("sees", "u1", (capacity.cells, capacity.cells)),
            ("allowed", "i8", (capacity.cells,)),
            ("boxed", "i8"),
            ("plain", "i8"),
            ("sum_count", "i8"),
            ("sum_codes", "i4", (MOST_SUMS,)),
            ("sum_cells", "i2", (MOST_SUMS, MOST_TERMS + 1)),
            ("sum_factors", "i2", (MOST_SUMS, MOST_TERMS)),
            ("sum_totals", "i4", (MOST_SUMS,)),
            ("sum_houses", "i2", (MOST_SUMS, MOST_HOUSES + 1)),
            ("lowest", "i8"),
        ],
    )
    board.value_count, board.cell_count, board.house_count = layout.size, layout.cells, len(lists)
    board.house_cells = _closed(lists, board.house_cells.shape)
    board.house_sets[: len(lists)] = cell_sets(lists, capacity.words)
    board.kinds[: len(lists)] = kinds
    board.complete[: len(lists)] = [len(members) == layout.size for members in lists]
    board.cell_houses = _closed(transposed(lists, layout.cells), board.cell_houses.shape)
    board.lines[:] = -1
    for number, (kind, members) in enumerate(zip(kinds, lists, strict=True)):
        if kind != OTHER:
            board.lines[kind, members] = number
    board.peers = _closed(peers, board.peers.shape)
    board.peer_sets[: layout.cells] = cell_sets(peers, capacity.words)
    board.sees[: layout.cells, : layout.cells] = sees
    allowed = np.full(layout.cells, (1 << layout.size) - 1, np.uint64)
    allowed[list(layout.holes)] = 0
    for domain in layout.domains:
        if domain.cell < layout.cells:  # the others belong to variables
            allowed[domain.cell] &= np.uint64(domain.allowed)
    board.allowed[: layout.cells] = allowed.view(np.int64)
    in_order = [kind for kind in (ROW, COLUMN, BOX) for _ in range(layout.size)]
    board.boxed = kinds == in_order and bool(board.complete[: len(lists)].all())
    board.plain = board.boxed and not (layout.links or layout.has_parts)
    board.lowest = layout.lowest
    _write_sums(board, equations(layout))
    return board


def _write_sums(board: Board, known: list[Equation]) -> None:
    """Write the sums of a layout to the tables. `known` are its equations."""
    # Each access to a field of a record takes microseconds.
    all_cells, all_factors, all_houses = board.sum_cells, board.sum_factors, board.sum_houses
    count = board.sum_count = len(known)
    board.sum_codes[:count] = [equation.code for equation in known]
    board.sum_totals[:count] = [equation.total for equation in known]
    all_cells[:count] = all_houses[:count] = -1
    for number, equation in enumerate(known):
        terms = np.array(equation.terms, np.int16)
        all_cells[number, : len(terms)] = terms[:, 0]
        all_factors[number, : len(terms)] = terms[:, 1]
        all_houses[number, : len(equation.houses)] = equation.houses


def seen_cells(layout: Layout) -> NDArray[np.bool_]:
    """Return the symmetric matrix (cells, cells) that is True where two cells see each other.

    Pairs that contain a variable are left out.
    """
    sees = np.zeros((layout.cells, layout.cells), np.bool_)
    for house in layout.houses:
        sees[np.ix_(house.cells, house.cells)] = True
    for links in layout.links:
        for one, other in links.pairs_in_grid(layout.cells):
            sees[one, other] = sees[other, one] = True
    np.fill_diagonal(sees, val=False)
    return sees


def unknown_rules(layout: Layout) -> tuple[str, ...]:
    """Return the display names of the rules that compiled techniques don't cover, or ().

    If the puzzle has variables, the first name is "variables".
    """
    named = ("variables",) if layout.variables else ()
    others = [name for name in FIELDS if name != "domains"]
    if not layout.auxiliary_count and not any(getattr(layout, name) for name in others):
        return named
    unknown = [
        constraint.rule.title
        for constraint in cast("tuple[Constraint, ...]", layout.constraints)
        if constraint.rule.hides or not all(map(_is_known, constraint.parts(layout)))
    ]
    return (*named, *dict.fromkeys(unknown))


def _is_known(part: object) -> bool:
    """Return whether the techniques support a primitive constraint.

    They support houses, not-equal pairs, domains, and sums of up to MOST_TERMS cells.
    """
    if isinstance(part, Sum):
        return len(part.cells) <= MOST_TERMS
    return isinstance(part, House | Links | Domain)


def cell_sets(lists: list[list[int]], words: int) -> Words:
    """Return each list of cells as a bit set: a row of `words` 64-bit words."""
    members = np.zeros((len(lists), words * 64), np.bool_)
    for row, cells in zip(members, lists, strict=True):
        row[cells] = True
    return np.packbits(members, axis=1, bitorder="little").view(np.int64)


def _kind(house: House) -> int:
    return {"row": ROW, "column": COLUMN, "box": BOX}.get(house.kind, OTHER)


def _closed(lists: list[list[int]], shape: tuple[int, int]) -> Ints:
    """Return an array of the given shape with the lists as its first rows, filled up with −1."""
    return padded([*lists, *[[]] * (shape[0] - len(lists))], width=shape[1])
