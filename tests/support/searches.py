"""Helpers that run the general engine's two searches on one puzzle, from start to end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engines.general.backtracking import search as backtracking
from solver.engines.general.clause_learning import search as clause_learning
from solver.engines.general.limits import Limits, Results

GO_ON = np.zeros(1, np.uint8)
_MANY = 10**6  # more guesses and conflicts than any of these puzzles needs


def learn(domains: NDArray[np.uint64], problem: Any, limit: int) -> Any:
    """Run the clause-learning search for up to `limit` solutions.

    Returns (search outcome, number of solutions, guesses, listed solutions).
    """
    search_state = clause_learning.initial_state(problem, len(domains))
    limits = Limits(limit, limit, _MANY, _MANY)
    search_outcome, _, listed = clause_learning.search(
        search_state, domains, problem, limits, GO_ON
    )
    progress = search_state.progress[0]
    return search_outcome, progress["solutions"], progress["steps"], listed


def backtrack(
    domains: NDArray[np.uint64],
    tables: Any,
    limit: int,
    *,
    steps: int = _MANY,
    conflicts: int = _MANY,
) -> Any:
    """Run the backtracking search on one puzzle for up to `limit` solutions.

    `steps` and `conflicts` limit its guesses and conflicts.
    Returns (search outcome, number of solutions, guesses, listed solutions).
    """
    results = Results.zeros(1, len(domains))
    limits = Limits(limit, limit, steps, conflicts)
    _, search_state = backtracking.search_many(
        domains[None], tables, backtracking.initial_state(len(domains)), limits, GO_ON, results
    )
    return results.search_outcomes[0], results.counts[0], results.steps[0], search_state.listed
