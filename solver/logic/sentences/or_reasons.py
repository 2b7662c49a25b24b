"""Reasons for steps from an Or: which of its options the facts exclude, and which one must hold."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from solver.board.layout import Layout
from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.rule_names import condition_of
from solver.logic.sentences.wording import Wording, listed
from solver.rules.rule import Constraint

if TYPE_CHECKING:
    from solver.logic.rule_steps.units import RuleUnit

_IN_CELLS = "oneof"  # the rule of given values
_MOST_CELLS = 2  # whose values are listed if several options can hold
_MOST_VALUES = 3  # in each of them

Option = tuple[Constraint, ...]


def excluding_facts(
    deduction: Deduction, facts: Sequence[Candidate], words: Wording
) -> tuple[list[Candidate], str] | None:
    """Return the facts that exclude all options of an Or but one, and the text of that option.

    `facts` are absent candidates, and the result contains only those that are needed. Returns None
    unless they leave exactly one option, and at least one of them is needed.
    """
    constraint = _constraint(deduction, words)
    left = [option for option in constraint.options if not _is_excluded(option, facts, words)]
    if len(left) != 1:
        return None
    needed = list(facts)
    for cell in dict.fromkeys(cell for cell, _ in facts):
        fewer = [one for one in needed if one.cell != cell]
        if all(
            option is left[0] or _is_excluded(option, fewer, words) for option in constraint.options
        ):
            needed = fewer
    text = listed(condition_of(one, words) for one in left[0])
    return (needed, text) if needed else None


def values_either_way(deduction: Deduction, words: Wording) -> list[str]:
    """Return a list with a clause about the values that all options of an Or leave for its cells.

    For example, "either way, r1c4 must be 1 or 9". The list is empty if the step is about more than
    two cells, or leaves a cell more than three values.
    """
    placed, gone = dict(deduction.placements), set(deduction.eliminations)
    cells = list(dict.fromkeys([*placed, *(cell for cell, _ in deduction.eliminations)]))
    clauses: list[str] = []
    for cell in cells:
        left = [placed[cell]] if cell in placed else words.candidates_of(cell)
        left = [value for value in left if (cell, value) not in gone]
        if len(left) > _MOST_VALUES or len(cells) > _MOST_CELLS:
            return []
        name = words.layout.cell_name(cell)
        clauses.append(f"{name} must be {words.values(left, last='or')}")
    opening = "either way" if len(_constraint(deduction, words).options) == 2 else "in every case"
    return [f"{opening}, {listed(clauses)}"] if clauses else []


def _constraint(deduction: Deduction, words: Wording) -> Constraint:
    return cast("Constraint", words.layout.constraints[deduction.rule or 0])


def _is_excluded(option: Option, facts: Iterable[Candidate], words: Wording) -> bool:
    """Return whether facts (absent candidates) make one of an option's constraints impossible."""
    layout = words.layout
    every = (1 << layout.size) - 1
    domains = [every] * layout.cells
    for cell, value in facts:
        domains[cell] &= ~(1 << (value - 1))
    return any(_contradicts(one, domains, layout) for one in option)


def _contradicts(constraint: Constraint, domains: Sequence[int], layout: Layout) -> bool:
    """Return whether a constraint of an option can't hold in cells with the given domains."""
    if constraint.name == _IN_CELLS:
        own = [number - layout.lowest for number in constraint.values]
        wanted = sum(1 << value for value in own if 0 <= value < layout.size)
        return any(not domains[cell] & wanted for cell in constraint.cells)
    return any(
        unit.filtered(
            [domains[cell] & full for cell, full in zip(unit.cells, unit.full, strict=True)]
        )
        is None
        for unit in _units_of(constraint, layout)
    )


@lru_cache(maxsize=256)
def _units_of(constraint: Constraint, layout: Layout) -> "tuple[RuleUnit, ...]":
    # It loads the compiler, which classic puzzles don't need.
    from solver.logic.rule_steps.units import rule_units  # noqa: PLC0415

    return rule_units(layout.changed(constraints=(constraint,)))
