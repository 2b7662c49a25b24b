"""If a rule is compiled wrongly, the puzzle's outcome is `failed`, never a wrong solution."""

from dataclasses import replace

import numpy as np
import pytest
from paths import DATA

from solver import Layout, Outcome, solve_many
from solver.board.primitive_constraints import Domain, House, Part
from solver.checks.constraints import CHECKS
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint, Rule

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


# Rules that need more than a row of cells, and rules that always hold on this board.
_ON_BOARDS = {"or", "fullrank", "fullranktied", "chaosconstruction"}
_HOLDING = {"regionsamevalues", "doppelganger", "noties"}
BROKEN_EVERYWHERE = [rule for rule in EVERYWHERE_RULES if rule.name not in _HOLDING]


def broken_cases() -> list[tuple[str, list[int], str]]:
    """Return test cases that violate a rule: its name, the cells' values, and its value."""
    lines = (DATA / "constraints.txt").read_text().splitlines()
    fields = [line.split("|") for line in lines if not line.startswith("#")]
    return [
        (name, list(map(int, values.split())), "|".join(number))
        for name, values, *number, kept in fields
        if kept == "no"
    ]


def constraint_of(rule: Rule, length: int, written: str) -> Constraint:
    if rule.text:
        return Constraint(rule, tuple(range(length)), written)
    numbers = tuple(map(int, written.split()))
    value = numbers if rule.many else numbers[0] if numbers else rule.usual or 0
    return Constraint(rule, tuple(range(length)), value)


def row_for(name: str, length: int) -> Layout:
    """Return a row of cells with values 1 to 9; for region sums, each two cells are a box."""
    boxes = [House("box", n, (n, n + 1)) for n in range(0, length - 1, 2)]
    return Layout(9, (1, 2), tuple(boxes) if name == "regionsum" else (), shape=(1, length))


def outcome_of(givens: list[int], layout: Layout, constraint: Constraint) -> Outcome:
    ruled = with_constraints(layout, (constraint,))
    assert isinstance(ruled, Layout)
    return Outcome(int(solve_many(np.array([givens], np.uint8), layout=ruled).outcomes[0]))


def silent(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    """Compile a constraint to nothing."""
    del constraint, layout
    return ()


def test_rules_and_checks_correspond() -> None:
    # A disjunction has no check; the rules of its options have.
    assert {*RULES, *(rule.name for rule in EVERYWHERE_RULES)} == {"or", *CHECKS}
    assert {name for name, _, _ in broken_cases()} == set(RULES) - _ON_BOARDS


@pytest.mark.parametrize(("name", "values", "number"), broken_cases())
def test_engine_without_a_rule_fails_verification(
    name: str, values: list[int], number: str
) -> None:
    rule, layout = RULES[name], row_for(name, len(values))
    told = outcome_of(values, layout, constraint_of(rule, len(values), number))
    assert told in (Outcome.UNSOLVABLE, Outcome.INVALID)
    deaf = constraint_of(replace(rule, parts=silent, together=None), len(values), number)
    assert outcome_of(values, layout, deaf) is Outcome.FAILED


@pytest.mark.parametrize(("name", "values", "number"), broken_cases())
def test_engine_with_another_rule_fails_verification(
    name: str, values: list[int], number: str
) -> None:
    def misleading(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
        del layout
        pairs = zip(constraint.cells, values, strict=True)
        return tuple(Domain(cell, 1 << value - 1) for cell, value in pairs)

    misled = constraint_of(
        replace(RULES[name], parts=misleading, together=None), len(values), number
    )
    blank = [0] * len(values)
    assert outcome_of(blank, row_for(name, len(values)), misled) is Outcome.FAILED


@pytest.mark.parametrize("name", ["fullrank", "fullranktied"])
def test_engine_without_a_rank_fails_verification(name: str) -> None:
    board, givens = Layout.boxed(3, 3), [int(digit) for digit in SOLVED]
    row = tuple(range(9))  # the row begins with 5, so its rank is one of 17 to 20
    assert outcome_of(givens, board, Constraint(RULES[name], row, 16)) is Outcome.UNSOLVABLE
    deaf = Constraint(replace(RULES[name], parts=silent, together=None), row, 16)
    assert outcome_of(givens, board, deaf) is Outcome.FAILED


def test_engine_without_a_disjunction_fails_verification() -> None:
    board, givens = Layout.boxed(3, 3), [int(digit) for digit in SOLVED]
    options = ((Constraint(RULES["even"], (0,)),), (Constraint(RULES["x"], (0, 1)),))
    assert outcome_of(givens, board, Constraint(RULES["or"], (0, 1), 0, options)) is (
        Outcome.UNSOLVABLE
    )
    deaf = Constraint(replace(RULES["or"], parts=silent, together=None), (0, 1), 0, options)
    assert outcome_of(givens, board, deaf) is Outcome.FAILED


@pytest.mark.parametrize("rule", BROKEN_EVERYWHERE, ids=lambda rule: rule.name)
def test_engine_without_a_rule_of_the_whole_grid_fails_verification(rule: Rule) -> None:
    board, every = Layout.boxed(3, 3), tuple(range(81))
    givens = [int(digit) for digit in SOLVED]
    assert outcome_of(givens, board, Constraint(rule, every)) is Outcome.UNSOLVABLE
    deaf = Constraint(replace(rule, parts=silent, together=None), every)
    assert outcome_of(givens, board, deaf) is Outcome.FAILED
