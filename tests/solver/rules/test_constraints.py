import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from naive import solutions
from numpy.typing import NDArray
from numpy_checks import are_solutions, have_conflicts
from paths import DATA
from searches import learn

from solver import Invalid, Layout, Outcome, Puzzle, parse, solve, solve_many
from solver.board.primitive_constraints import House
from solver.checks.constraints import are_kept
from solver.engines.auxiliary_cells import with_cells_below
from solver.engines.engine import SolveRequest
from solver.engines.general import engine
from solver.engines.general.clause_learning.tables import problem_of
from solver.engines.general.reification import with_reified_disjunctions
from solver.engines.sat.engine import SatEngine
from solver.formats import recognize
from solver.formats.format import Recognized
from solver.rules.registry import RULES, read_constraint, with_constraints
from solver.rules.rule import Constraint
from solver.rules.variants import VARIANTS, with_variants

FOURS = list(solutions([0] * 16, (2, 2)))


def cases() -> list[list[str]]:
    lines = (DATA / "constraints.txt").read_text().splitlines()
    parts = [line.split("|") for line in lines if not line.startswith("#")]
    return [[name, cells, "|".join(value), kept] for name, cells, *value, kept in parts]


def constraint_of(name: str, length: int, number: str) -> Constraint:
    rule = RULES[name]
    if rule.text:
        return Constraint(rule, tuple(range(length)), number)
    numbers = [int(part) for part in number.split()]
    value = tuple(numbers) if rule.many else numbers[0] if numbers else rule.usual or 0
    return Constraint(rule, tuple(range(length)), value)


def row_for(name: str, length: int) -> Layout:
    """Return a row of cells with values 1 to 9; for region sums, each two cells are a box."""
    boxes = [House("box", n, (n, n + 1)) for n in range(0, length - 1, 2)]
    return Layout(9, (1, 2), tuple(boxes) if name == "regionsum" else (), shape=(1, length))


@pytest.mark.parametrize(("name", "values", "number", "kept"), cases())
def test_engine_agrees_with_the_sentence_of_the_rule(
    name: str, values: str, number: str, kept: str
) -> None:
    givens = np.array([[int(value) for value in values.split()]], np.uint8)
    cells = givens.shape[1]
    layout = with_constraints(row_for(name, cells), (constraint_of(name, cells, number),))
    assert isinstance(layout, Layout)
    batch = solve_many(givens, layout=layout, limit=1, step_limit=0)
    refused = batch.outcomes[0] in (Outcome.UNSOLVABLE, Outcome.INVALID)
    assert refused == (kept == "no")


# These rules need more than a row of cells. They are tested below.
_ON_BOARDS = {"or", "fullrank", "fullranktied", "chaosconstruction"}


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_rule_has_cases_and_an_example(name: str) -> None:
    kinds = {case[3] for case in cases() if case[0] == name}
    assert kinds == (set() if name in _ON_BOARDS else {"yes", "no"})
    example = json.loads(RULES[name].example)
    board = replace(Layout.boxed(3, 3), variables=("C1", "C2", "C3", "C4"))
    assert isinstance(read_constraint(example, layout=board), Constraint)


PATTERNS = ["1.*", "[^2]*", "(12|2[13]|.)+", ".{2}3?.*", "1*2*3*1*"]
AUTOMATA = ["0>0,1: 0-1-1 0-2-0 0-3-0 0-4-0 1-2-0 1-3-1 1-1-1", "0,1>1: 0-0-0 0-1-1 1-2-1 0-3-0"]


@st.composite
def choices(draw: st.DrawFn, depth: int) -> Constraint:
    """Draw a disjunction, whose options may contain disjunctions."""
    one = constraints(depth=depth - 1)
    options = draw(st.lists(st.lists(one, min_size=1, max_size=2), min_size=1, max_size=3))
    cells = {cell for option in options for each in option for cell in each.cells}
    return Constraint(RULES["or"], tuple(sorted(cells)), 0, tuple(map(tuple, options)))


