"""What a technique finds: what it does to the grid, and what justifies it, as data for drawing."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from solver.logic import record
from solver.logic.board import Ints


class Candidate(NamedTuple):
    """A value that a cell may have."""

    cell: int
    value: int


@dataclass(frozen=True, slots=True)
class Node:
    """A step of a chain: these cells (one of them) have the value, or none has.

    `link` says how the node before leads here: "strong" (one of the two is true), "weak" (one of
    the two is false), "" for the first node.
    """

    value: int
    cells: tuple[int, ...]
    link: str = ""


@dataclass(frozen=True, slots=True)
class AlmostLockedSet:
    """Cells with few values, and the value that links them with the next set, if any."""

    cells: tuple[int, ...]
    values: tuple[int, ...]
    restricted: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Deduction:
    """One application of a technique.

    Houses are indices into the houses of the layout. What a technique has no use for is empty.
    """

    code: str  # library code, the key of `solver.logic.table.TECHNIQUES`
    placements: tuple[Candidate, ...] = ()
    eliminations: tuple[Candidate, ...] = ()
    cells: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    base: tuple[int, ...] = ()
    cover: tuple[int, ...] = ()
    fins: tuple[Candidate, ...] = ()
    endo_fins: tuple[Candidate, ...] = ()
    colours: tuple[tuple[Candidate, ...], ...] = ()
    sets: tuple[AlmostLockedSet, ...] = ()
    chains: tuple[tuple[Node, ...], ...] = ()


_LINKS = {record.FIRST: "", record.STRONG: "strong", record.WEAK: "weak"}


def deductions(buffer: Ints) -> Iterator[Deduction]:
    """Read the deductions that a compiled technique wrote."""
    rows = buffer[record.ROWS : buffer[0]].reshape(-1, 3).tolist()
    starts = [number for number, row in enumerate(rows) if row[0] == record.TECHNIQUE]
    for start, end in pairwise([*starts, len(rows)]):
        yield _deduction(rows[start:end])


def _deduction(rows: list[list[int]]) -> Deduction:
    def candidates(tag: int) -> tuple[Candidate, ...]:
        return tuple(dict.fromkeys(Candidate(a, b) for found, a, b in rows if found == tag))

    def numbers(tag: int) -> tuple[int, ...]:
        return tuple(dict.fromkeys(a for found, a, _ in rows if found == tag))

    colours: dict[int, list[Candidate]] = {}
    for tag, cell, value in rows:
        if tag == record.COLOUR:
            colours.setdefault(value // 64, []).append(Candidate(cell, value % 64))
    return Deduction(
        code=f"{rows[0][1]:04}",
        placements=candidates(record.PLACE),
        eliminations=candidates(record.REMOVE),
        cells=numbers(record.CELL),
        values=numbers(record.VALUE),
        base=numbers(record.BASE),
        cover=numbers(record.COVER),
        fins=candidates(record.FIN),
        endo_fins=candidates(record.ENDO_FIN),
        colours=tuple(tuple(colours[number]) for number in sorted(colours)),
        sets=tuple(map(_set, _groups(rows, record.SET))),
        chains=tuple(map(_chain, _groups(rows, record.CHAIN))),
    )


def _groups(rows: list[list[int]], tag: int) -> Iterator[list[list[int]]]:
    """Return the rows after each row with a tag, up to the next one."""
    starts = [number for number, row in enumerate(rows) if row[0] == tag]
    for start, end in pairwise([*starts, len(rows)]):
        yield rows[start + 1 : end]


def _set(rows: list[list[int]]) -> AlmostLockedSet:
    return AlmostLockedSet(
        cells=tuple(a for tag, a, _ in rows if tag == record.SET_CELL),
        values=tuple(a for tag, a, _ in rows if tag == record.SET_VALUE),
        restricted=tuple(a for tag, a, _ in rows if tag == record.RESTRICTED),
    )


def _chain(rows: list[list[int]]) -> tuple[Node, ...]:
    nodes: list[Node] = []
    for tag, cell, value in rows:
        if tag in _LINKS:
            nodes.append(Node(value, (cell,), _LINKS[tag]))
        elif tag == record.MORE:
            last = nodes.pop()
            nodes.append(Node(last.value, (*last.cells, cell), last.link))
        else:
            break
    return tuple(nodes)
