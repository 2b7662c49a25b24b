"""The rules and sums that lines of a trial use, and whether these alone prove a placement."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from solver.board.primitive_constraints import Sum
from solver.logic.deduction import Deduction, LineKind, ProofLine, houses_of_sum
from solver.logic.sentences.clues import clue_of
from solver.logic.sentences.rule_names import place_of
from solver.logic.sentences.sum_equations import plain_equation
from solver.logic.sentences.wording import Wording
from solver.rules.rule import Constraint

if TYPE_CHECKING:
    from solver.logic.rule_steps.units import RuleUnit

_BETWEEN = re.compile(r"between (r\d+c\d+) and (r\d+c\d+)$")
_BY_SUMS = (LineKind.BY_SUM, LineKind.BROKEN_SUM)


def rule_of(line: ProofLine, words: Wording, stated: set[str]) -> str:
    """Return the name of a line's rule with its sum or other number, or the equation that it uses.

    For example, "cage at r1c1, sum 12", or "r1c1 = r2c4 + 3, the sum of row 1". The clues and
    equations in `stated` are known to readers, so the numbers of these clues and the houses of
    these equations aren't named again. A new one is added.
    """
    if line.kind not in _BY_SUMS:
        total = _total_of(cast("Constraint", words.layout.constraints[line.source]), words)
        clue = clue_of(line.source, words) if total is None else f"sum {total}"
        place = short_place(line.source, words)
        text = f"{place}, {clue}" if clue else place
        if text in stated:
            return place
        stated.add(text)
        return text
    houses = f"the sum of {words.houses(houses_of_sum(line.source))}"
    unit = next((unit for unit in _units(line, words) if _proves(unit, line)), None)
    if unit is None:
        return houses
    part = cast("Sum", unit.parts[0])
    terms = tuple(zip(part.cells, part.factors, strict=True))
    equation = plain_equation(Deduction("3003", terms=terms, total=part.target), words)
    if equation in stated:
        return equation
    stated.add(equation)
    return f"{equation}, {houses}"


def short_place(index: int, words: Wording) -> str:
    """Return the name of a constraint without "the", and two cells as in "white dot r1c1–r1c2"."""
    return _BETWEEN.sub(r"\1–\2", place_of(index, words).removeprefix("the "))


def leaves_one_value(line: ProofLine, words: Wording) -> bool:
    """Return whether a line's rule and absent candidates alone prove the line's placement.

    Candidates that earlier lines have removed only count if the line lists them as `absent`. The
    line must place one value.
    """
    ((cell, value),) = line.placements
    return any(
        _refutes(unit, line, cell, unit.full[unit.cells.index(cell)] & ~(1 << (value - 1)))
        for unit in _units(line, words)
    )


def _total_of(constraint: Constraint, words: Wording) -> int | None:
    """Return the sum of a cage or the like, or None.

    The result is None unless the rule has exactly one sum, without factors and auxiliary variables.
    """
    parts = constraint.parts(words.layout)
    sums = [part for part in parts if isinstance(part, Sum)] if not isinstance(parts, str) else []
    is_plain = len(sums) == 1 and {*sums[0].factors} == {1}
    return sums[0].target if is_plain and min(sums[0].cells) >= 0 else None


def _units(line: ProofLine, words: Wording) -> "Iterator[RuleUnit]":
    """Yield the units of a line's rule or sum that have all of the line's cells."""
    # They load the compiler, which classic puzzles don't need.
    from solver.logic.rule_steps.units import derived_units, rule_units

    cells = {cell for cell, _ in (*line.absent, *line.placements, *line.removals)}
    units = derived_units if line.kind in _BY_SUMS else rule_units
    for unit in units(words.layout):
        if unit.constraint == line.source and cells.issubset(unit.cells):
            yield unit


def _proves(unit: "RuleUnit", line: ProofLine) -> bool:
    """Return whether a unit and a line's absent candidates prove all removals of the line."""
    gone: dict[int, int] = {}
    for cell, value in line.removals:
        gone[cell] = gone.get(cell, 0) | 1 << (value - 1)
    return all(_refutes(unit, line, cell, values) for cell, values in gone.items())


def _refutes(unit: "RuleUnit", line: ProofLine, cell: int, values: int) -> bool:
    """Return whether a unit excludes values (bits) from a cell.

    The candidates that the line lists as `absent` are removed before.
    """
    domains = dict(zip(unit.cells, unit.full, strict=True))
    for one, value in line.absent:
        domains[one] &= ~(1 << (value - 1))
    domains[cell] = values
    return not values or unit.filtered([*domains.values()]) is None
