"""Chaos construction: regions that are found while solving, and clues about them.

Cells beside the grid, one for each of it, hold the numbers of the regions.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from solver.board.layout import Layout, Part, Partition, Regular, Sum
from solver.rules.choice import NO, YES, answer
from solver.rules.rule import Cells, Constraint, Machine, Rule, unrolled

# What does not care which number a region has.
_BLIND = ("chaosarrow", "chaoscount", "countdistinct", "different", "equality", "samevalues")


def _construction(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    size, labels = constraint.number, constraint.cells
    if layout.absent or len(labels) != layout.cells or min(labels) < layout.cells:
        return "the constraint 'chaosconstruction' needs a variable for each cell of the grid"
    if not 1 <= size <= layout.size or len(labels) % size:
        return f"{len(labels)} cells cannot be cut into regions of {size}"
    if len(labels) // size > layout.size:
        return f"there would be {len(labels) // size} regions, {layout.size} at most"
    others = [other for other in layout.constraints if other != constraint]
    numbered = all(other.name in _BLIND or not {*labels} & {*other.cells} for other in others)
    return (Partition(labels, size, numbered),)


def _equal(length: int, value: Any, numbers: range) -> Machine:
    """Read two cells, perhaps an answer, and whether the cells are equal and that one is yes.

    States: nothing, what the first cell has, whether all is so.
    """
    del value

    def follow(state: Any, number: int, place: int) -> Any:
        if place < 2:
            return number if place == 0 else number == state
        answered = number - numbers[0] + 1
        if answered not in (NO, YES):
            return None
        if place < length - 1:
            return state and answered == YES
        return "end" if state == (answered == YES) else None

    return Machine(None, follow, lambda state: state == "end")


def _counted(
    constraint: Constraint, first: int, questions: Sequence[Cells], layout: Layout
) -> tuple[Part, ...] | str:
    """Return that the first cell is so much more than the number of questions answered by yes.

    A question is cells, the last of which is the answer.
    """
    if layout.size < YES or first not in (0, 1):
        return f"the constraint {constraint.name!r} counts its second cell once or not, 1 or 0"
    parts: list[Part] = []
    for cells in questions:
        automaton = unrolled(_equal, len(cells), 0, layout.numbers)
        if isinstance(automaton, str):
            return f"the constraint {constraint.name!r} {automaton}"
        parts += [answer(cells[-1]), Regular(cells, automaton)]
    answers = tuple(cells[-1] for cells in questions)
    factors = (-1, *(1 for _ in answers))
    target = len(answers) * layout.lowest - first
    return (*parts, Sum((constraint.cells[0], *answers), factors, target))


def _count(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    _, start, *others = constraint.cells
    questions = [(start, cell, -place) for place, cell in enumerate(others, 1)]
    return _counted(constraint, constraint.number, questions, layout)


def _arrow(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Ask of each cell of an arm whether it, and all before it, are as the second cell."""
    _, start, *others = constraint.cells
    first, *lengths = constraint.values
    if min(lengths, default=0) < 0 or sum(lengths) != len(others):
        return f"the constraint 'chaosarrow' has arms of other lengths than {len(others)} cells"
    questions: list[Cells] = []
    for begin, end in pairwise(accumulate(lengths, initial=0)):
        for place in range(begin, end):
            before = () if place == begin else (-place,)
            questions.append((start, others[place], *before, -place - 1))
    return _counted(constraint, first, questions, layout)


CHAOS_RULES = (
    Rule(
        "chaosconstruction",
        "The cells number regions that are to be found: each of so many cells of the grid, "
        "connected by edges, no value twice in one. They are cells beside the grid, one for each "
        "of it, in reading order; which number a region has makes no other solution.",
        '{"type": "chaosconstruction", "cells": ["C1", "C2", "C3", "C4"], "size": 2}',
        _construction,
        least=1,
        value="size",
    ),
    Rule(
        "chaoscount",
        "The first cell says how many of the others are as the second one, which counts itself "
        "unless `first` is 0.",
        '{"type": "chaoscount", "cells": ["r1c1", "r1c5", "r2c6", "r3c7"], "first": 1}',
        _count,
        value="first",
        usual=1,
        repeats=True,
    ),
    Rule(
        "chaosarrow",
        "The first cell says how many cells in a row are as the second one, in arms of these "
        "lengths that begin beside it; before the lengths, 1 if it counts itself or 0.",
        '{"type": "chaosarrow", "cells": ["r1c1", "r4c4", "r5c5", "r6c6"], "lengths": [1, 2]}',
        _arrow,
        value="lengths",
        many=True,
        repeats=True,
    ),
)
