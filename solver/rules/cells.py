"""Constraints on single cells, and on groups of cells that only have to differ."""

from solver.board.layout import Layout
from solver.board.primitive_constraints import Domain, Part
from solver.rules.rule import Constraint, Rule, all_differ
from solver.rules.wording import Wording


def _parity(name: str, remainder: int, wording: Wording) -> Rule:
    """Return the rule that all cells have a number with this remainder modulo 2."""

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
        allowed = sum(
            1 << place for place, number in enumerate(layout.numbers) if number % 2 == remainder
        )
        return tuple(Domain(cell, allowed) for cell in constraint.cells)

    example = f'{{"type": "{name}", "cells": ["r1c1"]}}'
    return Rule(name, wording, example, parts, least=1)


def _one_of(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    numbers = layout.numbers
    allowed = sum(1 << numbers.index(n) for n in set(constraint.values) if n in numbers)
    return tuple(Domain(cell, allowed) for cell in constraint.cells)


def _differ(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    return (all_differ(constraint.cells, "group", layout),)


CELL_RULES = (
    _parity(
        "odd",
        1,
        Wording("Odd cells", "Each marked cell contains an odd digit.", other_names=("Odd",)),
    ),
    _parity(
        "even",
        0,
        Wording("Even cells", "Each marked cell contains an even digit.", other_names=("Even",)),
    ),
    Rule(
        "oneof",
        Wording(
            "Allowed digits",
            "Each marked cell contains {digits}.",
            parameter="one of the listed digits",
        ),
        '{"type": "oneof", "cells": ["r1c1"], "values": [1, 2, 5]}',
        _one_of,
        least=1,
        value="values",
        many=True,
    ),
    Rule(
        "different",
        Wording(
            "All different", "Digits in the group don't repeat.", other_names=("Extra region",)
        ),
        '{"type": "different", "cells": ["r2c2", "r2c3", "r3c3"]}',
        _differ,
    ),
)
