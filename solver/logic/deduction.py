"""Deductions: their effect on the grid, and their justification as data for text and drawings.

Compiled techniques write them as rows of numbers, which this module reads.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.logic import deduction_rows as tags

_MOST_HOUSES = 1024  # of a layout whose sums trials use

Number = TypeVar("Number", bound=np.integer)


class Candidate(NamedTuple):
    """A value that a cell can still take, or that a deduction places in it or removes from it."""

    cell: int
    value: int


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a chain: the statement that one of the cells has the value, or that none does.

    `link` describes the link from the previous node. It is "strong" if at least one of the two is
    true, so this node is true if the previous one is false. It is "weak" if at least one is false,
    so this node is false if the previous one is true. It is "" for the first node of a chain.

    A side chain begins with a conclusion of another chain. The link of this first node is "strong"
    if the node is true, and "weak" if it is false.
    """

    value: int
    cells: tuple[int, ...]
    link: str = ""


@dataclass(frozen=True, slots=True)
class AlmostLockedSet:
    """An almost locked set, with the restricted commons that link it to the next set, if any.

    In a death blossom, the restricted common is the value that links the set to the stem.
    """

    cells: tuple[int, ...]
    values: tuple[int, ...]
    restricted: tuple[int, ...] = ()


def sum_of_houses(houses: Sequence[int]) -> int:
    """Return the number that stands for consecutive houses, given as indices in ascending order.

    It is the `source` of a line that uses the sum of these houses.
    """
    return houses[0] + _MOST_HOUSES * (len(houses) - 1)


def houses_of_sum(source: int) -> range:
    """Return the houses, as indices, that a number from `sum_of_houses` stands for."""
    more, first = divmod(source, _MOST_HOUSES)
    return range(first, first + more + 1)


class LineKind(IntEnum):
    """The kind of a line in a trial: the reason for it, or the contradiction in the last line."""

    ASSUMPTION = 0
    LAST_CANDIDATE = 1
    LAST_PLACE = 2  # in a house
    BY_RULE = 3
    NO_CANDIDATE = 4  # left in a cell
    NO_PLACE = 5  # left for a value in a house
    BROKEN_RULE = 6
    BY_SUM = 7  # of a house and the cages around it
    BROKEN_SUM = 8


@dataclass(frozen=True, slots=True)
class ProofLine:
    """A line of a trial: a value that it places, or candidates that it removes, with its reason.

    `source` depends on the kind of the line. It is the index of the house or of the constraint, or
    the cell without candidates. For the sum of houses, it is the number that `sum_of_houses` makes
    from their indices. `absent` are the removed candidates that a rule or a sum needs as a reason.
    `premises` are the indices of the earlier lines that a line follows from.

    The last line of a trial is the contradiction. If a value has no place in a house, its
    `placements` contain this value in any cell. If a rule or a sum is broken, its `removals` are
    the last candidates of a cell. If the rule would leave a single value there, its `placements`
    contain that value.
    """

    kind: LineKind
    source: int
    placements: tuple[Candidate, ...] = ()
    removals: tuple[Candidate, ...] = ()
    absent: tuple[Candidate, ...] = ()
    premises: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Deduction:
    """One application of a technique.

    Houses are indices into the layout's houses. Fields that a technique doesn't use are empty.

        code          the technique code as four digits, a key of `TECHNIQUES` or `RULE_TECHNIQUES`
                      in `technique_table` or, as a number, of `sudoku_explainer.techniques.TABLE`
        placements    the candidates that it places
        eliminations  the candidates that it removes
        cells         the cells of the pattern
        values        the values of the pattern
        base          the houses that contain the pattern
        cover         the houses in which candidates are removed
        fins          the fins of a fish, or the extra candidates of another pattern
        endo_fins     the fins that are in two base houses
        colors        the candidates of each color
        sets          the almost locked sets
        chains        the chains, each with its nodes in order
        terms         the terms of a sum, as pairs (cell, factor)
        total         the required total of the terms
        rating        Sudoku Explainer's rating of the step, if its order was used
        rule          the index of the first constraint that the step uses, or None
        rules         the indices of all constraints that the step uses
        absent        the removed candidates that the step needs as a reason
        lines         the lines of a trial
    """

    code: str
    placements: tuple[Candidate, ...] = ()
    eliminations: tuple[Candidate, ...] = ()
    cells: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    base: tuple[int, ...] = ()
    cover: tuple[int, ...] = ()
    fins: tuple[Candidate, ...] = ()
    endo_fins: tuple[Candidate, ...] = ()
    colors: tuple[tuple[Candidate, ...], ...] = ()
    sets: tuple[AlmostLockedSet, ...] = ()
    chains: tuple[tuple[Node, ...], ...] = ()
    terms: tuple[tuple[int, int], ...] = ()
    total: int | None = None
    rating: float | None = None
    rule: int | None = None
    rules: tuple[int, ...] = ()
    absent: tuple[Candidate, ...] = ()
    lines: tuple[ProofLine, ...] = ()


