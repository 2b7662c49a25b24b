"""Draw random constraints that fit one solution, and change or remove some of them."""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from solver.board.bounds import Bounds
from solver.board.layout import Layout
from solver.board.result import Outcome
from solver.engines.engine import ABANDON, StopFlag
from solver.generation.cell_groups import neighbors_of
from solver.generation.full_grids import Grids
from solver.generation.random_cages import Cage, CageDrawing
from solver.generation.random_choices import RandomChoices
from solver.generation.random_constraints import DOTS, KILLER, RandomConstraints
from solver.generation.random_lines import LineDrawing, draw_dots
from solver.generation.removal import are_unique
from solver.rules.registry import RULES, compile_constraints
from solver.rules.rule import Constraint
from solver.solving import solve_many

Cells = tuple[int, ...]

# Guesses per board. Almost all unique boards need fewer, and another attempt is cheaper.
_STEP_LIMIT = 2_000
_ANY = Bounds()
_MOST_CHANGES = 20  # of cages, to exclude other solutions
_LISTED = 3  # solutions to search for. A batch has no list of fewer.


class DrawnBoard:
    """A layout, and the random constraints that it has in addition to those of its base.

    layout    the base with the constraints
    groups    the cells of each constraint, by the rule's name
    wishes    what the request states about a rule's constraints, by the rule's name
    """

    def __init__(
        self,
        base: Layout,
        wishes: Sequence[RandomConstraints],
        groups: Mapping[str, Sequence[Cells]],
        solution: NDArray[np.uint8],
    ) -> None:
        """Start with constraints on `groups`, the cells of each constraint by the rule's name.

        `solution` (cells,) is the grid that the constraints must fit.
        """
        self.wishes = {wish.rule: wish for wish in wishes}
        self.groups = {rule: list(cells) for rule, cells in groups.items()}
        self._base = base
        self._solution = solution
        self._numbers = _numbers_of(solution, base)
        self.layout = self._compiled(self.groups)

    @property
    def has_wanted_counts(self) -> bool:
        """Whether the number of constraints of each rule is as requested."""
        return all(len(self.groups[rule]) in wish.count for rule, wish in self.wishes.items())

    def determine(self, choices: RandomChoices, *, stop: StopFlag) -> bool:
        """Change the cages until the constraints alone determine the solution.

        Each change excludes another solution that was found. Returns whether it succeeded, within a
        fixed number of changes and guesses. If `stop` ends it early, the result is False.
        """
        empty = np.zeros((1, self.layout.cells), np.uint8)
        for _ in range(_MOST_CHANGES):
            if stop[0] == ABANDON:
                break
            batch = solve_many(
                empty, layout=self.layout, limit=_LISTED, step_limit=_STEP_LIMIT, stop=stop
            )
            if not len(batch):
                break
            found = [*batch.solutions, *(batch.listed[0] if batch.listed is not None else ())]
            others = [each for each in found if each.any() and (each != self._solution).any()]
            if not others:
                return bool(batch.outcomes[0] == Outcome.SOLVED)
            if not self._exclude(others[0], choices):
                break
        return False

    def _exclude(self, other: NDArray[np.uint8], choices: RandomChoices) -> bool:
        """Change two cages so that `other` is no longer a solution.

        Returns whether that was possible. It requires killer cages.
        """
        if KILLER not in self.groups:
            return False
        cages = _cage_drawing(self._base, self.wishes[KILLER], self._solution, choices).excluding(
            _numbers_of(other, self._base), [frozenset(cells) for cells in self.groups[KILLER]]
        )
        if cages is None:
            return False
        self.groups[KILLER] = _sorted_cells(cages)
        self.layout = self._compiled(self.groups)
        return True

    def remove_constraints(self, puzzle: Grids, choices: RandomChoices, *, stop: StopFlag) -> None:
        """Remove constraints in a random order while the puzzle (1, cells) stays unique.

        Of rules with `minimal`, all constraints that aren't needed are removed. Killer cages are
        also removed without it, as long as `coverage` and `count` permit.
        """
        removable = [
            (rule, cells)
            for rule, wish in self.wishes.items()
            if wish.minimal or wish.coverage < 1
            for cells in self.groups[rule]
        ]
        for rule, cells in choices.shuffled(removable):
            smaller = [each for each in self.groups[rule] if each != cells]
            if stop[0] == ABANDON:
                return
            if not self._may_have(rule, smaller):
                continue
            layout = self._compiled(self.groups | {rule: smaller})
            if are_unique(layout, puzzle, stop=stop)[0]:
                self.groups[rule] = smaller
                self.layout = layout

    def _may_have(self, rule: str, groups: Sequence[Cells]) -> bool:
        """Return whether the constraints on these cells are enough for a rule.

        `groups` has the cells of each constraint. They always are enough if the request has
        `minimal` for the rule. Otherwise, there must be at least as many constraints as requested,
        and their numbers of cells must add up to at least the requested share of the board's cells.
        A cell in several groups counts several times, and holes aren't cells of the board.
        """
        wish = self.wishes[rule]
        if wish.minimal:
            return True
        covered = sum(map(len, groups)) / (self._base.cells - len(self._base.holes))
        return covered >= wish.coverage and len(groups) >= (wish.count.least or 0)

    def _compiled(self, groups: Mapping[str, Sequence[Cells]]) -> Layout:
        """Return the base with constraints on `groups`, the cells of each by the rule's name.

        Cages get the sums of their numbers in the solution.
        """
        constraints = tuple(
            Constraint(RULES[rule], cells, self._value(rule, cells))
            for rule, some in groups.items()
            for cells in some
        )
        layout = compile_constraints(self._base, constraints)
        if isinstance(layout, str):
            raise TypeError(layout)
        return layout

    def _value(self, rule: str, cells: Cells) -> int:
        """Return the parameter of a constraint.

        It is the sum of a cage in the solution, or the default of another rule (0 if it has none).
        """
        if rule != KILLER:
            return RULES[rule].usual or 0
        return sum(self._numbers[cell] for cell in cells)


