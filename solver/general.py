"""The general engine: boards of any size up to 64 values, with any houses and constraints."""

from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import checks
from solver import general_kernel as kernel
from solver.automaton import Automaton
from solver.engine import FINISH, GO_ON, StopFlag
from solver.layout import Layout, Regular
from solver.learning import search as learning
from solver.learning.tables import padded, peers_of, problem_of
from solver.result import Batch, Outcome

_PATIENCE = 25  # dead ends since the last solution before learning begins anew


class GeneralEngine:
    """Plain search first, for it is fast where little guessing is needed; then learning.

    What says more than that cells differ, or how two of them are related, goes to learning
    at once: plain search does not know it.
    """

    name = "general"

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return True: there is no layout it cannot solve."""
        del candidates
        return layout.size <= 64

    def warm_up(self) -> None:
        """Compile both searches, or load them from Numba's cache."""
        stop = np.full(1, GO_ON, np.uint8)
        plain = Layout.boxed(2, 2)
        anything = Automaton((np.array([[0, value, 1] for value in range(4)], np.int32),), 2)
        for layout in (plain, Layout(4, (2, 2), plain.houses, regulars=(Regular((0,), anything),))):
            givens = np.zeros((1, layout.cells), np.uint8)
            for limit in (2, 3):
                self.solve_many(layout, givens, limit=limit, step_limit=100, stop=stop)

    def have_conflicts(self, layout: Layout, givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which puzzles (n, cells) conflict."""
        return checks.have_conflicts(layout, givens)

    def are_solutions(
        self, layout: Layout, givens: NDArray[np.uint8], grids: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        """Return which grids (n, cells) solve the puzzles (n, cells)."""
        return checks.are_solutions(layout, givens, grids)

    def solve_many(
        self,
        layout: Layout,
        givens: NDArray[np.uint8],
        *,
        limit: int,
        step_limit: int,
        stop: StopFlag,
        candidates: NDArray[np.uint64] | None = None,
    ) -> Batch:
        """Solve puzzles as `solver.engine.Engine` says."""
        domains = _domains(layout, givens, candidates)
        count = len(domains)
        verdicts = np.full(count, kernel.TOO_HARD, np.uint8)
        solutions = np.zeros((count, layout.cells), np.uint8)
        counts = np.zeros(count, np.int64)
        steps = np.zeros(count, np.int64)
        listed: list[NDArray[np.uint8]] | None = None if limit <= 2 else []
        plain = not (layout.sums or layout.regulars or layout.absent)
        done = count
        if plain and listed is None:
            done = kernel.search_many(
                domains, _tables(layout), limit, step_limit, _PATIENCE, stop,
                verdicts, solutions, counts, steps,
            )  # fmt: skip
        for row in range(done):
            if verdicts[row] != kernel.TOO_HARD:
                continue
            if row > 0 and stop[0] == FINISH:
                done = row
                break
            verdict, counts[row], steps[row], found = _search(
                layout, domains[row], plain=plain and listed is not None, steps=int(steps[row]),
                limit=limit, step_limit=step_limit, stop=stop,
            )  # fmt: skip
            if verdict == learning.STOPPED:
                done = row
                break
            verdicts[row] = verdict
            if listed is not None:
                listed.append(found[: counts[row]].copy())
            if counts[row]:
                solutions[row] = found[0]
        return Batch(
            outcomes=_outcomes(verdicts[:done], counts[:done]),
            solutions=solutions[:done],
            counts=counts[:done],
            steps=steps[:done],
            listed=None if listed is None else tuple(listed),
        )


def _search(
    layout: Layout,
    domains: NDArray[np.uint64],
    *,
    plain: bool,
    steps: int,
    limit: int,
    step_limit: int,
    stop: StopFlag,
) -> tuple[int, int, int, NDArray[np.uint8]]:
    """Return (verdict, solutions found, all guesses, solutions) of one puzzle."""
    kept = 1 if limit <= 2 else limit
    if plain:
        verdict, count, steps, found = kernel.search(
            domains, _tables(layout), limit, step_limit, _PATIENCE, kept, stop
        )
        if verdict != kernel.TOO_HARD:
            return verdict, count, steps, found
    verdict, count, more, found = learning.search(
        domains, problem_of(layout), limit, step_limit - steps, kept, stop
    )
    return verdict, count, steps + more, found


def _domains(
    layout: Layout, givens: NDArray[np.uint8], candidates: NDArray[np.uint64] | None
) -> NDArray[np.uint64]:
    """Return the values left to each cell (n, cells), as bits, bit 0 for the first value."""
    domains = np.full(layout.cells, (1 << layout.size) - 1, np.uint64)
    for domain in layout.domains:
        domains[domain.cell] &= np.uint64(domain.allowed)
    domains[list(layout.absent)] = 0
    shifts = np.maximum(givens, 1).astype(np.uint64) - np.uint64(1)
    given = np.where(givens > 0, np.uint64(1) << shifts, ~np.uint64(0))
    return domains & given if candidates is None else domains & given & candidates


def _outcomes(verdicts: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    by_count = np.array([Outcome.UNSOLVABLE, Outcome.SOLVED, Outcome.MULTIPLE], np.uint8)
    stopped = verdicts == kernel.STEP_LIMIT_REACHED
    return np.where(stopped, np.uint8(Outcome.STEP_LIMIT), by_count[np.minimum(counts, 2)])


@lru_cache(maxsize=32)
def _tables(layout: Layout) -> tuple[Any, ...]:
    """Return the layout as plain search wants it; rows of unequal length are closed by −1.

    house_cells     (houses, size)             the cells of each full house
    cell_houses     (cells, most)              the full houses of each cell
    peers           (cells, most)              the peers of each cell
    overlaps        (pairs, 3, size)           cells of two houses: shared, first's, second's
    house_overlaps  (houses, most)             the pairs that a house is in
    full            uint64                     all candidates
    relations       (n, 3)                     first cell, second cell, table
    allowed         (tables, size)             bits allowed in the second cell, by the first's
    """
    houses = [house for house in layout.houses if len(house.cells) == layout.size]
    cells_of = [set(house.cells) for house in houses]
    houses_of: list[list[int]] = [[] for _ in range(layout.cells)]
    for number, house in enumerate(houses):
        for cell in house.cells:
            houses_of[cell].append(number)
    overlaps: list[list[list[int]]] = []
    pairs_of: list[list[int]] = [[] for _ in houses]
    for first, second in combinations(range(len(houses)), 2):
        shared = cells_of[first] & cells_of[second]
        if 1 < len(shared) < layout.size:
            pairs_of[first].append(len(overlaps))
            pairs_of[second].append(len(overlaps))
            rests = [sorted(cells_of[house] - shared) for house in (first, second)]
            overlaps.append([sorted(shared), *rests])
    tables = {allowed: n for n, allowed in enumerate({r.allowed: 0 for r in layout.relations})}
    relations = [(r.first, r.second, tables[r.allowed]) for r in layout.relations]
    return (
        np.array([house.cells for house in houses], np.int64).reshape(-1, layout.size),
        padded(houses_of),
        padded(peers_of(layout)),
        np.stack([padded(rows, width=layout.size) for rows in overlaps])
        if overlaps
        else np.zeros((0, 3, layout.size), np.int64),
        padded(pairs_of),
        np.uint64((1 << layout.size) - 1),
        np.array(relations, np.int64).reshape(-1, 3),
        np.array(list(tables), np.uint64).reshape(-1, layout.size),
    )