@st.composite
def constraints(draw: st.DrawFn, depth: int = 2) -> Constraint:  # noqa: C901, PLR0912 (a branch a kind)
    # Rules with auxiliary variables can't be options of a disjunction.
    unseen = {"countdistinct", "fullrank", "fullranktied", "connected", "chaoscount", "chaosarrow"}
    barred = unseen if depth < 2 else ()
    # Chaos construction is tested in tests/solver/engines/test_connected_regions.py.
    names = set(RULES).difference(barred, () if depth else ["or"], ["chaosconstruction"])
    rule = RULES[draw(st.sampled_from(sorted(names)))]
    if rule.name == "or":
        return draw(choices(depth))
    if rule.name in ("fullrank", "fullranktied"):
        row = draw(st.integers(0, 3))
        line = list(range(4 * row, 4 * row + 4))[:: draw(st.sampled_from([1, -1]))]
        return Constraint(rule, tuple(line), draw(st.integers(1, 16)))
    cells = draw(st.permutations(range(16)))[: draw(st.integers(rule.least, min(rule.most, 5)))]
    if rule.repeats and len(cells) > 2 and draw(st.booleans()):
        cells = [*cells[:-1], cells[0]]  # a closed line
    if rule.name == "clone":
        cells = cells[: len(cells) // 2 * 2]
    number = draw(st.integers(1, 12))
    if rule.name in ("pillarrow", "index"):
        number = draw(st.integers(1, len(cells) - (rule.name == "pillarrow")))
    if rule.name == "chaoscount":
        number = draw(st.integers(0, 1))
    if rule.name == "modular":
        number = draw(st.integers(2, 4))
    if rule.name == "samevalues":
        number = draw(st.sampled_from([n for n in range(1, 6) if len(cells) % n == 0]))
    if rule.text:
        text = draw(st.sampled_from(PATTERNS if rule.name == "regex" else AUTOMATA))
        return Constraint(rule, tuple(cells), text)
    value: int | tuple[int, ...] = number
    if rule.many:
        some = draw(st.lists(st.integers(1, 4), min_size=1, max_size=12))
        value = tuple(some[:3] if rule.name == "quadruple" else [*some, *some])
        if rule.name == "equalsum":
            cut = draw(st.integers(1, len(cells) - 1))
            value = (cut, len(cells) - cut)
        if rule.name == "chaosarrow":
            cut = draw(st.integers(0, len(cells) - 2))
            value = (draw(st.integers(0, 1)), cut, len(cells) - 2 - cut)
        if rule.name == "weightedsum":
            value = (draw(st.integers(0, 9)), *(draw(st.integers(-2, 3)) for _ in cells))
    return Constraint(rule, tuple(cells), value if rule.value else 0)


def by_clauses(layout: Layout, givens: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], ...] | None:
    """Return up to 300 solutions of a puzzle (1, cells) from the SAT engine.

    The result has one item, an array (solutions, cells). The engine solves the puzzle even if other
    engines support the layout.
    """
    request = SolveRequest(layout=layout, givens=givens, limit=300)
    return (
        SatEngine().solve_many(request).listed
        if not have_conflicts(layout, givens)[0]
        else (givens[:0],)
    )


def by_learning(layout: Layout, givens: NDArray[np.uint8]) -> set[tuple[int, ...]] | None:
    """Return the clause-learning search's solutions, or None if it doesn't support the layout."""
    board = with_cells_below(layout)
    unsupported = layout.partitions or layout.sat_only
    reified = None if unsupported else with_reified_disjunctions(board)
    if reified is None:
        return None
    domains = np.full(reified.cells, 15, np.uint64)
    domains[list(reified.holes)] = 0
    for cell, allowed in reified.domains:
        domains[cell] &= np.uint64(allowed)
    for cell in np.flatnonzero(givens[0]).tolist():
        domains[cell] &= np.uint64(1 << givens[0, cell] - 1)
    _, count, _, listed = learn(domains, problem_of(reified), 300)
    return {tuple(grid) for grid in listed[:count, :16].tolist()}


@given(
    st.lists(constraints(), min_size=1, max_size=3),
    st.lists(st.sampled_from([0, 0, 0, 0, 1, 2, 3, 4]), min_size=16, max_size=16),
    st.sampled_from([0, 1]),
    st.lists(st.sampled_from(sorted(VARIANTS)), max_size=1),
)
@settings(max_examples=300, deadline=None)
def test_small_grids_have_exactly_the_solutions_that_the_rules_allow(
    found: list[Constraint], cells: list[int], lowest: int, names: list[str]
) -> None:
    layout = with_variants(replace(Layout.boxed(2, 2), lowest=lowest), tuple(names))
    assume(isinstance(layout, Layout))
    assert isinstance(layout, Layout)
    plain = layout
    layout = with_constraints(layout, tuple(found))
    assert isinstance(layout, Layout)
    every = np.array(FOURS, np.uint8)
    follow = are_solutions(replace(plain, constraints=()), np.zeros_like(every), every)
    kept = [
        bool(follow[row]) and are_kept(layout.constraints, grid, layout)
        for row, grid in enumerate(FOURS)
    ]
    expected = {
        tuple(grid)
        for grid, right in zip(FOURS, kept, strict=True)
        if right and all(cell in (0, value) for cell, value in zip(cells, grid, strict=True))
    }
    givens = np.array([cells], np.uint8)
    for listed in (solve_many(givens, layout=layout, limit=300).listed, by_clauses(layout, givens)):
        assert listed is not None
        assert {tuple(grid) for grid in listed[0].tolist()} == expected
        assert len(listed[0]) == len(expected)
    assert by_learning(layout, givens) in (None, expected)
    assert are_solutions(layout, np.zeros_like(every), every).tolist() == kept


