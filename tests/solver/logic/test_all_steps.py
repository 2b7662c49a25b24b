"""All steps that are available at a position are listed: all of them are sound, none is missing.

Their number is limited. Positions, puzzles, and searches without a list get a reason.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from solver import explain, parse, solve
from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.engines.engine import ABANDON, GO_ON
from solver.listing import all_steps, all_steps_of_unique
from solver.logic.available_steps import MOST_LISTED, AvailableSteps
from solver.logic.deduction import Candidate
from solver.logic.explanation import Position

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "12.....8.4.......2..9..35.....9.8....7..2..5...1..42......65..7.......61..83....."
THERMO = (
    ".~R1C2_4~R1C8_1~R2C1_2~R2C9_6~R8C1_9~R8C9_2~R9C2_1~R9C8_9.Thermo~R9C4~R8C3~R7C2~R6C1~R5C2~R4C3"
    ".Thermo~R4C1~R3C2~R2C3~R1C4~R2C5~R3C6.Thermo~R1C6~R2C7~R3C8~R4C9~R5C8~R6C7"
    ".Thermo~R6C9~R7C8~R8C7~R9C6~R8C5~R7C4"
)
HOUSES = [frozenset(house.cells) for house in Layout.boxed(3, 3).houses]
BOXES, LINES = HOUSES[18:], HOUSES[:18]


def read(text: str, variant: tuple[str, ...] = ()) -> Puzzle:
    (puzzle,) = parse(text, variant=variant)
    assert isinstance(puzzle, Puzzle)
    return puzzle


@pytest.fixture(scope="module")
def easy() -> AvailableSteps:
    return all_steps(EASY)


@pytest.mark.parametrize(
    ("text", "counts"),
    [(EASY, (0,)), (HARD, (0, 55)), (THERMO, (0, 20))],
    ids=["easy", "hard", "thermo"],
)
def test_every_step_is_sound_and_the_first_is_the_next_one(
    text: str, counts: tuple[int, ...]
) -> None:
    path, solution = explain(text), solve(text).solution
    assert solution is not None
    for after in counts:
        steps = all_steps(text, after=after)
        assert steps.deductions[0] == path.deductions[after]
        for deduction in steps.deductions:
            assert deduction.placements or deduction.eliminations
            assert all(solution[cell] == value for cell, value in deduction.placements)
            assert all(solution[cell] != value for cell, value in deduction.eliminations)
        assert all(step.sentence for step in steps.steps)


@pytest.mark.parametrize(("text", "after"), [(EASY, 0), (HARD, 20), (HARD, 40)])
def test_no_simple_step_is_missing(text: str, after: int) -> None:
    steps = all_steps(text, after=after)
    for code, expected in {
        ("0000", "0003"): naked_singles(steps.position),
        ("0000", "0002"): hidden_singles(steps.position),
        ("0110", "0111", "0200"): naked_pairs(steps.position),
        ("0210",): hidden_pairs(steps.position),
        ("0100", "0101"): locked_candidates(steps.position),
        ("0300",): x_wings(steps.position),
    }.items():
        found = {
            conclusion
            for deduction in steps.deductions
            if deduction.code in code
            for conclusion in (*deduction.placements, *deduction.eliminations)
        }
        assert set().union(*expected) <= found, code


def naked_singles(position: Position) -> Iterator[set[Candidate]]:
    for cell, mask in enumerate(position.candidates):
        if mask.bit_count() == 1:
            yield {Candidate(cell, mask.bit_length())}


def places(position: Position, house: frozenset[int], value: int) -> set[int]:
    return {cell for cell in house if position.candidates[cell] >> (value - 1) & 1}


def hidden_singles(position: Position) -> Iterator[set[Candidate]]:
    for house in HOUSES:
        for value in range(1, 10):
            cells = places(position, house, value)
            if len(cells) == 1:
                yield {Candidate(cells.pop(), value)}


def naked_pairs(position: Position) -> Iterator[set[Candidate]]:
    for house in HOUSES:
        for one, other in combinations(sorted(house), 2):
            mask = position.candidates[one]
            if mask == position.candidates[other] and mask.bit_count() == 2:
                values = [value for value in range(1, 10) if mask >> (value - 1) & 1]
                yield {
                    Candidate(cell, value)
                    for value in values
                    for cell in places(position, house, value) - {one, other}
                }


def hidden_pairs(position: Position) -> Iterator[set[Candidate]]:
    for house in HOUSES:
        for pair in combinations(range(1, 10), 2):
            cells = places(position, house, pair[0])
            if len(cells) == 2 and cells == places(position, house, pair[1]):
                yield {
                    Candidate(cell, value)
                    for cell in cells
                    for value in range(1, 10)
                    if value not in pair and cell in places(position, house, value)
                }


def locked_candidates(position: Position) -> Iterator[set[Candidate]]:
    for box in BOXES:
        for line in LINES:
            for base, cover in ((box, line), (line, box)):
                for value in range(1, 10):
                    cells = places(position, base, value)
                    if len(cells) > 1 and cells <= cover:
                        gone = places(position, cover, value) - cells
                        yield {Candidate(cell, value) for cell in gone}


def x_wings(position: Position) -> Iterator[set[Candidate]]:
    for bases, covers in ((LINES[:9], LINES[9:]), (LINES[9:], LINES[:9])):
        for value in range(1, 10):
            for base in combinations(bases, 2):
                for cover in combinations(covers, 2):
                    lines = [places(position, line, value) for line in base]
                    both = cover[0] | cover[1]
                    if all(len(cells) == 2 and cells <= both for cells in lines):
                        gone = places(position, both, value) - lines[0] - lines[1]
                        yield {Candidate(cell, value) for cell in gone}


def test_each_conclusion_of_a_technique_is_listed_once(easy: AvailableSteps) -> None:
    listed = [(one.code, one.placements, one.eliminations) for one in easy.deductions]
    assert len(listed) == len(set(listed))


def test_techniques_that_no_explanation_uses_are_listed(easy: AvailableSteps) -> None:
    codes = {deduction.code for deduction in easy.deductions}
    assert {"0904", "0332", "0342"} <= codes


def test_forcing_chains_are_listed_where_no_single_is_available() -> None:
    path = explain(HARD)
    after = next(place for place, each in enumerate(path.deductions) if not each.placements)
    codes = {deduction.code for deduction in all_steps(HARD, after=after).deductions}
    assert not codes & {"0000", "0002", "0003"}
    assert codes & {"1301", "1302", "1303", "1304"}


def test_the_number_of_steps_of_each_technique_is_limited(easy: AvailableSteps) -> None:
    codes = [deduction.code for deduction in easy.deductions]
    assert all(codes.count(code) <= MOST_LISTED for code in set(codes))
    assert "0902" in easy.unlisted
    assert "Further steps exist with: " in easy.summary


def test_steps_on_a_board_with_rules_include_rules_and_trials() -> None:
    codes = {deduction.code for deduction in all_steps(THERMO).deductions}
    assert {"4000", "4001", "4004"} <= codes


def test_pencil_marks_exclude_techniques_that_rely_on_uniqueness() -> None:
    path = explain(HARD)
    solution = solve(HARD).solution
    assert solution is not None
    position = all_steps(HARD, after=40).position
    marked = Puzzle(path.layout, position.values, path.symbols, position.domains)
    steps = all_steps_of_unique(marked, solution, stop=np.full(1, GO_ON, np.uint8))
    assert not any(deduction.code.startswith("06") for deduction in steps.deductions)


def test_an_abandoned_search_is_reported() -> None:
    puzzle, solution = read(HARD), solve(HARD).solution
    assert solution is not None
    steps = all_steps_of_unique(puzzle, solution, stop=np.full(1, ABANDON, np.uint8))
    assert not steps.is_complete
    assert "The search ended early" in steps.summary or not steps.deductions


def test_puzzles_without_a_unique_solution_have_no_steps() -> None:
    steps = all_steps("1" + 80 * ".")
    assert steps.deductions == ()
    assert steps.summary.startswith("Not explained: the puzzle has more than one solution: ")


def test_a_position_after_the_last_step_is_rejected() -> None:
    with pytest.raises(ValueError, match="after must be from 0 to 51"):
        all_steps(EASY, after=52)


def test_a_complete_grid_has_no_steps() -> None:
    assert all_steps(EASY, after=51).summary == "The grid is full."
