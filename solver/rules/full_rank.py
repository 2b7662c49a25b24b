"""Full rank: rows and columns, read from both ends as numbers, are ranked by size."""

from collections.abc import Sequence
from itertools import chain, combinations, permutations
from typing import Any

import numpy as np

from solver.board.budget import charge
from solver.board.full_rank_automaton import EQUAL, LESS, MORE, sides_of
from solver.board.layout import Layout
from solver.board.primitive_constraints import Domain, FullRank, Part, Regular
from solver.board.tuple_automata import Held, Numbers, Registers
from solver.rules.rule import Cells, Constraint, Rule, fault_in, unrolled
from solver.rules.wording import Wording

_RANKS = ("fullrank", "fullranktied")
_SIDES = 4  # of the grid, where lines start
_LARGEST = 36  # board size. Larger boards would make the automata of other engines too large.


def _rank(*, tied: bool) -> Any:
    """Return the function that compiles a full rank clue.

    If `tied`, other lines can be equal to the ranked line. The function returns an error message if
    the grid isn't square or has holes, if its rows and columns don't contain every value once, if
    it has too few values or more than 36, if the cells aren't a whole row or column in order, or if
    the rank is out of range.
    """

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        line, rank = constraint.cells, constraint.number
        houses = sum(house.kind in ("row", "column") for house in layout.houses)
        if {layout.rows, layout.columns, houses // 2} != {layout.size} or layout.holes:
            fault = "needs a square grid whose rows and columns contain every value once"
            return fault_in(constraint, fault, layout)
        if not EQUAL < layout.size <= _LARGEST:
            fault = f"needs a board of {EQUAL + 1} to {_LARGEST} values, not {layout.size}"
            return fault_in(constraint, fault, layout)
        charge(layout.cells // 4 + len(layout.constraints))
        others = [side for side in sides_of(layout.rows, layout.columns) if line not in side]
        if len(others) == _SIDES:
            return fault_in(constraint, "needs all cells of a row or column, in order", layout)
        if not 1 <= rank <= _SIDES * layout.size:
            fault = f"needs a 'rank' from 1 to {_SIDES * layout.size}, not {rank}"
            return fault_in(constraint, fault, layout)
        begins, less = divmod(rank - 1, _SIDES)
        kinds = 1 << LESS | 1 << MORE | (1 << EQUAL if tied else 0)
        answers = tuple(range(-1, -_SIDES, -1))
        domains = [
            Domain(answer, kinds & _known(side, rank, layout))
            for answer, side in zip(answers, others, strict=True)
        ]
        return (Domain(line[0], 1 << begins), *domains, FullRank(line, answers, begins, less))

    return parts


def _known(side: Sequence[Cells], rank: int, layout: Layout) -> int:
    """Return the possible results of comparing another line with the ranked line.

    `side` are all lines that start on one side of the grid. The other line is the one of them that
    starts with the same value as the ranked line, whose rank is `rank`. The result is a set of
    LESS, EQUAL, and MORE, as bits. If the rank of the other line is given, too, there is just one
    result: lines are equal if their ranks are. Otherwise the set contains all three.
    """
    for other in layout.constraints:
        value = other.value if other.name in _RANKS and other.cells in side else 0
        if isinstance(value, int) and value and (value - 1) // _SIDES == (rank - 1) // _SIDES:
            return 1 << (LESS if value < rank else MORE if value > rank else EQUAL)
    return 1 << LESS | 1 << EQUAL | 1 << MORE


def _apart(length: int, value: int, numbers: range) -> Registers:
    """Return an automaton that reads two lines cell by cell in turn and accepts if they differ.

    `length` and `value` are unused. States: equal so far, the number in the first line, different.
    """
    del length, value
    differ = len(numbers) + 1

    def follow(place: int, number: Numbers, state: Numbers) -> tuple[Held, ...]:
        read = number - numbers[0] + 1
        if place % 2:
            return (np.where(state == read, 0, differ),)
        return (np.where(state == differ, differ, read),)

    return Registers(
        (differ + 1,), [(0,)], follow, lambda state: state == differ, lambda place: place % 2
    )


def no_ties(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile the rule that no two rows or columns, each read in both directions, are equal.

    Returns an automaton per pair of such readings of equal length, unless houses make them differ
    anyway. Returns an error message if the grid has holes or an automaton is too large.
    `constraint` is only named in the message.
    """
    if layout.holes:
        return fault_in(constraint, "needs a grid without holes", layout)
    lines = 2 * (layout.rows + layout.columns)
    charge(sum([len(house.cells) ** 2 for house in layout.houses]) + lines**2 * layout.size // 4)
    differing = {*chain(*[permutations(house.cells, 2) for house in layout.houses])}
    parts = []
    for one, other in combinations(chain(*sides_of(layout.rows, layout.columns)), 2):
        if len(one) != len(other) or not differing.isdisjoint(zip(one, other, strict=True)):
            continue
        automaton = unrolled(_apart, 2 * len(one), 0, layout.numbers)
        if isinstance(automaton, str):
            return fault_in(constraint, automaton, layout)
        cells = tuple(chain(*zip(one, other, strict=True)))
        parts.append(Regular(cells, automaton))
    return tuple(parts)


_ROW = '"cells": ["r1c1", "r1c2", "r1c3", "r1c4", "r1c5", "r1c6", "r1c7", "r1c8", "r1c9"]'

FULL_RANK_RULES = (
    Rule(
        "fullrank",
        Wording(
            "Full rank",
            "Sort all rows and columns, read from both ends, as numbers: the "
            "clue is this line's position, and no other line equals it.",
        ),
        f'{{"type": "fullrank", {_ROW}, "rank": 17}}',
        _rank(tied=False),
        least=1,
        value="rank",
        hides=True,
    ),
    Rule(
        "fullranktied",
        Wording(
            "Full rank with ties",
            "Sort all rows and columns, read from both ends, as numbers: the "
            "clue is this line's position, and equal lines share the first "
            "one.",
        ),
        f'{{"type": "fullranktied", {_ROW}, "rank": 17}}',
        _rank(tied=True),
        least=1,
        value="rank",
        hides=True,
    ),
)