def grids_that_keep(constraint: Constraint, layout: Layout) -> set[tuple[int, ...]]:
    return {tuple(grid) for grid in FOURS if are_kept([constraint], grid, layout)}


def solved(constraint: Constraint, layout: Layout) -> list[tuple[int, ...]]:
    layout_with = with_constraints(layout, (constraint,))
    assert isinstance(layout_with, Layout)
    listed = solve_many(np.zeros((1, 16), np.uint8), layout=layout_with, limit=300).listed
    assert listed is not None
    return [tuple(grid) for grid in listed[0].tolist()]


@pytest.mark.parametrize("is_asked", [True, False])
def test_hard_disjunctions_get_clause_learning_or_unlimited_backtracking(
    monkeypatch: pytest.MonkeyPatch, *, is_asked: bool
) -> None:
    monkeypatch.setattr(engine, "_CONFLICT_LIMIT_WITH_VALUE_SETS", 0)
    options = tuple((Constraint(RULES["thermo"], cells),) for cells in ((0, 1, 6), (15, 14, 9)))
    constraint = Constraint(RULES["or"], (0, 1, 6, 9, 14, 15), 0, options)
    layout = with_constraints(Layout.boxed(2, 2), (constraint,))
    assert isinstance(layout, Layout)
    (disjunction,) = layout.disjunctions
    if not is_asked:
        not_reified = disjunction._replace(reify=lambda _: None)
        layout = replace(layout, disjunctions=(not_reified,))
    batch = solve_many(np.zeros((1, 16), np.uint8), layout=layout, limit=300)
    assert batch.listed is not None
    expected = grids_that_keep(constraint, layout)
    assert len(batch.listed[0]) == len(expected)
    assert {tuple(grid) for grid in batch.listed[0].tolist()} == expected


@pytest.mark.parametrize("lowest", [0, 1])
@given(grid=st.sampled_from(FOURS), values=st.sets(st.integers(1, 4)), data=st.data())
@settings(max_examples=8, deadline=None)
def test_counting_circles_can_fill_most_of_a_grid(
    grid: list[int], values: set[int], data: st.DataObject, lowest: int
) -> None:
    layout = replace(Layout.boxed(2, 2), lowest=lowest)
    cells = []
    for value in values | {3, 4}:
        places = data.draw(st.permutations([c for c in range(16) if grid[c] == value]))
        cells += places[: value - 1 + lowest]
    constraint = Constraint(RULES["countingcircles"], tuple(sorted(cells)), 0)
    expected = grids_that_keep(constraint, layout)
    assert tuple(grid) in expected
    found = solved(constraint, layout)
    assert (len(found), set(found)) == (len(expected), expected)


@pytest.mark.parametrize("lowest", [0, 1])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_skyscrapers_of_a_row_without_repeats_are_counted(number: int, lowest: int) -> None:
    layout = replace(Layout.boxed(2, 2), lowest=lowest)
    for line in ((0, 1, 2, 3), (7, 6, 5), (13, 9)):
        constraint = Constraint(RULES["skyscraper"], line, number)
        expected = grids_that_keep(constraint, layout)
        found = solved(constraint, layout)
        assert (len(found), set(found)) == (len(expected), expected)


