"""The result of a minimality check: which givens and constraints a puzzle needs."""

from dataclasses import dataclass

from solver.board.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class Elements:
    """Some givens and constraints of a puzzle.

    givens       the cells with these givens
    constraints  indices of these constraints in the constraints of the puzzle's layout
    """

    givens: tuple[int, ...] = ()
    constraints: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.givens or self.constraints)


@dataclass(frozen=True, slots=True)
class Minimality:
    """Which givens and constraints of a puzzle with one solution are needed.

    redundant  those that aren't needed: without one of them, the puzzle has the same only solution.
               Without several of them, it can have more solutions.
    undecided  those for which the step limit was reached before that was decided
    reduced    the puzzle after redundant ones were removed one after the other, as long as the
               solution stayed unique, or None if it wasn't requested. Undecided ones stay.
    """

    redundant: Elements
    undecided: Elements
    reduced: Puzzle | None = None

    @property
    def minimal(self) -> bool | None:
        """Whether all givens and constraints are needed; None if that is undecided."""
        if self.redundant:
            return False
        return None if self.undecided else True
