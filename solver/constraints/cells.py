"""Constraints on single cells."""

from collections.abc import Sequence

from solver.constraints.constraint import Cells, Part, Rule
from solver.layout import Domain


def _parity(name: str, remainder: int) -> Rule:
    def parts(cells: Cells, number: int, size: int) -> tuple[Part, ...]:
        del number
        allowed = sum(1 << value - 1 for value in range(1, size + 1) if value % 2 == remainder)
        return tuple(Domain(cell, allowed) for cell in cells)

    def holds(values: Sequence[int], number: int) -> bool:
        del number
        return all(value % 2 == remainder for value in values)

    example = f'{{"type": "{name}", "cells": ["r1c1"]}}'
    return Rule(name, f"All of the values are {name}.", example, parts, holds, least=1)


CELL_RULES = (_parity("odd", 1), _parity("even", 0))