@pytest.mark.parametrize(
    ("constraint", "detail"),
    [
        ("knight", 'a constraint must be an object such as {"type": "killer", "cells": '
                   "[\"r1c1\", \"r1c2\", \"r2c1\"], \"sum\": 15}, not 'knight'"),
        ({}, "a constraint needs a 'type', such as {\"type\": \"killer\", \"cells\": [\"r1c1\", "
             '"r1c2", "r2c1"], "sum": 15}'),
        ({"type": "chaos"}, "Unknown constraint 'chaos'"),
        ({"type": "thermo"}, "the constraint 'thermo' needs a list of 2 cells or more as 'cells'"),
        ({"type": "white", "cells": ["r1c1"]}, "the constraint 'white' needs a list of 2 "
                                               "cells as 'cells', not 1"),
        ({"type": "white", "cells": ["r1c1", "r1c2", "r1c3"]},
         "the constraint 'white' needs a list of 2 cells as 'cells', not 3"),
        ({"type": "white", "cells": ["r1c1", "r0c2"]},
         "'r0c2' in the constraint 'white' isn't a cell of the grid"),
        ({"type": "white", "cells": ["r1c1", "r1c10"]},
         "'r1c10' in the constraint 'white' isn't a cell of the grid"),
        ({"type": "white", "cells": ["r1c1", 7]},
         "7 in the constraint 'white' isn't a cell of the grid"),
        ({"type": "white", "cells": ["r1c1", "R1C1"]},
         "the constraint 'white' at r1c1 lists r1c1 more than once"),
        ({"type": "arrow", "cells": ["r1c1"]},
         "the constraint 'arrow' needs a list of 2 cells or more as 'cells', not 1"),
        ({"type": "sum", "cells": ["r1c1"]}, "the constraint 'sum' at r1c1 needs a whole "
                                             "number as 'sum'"),
        ({"type": "quadruple", "cells": ["r1c1"], "values": 7},
         "the constraint 'quadruple' at r1c1 needs a list of whole numbers as 'values', not 7"),
        ({"type": "pillarrow", "cells": ["r1c1", "r1c2"], "pill": 2},
         "the constraint 'pillarrow' at r1c1 needs a 'pill' of 1 to 1 of its 2 cells, not 2"),
        ({"type": "index", "cells": ["r1c1", "r1c2"], "value": 3},
         "the constraint 'index' at r1c1 needs a 'value' from 1 to 2, its number of cells, not 3"),
        ({"type": "sumline", "cells": ["r1c1", "r1c2"], "sum": 0},
         "the constraint 'sumline' at r1c1 needs a 'sum' of 1 or more, not 0"),
        ({"type": "sumloop", "cells": ["r1c1", "r1c2"], "sum": -5},
         "the constraint 'sumloop' at r1c1 needs a 'sum' of 1 or more, not -5"),
        ({"type": "modular", "cells": ["r1c1", "r1c2"], "modulus": 0},
         "the constraint 'modular' at r1c1 needs a 'modulus' of 1 or more, not 0"),
        ({"type": "killer", "cells": ["r1c1"], "sum": "7"},
         "the constraint 'killer' at r1c1 needs a whole number as 'sum', not '7'"),
        ({"type": "white", "cells": ["r1c1", "r1c2"], "sum": 3},
         "Unknown key 'sum' in the constraint 'white'. Expected one of: type, cells"),
    ],
)  # fmt: skip
def test_invalid_constraints_are_rejected_by_name(constraint: object, detail: str) -> None:
    text = json.dumps({"puzzle": "." * 81, "constraints": [constraint]})
    found = parse(text, format="ndjson")[0]
    assert isinstance(found, Invalid)
    assert found.detail == detail


def test_step_limit_holds_under_constraints() -> None:
    lines = [
        {"type": "whisper", "cells": [f"r{row}c{column}" for column in range(row, row + 8)]}
        for row in (1, 2)
    ]
    found = parse(json.dumps({"givens": "." * 81, "constraints": lines}), format="ndjson")[0]
    assert isinstance(found, Puzzle)
    result = solve(found, step_limit=3)
    assert result.outcome is Outcome.STEP_LIMIT
    assert result.steps == 3


def test_puzzles_that_need_too_much_memory_are_rejected() -> None:
    every = [f"r{row}c{column}" for row in range(1, 65) for column in range(1, 65)]
    huge = {"type": "sum", "cells": every, "sum": 100_000}
    text = json.dumps({"size": 64, "shape": "64x64", "constraints": [huge]})
    found = parse(text, format="ndjson")[0]
    assert isinstance(found, Invalid)
    assert found.detail.startswith("Together, the constraints of this puzzle need ")
    assert "table entries, but the limit is 10,000,000" in found.detail


def test_values_can_begin_with_zero_and_grids_can_be_oblong() -> None:
    cage = {"type": "killer", "cells": ["r1c1", "r1c2", "r1c3"], "sum": 3}
    text = json.dumps({"shape": "4x6", "size": 6, "lowest": 0, "constraints": [cage]})
    puzzle = parse(text)[0]
    assert isinstance(puzzle, Puzzle)
    assert puzzle.symbols.values == ("0", "1", "2", "3", "4", "5")
    solution = solve(puzzle, limit=1).solution
    assert solution is not None
    assert sorted(value - 1 for value in solution[:3]) == [0, 1, 2]
    assert all(len(set(solution[row * 6 : row * 6 + 6])) == 6 for row in range(4))
    assert all(len(set(solution[column::6])) == 4 for column in range(6))


