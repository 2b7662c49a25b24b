"""With `distinct`, no two puzzles are equivalent up to symmetry, and they stay repeatable."""

from typing import Any

import numpy as np
import pytest

from solver import generate
from solver.canonical.small_boards import least_variant
from solver.generation.distinct import Seen
from solver.generation.generator import Generator
from solver.generation.request import GenerationRequest, InvalidRequest, read_request

# There are 13 classes of minimal 4×4 puzzles with 4 givens, 22 with 5, and 1 with 6.
CLASSES = 36
SMALL: dict[str, Any] = {"box": "2x2", "distinct": True, "tries": 500, "seed": 2}


def puzzles(count: int, **fields: Any) -> list[str]:
    """Return the puzzles of a request, "" for those that could not be made."""
    made = generate(**{"count": count, **fields})
    return ["" if each.puzzle is None else str(each.puzzle) for each in made]


def grid(puzzle: str) -> np.ndarray:
    size = {16: 4, 36: 6, 64: 8}[len(puzzle)]
    values = [0 if sign == "." else int(sign) for sign in puzzle]
    return np.array(values, np.uint8).reshape(size, size)


def form(cells: np.ndarray, box: tuple[int, int]) -> bytes:
    return least_variant(cells.tobytes(), box)


def shuffled_lines(size: int, band: int, random: np.random.Generator) -> np.ndarray:
    bands = random.permutation(size // band)
    return np.concatenate([start * band + random.permutation(band) for start in bands])


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (2, 4)])
def test_equivalent_puzzles_have_the_same_form(box: tuple[int, int]) -> None:
    rows, columns = box
    size = rows * columns
    random = np.random.default_rng(5)
    made = puzzles(5, box=f"{rows}x{columns}")
    for cells in map(grid, made):
        moved = cells[shuffled_lines(size, rows, random)]
        moved = moved[:, shuffled_lines(size, columns, random)]
        if rows == columns:
            moved = moved.T
        values = np.append(0, 1 + random.permutation(size)).astype(np.uint8)
        assert form(np.ascontiguousarray(values[moved]), box) == form(cells, box)
    assert len({form(cells, box) for cells in map(grid, made)}) > 1


def test_each_class_of_small_puzzles_is_made_once_and_then_generation_ends() -> None:
    *made, last = generate(**SMALL, count=CLASSES + 1)
    forms = {form(grid(str(each.puzzle)), (2, 2)) for each in made}
    assert len(forms) == CLASSES
    assert last.puzzle is None
    assert last.rejected == {"distinct": 500}


def test_puzzles_are_the_same_in_parts_and_after_a_restart() -> None:
    request = read_request(SMALL | {"count": 20})
    assert isinstance(request, GenerationRequest)
    (part,) = request.parts
    digests: list[tuple[int, int]] = []
    made = []
    for first in range(1, 21, 5):
        for _ in range(2):  # The second time repeats the work of a process that died.
            seen = Seen()
            for number, digest in digests:
                seen.add(digest, number=number)
            results = [*Generator(part, range(first, first + 5), seed=2, seen=seen)]
        made += results
        digests += [(each.number, each.digest) for each in results if each.digest is not None]
    expected = [*generate(**SMALL, count=20)]
    assert [each.attempts for each in made] == [each.attempts for each in expected]
    assert [None if each.givens is None else tuple(each.givens.tolist()) for each in made] == [
        None if each.puzzle is None else each.puzzle.givens for each in expected
    ]


def test_listed_puzzles_are_avoided() -> None:
    listed = puzzles(10, **SMALL)
    others = puzzles(10, **SMALL, distinct_from=listed)
    forms = {form(grid(puzzle), (2, 2)) for puzzle in listed + others if puzzle}
    assert len(forms) == 20


def test_a_listed_puzzle_that_breaks_the_rules_makes_no_difference() -> None:
    assert puzzles(3, **SMALL, distinct_from=["11.............."]) == puzzles(3, **SMALL)


def test_classic_puzzles_are_practically_always_distinct() -> None:
    assert puzzles(200, distinct=True) == puzzles(200)


def test_the_parts_of_a_plan_are_distinct_from_each_other() -> None:
    plan = [{"count": 6, "box": "2x2"}, {"count": 6, "box": "2x2", "givens": "5"}]
    made = puzzles(1, plan=plan, distinct=True)
    assert len({form(grid(puzzle), (2, 2)) for puzzle in made}) == 12


@pytest.mark.parametrize(
    ("fields", "field", "detail"),
    [
        ({"distinct": 1}, "distinct", "'distinct' must be true or false, not 1"),
        ({"distinct": False, "distinct_from": []}, "distinct", "requires that 'distinct' is true"),
        ({"variant": "diagonal"}, "distinct", "boards without extra rules"),
        ({"regions": "random"}, "distinct", "boards without extra rules"),
        ({"box": "3x4"}, "distinct", "boards without extra rules"),
        ({"count": 2_000_000}, "count", "with 'distinct', the limit is 1,000,000"),
        ({"distinct_from": "1..."}, "distinct_from", "must be a list of puzzles as text"),
        ({"distinct_from": ["12"]}, "distinct_from", "puzzle 1 of 'distinct_from' isn't"),
    ],
)
def test_invalid_requests_are_reported(fields: dict[str, Any], field: str, detail: str) -> None:
    read = read_request({"distinct": True, **fields})
    assert isinstance(read, InvalidRequest)
    assert read.field == field
    assert detail in read.detail
