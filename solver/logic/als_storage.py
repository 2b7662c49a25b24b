"""Where a grid keeps its almost locked sets and the links between them: parts of its record."""

from typing import Any, Protocol

from solver.logic.board import Ints, Words

MOST_SETS = 2048
MOST_LINKS = 1 << 16


class Sets(Protocol):
    """Almost locked sets, in the order of the houses and of their cells, each once."""

    cells: Words  # (·, 2)
    values: Words  # (·,), as bits
    places: Words  # (·, size + 1, 2): its cells by candidate
    peers: Words  # (·, size + 1, 2): the candidates outside that see all of those
    all_peers: Words  # (·, 2): what any of them sees
    counts: Ints  # (1,): how many there are
    changes: int  # how often the grid had changed when they were found


class SetLinks(Protocol):
    """Restricted commons: values that only one of two sets can hold, ordered by the sets."""

    one: Ints  # the earlier set
    other: Ints  # the later one
    values: Ints  # (·, 2), the second is 0 if there is only one
    starts: Ints  # by set: where the links to later sets begin
    incoming: Ints  # links to earlier sets, set after set
    incoming_starts: Ints
    counts: Ints  # (1,)
    changes: int  # as of the sets
    overlap: int  # 1 if sets with common cells are linked


def set_fields(size: int) -> list[tuple[Any, ...]]:
    """Return the fields of `Sets` for so many values; for none, room for nothing."""
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
    """Return the fields of `SetLinks` for so many values; for none, room for nothing."""
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
