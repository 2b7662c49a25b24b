from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import count
from numpy.typing import NDArray
from numpy_checks import are_solutions, have_conflicts, is_solution
from paths import DATA

from solver import Batch, Invalid, Layout, Outcome, Puzzle, parse, solve, solve_many, solving
from solver.board.symbols import Symbols
from solver.checks.givens import find_conflict
from solver.engines.engine import ABANDON, FINISH, SolveRequest
from solver.engines.general.engine import GeneralEngine

SEVENTEEN = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
HARD = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"
TINY = "12.4...2....4..1"


def grid(text: str) -> NDArray[np.uint8]:
    return np.array([[0 if c in ".0" else int(c) for c in text]], np.uint8)


def golden() -> list[tuple[str, int, str]]:
    lines = (DATA / "golden.txt").read_text().splitlines()
    fields = [line.split(":") for line in lines if not line.startswith("#")]
    return [(f[0], int(f[1]), f[2] if len(f) > 2 else "") for f in fields]


@pytest.mark.parametrize(("puzzle", "number", "solution"), golden())
def test_engine_agrees_with_golden_file(puzzle: str, number: int, solution: str) -> None:
    result = solve(puzzle, limit=1000)
    assert result.solutions == number
    assert solution in ("", "".join(map(str, result.solution or ())))


@pytest.mark.parametrize(("puzzle", "number", "solution"), golden())
def test_naive_solver_agrees_with_golden_file(puzzle: str, number: int, solution: str) -> None:
    del solution
    found = parse(puzzle)[0]
    assert isinstance(found, Puzzle)
    if puzzle.count(".") <= 54:  # the naive solver is too slow for emptier grids
        assert count(list(found.givens), found.layout.box, limit=1000) == number


