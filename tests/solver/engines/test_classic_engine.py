import logging
import operator
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy_checks as checks
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import count, solutions
from numba import njit
from numpy.typing import NDArray
from paths import DATA, ROOT

from solver import Batch, Layout, Outcome, Puzzle, parse, solving
from solver.compiling.vector import lane_count, load, load_lane, nonzero, store, store_lane, vectors
from solver.engines.classic import engine as classic
from solver.engines.engine import SolveRequest
from solver.engines.general.engine import GeneralEngine

LAYOUT = Layout.boxed(3, 3)
CLASSIC, GENERAL = classic.ClassicEngine(), GeneralEngine()
Grids = NDArray[np.uint8]


def grids(*texts: str) -> Grids:
    return np.array([[0 if c == "." else int(c) for c in text] for text in texts], np.uint8)


def answer(
    givens: Grids, *, limit: int = 2, engine: Any = CLASSIC, step_limit: int = 10**6
) -> Batch:
    request = SolveRequest(layout=LAYOUT, givens=givens, limit=limit, step_limit=step_limit)
    found: Batch = engine.solve_many(request)
    return found


def golden() -> list[list[str]]:
    lines = (DATA / "golden.txt").read_text().splitlines()
    return [[*line.split(":"), ""][:3] for line in lines if len(line.split(":")[0]) == 81]


