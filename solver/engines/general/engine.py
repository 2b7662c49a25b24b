"""The general engine: boards of up to 64 values with any houses and constraints."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import unroll
from solver.board.layout import MOST_IN_A_WORD, Layout
from solver.board.primitive_constraints import Regular, Sum
from solver.board.result import Batch
from solver.engines.auxiliary_cells import narrowed, widened, with_cells_below
from solver.engines.engine import FINISH, SolveRequest
from solver.engines.general.backtracking import search as backtracking
from solver.engines.general.backtracking.tables import tables_of
from solver.engines.general.checkpoint import Suspended, suspended_in
from solver.engines.general.clause_learning import search as clause_learning
from solver.engines.general.clause_learning.tables import problem_of
from solver.engines.general.limits import Limits, Results
from solver.engines.general.reification import with_reified_disjunctions
from solver.engines.search_outcome import STOPPED, TOO_HARD, outcomes_of

# Conflicts since the last solution before clause learning takes over. Clause learning needs far
# fewer of them, but with sums and large automata each costs ten times as much, and only
# backtracking search sees locked candidates of value sets.
#
# Measured with half and double, in thousands of guesses: on the 84 public variants (203; at most
# 200 a puzzle), 241 boards of 16×16 (149), and 30 random ones of 25×25 (41).
_CONFLICT_LIMIT = 100  # 50: 202, 136, 43; 200: 204, 170, 43; time within noise
_CONFLICT_LIMIT_WITH_VALUE_SETS = 4_000  # 2,000: 201; 8,000: 207; time within noise
# 40,000: 224, in twice the time; 80,000: the same as here, but killers and little killers with more
# conflicts than that take 6 times as long, and more than 10 times.
_CONFLICT_LIMIT_IF_EXPENSIVE = 160_000
_NO_CONFLICT_LIMIT = 1 << 62  # clause learning doesn't support connected regions
# The domain of a cell by its given, 0 for none; bit 0 for the first value.
_BY_GIVEN = np.array(
    [(1 << MOST_IN_A_WORD) - 1, *(1 << k for k in range(MOST_IN_A_WORD))], np.uint64
)
# states from which an automaton counts as large; 200: 206; 800: 184, but in twice the time
_LARGE = 400


class GeneralEngine:
    """Solves boards of up to 64 values by backtracking search and clause learning.

    Backtracking search comes first, because it is fast if few guesses are needed. Clause learning
    takes over if there are too many conflicts.
    """

    name = "general"

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return whether this engine supports the size of the board and all of its constraints.

        A board may have at most 64 values. Pencil marks are supported on every layout.
        """
        del candidates
        is_known = len(layout.partitions) <= 1 and all(each.numbered for each in layout.partitions)
        return layout.size <= MOST_IN_A_WORD and is_known and not layout.sat_only

    def warm_up(self) -> None:
        """Compile both searches, or load them from Numba's cache."""
        layout = Layout.boxed(2, 2)
        automaton = unroll(
            2, numbers=range(4), start=0, follow=lambda state, *_: state, accepts=lambda _: True
        )
        assert not isinstance(automaton, str)  # noqa: S101 (for the type checker)
        total = Sum((0, 1), (1, 1), 5)
        layout = replace(layout, sums=(total,), regulars=(Regular((0, 15), automaton),))
        domains = np.full((1, layout.cells), 15, np.uint64)
        blank = np.zeros((1, layout.cells), np.uint8)
        for limit in (2, 3):
            request = SolveRequest(layout=layout, givens=blank, limit=limit, step_limit=9)
            self.solve_many(request)
        problem = problem_of(layout)
        state = clause_learning.initial_state(problem, layout.cells)
        clause_learning.search(state, domains[0], problem, Limits(2, 1, 9, 0), request.stop)

    def solve_many(self, request: SolveRequest) -> Batch:
        """Solve puzzles as described in `solver.engines.engine.Engine`.

        If only one solution of each is kept, and there is no checkpoint to resume from, one call of
        the compiled search solves many puzzles. Otherwise, they are solved one by one.
        """
        layout, candidates = request.layout, request.candidates
        board = with_cells_below(layout)
        if board is not layout:
            every = (1 << layout.size) - 1
            wide = replace(
                request,
                layout=board,
                givens=widened(request.givens, board, 0),
                candidates=None if candidates is None else widened(candidates, board, every),
            )
            return narrowed(self.solve_many(wide), layout.solution_size)
        domains = _domains(layout, request.givens, candidates)
        results = Results.zeros(len(domains), layout.cells)
        before = suspended_in(request.checkpoint)
        if not request.lists_all and before is None:
            # Only one solution of each is kept, and there is room for it, so one call does all.
            return _solve_together(request, domains, results)
        every_solution: list[NDArray[np.uint8]] = []
        listed = every_solution if request.lists_all else None
        for row in range(len(domains)):
            rows = slice(row, row + 1)
            if row > 0 and request.stop[0] == FINISH:
                return _batch(results, row, listed)
            ended = _solve_one(request, domains[rows], results.rows(rows), before)
            before = None
            if isinstance(ended, Suspended):
                return _batch(results, row, listed, ended)
            every_solution.append(ended[: results.counts[row]].copy())
        return _batch(results, len(domains), listed)


