"""Puzzles with random boards are unique, follow the request, and depend only on the seed."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver import GeneratedPuzzle, generate, parse, solve, solve_many
from solver.board.layout import ConstraintLike, Layout
from solver.board.puzzle import Puzzle
from solver.formats.write import write_puzzle
from solver.generation import full_grids
from solver.generation.generator import Generator
from solver.generation.request import GenerationRequest, InvalidRequest, read_request
from solver.generation.solve_all import solve_all
from solver.logic.rating import hodoku
from solver.rules.registry import compile_constraints
from solver.rules.rule import Constraint

KILLER: dict[str, Any] = {"killer": {}}
REQUESTS: dict[str, dict[str, Any]] = {
    "jigsaw": {"regions": "random"},
    "small jigsaw": {"regions": "random", "size": 5},
    "killer": {"random_constraints": KILLER},
    "killer from 0": {"random_constraints": KILLER, "size": 6, "lowest": 0},
    "killer jigsaw": {"random_constraints": KILLER, "regions": "random", "size": 7},
    "thermometers": {"random_constraints": {"thermo": {}}},
    "arrows": {"random_constraints": {"arrow": {}}, "variant": "diagonal"},
    "lines": {"random_constraints": {"renban": {}, "whisper": {}, "palindrome": {}}},
    "dots": {"random_constraints": {"white": {}, "black": {}}},
}


def made(count: int = 5, **fields: object) -> list[tuple[Puzzle, tuple[int, ...]]]:
    results = [*generate(count=count, **fields)]
    puzzles = [(each.puzzle, each.solution) for each in results if each.puzzle and each.solution]
    assert len(puzzles) == count, [each.rejected for each in results]
    return puzzles


def constraints(puzzle: Puzzle, rule: str) -> list[ConstraintLike]:
    return [each for each in puzzle.layout.constraints if each.name == rule]


def houses(puzzle: Puzzle) -> set[frozenset[int]]:
    return {frozenset(house.cells) for house in puzzle.layout.houses}


def numbers_in(cells: Iterable[int], puzzle: Puzzle, solution: tuple[int, ...]) -> list[int]:
    return [puzzle.layout.numbers[solution[cell] - 1] for cell in cells]


def are_connected(cells: Iterable[int], columns: int) -> bool:
    left = set(cells)
    reached = {left.pop()}
    while near := {
        cell
        for cell in left
        if any(
            abs(cell // columns - r // columns) + abs(cell % columns - r % columns) == 1
            for r in reached
        )
    }:
        reached |= near
        left -= near
    return not left


@pytest.mark.parametrize("name", REQUESTS)
def test_puzzles_are_unique_and_solved_by_their_solution(name: str) -> None:
    for puzzle, solution in made(**REQUESTS[name]):
        result = solve(puzzle)
        assert result.unique
        assert result.solution == solution


@pytest.mark.parametrize("name", REQUESTS)
def test_written_puzzles_are_parsed_as_the_same_puzzle(name: str) -> None:
    for puzzle, solution in made(3, **REQUESTS[name]):
        written = write_puzzle(puzzle)
        assert written is not None
        (read,) = parse(written)
        assert isinstance(read, Puzzle)
        assert read.givens == puzzle.givens
        assert {*read.layout.constraints} == {*puzzle.layout.constraints}
        assert houses(read) == houses(puzzle)
        assert solve(read).solution == solution


@pytest.mark.parametrize("name", REQUESTS)
def test_each_puzzle_has_its_own_board(name: str) -> None:
    boards = {str(puzzle.layout.board) for puzzle, _ in made(**REQUESTS[name])}
    assert len(boards) == 5


@pytest.mark.parametrize("name", REQUESTS)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**63 - 1), first=st.integers(1, 10**7))
def test_a_puzzle_does_not_depend_on_the_others(name: str, seed: int, first: int) -> None:
    request = read_request(REQUESTS[name])
    assert isinstance(request, GenerationRequest)
    (part,) = request.parts
    together = [*Generator(part, range(first, first + 5), seed=seed)]
    for own in (together[4], together[2]):
        (alone,) = Generator(part, [own.number], seed=seed)
        assert str(alone.givens) == str(own.givens)
        assert str(alone.layout.board) == str(own.layout.board)
        assert alone.rejected == own.rejected


@pytest.mark.parametrize("size", [4, 5, 6, 7, 8, 9])
def test_regions_are_connected_and_contain_every_digit_once(size: int) -> None:
    for puzzle, solution in made(3, regions="random", size=size):
        regions = [house for house in puzzle.layout.houses if house.kind == "region"]
        assert sorted(cell for house in regions for cell in house.cells) == [*range(size * size)]
        for house in puzzle.layout.houses:
            assert sorted(solution[cell] for cell in house.cells) == [*range(1, size + 1)]
        for house in regions:
            assert are_connected(house.cells, size)


@pytest.mark.parametrize("name", ["killer", "killer from 0", "killer jigsaw"])
def test_cages_cover_the_board_and_are_connected_without_repeated_numbers(name: str) -> None:
    for puzzle, solution in made(**REQUESTS[name]):
        cages = constraints(puzzle, "killer")
        assert not any(puzzle.givens)
        assert sorted(cell for cage in cages for cell in cage.cells) == [*range(len(solution))]
        for cage in cages:
            numbers = numbers_in(cage.cells, puzzle, solution)
            assert 2 <= len(numbers) == len(set(numbers)) <= 5
            assert sum(numbers) == cage.value
            assert are_connected(cage.cells, puzzle.layout.columns)


def test_the_number_and_size_of_cages_are_as_requested() -> None:
    wish = {"count": "20..22", "largest": 6}
    for puzzle, _ in made(random_constraints={"killer": wish}):
        cages = constraints(puzzle, "killer")
        assert 20 <= len(cages) <= 22
        assert max(len(cage.cells) for cage in cages) <= 6


def test_coverage_is_at_least_as_requested() -> None:
    for puzzle, _ in made(random_constraints={"killer": {"coverage": 0.7}}):
        covered = sum(len(cage.cells) for cage in constraints(puzzle, "killer"))
        assert 0.7 <= covered / 81 < 1


@pytest.mark.parametrize("rules", ["killer", "thermo", "arrow", "renban whisper", "white"])
def test_minimal_boards_have_no_redundant_constraint(rules: str) -> None:
    wish = {rule: {"minimal": True, "count": "1.."} for rule in rules.split()}
    for puzzle, _ in made(3, random_constraints=wish):
        all_ = cast("tuple[Constraint, ...]", puzzle.layout.constraints)
        assert all_
        for one in all_:
            left = compile_constraints(Layout.boxed(3, 3), tuple(c for c in all_ if c is not one))
            assert isinstance(left, Layout)
            assert solve_many(np.array([puzzle.givens]), layout=left, limit=2).counts == [2]


def test_lines_follow_their_rules() -> None:
    wish = {"thermo": {"count": "4..4", "largest": 5}, "arrow": {"count": "2..3"}}
    for puzzle, solution in made(random_constraints=wish):
        lines = [numbers_in(each.cells, puzzle, solution) for each in constraints(puzzle, "thermo")]
        arrows = [numbers_in(each.cells, puzzle, solution) for each in constraints(puzzle, "arrow")]
        assert all(line == sorted(set(line)) and 3 <= len(line) <= 5 for line in lines)
        assert all(arrow[0] == sum(arrow[1:]) and 3 <= len(arrow) <= 4 for arrow in arrows)
        assert len(lines) == 4
        assert 2 <= len(arrows) <= 3
        used = [cell for each in puzzle.layout.constraints for cell in each.cells]
        assert len(used) == len(set(used))


def test_other_lines_and_dots_follow_their_rules() -> None:
    wish = {
        "renban": {"count": 3, "largest": 5},
        "whisper": {"count": 2},
        "palindrome": {"count": 2, "largest": 6},
        "white": {"count": 8},
        "black": {"count": 6},
    }
    for puzzle, solution in made(3, random_constraints=wish):
        lines = {
            rule: [numbers_in(each.cells, puzzle, solution) for each in constraints(puzzle, rule)]
            for rule in wish
        }
        assert {rule: len(found) for rule, found in lines.items()} == {
            rule: members["count"] for rule, members in wish.items()
        }
        assert all(3 <= len(line) <= 5 for line in lines["renban"])
        assert all(
            sorted(line) == [*range(min(line), min(line) + len(line))] for line in lines["renban"]
        )
        assert all(abs(a - b) >= 5 for line in lines["whisper"] for a, b in pairwise(line))
        assert all(line == line[::-1] for line in lines["palindrome"])
        assert all(abs(a - b) == 1 for a, b in lines["white"])
        assert all(max(dot) == 2 * min(dot) for dot in lines["black"])
        drawn = [each.cells for each in puzzle.layout.constraints if len(each.cells) > 2]
        assert len({cell for cells in drawn for cell in cells}) == sum(map(len, drawn))


def test_a_board_without_solutions_is_searched_once_for_many_attempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    empty_boards: list[NDArray[np.uint8]] = []

    def counted(givens: NDArray[np.uint8], **options: Any) -> Any:
        empty_boards.extend(row for row in givens if not row.any())
        return solve_all(givens, **options)

    monkeypatch.setattr(full_grids, "solve_all", counted)
    regions = "112222112233415533415553446563446666"
    (result,) = generate(regions=regions, variant="diagonal", tries=100)
    assert result.rejected == {"full grid": 100}
    assert 1 <= len(empty_boards) < 50


def test_scores_of_killers_are_in_range() -> None:
    for puzzle, solution in made(3, random_constraints=KILLER, hodoku_score="2000..2500"):
        givens, solutions = np.array([puzzle.givens], np.uint8), np.array([solution], np.uint8)
        ratings = hodoku.rate(givens, solutions, layout=puzzle.layout)
        assert isinstance(ratings, list)
        assert 2000 <= ratings[0].score <= 2500


def test_failed_attempts_are_counted_by_their_reason() -> None:
    wish = {"thermo": {"count": "30..40"}}
    (result,) = generate(random_constraints=wish, tries=3)
    assert result == GeneratedPuzzle(1, None, None, 3, {"random_constraints": 3})


@pytest.mark.parametrize(
    ("fields", "field", "detail"),
    [
        ({"regions": "random", "size": 3}, "regions", "square grid with 4 to 16 rows"),
        (
            {"regions": "random", "rating": "7.."},
            "rating",
            "requires a 9×9 board without other rules",
        ),
        ({"random_constraints": []}, "random_constraints", "must be an object such as"),
        ({"random_constraints": {"thermos": {}}}, "random_constraints", "Did you mean 'thermo'?"),
        ({"random_constraints": {"arrow": 3}}, "random_constraints", "must be an object, not 3"),
        ({"random_constraints": {"arrow": {"size": 3}}}, "random_constraints", "Unknown member"),
        ({"random_constraints": {"arrow": {"coverage": 1}}}, "random_constraints", "Unknown"),
        ({"random_constraints": {"white": {"largest": 3}}}, "random_constraints", "Unknown member"),
        ({"random_constraints": {"killer": {"count": "x"}}}, "random_constraints", "a range"),
        ({"random_constraints": {"killer": {"count": 0}}}, "random_constraints", "1 or more"),
        ({"random_constraints": {"killer": {"largest": 10}}}, "random_constraints", "from 2 to 9"),
        ({"random_constraints": {"killer": {"coverage": 2}}}, "random_constraints", "from 0 to 1"),
        ({"random_constraints": {"killer": {"minimal": 1}}}, "random_constraints", "true or false"),
        ({"random_constraints": {"thermo": {}}, "level": "hard"}, "level", "Thermometer"),
        ({"random_constraints": {"killer": {}}, "rating": "7.."}, "rating", "a 9×9 board without"),
    ],
)
def test_the_error_for_an_invalid_request_names_the_field_and_the_expected_value(
    fields: dict[str, object], field: str, detail: str
) -> None:
    request = read_request(fields)
    assert isinstance(request, InvalidRequest)
    assert request.field == field
    assert detail in request.detail


@pytest.mark.parametrize(
    ("fields", "shape"),
    [
        ({"box": "2x3"}, (6, 6)),
        ({"box": [2, 4]}, (8, 8)),
        ({"size": 5}, (5, 5)),
        ({"variant": "diagonal"}, (9, 9)),
        ({"regions": "aabbaabbccddccdd"}, (4, 4)),
        ({"regions": ["abbb", "aabc", "adcc", "dddc"]}, (4, 4)),
        ({"shape": "4x6", "size": 6}, (4, 6)),
    ],
)
def test_the_fields_of_the_board_imply_its_shape(
    fields: dict[str, object], shape: tuple[int, int]
) -> None:
    request = read_request(fields)
    assert isinstance(request, GenerationRequest), request
    layout = request.parts[0].layout
    assert (layout.rows, layout.columns) == shape
