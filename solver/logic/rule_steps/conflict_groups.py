"""A board as clauses in groups, one for each house and each constraint.

Each group has a variable that enables its clauses, which a SAT solver can assume. If assumptions
are unsatisfiable together, the solver returns those that it needed. All rules have clauses, so this
also covers rules without a filter.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any, cast

import numpy as np

from solver.board.layout import Layout
from solver.board.primitive_constraints import Combination, FullRank, House, Links, Part, Sum
from solver.engines.auxiliary_cells import with_cells_below
from solver.engines.sat.clauses import Clauses, TooManyLiterals
from solver.engines.sat.constraint_encoding import Candidates, add_constraint
from solver.logic.rule_steps.filters import values_in
from solver.logic.sentences.links import links_without_constraint
from solver.rules.auxiliary_cells import renumber_auxiliary
from solver.rules.rule import Constraint, sets_that

_SOLVER = "glucose4"
_MOST_CLAUSES = 150_000  # of a board
# Each full rank clue has at least this many, times the fourth power of the size.
_RANK_CLAUSES = 8
_RULE_COST, _HOUSE_COST, _OPEN_COST, _FILLED_COST = 8, 4, 2, 1

Core = list[int]  # assumptions that are unsatisfiable together with a candidate


class ConflictGroups:
    """The clauses of a board, in groups that assumptions enable.

    Each group has a variable that enables its clauses. `rules` and `houses` map these variables to
    the indices of constraints and houses, and `cells` maps them to the cells of the group.
    Candidates are passed as literals (see `literal`). Raises TooManyLiterals if the board has too
    many clauses.
    """

    def __init__(self, layout: Layout) -> None:
        from pysat.solvers import Solver  # noqa: PLC0415 (loaded where a board needs it)

        self._solver: Any = Solver(name=_SOLVER)
        self._size, self._holes = layout.size, layout.holes
        self._last = layout.cells * layout.size  # the largest literal of a candidate
        parts = parts_of(layout)
        ranks = sum(isinstance(part, FullRank) for part in chain(*parts))
        if ranks * _RANK_CLAUSES * layout.size**4 > _MOST_CLAUSES:
            raise TooManyLiterals
        board = with_cells_below(layout)
        variables = np.arange(1, board.cells * board.size + 1).reshape(board.cells, board.size)
        self._candidates = Candidates(variables, board.numbers, board.columns)
        self._variables, self._clauses = int(variables.size), 0
        covered = {part for part in chain(*parts) if isinstance(part, House | Links)}
        made = Clauses(self._variables)
        for cell in range(board.cells):
            if cell not in board.holes:
                made.one_of(self._candidates.some(cell))
                made.at_most_one(self._candidates.some(cell))
        shared: tuple[Part, ...] = (*links_without_constraint(layout), *layout.auxiliary_houses)
        for part in shared:
            add_constraint(made, part, self._candidates)
        self._add(made, ())
        self.rules = {self._group(own): index for index, own in enumerate(parts)}
        self.houses = {
            self._group((house,)): index
            for index, house in enumerate(layout.houses)
            if house not in covered
        }
        self.cells = {name: layout.constraints[index].cells for name, index in self.rules.items()}
        self.cells |= {name: layout.houses[index].cells for name, index in self.houses.items()}
        self._near: dict[int, list[int]] = {}
        self._costs = dict.fromkeys(range(1, self._last + 1), _FILLED_COST)
        self._costs |= {-literal: _OPEN_COST for literal in self._costs}
        self._costs |= dict.fromkeys(self.rules, _RULE_COST)
        self._costs |= dict.fromkeys(self.houses, _HOUSE_COST)

    def _group(self, parts: Iterable[Part]) -> int:
        """Add the clauses of some primitive constraints. Return the variable that enables them."""
        made = Clauses(self._variables)
        for part in parts:
            add_constraint(made, part, self._candidates)
        name = made.new()
        self._add(made, (-name,))
        return name

    def _add(self, made: Clauses, condition: tuple[int, ...]) -> None:
        self._variables = made.variables
        clauses = [[*condition, *clause] for clause in made.clauses]
        self._clauses += len(clauses)
        if self._clauses > _MOST_CLAUSES:
            raise TooManyLiterals
        self._solver.append_formula(clauses)

    @property
    def work(self) -> int:
        """The number of propagations that the SAT solver has made so far."""
        return cast("int", self._solver.accum_stats()["propagations"])

    def literal(self, cell: int, value: int) -> int:
        """Return the literal that a cell has a value, which is counted from 0."""
        return cell * self._size + value + 1

    def facts(self, domains: Sequence[int]) -> list[int]:
        """Return the literals that are true in a position, given the domains of its cells as bits.

        These are the values of filled cells, and the negations of the values that open cells can't
        have.
        """
        literals: list[int] = []
        full = (1 << self._size) - 1
        for cell, mask in enumerate(domains):
            if cell in self._holes:
                continue
            if mask & (mask - 1):
                literals += [-self.literal(cell, value) for value in values_in(full & ~mask)]
            else:
                literals.append(self.literal(cell, mask.bit_length() - 1))
        return literals

    def near(self, cell: int) -> list[int]:
        """Return the variables of all groups, those near a cell first.

        Groups that contain the cell are followed by those that share another cell with them, and
        these by all others. Among each of the three, houses come before rules.
        """
        known = self._near.get(cell)
        if known is not None:
            return known
        own = {each for cells in self.cells.values() if cell in cells for each in cells}

        def distance(name: int) -> tuple[int, bool]:
            cells = self.cells[name]
            return (0 if cell in cells else 2 - (not own.isdisjoint(cells))), name in self.rules

        self._near[cell] = sorted(self.cells, key=distance)
        return self._near[cell]

    def core(self, candidate: int, assumptions: Sequence[int], *, conflicts: int) -> Core | None:
        """Return assumptions that together exclude a candidate, or None if that isn't proved.

        `candidate` is its literal. `assumptions` are variables of groups, and literals from
        `facts`. The search ends without a proof after `conflicts` conflicts of the solver. Groups
        that aren't assumed are disabled, so the solver spends no work on them.
        """
        self._solver.conf_budget(conflicts)
        return self._core([candidate], assumptions)

    def contradiction(self, assumptions: Sequence[int], *, propagations: int) -> Core | None:
        """Return assumptions that contradict each other and the houses, or None without a proof.

        `assumptions` are variables of rules, and literals of candidates. They are returned in their
        order. The search ends after `propagations` propagations. All houses are enabled, and rules
        that aren't assumed are disabled.
        """
        self._solver.prop_budget(propagations)
        core = self._core([], [*assumptions, *self.houses])
        known = {*(core or ())}
        return None if core is None else [each for each in assumptions if each in known]

    def _core(self, first: Sequence[int], assumptions: Sequence[int]) -> Core | None:
        """Return those of the assumptions that contradict each other and `first`, or None.

        None means that the solver found no contradiction within its budget, which the caller must
        have set. Groups that aren't assumed are disabled.
        """
        known = {*assumptions}
        disabled = [-name for name in self.cells if name not in known]
        if self._solver.solve_limited(assumptions=[*first, *assumptions, *disabled]) is not False:
            return None
        return [each for each in self._solver.get_core() or () if each in known]

    def possible(self) -> set[int]:
        """Return the candidates in the solution that the last search found, as literals.

        The result is empty if the last search found no solution.
        """
        model = self._solver.get_model() or ()
        return {literal for literal in model[: self._last] if literal > 0}

    def minimal(self, candidate: int, core: Core, *, conflicts: int, most_work: int) -> Core:
        """Return a minimal part of a core that still excludes the candidate.

        A core is a list of assumptions from `core`, and `candidate` is a literal. Rules are left
        out first, then houses, then facts. Once `work` exceeds `most_work`, the rest is kept, and
        might not be minimal. `conflicts` limits each search.
        """
        left = core
        for literal in sorted(core, key=self._costs.__getitem__, reverse=True):
            if self.work > most_work:
                break
            if literal in left:
                rest = [each for each in left if each != literal]
                fewer = self.core(candidate, rest, conflicts=conflicts)
                if fewer is not None:
                    known = {*fewer}
                    left = [each for each in rest if each in known]
        return left

    def cost(self, core: Core) -> int:
        """Return how hard a core is to understand: the total of fixed costs of its members."""
        return sum([self._costs[literal] for literal in core])

    def absent(self, core: Core) -> list[tuple[int, int]]:
        """Return the removed candidates that a core needs, as sorted pairs (cell, value).

        For a filled cell, these are all other values. Values count from 0.
        """
        found: list[tuple[int, int]] = []
        for literal in core:
            if literal not in self.cells:
                cell, value = divmod(abs(literal) - 1, self._size)
                others = [each for each in range(self._size) if each != value]
                found += [(cell, each) for each in ([value] if literal < 0 else others)]
        return sorted({*found})


def parts_of(layout: Layout) -> list[Sequence[Part]]:
    """Return a list with the primitive constraints of each constraint of a layout.

    The possible value sets of cages are added to a constraint's own. A constraint that can't be
    compiled has none. Auxiliary variables have the numbers that follow the cells and the named
    variables.
    """
    parts: list[Sequence[Part]] = []
    first = layout.solution_size
    for constraint in cast("tuple[Constraint, ...]", layout.constraints):
        made = constraint.parts(layout)
        own, count = renumber_auxiliary(() if isinstance(made, str) else made, first)
        parts.append([*own, *_sets_of_cages(own, layout)])
        first += count
    return parts


def _sets_of_cages(parts: Sequence[Part], layout: Layout) -> Iterator[Combination]:
    """Yield a constraint for each cage: the cells must hold one of the possible sets of values.

    A cage is a sum in `parts` without factors, whose cells must all differ because of pairs in
    `parts`. If it has too many sets, it is skipped. The sets follow from the other parts, but the
    SAT solver removes more candidates with them.
    """
    pairs = {frozenset(pair) for part in parts if isinstance(part, Links) for pair in part.pairs}
    for part in parts:
        if not isinstance(part, Sum) or {*part.factors} != {1}:
            continue

        def fits(numbers: Sequence[int], *, target: int = part.target) -> bool:
            return sum(numbers) == target

        if pairs.issuperset(map(frozenset, combinations(part.cells, 2))):
            sets = sets_that(layout, len(part.cells), fits)
            if sets is not None:
                yield Combination(part.cells, sets)
