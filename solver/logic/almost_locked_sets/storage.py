"""The part of the grid record that stores almost locked sets and the links between them."""

from typing import Any, Protocol

from solver.logic.board import Ints, Words

MOST_SETS = 2048
MOST_LINKS = 1 << 16


class Sets(Protocol):
    """The almost locked sets of a grid, as arrays. Each set is stored once.

    They are ordered by house, then by cells. Sets of cells are two words. The first index of each
    array is the number of the set, and the second index of `places` and `peers` is the value.

        cells      the cells of the set
        values     their candidates, as bits
        places     the set's cells that have the value as a candidate
        peers      the cells outside the set that have the value as a candidate and see all `places`
        all_peers  the union of `peers` over all values
        counts     (1,): the number of sets
        changes    the grid's CHANGES when the sets were found
    """

    cells: Words
    values: Words
    places: Words
    peers: Words
    all_peers: Words
    counts: Ints
    changes: int


class SetLinks(Protocol):
    """The links between almost locked sets: pairs of sets with their restricted commons.

    A restricted common is a value that only one of the two sets can contain. Links are ordered by
    their sets.

        one, other       by link: the numbers of the two sets, the lower one first
        values           by link: its one or two restricted commons. Without a second one, 0
                         follows.
        starts           by set: the index of its first link to a later set
        incoming         indices of links, grouped by the later one of their sets
        incoming_starts  by set: where its links to earlier sets begin in `incoming`
        counts           (1,): the number of links
        changes          `Sets.changes` when the links were found
        overlap          1 if sets that share cells are linked, too
    """

    one: Ints
    other: Ints
    values: Ints
    starts: Ints
    incoming: Ints
    incoming_starts: Ints
    counts: Ints
    changes: int
    overlap: int


def set_fields(size: int) -> list[tuple[Any, ...]]:
    """Return the fields (name, type, shape) of the record `Sets` for boards with `size` values.

    If `size` is 0, the record can't hold any set.
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

    If `size` is 0, the record can't hold any link.
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