def _batch(
    results: Results,
    done: int,
    listed: Sequence[NDArray[np.uint8]] | None = None,
    suspended: Suspended | None = None,
) -> Batch:
    """Return the results of the first `done` puzzles as a batch.

    `listed` are all solutions of each of them, or None if the batch has only the first ones.
    `suspended` is the search of the next puzzle, if it was stopped.
    """
    return Batch(
        outcomes=outcomes_of(results.search_outcomes[:done], results.counts[:done]),
        solutions=results.solutions[:done],
        counts=results.counts[:done],
        steps=results.steps[:done],
        listed=None if listed is None else tuple(listed),
        checkpoint=None if suspended is None else suspended.to_checkpoint(),
    )


def _solve_together(request: SolveRequest, domains: NDArray[np.uint64], results: Results) -> Batch:
    """Solve the puzzles of a request that returns at most one solution of each.

    `domains` (n, cells) are the puzzles as bit masks, and `results` is filled in. The batch is
    shorter than the request if the request was stopped.
    """
    done = 0
    while done < len(domains):
        if done > 0 and request.stop[0] == FINISH:
            break
        rest = slice(done, None)
        newly, ended = _backtrack(request, domains[rest], results.rows(rest))
        done += newly
        if isinstance(ended, Suspended):
            return _batch(results, done, suspended=ended)
        if results.search_outcomes[done - 1] == TOO_HARD:
            last = done - 1
            learned = _learn(request, domains[last], results.rows(slice(last, done)))
            if isinstance(learned, Suspended):
                return _batch(results, last, suspended=learned)
    return _batch(results, done)


def _solve_one(
    request: SolveRequest,
    domains: NDArray[np.uint64],
    results: Results,
    before: Suspended | None,
) -> Suspended | NDArray[np.uint8]:
    """Solve one puzzle by backtracking, or by a second search if it is too hard.

    The second search is clause learning. If the puzzle's disjunctions are too large for it,
    backtracking starts again without a conflict limit. `domains` (1, cells) are the candidates as
    bits. `before` is a suspended search of this puzzle to resume, or None to begin.

    Returns the solutions as an array (rows, cells) of values from 1. Only its first
    results.counts[0] rows are solutions, and the others are unused. At most request.max_solutions
    are returned, even if more are counted. The outcome and the numbers of solutions and guesses are
    written to `results`, which has one row. If the search is stopped, returns the suspended search
    instead, and the content of `results` has no meaning.
    """
    if before is None or not before.is_second_search:
        _, ended = _backtrack(request, domains, results, before)
        if isinstance(ended, Suspended) or results.search_outcomes[0] != TOO_HARD:
            return ended
        before = None
    else:
        results.steps[0] = before.steps_before or 0
    return _learn(request, domains[0], results, before)


def _backtrack(
    request: SolveRequest,
    domains: NDArray[np.uint64],
    results: Results,
    before: Suspended | None = None,
    *,
    conflict_limit: int | None = None,
) -> tuple[int, Suspended | NDArray[np.uint8]]:
    """Run backtracking search. Return the number of finished puzzles, and how the last one ended.

    The second value is the suspended search if the search was stopped within a puzzle. Otherwise,
    it is the array of solutions of the last puzzle, with unused rows at the end. A puzzle that is
    TOO_HARD counts as finished, and ends the call. `results` is filled in. `before` is a search of
    the first puzzle to resume. Without `conflict_limit`, the usual limit of the layout applies.
    """
    layout = request.layout
    initial = backtracking.initial_state(layout.cells)
    state = initial if before is None else before.state_like(initial)
    limits = Limits(
        solutions=request.limit,
        kept=request.max_solutions,
        steps=request.step_limit,
        conflicts=_conflict_limit(layout) if conflict_limit is None else conflict_limit,
    )
    done, state = backtracking.search_many(
        domains, tables_of(layout), state, limits, request.stop, results
    )
    if done < len(domains) and state.progress["has_begun"][0]:
        return done, Suspended(state)
    return done, np.asarray(state.listed)


