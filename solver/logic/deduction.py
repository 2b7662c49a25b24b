"""What a technique finds: what it does to the grid, and what justifies it, as data for drawing."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.logic import rows as tags

Number = TypeVar("Number", bound=np.integer)


class Candidate(NamedTuple):
    """A value that a cell may have."""

    cell: int
    value: int


@dataclass(frozen=True, slots=True)
class Node:
    """A step of a chain: these cells (one of them) have the value, or none has.

    `link` says how the node before leads here: "strong" (one of the two is true), "weak" (one of
    the two is false), "" for the first node. A side chain starts from what another chain has led
    to: "strong" if that is true, "weak" if it is false.
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
    terms: tuple[tuple[int, int], ...] = ()  # of a sum: cells and their factors
    total: int | None = None  # what the terms add up to
    rating: float | None = None  # by Sudoku Explainer, where it was found in its order


_LINKS = {tags.FIRST: "", tags.STRONG: "strong", tags.WEAK: "weak"}


def pack(rows: NDArray[np.int32]) -> bytes:
    """Return rows as bytes: int16, little-endian."""
    return rows.astype("<i2").tobytes()


def unpack(packed: bytes) -> tuple[Deduction, ...]:
    """Return the deductions whose rows `pack` was given."""
    return tuple(read(np.frombuffer(packed, "<i2")))


def split(numbers: NDArray[Number]) -> Iterator[NDArray[Number]]:
    """Yield the numbers of each deduction, of rows of three (see `solver.logic.rows`)."""
    starts = 3 * np.flatnonzero(numbers[::3] == tags.TECHNIQUE)
    for start, end in pairwise([*starts.tolist(), len(numbers)]):
        yield numbers[start:end]


def read(numbers: NDArray[np.integer]) -> Iterator[Deduction]:
    """Read the deductions that rows of three numbers hold (see `solver.logic.rows`)."""
    for deduction in split(numbers):
        yield _deduction(deduction.reshape(-1, 3).tolist())


def _deduction(rows: list[list[int]]) -> Deduction:
    def candidates(tag: int) -> tuple[Candidate, ...]:
        return tuple(dict.fromkeys(Candidate(a, b) for known, a, b in rows if known == tag))

    def numbers(tag: int) -> tuple[int, ...]:
        return tuple(dict.fromkeys(a for known, a, _ in rows if known == tag))

    colours: dict[int, list[Candidate]] = {}
    for tag, cell, value in rows:
        if tag == tags.COLOUR:
            colours.setdefault(value // 64, []).append(Candidate(cell, value % 64))
    return Deduction(
        code=f"{rows[0][1]:04}",
        placements=candidates(tags.PLACE),
        eliminations=candidates(tags.REMOVE),
        cells=numbers(tags.CELL),
        values=numbers(tags.VALUE),
        base=numbers(tags.BASE),
        cover=numbers(tags.COVER),
        fins=candidates(tags.FIN),
        endo_fins=candidates(tags.ENDO_FIN),
        colours=tuple(tuple(colours[number]) for number in sorted(colours)),
        sets=tuple(map(_set, _groups(rows, tags.SET))),
        chains=tuple(map(_chain, _groups(rows, tags.CHAIN))),
        terms=tuple((cell, factor) for tag, cell, factor in rows if tag == tags.TERM),
        total=next((total for tag, total, _ in rows if tag == tags.TOTAL), None),
        rating=next((tenths / 10 for tag, tenths, _ in rows if tag == tags.RATING), None),
    )


def _groups(rows: list[list[int]], tag: int) -> Iterator[list[list[int]]]:
    """Return the rows after each row with a tag, up to the next one."""
    starts = [number for number, row in enumerate(rows) if row[0] == tag]
    for start, end in pairwise([*starts, len(rows)]):
        yield rows[start + 1 : end]


def _set(rows: list[list[int]]) -> AlmostLockedSet:
    return AlmostLockedSet(
        cells=tuple(a for tag, a, _ in rows if tag == tags.SET_CELL),
        values=tuple(a for tag, a, _ in rows if tag == tags.SET_VALUE),
        restricted=tuple(a for tag, a, _ in rows if tag == tags.RESTRICTED),
    )


def _chain(rows: list[list[int]]) -> tuple[Node, ...]:
    nodes: list[Node] = []
    for tag, cell, value in rows:
        if tag in _LINKS:
            nodes.append(Node(value, (cell,), _LINKS[tag]))
        elif tag == tags.MORE:
            last = nodes.pop()
            nodes.append(Node(last.value, (*last.cells, cell), last.link))
        else:
            break
    return tuple(nodes)
