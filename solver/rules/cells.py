"""Constraints on single cells, and on cells that only have to differ."""

from collections.abc import Sequence

from solver.board.layout import Domain, Layout, Part
from solver.rules.rule import Constraint, Rule, all_differ


def _parity(name: str, remainder: int) -> Rule:
    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
        allowed = sum(
            1 << place for place, number in enumerate(layout.numbers) if number % 2 == remainder
        )
        return tuple(Domain(cell, allowed) for cell in constraint.cells)

    def holds(numbers: Sequence[int], constraint: Constraint, layout: Layout) -> bool:
        del constraint, layout
        return all(number % 2 == remainder for number in numbers)

    example = f'{{"type": "{name}", "cells": ["r1c1"]}}'
    return Rule(name, f"All of the values are {name}.", example, parts, holds, least=1)


def _differ(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    return (all_differ(constraint.cells, "group", layout),)


def _all_differ(numbers: Sequence[int], constraint: Constraint, layout: Layout) -> bool:
    del constraint, layout
    return len(set(numbers)) == len(numbers)


CELL_RULES = (
    _parity("odd", 1),
    _parity("even", 0),
    Rule(
        "different",
        "No value twice among the cells.",
        '{"type": "different", "cells": ["r1c1", "r2c3", "r5c5"]}',
        _differ,
        _all_differ,
    ),
)