_LINKS = {tags.FIRST: "", tags.STRONG: "strong", tags.WEAK: "weak"}


def pack(rows: NDArray[np.int32]) -> bytes:
    """Return rows as bytes, with int16 numbers in little-endian order. `unpack` reads them."""
    return rows.astype("<i2").tobytes()


def unpack(packed: bytes) -> tuple[Deduction, ...]:
    """Return the deductions from bytes that `pack` has made of their rows."""
    return tuple(read(np.frombuffer(packed, "<i2")))


def split(numbers: NDArray[Number]) -> Iterator[NDArray[Number]]:
    """Yield the rows of each deduction in a flat array with the rows of several.

    `numbers` and the results have three numbers per row (see `deduction_rows`).
    """
    starts = 3 * np.flatnonzero(numbers[::3] == tags.TECHNIQUE)
    for start, end in pairwise([*starts.tolist(), len(numbers)]):
        yield numbers[start:end]


def read(numbers: NDArray[np.integer]) -> Iterator[Deduction]:
    """Yield the deductions that a flat array of rows describes (see `deduction_rows`)."""
    for deduction in split(numbers):
        yield _deduction(deduction.reshape(-1, 3).tolist())


def _deduction(rows: list[list[int]]) -> Deduction:
    """Return the deduction that the rows (tag, a, b) describe. The first row has its code."""

    def candidates(tag: int) -> tuple[Candidate, ...]:
        return tuple(dict.fromkeys(Candidate(a, b) for known, a, b in rows if known == tag))

    def numbers(tag: int) -> tuple[int, ...]:
        return tuple(dict.fromkeys(a for known, a, _ in rows if known == tag))

    colors: dict[int, list[Candidate]] = {}
    for tag, cell, value in rows:
        if tag == tags.COLOR:
            colors.setdefault(value // 64, []).append(Candidate(cell, value % 64))
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
        colors=tuple(tuple(colors[number]) for number in sorted(colors)),
        sets=tuple(map(_set, _groups(rows, tags.SET))),
        chains=tuple(map(_chain, _groups(rows, tags.CHAIN))),
        terms=tuple((cell, factor) for tag, cell, factor in rows if tag == tags.TERM),
        total=next((total for tag, total, _ in rows if tag == tags.TOTAL), None),
        rating=next((tenths / 10 for tag, tenths, _ in rows if tag == tags.RATING), None),
        rule=next((index for tag, index, _ in rows if tag == tags.RULE), None),
        rules=numbers(tags.RULE),
        absent=candidates(tags.ABSENT),
        lines=tuple(map(_line, _groups(rows, tags.LINE, included=True))),
    )


def _groups(
    rows: list[list[int]], tag: int, *, included: bool = False
) -> Iterator[list[list[int]]]:
    """Split the rows at those whose first number is `tag`, and yield the group after each of them.

    A group ends before the next such row. It begins with the row that has the tag if `included` is
    set. Rows before the first tag are left out.
    """
    starts = [number for number, row in enumerate(rows) if row[0] == tag]
    for start, end in pairwise([*starts, len(rows)]):
        yield rows[start + (not included) : end]


def _line(rows: list[list[int]]) -> ProofLine:
    return ProofLine(
        kind=LineKind(rows[0][1]),
        source=rows[0][2],
        placements=tuple(Candidate(a, b) for tag, a, b in rows if tag == tags.LINE_PLACE),
        removals=tuple(Candidate(a, b) for tag, a, b in rows if tag == tags.LINE_REMOVE),
        absent=tuple(Candidate(a, b) for tag, a, b in rows if tag == tags.LINE_ABSENT),
        premises=tuple(a for tag, a, _ in rows if tag == tags.PREMISE),
    )


def _set(rows: list[list[int]]) -> AlmostLockedSet:
    return AlmostLockedSet(
        cells=tuple(a for tag, a, _ in rows if tag == tags.SET_CELL),
        values=tuple(a for tag, a, _ in rows if tag == tags.SET_VALUE),
        restricted=tuple(a for tag, a, _ in rows if tag == tags.RESTRICTED),
    )


def _chain(rows: list[list[int]]) -> tuple[Node, ...]:
    """Return the nodes of a chain, given the rows that follow its row CHAIN.

    The first row that doesn't belong to a node ends the chain.
    """
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
