"""Helpers that run the general engine's two searches from start to end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engines.general.backtracking import search as plain
from solver.engines.general.clause_learning import search as learning

GO_ON = np.zeros(1, np.uint8)


def learn(domains: NDArray[np.uint64], problem: Any, *bounds: int) -> Any:
    """Run the clause-learning search.

    Returns (search outcome, number of solutions, guesses, listed solutions).
    """
    search_state = learning.initial_state(problem, len(domains))
    verdict, _, listed = learning.search(search_state, domains, problem, *bounds, GO_ON)
    progress = search_state.progress[0]
    return verdict, progress["solutions"], progress["steps"], listed


def search_one_plainly(domains: NDArray[np.uint64], tables: Any, *bounds: int) -> Any:
    """Run the backtracking search on one puzzle, up to the limits in `bounds`.

    Returns (search outcome, number of solutions, guesses, listed solutions).
    """
    verdicts, counts, guesses = np.zeros(1, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int64)
    solutions = np.zeros((1, len(domains)), np.uint8)
    _, search_state = plain.search_many(
        domains[None], tables, plain.initial_state(len(domains)), *bounds, GO_ON,
        verdicts, solutions, counts, guesses,
    )  # fmt: skip
    return verdicts[0], counts[0], guesses[0], search_state.listed