def test_pencil_marks_restrict_a_cell() -> None:
    text = json.dumps({"shape": "4x4", "candidates": {"r1c1": [2, 3], "r1c2": [3]}})
    puzzle = parse(text)[0]
    assert isinstance(puzzle, Puzzle)
    solution = solve(puzzle, limit=1).solution
    assert solution is not None
    assert solution[:2] == (2, 3)


@pytest.mark.parametrize(
    ("board", "detail"),
    [
        ({"shape": "big"}, "'shape' must be rows x columns, such as 6x8, not 'big'"),
        ({"shape": "4x4", "size": 101}, "'size' must be a whole number from 1 to 100, not 101"),
        ({"shape": "4x4", "size": 3}, "the board has rows and columns of up to 4 cells, but "
                                      "there are only 3 values; set 'size' to 4, or 'lines' "
                                      "to 'free'"),
        ({"shape": "4x4", "lowest": 2}, "'lowest' must be 0 or 1, not 2"),
        ({"shape": "6x6", "box": "4x2"}, "a box of 4x2 cells doesn't fit a board of 6 values"),
        ({"shape": "6x6", "box": "2x2"}, None),
        ({"shape": "4x4", "regions": "1122"}, "'regions' must have a label for each of the 16 "
                                              "cells, not 4"),
        ({"shape": "4x4", "regions": "1" * 16}, "region '1' has 16 cells, more than the 4 "
                                                "values of the board"),
        ({"shape": "4x4", "givens": "12"}, "the grid must have 16 cells (4 rows of 4), not 2"),
        ({"shape": "4x4", "givens": "7" + "." * 15}, "'7' in r1c1 isn't a symbol of this "
                                                     "puzzle; expected 1-4 or an empty cell"),
        ({"shape": "4x4", "candidates": {"r9c1": [1]}},
         "'r9c1' in 'candidates' isn't a cell of the grid"),
        ({"shape": "4x4", "variables": ["A"], "candidates": {"A": [1]}},
         "'A' in 'candidates' isn't a cell of the grid"),
        ({"shape": "4x4", "candidates": {"r1c1": [7]}},
         "'candidates' of r1c1 must be a list of whole numbers from 1 to 4, not [7]"),
        ({"grids": ["r1c1", "x"]},
         "'grids' must be a list of the top left cells of grids, such as [\"r1c1\", \"r7c7\"], at "
         "most 100"),
    ],
)  # fmt: skip
def test_invalid_boards_are_rejected(board: object, detail: str | None) -> None:
    found = parse(json.dumps(board), format="ndjson")[0]
    assert (found.detail if isinstance(found, Invalid) else None) == detail


def test_region_sums_use_the_boxes_of_overlapping_grids() -> None:
    line = {"type": "regionsum", "cells": ["r1c2", "r1c3", "r1c4"]}
    board = {"grids": ["r1c1", "r3c3"], "box": "2x2", "constraints": [line]}
    puzzle = parse(json.dumps(board), format="ndjson")[0]
    assert isinstance(puzzle, Puzzle)
    solution = solve(puzzle, limit=1).solution
    assert solution is not None
    assert solution[1] == solution[2] + solution[3]


def whisper(*cells: str) -> Puzzle | Invalid:
    constraint = {"type": "whisper", "cells": list(cells)}
    return parse(json.dumps({"givens": "." * 81, "constraints": [constraint]}))[0]


def test_whisper_can_be_a_closed_line() -> None:
    closed = whisper("r1c1", "r1c2", "r2c2", "r2c1", "r1c1")
    assert isinstance(closed, Puzzle)
    solution = solve(closed, limit=1).solution
    assert solution is not None
    loop = [solution[cell] for cell in (0, 1, 10, 9, 0)]
    assert all(abs(a - b) >= 5 for a, b in pairwise(loop))
    stuck = whisper("r1c1", "r1c1", "r1c2")
    assert isinstance(stuck, Invalid)
    assert stuck.detail == (
        "the constraint 'whisper' at r1c1 lists r1c1 twice in a row; list it once"
    )


@pytest.mark.parametrize("line", [".X~R1C1~R1C2", ".V~R1C1~R1C2.~R3C3_1"])
def test_strings_that_begin_with_x_or_v_are_recognized(line: str) -> None:
    upload = recognize(line.encode(), final=True)
    assert isinstance(upload, Recognized)
    assert upload.format.name == "iss"
    solution = solve(line, limit=1).solution
    assert solution is not None
    assert sum(solution[:2]) == (10 if "X" in line else 5)
