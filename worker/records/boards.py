"""Stores the board of a result with it, so that reading the result doesn't require guessing it.

A board consists of a layout and its symbols.

layout, symbols ──pack_board──► MessagePack ──unpack_board──► StoredBoard

Primitive constraints aren't stored, because they are large and displaying a result doesn't need
them. The constraints are stored as they were written. Unpacking a board compiles nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import msgspec
import numpy as np

from solver.board.layout import Layout
from solver.board.primitive_constraints import House, Links
from solver.board.symbols import Symbols
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.registry import RULES
from solver.rules.rule import Constraint, Value

_RULES = RULES | {rule.name: rule for rule in EVERYWHERE_RULES}
# A 49×49 killer takes less. Larger boards have an unreasonable number of groups of cells, and a
# page that unpacks fifty of them would be slow.
_MOST_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """A board as it was read from storage.

    The layout has houses, not-equal pairs, and constraints, but no primitive constraints.
    """

    layout: Layout
    symbols: Symbols

    def read(self, text: str) -> tuple[int, ...] | None:
        """Return the values of all cells in a puzzle or solution, written in the board's symbols.

        An empty cell, a hole, and an unknown symbol have the value 0. Returns None if the text has
        another number of cells.
        """
        values = self.symbols.read(text)
        return values if len(values) == self.layout.cells else None


class _PackedBoard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The stored form of a board.

    Unless stated otherwise, members are those of `Layout` and `Symbols`.

    houses  a kind, a number, and cells for each house, or None for the rows, columns, and boxes
            of `Layout.boxed`
    links   the not-equal pairs of each kind, as pairs × 2 × uint16, little-endian
    """

    size: int
    box: tuple[int, int]
    values: tuple[str, ...]
    blank: str
    shape: tuple[int, int] | None = None
    lowest: int = 1
    holes: tuple[int, ...] = msgspec.field(default=(), name="absent")
    houses: tuple[tuple[str, int, tuple[int, ...]], ...] | None = None  # kind, number, cells
    links: tuple[tuple[str, bytes], ...] = ()  # kind, pairs × 2 × uint16, little-endian
    constraints: tuple["_PackedConstraint", ...] = ()
    variables: tuple[str, ...] = ()


class _PackedConstraint(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """The stored form of a `Constraint`. `rule` is the rule's name."""

    rule: str
    cells: tuple[int, ...]
    value: Value = 0
    options: tuple[tuple["_PackedConstraint", ...], ...] = ()

    @staticmethod
    def of(constraint: Constraint) -> "_PackedConstraint":
        options = tuple(tuple(map(_PackedConstraint.of, option)) for option in constraint.options)
        return _PackedConstraint(constraint.rule.name, constraint.cells, constraint.value, options)

    def rules(self) -> Iterator[str]:
        """Yield the names of all rules that the constraint and its options use."""
        yield self.rule
        for option in self.options:
            for each in option:
                yield from each.rules()

    def constraint(self) -> Constraint:
        options = tuple(tuple(each.constraint() for each in option) for option in self.options)
        return Constraint(_RULES[self.rule], self.cells, self.value, options)


_decoder = msgspec.msgpack.Decoder(_PackedBoard)


@lru_cache(maxsize=32)
def pack_board(layout: Layout, symbols: Symbols) -> bytes | None:
    """Return the stored form of a board, or None if it is too large to be stored.

    Equal boards give equal bytes, even if they were created in different ways.
    """
    if 4 * sum(len(links.pairs) for links in layout.links) > _MOST_BYTES:
        return None
    board = _PackedBoard(
        size=layout.size,
        box=layout.box,
        values=symbols.values,
        blank=symbols.blank,
        shape=layout.shape,
        lowest=layout.lowest,
        holes=tuple(sorted(layout.holes)),
        houses=None
        if layout is Layout.boxed(*layout.box)
        else tuple((house.kind, house.number, house.cells) for house in layout.houses),
        links=tuple((links.kind, np.array(links.pairs, "<u2").tobytes()) for links in layout.links),
        constraints=tuple(
            map(_PackedConstraint.of, cast("tuple[Constraint, ...]", layout.constraints))
        ),
        variables=layout.variables,
    )
    packed = msgspec.msgpack.encode(board)
    return packed if len(packed) <= _MOST_BYTES else None


@lru_cache(maxsize=64)
def unpack_board(packed: bytes) -> StoredBoard | None:
    """Return the board that `pack_board` packed, or None if it uses rules that are unknown here.

    A worker of another version may have packed it.
    """
    board = _decoder.decode(packed)
    symbols = Symbols(board.values, board.blank)
    if board.houses is None:
        return StoredBoard(Layout.boxed(*board.box), symbols)
    if any(name not in _RULES for each in board.constraints for name in each.rules()):
        return None
    layout = Layout(
        size=board.size,
        box=board.box,
        houses=tuple(House(kind, number, cells) for kind, number, cells in board.houses),
        links=tuple(Links(kind, _pairs(numbers)) for kind, numbers in board.links),
        constraints=tuple(each.constraint() for each in board.constraints),
        variables=board.variables,
        shape=board.shape,
        holes=frozenset(board.holes),
        lowest=board.lowest,
    )
    return StoredBoard(layout, symbols)


def _pairs(numbers: bytes) -> tuple[tuple[int, int], ...]:
    cells = np.frombuffer(numbers, "<u2").tolist()
    return tuple(zip(cells[::2], cells[1::2], strict=True))
