"""Constraints on sums."""

from collections.abc import Sequence
from itertools import combinations

from solver.constraints.constraint import Cells, Part, Rule
from solver.layout import Links, Sum


def _killer(cells: Cells, number: int, size: int) -> tuple[Part, ...]:
    del size
    pairs = tuple(combinations(cells, 2))
    return (Links("in a cage", pairs), Sum(cells, (1,) * len(cells), number, distinct=True))


def _total(cells: Cells, number: int, size: int) -> tuple[Part, ...]:
    del size
    return (Sum(cells, (1,) * len(cells), number),)


def _arrow(cells: Cells, number: int, size: int) -> tuple[Part, ...]:
    del number, size
    return (Sum(cells, (-1, *(1 for _ in cells[1:])), 0),)


def _adds_up(values: Sequence[int], number: int) -> bool:
    return sum(values) == number


SUM_RULES = (
    Rule(
        "killer",
        "The cage adds up to the sum, no value twice.",
        '{"type": "killer", "cells": ["r1c1", "r1c2", "r2c1"], "sum": 15}',
        _killer,
        lambda values, number: sum(values) == number and len(set(values)) == len(values),
        least=1,
        value="sum",
    ),
    Rule(
        "sum",
        "The cells add up to the sum; values may repeat.",
        '{"type": "sum", "cells": ["r1c1", "r2c2", "r3c3"], "sum": 12}',
        _total,
        _adds_up,
        least=1,
        value="sum",
    ),
    Rule(
        "littlekiller",
        "The cells of a diagonal add up to the sum; values may repeat.",
        '{"type": "littlekiller", "cells": ["r1c2", "r2c3", "r3c4"], "sum": 12}',
        _total,
        _adds_up,
        least=1,
        value="sum",
    ),
    Rule(
        "arrow",
        "The first cell, the circle, is the sum of the others.",
        '{"type": "arrow", "cells": ["r1c1", "r1c2", "r1c3"]}',
        _arrow,
        lambda values, _: values[0] == sum(values[1:]),
    ),
)
