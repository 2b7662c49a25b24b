"""Clause learning finds each solution of a small board once, and respects limits.

Restarts don't stop it, and its results don't depend on other puzzles in the batch.
"""

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from naive import solutions
from numpy_checks import have_conflicts
from searches import learn

from solver import Layout, Outcome, Puzzle, parse, solve_many
from solver.engines.general.clause_learning.tables import problem_of
from solver.engines.search_outcome import EXHAUSTED, LIMIT_REACHED
from solver.rules.regions import with_regions
from solver.rules.registry import RULES


def domains(cells: list[int], size: int) -> np.ndarray:
    full = (1 << size) - 1
    return np.array([1 << value - 1 if value else full for value in cells], np.uint64)


@given(st.lists(st.sampled_from([0, 0, 0, 0, 1, 2, 3, 4]), min_size=16, max_size=16))
@settings(max_examples=200, deadline=None)
def test_each_solution_of_a_small_board_is_found_once(cells: list[int]) -> None:
    layout = Layout.boxed(2, 2)
    assume(not have_conflicts(layout, np.array([cells], np.uint8))[0])
    problem = problem_of(layout)
    search_outcome, count, _, found = learn(domains(cells, 4), problem, 1000)
    expected = {tuple(grid) for grid in solutions(cells, (2, 2))}
    assert search_outcome == EXHAUSTED
    assert count == len(expected)
    assert {tuple(grid) for grid in found[:count].tolist()} == expected


@pytest.mark.parametrize("limit", [1, 2, 500])
def test_search_stops_at_the_limit_with_different_solutions(limit: int) -> None:
    problem = problem_of(Layout.boxed(3, 3))
    search_outcome, count, _, found = learn(domains([0] * 81, 9), problem, limit)
    assert (search_outcome, count) == (LIMIT_REACHED, limit)
    assert len({tuple(grid) for grid in found.tolist()}) == limit


# Only the SAT engine supports regions that are found while solving.
@pytest.mark.parametrize("name", sorted(RULES.keys() - {"chaosconstruction"}))
def test_step_limit_holds_under_every_rule(name: str) -> None:
    record = {"givens": "." * 81, "constraints": [json.loads(RULES[name].example)]}
    puzzle = parse(json.dumps(record))[0]
    assert isinstance(puzzle, Puzzle)
    blank = np.zeros((1, 81), np.uint8)
    batch = solve_many(blank, layout=puzzle.layout, limit=10_000, step_limit=7)
    assert batch.outcomes.tolist() == [Outcome.STEP_LIMIT]
    assert batch.steps.tolist() == [7]
    assert solve_many(blank, layout=puzzle.layout, step_limit=7).steps[0] <= 7


def test_empty_jigsaw_is_filled_despite_restarts() -> None:
    regions = (
        "AAAABBCCCCCCCDDDEAAAABBCBBCDCCDDEAABBBCCBBCDDDDDEEAEBBBBBGCDGDDHEAAEFFFFFGCDGGDHEEAEFFGGGGGG"
        "GHHHEAAEFFFFGGHHHHHHEEEEFFJFFGGHHLLHIIIIIFJKKKKKKLHHIMIJIJJJJKLLLLLLIMIJJJNNJKLKKKLPIMIIJJNK"
        "KKKKLLLPIMIIJJNNOOOOOLLPMMMMNJNNOPPPPPPPMMNNNNNOOOPPOPPPMMMMMMNNNOOOOOOP"
    )
    layout = with_regions(Layout.boxed(4, 4), regions)
    assert isinstance(layout, Layout)
    batch = solve_many(np.zeros((1, 256), np.uint8), layout=layout, step_limit=20_000)
    assert Outcome(int(batch.outcomes[0])) is Outcome.MULTIPLE


def test_result_does_not_depend_on_other_puzzles_in_batch() -> None:
    text = json.dumps({"givens": "." * 81, "constraints": [json.loads(RULES["killer"].example)]})
    puzzle = parse(text)[0]
    assert isinstance(puzzle, Puzzle)
    rows = np.zeros((3, 81), np.uint8)
    rows[0, 0], rows[2, 80] = 5, 7
    together = solve_many(rows, layout=puzzle.layout)
    alone = [solve_many(rows[k : k + 1], layout=puzzle.layout) for k in range(3)]
    assert together.steps.tolist() == [int(batch.steps[0]) for batch in alone]
    assert (together.solutions == np.concatenate([batch.solutions for batch in alone])).all()
