"""The candidates that a solver would write down first: those that each rule on its own leaves.

A cage of two cells with the sum 3 leaves 1 and 2 in both. Rules aren't combined with each other,
only with the givens, and with the houses of the cells that one rule uses. This is for display. The
steps of an explanation start from all candidates, and give the reason for each removal.
"""

from collections.abc import Sequence
from itertools import combinations

from solver.board.layout import Layout
from solver.logic.rule_steps.filters import difference_filter, joined, propagate, values_in
from solver.logic.rule_steps.units import RuleUnit, rule_units
from solver.logic.sentences.links import peers_of_cells

# Cells of a unit whose values are tried one by one. Each trial takes a few microseconds.
_MOST_TRIED = 16
# Units of a board. The rules of the others are ignored.
_MOST_UNITS = 1_000


def pencil_marks(layout: Layout, domains: Sequence[int]) -> tuple[int, ...]:
    """Return the values of each cell that no rule excludes on its own, as bits.

    `domains` are the values that the givens leave, as bits: one bit for a given. Returns them
    unchanged if a rule leaves a cell without any value.
    """
    peers = peers_of_cells(layout)
    marks = list(domains)
    for unit in rule_units(layout)[:_MOST_UNITS]:
        left = _left_by(unit, [domains[cell] for cell in unit.cells], peers)
        for cell, values in zip(unit.cells, left, strict=True):
            marks[cell] &= values
    is_possible = all(mask or not domain for mask, domain in zip(marks, domains, strict=True))
    return tuple(marks) if is_possible else tuple(domains)


def _left_by(unit: RuleUnit, own: Sequence[int], peers: Sequence[frozenset[int]]) -> list[int]:
    """Return the values that a unit leaves its cells if those that see each other differ.

    `own` are the values that the cells can have so far, as bits. In units of up to `_MOST_TRIED`
    cells, each value is also tried out, and removed if the filters find a contradiction. The result
    is 0 for all cells if the unit has no solution.
    """
    pairs = [
        (one, other)
        for one, other in combinations(range(len(unit.cells)), 2)
        if unit.cells[other] in peers[unit.cells[one]]
    ]
    filters = joined([difference_filter(pairs), unit.filters])
    left = [*own, *unit.hidden]
    if not propagate(filters, left):
        return [0] * len(own)
    for cell in range(len(own)) if len(own) <= _MOST_TRIED else ():
        for value in values_in(left[cell]):
            if not propagate(filters, [*left[:cell], 1 << value, *left[cell + 1 :]]):
                left[cell] &= ~(1 << value)
    return left[: len(own)]
