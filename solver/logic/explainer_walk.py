"""Deduction after deduction in Sudoku Explainer's order, and the ratings that follow from them."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import compiled
from solver.engines.engine import ABANDON, StopFlag
from solver.logic.board import Ints
from solver.logic.explainer.ladder import MEMORY, apply, find, rate
from solver.logic.explainer.state import fill
from solver.logic.record import new_buffer, written
from solver.logic.rows import BASE, COVER, RATING

_HOUSES = 27


def walk_as_explainer(givens: NDArray[np.uint8], *, stop: StopFlag) -> Iterator[Ints]:
    """Yield the rows of each deduction in Sudoku Explainer's order; of a classic 9×9 puzzle."""
    memory, buffer = _new_memory(), new_buffer()
    _begin(memory, givens)
    while (memory.state.values == 0).any() and stop[0] != ABANDON:
        rating = _find(memory, buffer)
        if not rating:
            return
        rows = written(buffer).copy()
        _number_houses(rows)
        yield np.concatenate([rows, np.array([RATING, round(rating * 10), 0], np.int32)])
        _apply(memory, buffer)


def rate_as_explainer(givens: NDArray[np.uint8], *, stop: StopFlag) -> list[list[int]]:
    """Return ER, EP and ED of classic 9×9 puzzles (n, 81) in tenths; fewer where `stop` was set."""
    ratings = np.zeros((len(givens), 3), np.int32)
    done = rate(givens, _new_memory(), new_buffer(), stop, ratings)
    return ratings[:done].tolist()  # type: ignore[no-any-return]


def _new_memory() -> Any:
    return np.zeros(1, MEMORY).view(np.recarray)[0]


def _number_houses(rows: Ints) -> None:
    """Give houses the numbers that layouts give them; Sudoku Explainer begins with boxes."""
    table = rows.reshape(-1, 3)
    is_house = np.isin(table[:, 0], (BASE, COVER))
    table[is_house, 1] = (table[is_house, 1] + 18) % _HOUSES


@compiled
def _begin(memory: Any, givens: Any) -> None:
    fill(memory.state, givens)


@compiled
def _find(memory: Any, buffer: Any) -> float:
    return find(memory, buffer)  # type: ignore[no-any-return]


@compiled
def _apply(memory: Any, buffer: Any) -> bool:
    return apply(memory.state, buffer)  # type: ignore[no-any-return]