def draw_constraints(
    layout: Layout,
    wishes: Sequence[RandomConstraints],
    solution: NDArray[np.uint8],
    choices: RandomChoices,
) -> DrawnBoard | None:
    """Return a board: the layout with random constraints that fit the solution (cells,).

    `wishes` are the rules of the constraints, with their numbers and sizes. Without any, the board
    has no additional constraints. No two lines share a cell. With `minimal`, any number of cages is
    drawn, because some are removed later. Returns None if too few constraints of a rule fit on the
    board.
    """
    cells = [cell for cell in range(layout.cells) if cell not in layout.holes]
    groups: dict[str, Sequence[Cells]] = {}
    used: set[int] = set()  # cells of lines, which share none
    for wish in wishes:
        drawn: Sequence[Cells] | None
        if wish.rule == KILLER:
            count = _ANY if wish.minimal else wish.count
            cages = _cage_drawing(layout, wish, solution, choices).draw(cells, count)
            drawn = None if cages is None else _sorted_cells(cages)
        elif wish.rule in DOTS:
            drawn = draw_dots(
                wish.rule,
                wish.count,
                numbers=_numbers_of(solution, layout),
                neighbors=neighbors_of(layout),
                choices=choices,
            )
        else:
            drawn = LineDrawing(
                [cell for cell in cells if cell not in used],
                _numbers_of(solution, layout),
                largest=wish.largest,
                neighbors=neighbors_of(layout, diagonally=True),
                choices=choices,
            ).draw(wish.rule, wish.count)
            used.update(chain(*drawn or ()))
        if drawn is None:
            return None
        groups[wish.rule] = drawn
    return DrawnBoard(layout, wishes, groups, solution)


def _cage_drawing(
    layout: Layout, wish: RandomConstraints, solution: NDArray[np.uint8], choices: RandomChoices
) -> CageDrawing:
    """Return an object that draws random cages without repeated numbers of the solution."""
    return CageDrawing(
        _numbers_of(solution, layout),
        largest=min(wish.largest, layout.size),
        neighbors=neighbors_of(layout),
        choices=choices,
    )


def _numbers_of(solution: NDArray[np.uint8], layout: Layout) -> list[int]:
    """Return the number in each cell: its value, plus the board's lowest number, minus 1."""
    return [value + layout.lowest - 1 for value in solution.tolist()]


def _sorted_cells(cages: Sequence[Cage]) -> list[Cells]:
    return [tuple(sorted(cage)) for cage in cages]
