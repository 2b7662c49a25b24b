"""The general engine: boards of any size up to 64 values, with any houses."""

from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import checks
from solver import general_kernel as kernel
from solver.engine import GO_ON, StopFlag
from solver.implied import implied_sums
from solver.layout import Layout
from solver.result import Batch, Outcome

# Beyond, the sets of values that fill a cage are too many to list.
_MOST_VALUES_IN_SETS = 12


class GeneralEngine:
    """Candidate masks, singles, locked candidates, smallest domain first; see the kernel."""

    name = "general"

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return True: there is no layout it cannot solve."""
        del candidates
        return layout.size <= 64

    def warm_up(self) -> None:
        """Compile the kernel, or load it from Numba's cache."""
        layout = Layout.boxed(2, 2)
        givens, stop = np.zeros((1, layout.cells), np.uint8), np.full(1, GO_ON, np.uint8)
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
        givens = np.ascontiguousarray(givens, np.uint8)
        if candidates is None:
            candidates = np.zeros((0, layout.cells), np.uint64)
        candidates = np.ascontiguousarray(candidates)
        count = len(givens)
        verdicts = np.zeros(count, np.uint8)
        solutions = np.zeros((count, layout.cells), np.uint8)
        counts = np.zeros(count, np.int64)
        steps = np.zeros(count, np.int64)
        listed: list[NDArray[np.uint8]] | None = None
        if limit <= 2:
            done = kernel.search_many(
                givens, candidates, _tables(layout), limit, step_limit, stop,
                verdicts, solutions, counts, steps,
            )  # fmt: skip
        else:
            listed, done = [], 0
            while done < count and (done == 0 or stop[0] == GO_ON):
                verdict, counts[done], steps[done], found = kernel.search(
                    givens[done], candidates[done : done + 1], _tables(layout),
                    limit, step_limit, limit, stop,
                )  # fmt: skip
                if verdict == kernel.STOPPED:
                    break
                verdicts[done] = verdict
                listed.append(found[: counts[done]].copy())
                if counts[done]:
                    solutions[done] = found[0]
                done += 1
        return Batch(
            outcomes=_outcomes(verdicts[:done], counts[:done]),
            solutions=solutions[:done],
            counts=counts[:done],
            steps=steps[:done],
            listed=None if listed is None else tuple(listed),
        )


def _outcomes(verdicts: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    by_count = np.array([Outcome.UNSOLVABLE, Outcome.SOLVED, Outcome.MULTIPLE], np.uint8)
    stopped = verdicts == kernel.STEP_LIMIT_REACHED
    return np.where(stopped, np.uint8(Outcome.STEP_LIMIT), by_count[np.minimum(counts, 2)])


@lru_cache(maxsize=256)
def _tables(layout: Layout) -> tuple[Any, ...]:
    """Return the layout as the kernel wants it; rows of unequal length are closed by −1.

    house_cells     (houses, size)             the cells of each house
    cell_houses     (cells, most)              the houses of each cell
    peers           (cells, most)              the peers of each cell
    overlaps        (pairs, 3, size)           cells of two houses: shared, first's, second's
    house_overlaps  (houses, most)             the pairs that a house is in
    full            uint64                     all candidates
    domains         (cells,) uint64            the candidates of each cell
    rules           seven arrays               relations and sums, see `_rules`
    """
    cells_of = [set(house.cells) for house in layout.houses]
    houses_of: list[list[int]] = [[] for _ in range(layout.cells)]
    for number, house in enumerate(layout.houses):
        for cell in house.cells:
            houses_of[cell].append(number)
    peers = [
        sorted(set().union(*(cells_of[house] for house in houses)) - {cell})
        for cell, houses in enumerate(houses_of)
    ]
    for links in layout.links:
        for one, other in links.pairs:
            peers[one] = sorted({*peers[one], other})
            peers[other] = sorted({*peers[other], one})
    overlaps: list[list[list[int]]] = []
    pairs_of: list[list[int]] = [[] for _ in layout.houses]
    for first, second in combinations(range(len(layout.houses)), 2):
        shared = cells_of[first] & cells_of[second]
        if 1 < len(shared) < layout.size:
            pairs_of[first].append(len(overlaps))
            pairs_of[second].append(len(overlaps))
            rests = [sorted(cells_of[house] - shared) for house in (first, second)]
            overlaps.append([sorted(shared), *rests])
    return (
        np.array([house.cells for house in layout.houses], np.int64),
        _padded(houses_of),
        _padded(peers),
        np.stack([_padded(rows, width=layout.size) for rows in overlaps])
        if overlaps
        else np.zeros((0, 3, layout.size), np.int64),
        _padded(pairs_of),
        np.uint64((1 << layout.size) - 1),
        _domains(layout),
        _rules(layout),
    )


def _domains(layout: Layout) -> NDArray[np.uint64]:
    domains = np.full(layout.cells, (1 << layout.size) - 1, np.uint64)
    for domain in layout.domains:
        domains[domain.cell] &= np.uint64(domain.allowed)
    return domains


def _rules(layout: Layout) -> tuple[Any, ...]:
    """Return relations and sums as the kernel's `_follow_rules` wants them."""
    tables = {allowed: n for n, allowed in enumerate({r.allowed: 0 for r in layout.relations})}
    relations = [(r.first, r.second, tables[r.allowed]) for r in layout.relations]
    sums = (*layout.sums, *implied_sums(layout))
    ranges: list[tuple[int, int]] = []
    sets: list[int] = []
    for one in sums:
        start = len(sets)
        if one.distinct and layout.size <= _MOST_VALUES_IN_SETS:
            values = range(1, layout.size + 1)
            chosen = combinations(values, len(one.cells))
            sets += [sum(1 << v - 1 for v in c) for c in chosen if sum(c) == one.target]
            if len(sets) == start:
                sets.append(0)  # no set at all fits: nor does any value
        ranges.append((start, len(sets)))
    width = max((len(one.cells) for one in sums), default=1)
    return (
        np.array(relations, np.int64).reshape(-1, 3),
        np.array(list(tables), np.uint64).reshape(-1, layout.size),
        _padded([list(one.cells) for one in sums], width=width),
        _padded([list(one.factors) for one in sums], width=width),
        np.array([one.target for one in sums], np.int64),
        np.array(ranges, np.int64).reshape(-1, 2),
        np.array(sets, np.uint64),
    )


def _padded(rows: list[list[int]], *, width: int | None = None) -> NDArray[np.int64]:
    width = max(1, *map(len, rows)) if width is None else width
    return np.array([row + [-1] * (width - len(row)) for row in rows], np.int64).reshape(-1, width)