def random_puzzle(random: Any, *, clues: int) -> Grids:
    """Return a puzzle (1, 81) with the clues of a random solved grid, sometimes with a wrong one.

    In three of ten puzzles, a random cell gets a random clue.
    """
    labels = random.sample(range(1, 10), 9)
    rows, columns = (
        [
            3 * band + row
            for band in random.sample(range(3), 3)
            for row in random.sample(range(3), 3)
        ]
        for _ in range(2)
    )
    cells = [labels[(3 * (row % 3) + row // 3 + column) % 9] for row in rows for column in columns]
    kept = random.sample(range(81), clues)
    puzzle = np.zeros((1, 81), np.uint8)
    puzzle[0, kept] = np.array(cells, np.uint8)[kept]
    if random.random() < 0.3:
        puzzle[0, random.randrange(81)] = random.randrange(1, 10)
    return puzzle


@pytest.mark.parametrize("engine", [CLASSIC, GENERAL], ids=["classic", "general"])
@pytest.mark.parametrize(("puzzle", "number", "solution"), golden())
def test_engines_agree_with_golden_file(
    engine: Any, puzzle: str, number: str, solution: str
) -> None:
    batch = answer(grids(puzzle), limit=1000, engine=engine)
    assert batch.counts.tolist() == [int(number)]
    if solution:
        assert "".join(map(str, batch.solutions[0])) == solution


@given(st.randoms(use_true_random=False), st.integers(26, 40))
@settings(max_examples=60, deadline=None)
def test_solutions_are_those_of_the_naive_solver(random: Any, clues: int) -> None:
    givens = random_puzzle(random, clues=clues)
    if checks.have_conflicts(LAYOUT, givens)[0]:
        return
    cells = givens[0].tolist()
    listed = answer(givens, limit=50).listed
    assert listed is not None
    number = count(cells, (3, 3), limit=51)
    assert len(listed[0]) == min(number, 50)
    if number <= 50:
        expected = {tuple(solution) for solution in solutions(cells, (3, 3))}
        assert {tuple(solution) for solution in listed[0].tolist()} == expected


@given(st.randoms(use_true_random=False), st.integers(17, 30))
@settings(max_examples=60, deadline=None)
def test_solution_count_is_invariant_under_symmetries(random: Any, clues: int) -> None:
    givens = random_puzzle(random, clues=clues)
    if checks.have_conflicts(LAYOUT, givens)[0]:
        return
    labels = np.array([0, *random.sample(range(1, 10), 9)], np.uint8)
    rows, columns = (
        [
            3 * band + row
            for band in random.sample(range(3), 3)
            for row in random.sample(range(3), 3)
        ]
        for _ in range(2)
    )
    board = labels[givens.reshape(9, 9)][rows][:, columns]
    changed = np.stack([board.reshape(81), board.T.reshape(81)])
    both = answer(changed, limit=30)
    assert both.counts.tolist() == [answer(givens, limit=30).counts[0]] * 2


def test_results_do_not_depend_on_order_repetition_or_batch_size() -> None:
    random = np.random.default_rng(1)
    givens = np.concatenate([grids(*(fields[0] for fields in golden()))] * 4)
    for limit in (2, 20):
        whole = answer(givens, limit=limit)
        order = random.permutation(len(givens))
        shuffled = answer(givens[order], limit=limit)
        pieces = [answer(givens[i : i + 7], limit=limit) for i in range(0, len(givens), 7)]
        for name in ("outcomes", "solutions", "counts", "steps"):
            rows = getattr(whole, name)
            assert (getattr(shuffled, name) == rows[order]).all()
            assert (np.concatenate([getattr(piece, name) for piece in pieces]) == rows).all()
        if whole.listed is not None and shuffled.listed is not None:
            for row, place in enumerate(order):
                assert (shuffled.listed[row] == whole.listed[place]).all()


def test_full_board_with_a_repeated_value_is_not_a_solution() -> None:
    text = "2....1...........2.....3..8..91..4.6.6.4..3.14..............26..2..1........4...."
    givens = grids(text)
    assert checks.are_solutions(LAYOUT, givens, answer(givens).solutions).all()


def test_empty_grid_has_as_many_solutions_as_the_limit() -> None:
    batch = answer(np.zeros((2, 81), np.uint8), limit=5000)
    assert batch.counts.tolist() == [5000, 5000]
    assert batch.listed is not None
    assert len(np.unique(batch.listed[0], axis=0)) == 5000
    blank = np.zeros((5000, 81), np.uint8)
    assert checks.are_solutions(LAYOUT, blank, batch.listed[1]).all()


def test_step_limit_holds_for_each_puzzle_of_a_batch() -> None:
    givens = grids(*(fields[0] for fields in golden()))
    free = answer(givens, limit=1000)
    for step_limit in (0, 1, 5):
        batch = answer(givens, limit=1000, step_limit=step_limit)
        stopped = free.steps > step_limit
        assert ((batch.outcomes == Outcome.STEP_LIMIT) == stopped).all()
        assert (batch.steps == np.minimum(free.steps, step_limit)).all()
        assert (batch.counts[~stopped] == free.counts[~stopped]).all()


@pytest.mark.parametrize("number", [0, 1, 3, 4, 7, 8, 9, 31, 32, 33, 101])
def test_batches_of_any_length_are_solved(number: int) -> None:
    givens = np.repeat(grids(golden()[-1][0]), number, axis=0)
    batch = answer(givens)
    assert len(batch) == len(batch.solutions) == number


@pytest.mark.parametrize(
    "name", ["17-clue", "magictour-top1465", "forum-hardest-1106", "multiple-solutions"]
)
def test_engines_agree_on_public_sets(name: str, public_data: Path) -> None:
    found = parse((public_data / "classic" / f"{name}.txt").read_bytes())
    givens = np.array([p.givens for p in found if isinstance(p, Puzzle)], np.uint8)
    part = givens[:: max(1, len(givens) // 400)]
    ours, theirs = answer(givens), answer(part, engine=GENERAL)
    assert checks.are_solutions(LAYOUT, givens, ours.solutions).all()
    assert (ours.counts[:: max(1, len(givens) // 400)] == theirs.counts).all()


@pytest.fixture
def _broken_compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(*_: Any, **__: Any) -> Batch:
        raise RuntimeError("no such instruction")

    monkeypatch.setattr(classic, "_solve", fail)
    classic.is_ready.cache_clear()
    yield
    classic.is_ready.cache_clear()


@pytest.mark.usefixtures("_broken_compiler")
def test_general_engine_replaces_classic_engine_that_fails_to_compile(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        assert solving.engine_for(LAYOUT).name == "general"
    assert "no such instruction" in caplog.text
    assert solving.solve_many(grids(golden()[-1][0])).counts[0] == int(golden()[-1][1])


def test_only_classic_layout_is_accepted() -> None:
    assert solving.engine_for(LAYOUT).name == "classic"
    assert solving.engine_for(Layout.boxed(2, 3)).name == "general"


@pytest.mark.parametrize("lanes", [4, 32])
def test_results_are_the_same_for_every_number_of_lanes(lanes: int) -> None:
    engine = classic.ClassicEngine(lanes=lanes)
    givens = grids(*(fields[0] for fields in golden()))
    for limit, step_limit in ((1, 10**6), (2, 10**6), (50, 3)):
        ours = answer(givens, limit=limit, step_limit=step_limit, engine=engine)
        usual = answer(givens, limit=limit, step_limit=step_limit)
        for name in ("outcomes", "solutions", "counts", "steps"):
            assert (getattr(ours, name) == getattr(usual, name)).all()
        assert (ours.listed is None) == (limit <= 2)
        for mine, theirs in zip(ours.listed or (), usual.listed or (), strict=True):
            assert (mine == theirs).all()


@pytest.mark.parametrize(
    ("processor", "lanes"),
    [("x86-64-v2", 4), ("x86-64-v3", 16), ("sapphirerapids", 16), ("znver4", 32)],
)
@pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="names of such processors"
)
def test_number_of_lanes_depends_on_target_processor(processor: str, lanes: int) -> None:
    program = "from solver.compiling.processor import preferred_lanes; print(preferred_lanes())"
    chosen = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""}
    printed = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | chosen, cwd=ROOT,
        capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    assert int(printed) == lanes


@pytest.mark.parametrize("lanes", [4, 32])
@pytest.mark.parametrize(
    "operation",
    [operator.and_, operator.or_, operator.xor, operator.add, operator.sub],
)
def test_vector_operators_agree_with_operators_of_words(
    operation: Callable[[Any, Any], Any], lanes: int
) -> None:
    @njit
    def work(left: Any, right: Any, result: Any) -> Any:
        store(result, 0, operation(load(left, 0), load(right, 0)))
        store(result, 1, operation(load(left, 0), 0xF0F))
        store(result, 2, ~load(left, 0) >> 3 << 2)
        for lane in range(lane_count(left)):
            store_lane(result, 3, lane, load_lane(left, 0, lane) + lane)
        return nonzero(load(left, 0) & 1)

    random = np.random.default_rng(3)
    left, right, result = vectors(1, lanes), vectors(1, lanes), vectors(4, lanes)
    a, b = (random.integers(0, 2**32, lanes).astype(np.uint32) for _ in range(2))
    left["words"], right["words"] = a, b
    odd = work(left, right, result)
    assert (result["words"][0] == operation(a, b)).all()
    assert (result["words"][1] == operation(a, np.uint32(0xF0F))).all()
    assert (result["words"][2] == ~a >> np.uint32(3) << np.uint32(2)).all()
    assert (result["words"][3] == a + np.arange(lanes, dtype=np.uint32)).all()
    assert [odd >> lane & 1 for lane in range(lanes)] == (a & 1).tolist()


def test_puzzles_with_many_solutions_need_few_guesses() -> None:
    random = np.random.default_rng(5)
    solution = answer(np.zeros((1, 81), np.uint8), limit=1).solutions[0]
    givens = np.zeros((4_000, 81), np.uint8)
    for row in givens:
        kept = random.permutation(81)[: random.integers(17, 31)]
        labels = np.array([0, *(random.permutation(9) + 1)], np.uint8)
        row[kept] = labels[solution[kept]]
    batch = answer(givens)
    assert (batch.counts > 0).all()
    assert batch.steps.max() < 20_000