def _learn(
    request: SolveRequest,
    domains: NDArray[np.uint64],
    results: Results,
    before: Suspended | None = None,
) -> Suspended | NDArray[np.uint8]:
    """Solve a puzzle that was too hard for backtracking, with the second search.

    This is clause learning, and its guesses are added to those of the first search. If the puzzle's
    disjunctions are too large for it, the second search is backtracking from the start without a
    conflict limit, and only its guesses count. `results` has one row, which contains the number of
    guesses of the first search. `before` is a suspended second search to resume, or None to begin
    it. Returns the solutions, or the suspended search.
    """
    steps_before = int(results.steps[0])
    layout = request.layout
    board = with_reified_disjunctions(layout)
    if board is None:  # backtracking again, without a limit
        _, ended = _backtrack(
            request, domains[None], results, before, conflict_limit=_NO_CONFLICT_LIMIT
        )
        return replace(ended, steps_before=steps_before) if isinstance(ended, Suspended) else ended
    problem = problem_of(board)
    initial = clause_learning.initial_state(problem, board.cells)
    state = initial if before is None else before.state_like(initial)
    limits = Limits(
        solutions=request.limit,
        kept=request.max_solutions,
        steps=request.step_limit - steps_before,
        conflicts=_NO_CONFLICT_LIMIT,
    )
    search_outcome, clauses, listed = clause_learning.search(
        state, _with_more(domains, board), problem, limits, request.stop
    )
    if search_outcome == STOPPED:
        return Suspended(state._replace(clauses=clauses, listed=listed), steps_before)
    progress = state.progress[0]
    results.search_outcomes[0] = search_outcome
    results.counts[0] = progress["solutions"]
    results.steps[0] += progress["steps"]
    results.solutions[0] = listed[0, : layout.cells] if progress["solutions"] else 0
    return np.asarray(listed[:, : layout.cells])


def _with_more(domains: NDArray[np.uint64], board: Layout) -> NDArray[np.uint64]:
    """Return the domains of a layout's cells, extended by those of additional auxiliary variables.

    `board` is the layout with the additional variables, which are cells that follow the others.
    """
    if len(domains) == board.cells:
        return domains
    (every,) = _domains(board, np.zeros((1, board.cells), np.uint8), None)
    return np.concatenate([domains, every[len(domains) :]])


def _conflict_limit(layout: Layout) -> int:
    """Return how many conflicts since the last solution make a layout too hard for backtracking.

    Clause learning takes over then. It doesn't support partitions, so the number is huge for them.
    """
    if layout.partitions:
        return _NO_CONFLICT_LIMIT
    if layout.sums or layout.sandwiches:
        return _CONFLICT_LIMIT_IF_EXPENSIVE
    has_slow_automata = False
    if layout.regulars:
        automata = tables_of(layout).automata
        if automata.layers.max() >= _LARGE:
            return _CONFLICT_LIMIT_IF_EXPENSIVE
        has_slow_automata = not automata.is_narrow.all() or automata.begins.max() > 1  # closed ones
    is_slow = layout.full_ranks or layout.disjunctions or has_slow_automata
    if is_slow or (layout.combinations and not layout.regulars):
        return _CONFLICT_LIMIT_WITH_VALUE_SETS
    return _CONFLICT_LIMIT


def _domains(
    layout: Layout, givens: NDArray[np.uint8], candidates: NDArray[np.uint64] | None
) -> NDArray[np.uint64]:
    """Return the initial domains of the cells (n, cells) as bit masks, bit 0 for the first value.

    They result from the givens, the candidates, and the layout's domain constraints. Holes get 0.
    """
    every = (1 << layout.size) - 1
    domains = _BY_GIVEN.take(givens) & np.uint64(every)
    if layout.domains:
        allowed = [every] * layout.cells
        for cell, some in layout.domains:
            allowed[cell] &= some
        domains &= np.array(allowed, np.uint64)
    if layout.holes:
        domains[:, list(layout.holes)] = 0
    return domains if candidates is None else domains & candidates
