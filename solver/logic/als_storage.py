"""The part of the grid record that stores almost locked sets and the links between them."""

from typing import Any, Protocol

from solver.logic.board import Ints, Words

MOST_SETS = 2048
MOST_LINKS = 1 << 16


class Sets(Protocol):
    """The almost locked sets of a grid, as arrays. Each set is stored once.

    They are ordered by house, then by cells.
    """

    cells: Words  # (·, 2)
    values: Words  # (·,), as bits
    places: Words  # (·, size + 1, 2): the set's cells that have a value as a candidate
    peers: Words  # (·, size + 1, 2): candidates outside the set that see all of these cells
    all_peers: Words  # (·, 2): union of `peers` over all values
    counts: Ints  # (1,): number of sets
    changes: int  # the grid's CHANGES when the sets were found


class SetLinks(Protocol):
    """The links between almost locked sets: pairs of sets with their restricted commons.

    A restricted common is a value that only one of the two sets can contain. Links are ordered by
    their sets.
    """

    one: Ints  # number of the earlier set
    other: Ints  # number of the later set
    values: Ints  # (·, 2): the restricted commons; the second is 0 if there is only one
    starts: Ints  # by set: index of its first link to a later set
    incoming: Ints  # indices of the links to earlier sets, set by set
    incoming_starts: Ints
    counts: Ints  # (1,): number of links
    changes: int  # `Sets.changes` when the links were found
    overlap: int  # 1 if sets that share cells are linked, too


def set_fields(size: int) -> list[tuple[Any, ...]]:
    """Return the fields (name, type, shape) of the record `Sets` for boards with `size` values.

    If `size` is 0, the arrays are empty.
    """
    most = MOST_SETS if size else 0
    return [
        ("cells", "i8", (most, 2)),
        ("values", "i8", (most,)),
        ("places", "i8", (most, size + 1, 2)),
        ("peers", "i8", (most, size + 1, 2)),
        ("all_peers", "i8", (most, 2)),
        ("counts", "i4", (1,)),
        ("changes", "i8"),
    ]


def link_fields(size: int) -> list[tuple[Any, ...]]:
    """Return the fields (name, type, shape) of the record `SetLinks` for boards with `size` values.

    If `size` is 0, the arrays are empty.
    """
    sets, most = (MOST_SETS, MOST_LINKS) if size else (0, 0)
    return [
        ("one", "i4", (most,)),
        ("other", "i4", (most,)),
        ("values", "i4", (most, 2)),
        ("starts", "i4", (sets + 1,)),
        ("incoming", "i4", (most,)),
        ("incoming_starts", "i4", (sets + 2,)),
        ("counts", "i4", (1,)),
        ("changes", "i8"),
        ("overlap", "i8"),
    ]
