"""The canonical form is the same for all equivalent grids, and the smallest of them.

Invalid arguments raise an error.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_minlex import LINES, least_form
from numpy.typing import NDArray

from solver.canonical.minlex import minlex

# The well-known grid with the most symmetries, which is already in canonical form.
MOST_CANONICAL = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
PUZZLES = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
    "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.",
)
FULL = (
    MOST_CANONICAL,
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
    "584137269239684157167592843396751428845923671721846935952478316673219584418365792",
)


def cells(text: str) -> NDArray[np.uint8]:
    return np.array([int(cell) if cell.isdigit() else 0 for cell in text], np.uint8)


def moved(grid: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a grid after a random symmetry transformation."""
    rows, columns = LINES[rng.integers(0, len(LINES), 2)]
    names = np.array([0, *rng.permutation(range(1, 10))], np.uint8)
    square = grid.reshape(9, 9)
    square = square.T if rng.integers(2) else square
    made: NDArray[np.uint8] = names[square[rows][:, columns]].reshape(81)
    return made


def some_puzzle(rng: np.random.Generator, *, blanks: int) -> NDArray[np.uint8]:
    grid = moved(cells(FULL[rng.integers(len(FULL))]), rng)
    grid[rng.permutation(81)[:blanks]] = 0
    return grid


@settings(deadline=None)
@given(seed=st.integers(0, 2**32), blanks=st.integers(0, 81))
def test_grids_that_are_equal_up_to_symmetry_have_the_same_form(seed: int, blanks: int) -> None:
    rng = np.random.default_rng(seed)
    grid = some_puzzle(rng, blanks=blanks)
    one, other = minlex(np.stack([grid, moved(grid, rng)]))
    assert one.tolist() == other.tolist()
    assert minlex(one[None])[0].tolist() == one.tolist()


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32), blanks=st.integers(0, 64))
def test_form_agrees_with_the_naive_search(seed: int, blanks: int) -> None:
    grid = some_puzzle(np.random.default_rng(seed), blanks=blanks)
    assert minlex(grid[None])[0].tolist() == least_form(grid.astype(np.int64)).tolist()


@pytest.mark.parametrize("text", [*PUZZLES, *FULL])
def test_forms_of_known_puzzles_agree_with_the_naive_search(text: str) -> None:
    grid = cells(text)
    assert minlex(grid[None])[0].tolist() == least_form(grid.astype(np.int64)).tolist()


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("." * 81, "." * 81),
        ("." * 40 + "7" + "." * 40, "." * 80 + "1"),
        ("." * 9 + "987654321" + "." * 63, "." * 72 + "123456789"),
        ("1" + "." * 79 + "1", "." * 53 + "1" + "." * 23 + "1" + "." * 3),
    ],
)
def test_form_of_a_puzzle_with_few_givens_begins_with_empty_cells(text: str, form: str) -> None:
    assert minlex(cells(text)[None])[0].tolist() == cells(form).tolist()


def test_most_symmetric_grid_is_its_own_form() -> None:
    grid = cells(MOST_CANONICAL)
    assert minlex(grid[None])[0].tolist() == grid.tolist()


def test_different_grids_have_different_forms() -> None:
    """Exchanging the values of two cells gives a grid that is not equivalent."""
    grid = cells(MOST_CANONICAL)
    other = grid.copy()
    other[[0, 80]] = other[[80, 0]]
    assert (minlex(np.stack([grid, other]))[0] != minlex(other[None])[0]).any()


def test_empty_array_has_no_forms() -> None:
    assert minlex(np.zeros((0, 81), np.uint8)).shape == (0, 81)


@pytest.mark.parametrize("wrong", [np.zeros((1, 16), np.uint8), np.full((1, 81), 10, np.uint8)])
def test_invalid_grids_raise_an_error(wrong: NDArray[np.uint8]) -> None:
    with pytest.raises(ValueError, match="grids must"):
        minlex(wrong)


def test_grids_may_have_rows_and_any_integers() -> None:
    grids = cells(FULL[1]).astype(np.int64)[None]
    assert (minlex(grids.reshape(1, 9, 9)) == minlex(grids)).all()


def test_text_and_other_types_are_refused_with_the_shape_that_is_expected() -> None:
    with pytest.raises(TypeError, match=r"integers in the shape \(n, 81\).*sudokuq.parse"):
        minlex("53..7....6..195....98....6.8")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not float64"):
        minlex(np.zeros((1, 81)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"or \(n, 9, 9\), not \(9, 9\)"):
        minlex(np.zeros((9, 9), np.uint8))
