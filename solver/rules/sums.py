"""Constraints on sums."""

from collections import Counter
from itertools import groupby, pairwise

from solver.board.layout import Layout, Part, Sum
from solver.rules.rule import Constraint, Rule, all_differ


def _killer(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    cells, total = constraint.cells, constraint.number
    cage = all_differ(cells, "cage", layout)
    if total < 0 or len(cells) > layout.size:
        return (cage,)
    return (cage, Sum(cells, (1,) * len(cells), total))


def _total(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    del layout
    times = Counter(constraint.cells)
    return (Sum(tuple(times), tuple(times.values()), constraint.number),)


def _arrow(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    del layout
    return (Sum(constraint.cells, (-1, *(1 for _ in constraint.cells[1:])), 0),)


def _double_arrow(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    del layout
    return (Sum(constraint.cells, (-1, *(1 for _ in constraint.cells[2:]), -1), 0),)


def _pill_arrow(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    del layout
    digits = constraint.number
    if not 1 <= digits < len(constraint.cells):
        cells = len(constraint.cells)
        return f"the constraint 'pillarrow' has {cells} cells, {digits} of them for the pill"
    tens = tuple(-(10**place) for place in reversed(range(digits)))
    return (Sum(constraint.cells, (*tens, *(1 for _ in constraint.cells[digits:])), 0),)


def _zipper(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    del layout
    cells = constraint.cells
    half = len(cells) // 2
    pairs = list(zip(cells[:half], reversed(cells), strict=False))
    if len(cells) % 2:
        return tuple(Sum((*pair, cells[half]), (1, 1, -1), 0) for pair in pairs)
    return tuple(Sum((*outer, *inner), (1, 1, -1, -1), 0) for outer, inner in pairwise(pairs))


def _segments(constraint: Constraint, layout: Layout) -> list[list[int]]:
    """Return the places of the cells of a line, one list for each stay in a box or region."""
    boxes = [house for house in layout.houses if house.kind.endswith(("box", "region"))]

    def box_of(place: int) -> int:
        cell = constraint.cells[place]
        return next((n for n, box in enumerate(boxes) if cell in box.cells), -1)

    return [list(places) for _, places in groupby(range(len(constraint.cells)), box_of)]


def _region_sums(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    cells = [
        tuple(constraint.cells[place] for place in places)
        for places in _segments(constraint, layout)
    ]
    shortest = min(cells, key=len)
    return tuple(
        Sum((*shortest, *other), (*(1 for _ in shortest), *(-1 for _ in other)), 0)
        for other in cells
        if other is not shortest
    )


SUM_RULES = (
    Rule(
        "killer",
        "The cage adds up to the sum, if it has one; no value twice.",
        '{"type": "killer", "cells": ["r1c1", "r1c2", "r2c1"], "sum": 15}',
        _killer,
        least=1,
        value="sum",
        usual=-1,
    ),
    Rule(
        "sum",
        "The cells add up to the sum; values may repeat, and a cell named twice counts twice.",
        '{"type": "sum", "cells": ["r1c1", "r2c2", "r3c3"], "sum": 12}',
        _total,
        least=1,
        value="sum",
        repeats=True,
    ),
    Rule(
        "littlekiller",
        "The cells of a diagonal add up to the sum; values may repeat.",
        '{"type": "littlekiller", "cells": ["r1c2", "r2c3", "r3c4"], "sum": 12}',
        _total,
        least=1,
        value="sum",
    ),
    Rule(
        "arrow",
        "The first cell, the circle, is the sum of the others.",
        '{"type": "arrow", "cells": ["r1c1", "r1c2", "r1c3"]}',
        _arrow,
    ),
    Rule(
        "doublearrow",
        "The two ends, the circles, add up to the same as the cells between them.",
        '{"type": "doublearrow", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"]}',
        _double_arrow,
        least=3,
    ),
    Rule(
        "pillarrow",
        "The first cells, the pill, read as one number, are the sum of the others.",
        '{"type": "pillarrow", "cells": ["r1c1", "r1c2", "r2c2", "r3c2"], "pill": 2}',
        _pill_arrow,
        value="pill",
        usual=2,
    ),
    Rule(
        "zipper",
        "Cells as far from the middle of the line have the same sum; a middle cell is that sum.",
        '{"type": "zipper", "cells": ["r1c1", "r1c2", "r2c3"]}',
        _zipper,
        least=3,
    ),
    Rule(
        "regionsum",
        "The line has the same sum in each box that it runs through, at every stay.",
        '{"type": "regionsum", "cells": ["r1c2", "r1c3", "r1c4"]}',
        _region_sums,
    ),
)
