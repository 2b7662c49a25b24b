"""The rules of a 9×9 board as tables for compiled techniques."""

from functools import lru_cache
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import always_inline
from solver.compiling.records import record_dtype
from solver.logic.board import Bytes, Words
from solver.logic.sudoku_explainer.houses import (
    CELL_HOUSES,
    CLASSIC_HOUSES,
    CLASSIC_KINDS,
    FALLING,
    GROUP,
    HOUSE_CELLS,
    HOUSE_ORDER,
    INSIDE,
    KINDS,
    RISING,
    WINDOW,
    sets_of,
)
from solver.logic.sudoku_explainer.variants import LEAP_RULES, NONCONSECUTIVE, WITH_HOUSES

_PEERS, _LEAPS = 64, 12  # the most peers of a cell, and the most that share no house with it
_ADDED_HOUSES = dict(zip(WITH_HOUSES, ((WINDOW,), (GROUP,), (FALLING, RISING)), strict=True))
# Distances in rows and columns, in the order in which SukakuExplainer lists the cells.
_KING = ((1, 1), (-1, 1), (-1, -1), (1, -1))
_KNIGHT = ((1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1))
_LEAPS_BY_RULE = dict(zip(LEAP_RULES, (_KING, _KNIGHT), strict=True))
_CENTER = 40  # the only cell on both diagonals

# By cell: the adjacent cells above, below, to the right, and to the left, and −1 at the end.
NEIGHBORS = np.full((81, 5), -1, np.int64)
for _cell in range(81):
    _row, _column = divmod(_cell, 9)
    _adjacent = [(_row - 1, _column), (_row + 1, _column), (_row, _column + 1), (_row, _column - 1)]
    _inside = [9 * r + c for r, c in _adjacent if 0 <= r < 9 and 0 <= c < 9]
    NEIGHBORS[_cell, : len(_inside)] = _inside


class Rules(Protocol):
    """The rules of a board.

    is_variant         1 unless the board is classic
    has_more_peers     1 if cells see others than in their boxes, rows, and columns
    is_nonconsecutive  1 if adjacent cells can't have consecutive values
    kinds              the kinds of its houses except boxes, rows, and columns, as bits
    house_bits         by cell: its houses, as bits
    peer_sets          by cell: the cells that can't have the same value, as two words
    peers, peer_count  by cell: a list of these cells, and its length
    leaps, leap_count  by cell: those of them that share no house with it, as a list
    """

    is_variant: int
    has_more_peers: int
    is_nonconsecutive: int
    kinds: int
    house_bits: Annotated[Words, 81]
    peer_sets: Annotated[Words, 81, 2]
    peers: Annotated[Bytes, 81, _PEERS]
    peer_count: Annotated[Words, 81]
    leaps: Annotated[Bytes, 81, _LEAPS]
    leap_count: Annotated[Words, 81]


RULES_TYPE = record_dtype(Rules)


@always_inline
def kind_count(rules: Any) -> Any:
    """Return how many kinds of houses to visit, from kind 0. Some may not be on the board."""
    return KINDS if rules.kinds else CLASSIC_KINDS


@always_inline
def house_count(rules: Any) -> Any:
    """Return the number of houses in HOUSE_ORDER to visit. Some may not be on the board."""
    return len(HOUSE_ORDER) if rules.kinds else CLASSIC_HOUSES


@always_inline
def is_on_board(rules: Any, house: Any) -> Any:
    """Return whether the house with this number is on the board."""
    return house < CLASSIC_HOUSES or ((rules.kinds >> (house // 9)) & 1) == 1


@always_inline
def house_of(rules: Any, cell: Any, kind: Any) -> Any:
    """Return the number of a cell's house of a kind, or −1 if it has none on the board."""
    if kind < CLASSIC_KINDS or (rules.kinds >> kind) & 1:
        return CELL_HOUSES[cell, kind]
    return -1


@lru_cache(maxsize=64)
def rules_of(names: frozenset[str]) -> Any:
    """Return the tables of the named rules, as a record of the type RULES_TYPE."""
    rules = np.zeros(1, RULES_TYPE)[0]
    kinds = [kind for name in _ADDED_HOUSES if name in names for kind in _ADDED_HOUSES[name]]
    rules["is_variant"] = bool(names)
    rules["is_nonconsecutive"] = NONCONSECUTIVE in names
    rules["kinds"] = sum(1 << kind for kind in kinds)
    sees = np.zeros((81, 81), np.bool_)
    for cell in range(81):
        houses = [house for house in CELL_HOUSES[cell, [0, 1, 2, *sorted(kinds)]] if house >= 0]
        rules["house_bits"][cell] = sum(1 << int(house) for house in houses)
        shared: NDArray[np.bool_] = np.logical_or.reduce(INSIDE[houses])
        peers = np.flatnonzero(INSIDE[houses[:3]].any(axis=0)).tolist()
        for kind in kinds:
            house = CELL_HOUSES[cell, kind]
            peers += HOUSE_CELLS[house].tolist() if house >= 0 else []
        if cell == _CENTER and FALLING in kinds:
            both = HOUSE_CELLS[[9 * FALLING, 9 * RISING]]
            peers = [*peers[: -both.size], *np.unique(both).tolist()]
        leaps = _leaps(names, cell, shared, is_transposed=True)
        _write_list(rules["leaps"], rules["leap_count"], cell, leaps)
        peers += _leaps(names, cell, shared, is_transposed=False)
        peers = [peer for peer in dict.fromkeys(peers) if peer != cell]
        _write_list(rules["peers"], rules["peer_count"], cell, peers)
        sees[cell, peers] = True
    rules["peer_sets"] = sets_of(sees)
    rules["has_more_peers"] = bool(kinds) or bool(rules["leap_count"].any())
    return rules


def _write_list(lists: Any, counts: Any, cell: int, items: list[int]) -> None:
    """Write a list to the entry of a cell in `lists`, and its length to `counts`."""
    lists[cell, : len(items)] = items
    counts[cell] = len(items)


def _leaps(
    names: frozenset[str], cell: int, shared: NDArray[np.bool_], *, is_transposed: bool
) -> list[int]:
    """Return the cells a king's or a knight's move away that share no house with a cell.

    `shared` (81,) are the cells of its houses. SukakuExplainer lists the peers of a cell in one
    order, and with `is_transposed`, follows the links of a cell in the order with rows and columns
    exchanged.
    """
    row, column = divmod(cell, 9)
    found = []
    for name, moves in _LEAPS_BY_RULE.items():
        for one, other in moves if name in names else ():
            down, right = (other, one) if is_transposed else (one, other)
            if 0 <= row + down < 9 and 0 <= column + right < 9:
                found.append(9 * (row + down) + column + right)
    return [leap for leap in dict.fromkeys(found) if not shared[leap]]