def test_reached_step_limit_is_always_reported() -> None:
    full = solve(HARD)
    assert full.outcome is Outcome.SOLVED
    for step_limit in range(0, full.steps, max(full.steps // 10, 1)):
        result = solve(HARD, step_limit=step_limit)
        assert result.outcome is Outcome.STEP_LIMIT
        assert result.steps == step_limit
        assert result.unique is None
    assert solve(HARD, step_limit=full.steps) == full


def test_step_limit_zero_is_enough_for_a_puzzle_without_guesses() -> None:
    easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    assert solve(easy, step_limit=0).outcome is Outcome.SOLVED


def test_limit_one_leaves_uniqueness_open() -> None:
    result = solve(SEVENTEEN, limit=1)
    assert (result.outcome, result.unique) == (Outcome.SOLVED, None)
    assert solve(SEVENTEEN).unique is True
    assert solve("." * 81).unique is False


@pytest.mark.parametrize("options", [{"limit": 0}, {"limit": -1}, {"step_limit": -1}])
def test_invalid_limits_raise_an_error(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="limit must be 1 or more, and step_limit 0 or more, not "):
        solve("." * 81, **options)


@pytest.mark.parametrize("layout", [Layout.boxed(2, 2), Layout.boxed(3, 3)])
def test_solutions_can_be_counted_without_a_list(layout: Layout) -> None:
    givens = np.zeros((3, layout.cells), np.uint8)
    givens[1, 0], givens[2, :2] = 1, 1
    plain = solve_many(givens, layout=layout, limit=5)
    counted = solve_many(givens, layout=layout, limit=5, listed=False)
    assert plain.listed is not None
    assert counted.listed is None
    assert counted.counts.tolist() == plain.counts.tolist() == [5, 5, 0]
    assert counted.outcomes.tolist() == plain.outcomes.tolist()
    assert counted.solutions.tolist() == plain.solutions.tolist()


def test_all_solutions_are_listed_up_to_the_limit() -> None:
    result = solve("1...............", limit=1000)
    assert result.solutions == len(set(result.listed)) == 72
    assert len(solve("." * 16, limit=100).listed) == 100


def test_conflicting_givens_are_invalid_with_their_cells() -> None:
    result = solve("55" + "." * 79)
    assert result.outcome is Outcome.INVALID
    assert result.detail == "5 twice in row 1: r1c1, r1c2"


def test_invalid_puzzles_do_not_affect_others_in_the_batch() -> None:
    good, bad = grid(SEVENTEEN), grid("55" + "." * 79)
    batch = solve_many(np.concatenate([bad, good, bad, good, bad]))
    assert batch.outcomes.tolist() == [4, 0, 4, 0, 4]
    assert (batch.solutions[1] == batch.solutions[3]).all()


@pytest.mark.parametrize("box", [(1, 1), (1, 2), (2, 2), (2, 3), (3, 2), (2, 4), (2, 5), (3, 4),
                                 (4, 4), (5, 5), (6, 6), (8, 8)])  # fmt: skip
def test_empty_boards_of_every_size_are_solved(box: tuple[int, int]) -> None:
    layout = Layout.boxed(*box)
    batch = solve_many(np.zeros((1, layout.cells), np.uint8), layout=layout, limit=1)
    assert batch.outcomes.tolist() == [Outcome.SOLVED]


@given(st.lists(st.integers(0, 6), min_size=36, max_size=36), st.sampled_from([(2, 3), (3, 2)]))
@settings(max_examples=40, deadline=None)
def test_count_equals_the_naive_count(cells: list[int], box: tuple[int, int]) -> None:
    cells = [value if index % 3 else 0 for index, value in enumerate(cells)]
    layout = Layout.boxed(*box)
    givens = np.array([cells], np.uint8)
    if have_conflicts(layout, givens)[0]:
        assert find_conflict(layout, givens[0], Symbols.usual(6)) is not None
        return
    assert find_conflict(layout, givens[0], Symbols.usual(6)) is None
    batch = solve_many(givens, layout=layout, limit=5)
    assert batch.counts[0] == count(cells, box, limit=5)


@given(st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_count_is_the_same_after_relabeling_transposing_and_permuting(random: object) -> None:
    shuffle = random.sample  # type: ignore[attr-defined]
    givens = grid(HARD).reshape(9, 9)
    labels = np.array([0, *shuffle(range(1, 10), 9)], np.uint8)
    rows = [3 * band + row for band in shuffle(range(3), 3) for row in shuffle(range(3), 3)]
    changed = labels[givens[rows]].T.copy().reshape(1, 81)
    assert solve_many(changed).outcomes.tolist() == [Outcome.SOLVED]


def test_results_do_not_depend_on_other_puzzles_in_the_batch() -> None:
    texts = [SEVENTEEN, HARD, "." * 81, SEVENTEEN[::-1]]
    alone = [solve_many(grid(text)) for text in texts]
    order = [3, 0, 2, 1, 1, 0]
    batch = solve_many(np.concatenate([grid(texts[i]) for i in order]))
    for row, i in enumerate(order):
        assert (batch.solutions[row] == alone[i].solutions[0]).all()
        assert batch.steps[row] == alone[i].steps[0]


@pytest.mark.parametrize(("flag", "done"), [(FINISH, 1), (ABANDON, 0)])
@pytest.mark.parametrize("limit", [2, 3])
def test_raised_stop_flag_shortens_the_batch(flag: int, done: int, limit: int) -> None:
    givens = np.concatenate([grid(HARD)] * 3)
    batch = solve_many(givens, limit=limit, stop=np.array([flag], np.uint8))
    assert len(batch) == done


def test_wrong_grids_are_not_solutions() -> None:
    layout, givens = Layout.boxed(3, 3), grid(SEVENTEEN)[0]
    solution = solve_many(givens[None]).solutions[0]
    assert is_solution(layout, givens, solution)
    for cell in range(81):
        wrong = solution.copy()
        wrong[cell] = wrong[cell] % 9 + 1
        assert not is_solution(layout, givens, wrong)
    swapped = np.where(solution == 1, 2, np.where(solution == 2, 1, solution)).astype(np.uint8)
    assert not is_solution(layout, givens, swapped)
    assert not are_solutions(layout, givens[None], np.zeros((1, 81), np.uint8))[0]


def test_wrong_solution_of_an_engine_fails_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    class Liar(GeneralEngine):
        def solve_many(self, request: SolveRequest) -> Batch:
            batch = super().solve_many(request)
            batch.solutions[0, 0] = 8
            return batch

    monkeypatch.setattr(solving, "ENGINES", (Liar(),))
    batch = solve_many(np.concatenate([grid(SEVENTEEN)] * 2))
    assert batch.outcomes.tolist() == [Outcome.FAILED, Outcome.SOLVED]
    assert not batch.solutions[0].any()


def test_text_with_several_puzzles_is_invalid() -> None:
    assert solve(f"{SEVENTEEN}\n{HARD}\n").outcome is Outcome.INVALID
    assert isinstance(parse("nothing")[0], Invalid)


@pytest.mark.parametrize("name", ["17-clue", "magictour-top1465", "forum-hardest-1106"])
def test_public_sets_are_solved_completely(name: str, public_data: Path) -> None:
    found = parse((public_data / "classic" / f"{name}.txt").read_bytes())
    givens = np.array([p.givens for p in found if isinstance(p, Puzzle)], np.uint8)
    batch = solve_many(givens)
    assert len(found) == len(givens) > 0
    assert (batch.outcomes == Outcome.SOLVED).all()
    assert are_solutions(Layout.boxed(3, 3), givens, batch.solutions).all()


def test_multiple_solutions_set_is_multiple(public_data: Path) -> None:
    found = parse((public_data / "classic" / "multiple-solutions.txt").read_bytes())
    givens = np.array([p.givens for p in found if isinstance(p, Puzzle)], np.uint8)
    assert (solve_many(givens).outcomes == Outcome.MULTIPLE).all()


def test_grid_with_162_solutions_has_162(public_data: Path) -> None:
    text = (public_data / "classic" / "162-solutions.txt").read_text()
    assert solve(text, limit=1000).solutions == 162


@pytest.mark.parametrize("dtype", [float, bool, object, "U1"])
def test_givens_that_are_not_integers_raise_an_error(dtype: Any) -> None:
    with pytest.raises(TypeError, match="integers such as uint8"):
        solve_many(np.zeros((1, 81)).astype(dtype))


@pytest.mark.parametrize("shape", [(81,), (1, 81), (3, 81), (2, 9, 9)])
def test_candidates_of_another_shape_than_the_givens_raise_an_error(shape: Any) -> None:
    with pytest.raises(ValueError, match=r"candidates must have the shape \(2, 81\)"):
        solve_many(np.zeros((2, 81), np.uint8), candidates=np.full(shape, 511, np.uint64))


def test_candidates_that_are_not_bits_raise_an_error() -> None:
    with pytest.raises(TypeError, match="candidates must be uint64, not int64"):
        solve_many(np.zeros((1, 81), np.uint8), candidates=np.full((1, 81), 511))


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint32, np.int64])
def test_givens_can_be_integers_of_any_width(dtype: Any) -> None:
    (puzzle,) = parse("..3" + "." * 78)
    assert isinstance(puzzle, Puzzle)
    batch = solve_many(np.array([puzzle.givens], dtype), limit=1)
    assert (batch.outcomes.item(), batch.solutions[0, 2]) == (Outcome.SOLVED, 3)


@pytest.mark.parametrize("value", [-1, 10, 256, 257, 2**40 + 1])
def test_givens_that_are_too_large_are_invalid_in_any_width(value: int) -> None:
    batch = solve_many(np.array([[value] + [0] * 80]))
    assert batch.outcomes.item() == Outcome.INVALID


@pytest.mark.parametrize("wrong", [None, 7, Path("puzzles.txt"), ["1" * 81]])
def test_parse_raises_a_type_error_for_anything_but_text(wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"not {type(wrong).__name__}"):
        parse(wrong)


def test_every_parsed_record_can_be_passed_to_solve() -> None:
    outcomes = [solve(record).outcome for record in parse("12.4...2....4..1\nxx\n")]
    assert outcomes == [Outcome.SOLVED, Outcome.INVALID]
    assert solve(b"12.4...2....4..1").outcome is Outcome.SOLVED
