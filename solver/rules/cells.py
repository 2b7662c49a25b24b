"""Constraints on single cells, and on cells that only have to differ."""

from solver.board.layout import Domain, Layout, Part
from solver.rules.rule import Constraint, Rule, all_differ


def _parity(name: str, remainder: int) -> Rule:
    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
        allowed = sum(
            1 << place for place, number in enumerate(layout.numbers) if number % 2 == remainder
        )
        return tuple(Domain(cell, allowed) for cell in constraint.cells)

    example = f'{{"type": "{name}", "cells": ["r1c1"]}}'
    return Rule(name, f"All of the values are {name}.", example, parts, least=1)


def _differ(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    return (all_differ(constraint.cells, "group", layout),)


CELL_RULES = (
    _parity("odd", 1),
    _parity("even", 0),
    Rule(
        "different",
        "No value twice among the cells.",
        '{"type": "different", "cells": ["r1c1", "r2c3", "r5c5"]}',
        _differ,
    ),
)
