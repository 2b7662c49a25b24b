"""The input of a check: the cells of one constraint in a full grid."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from solver.board.layout import Layout


class Filled(NamedTuple):
    """A constraint, with the numbers of the full grid in which it is checked.

    numbers  the numbers in `cells`, in the same order
    cells    the constraint's cells. Named variables are numbered after the cells of the grid
    value    the constraint's parameter, 0 if the rule takes none
    layout   the layout of the puzzle
    grid     the numbers of all cells in reading order, followed by those of the named variables

    Numbers are those that rules calculate with: value 1 has the number `layout.lowest`. If the
    caller has only the cells of the grid, `grid` ends after them, and no constraint on variables is
    checked.
    """

    numbers: Sequence[int]
    cells: tuple[int, ...]
    value: int | tuple[int, ...] | str
    layout: Layout
    grid: Sequence[int]

    @property
    def number(self) -> int:
        """The parameter of a rule that takes one number, 0 for other rules."""
        return self.value if isinstance(self.value, int) else 0

    @property
    def values(self) -> tuple[int, ...]:
        """The parameter of a rule that takes several numbers. A single number becomes (number,)."""
        return self.value if isinstance(self.value, tuple) else (self.number,)

    @property
    def text(self) -> str:
        """The parameter of a rule that takes a text. A number becomes its digits."""
        return str(self.value)


Check = Callable[[Filled], bool]  # whether the grid satisfies the rule


def all_differ(numbers: Sequence[int]) -> bool:
    """Return whether no number occurs twice."""
    return len(set(numbers)) == len(numbers)


def third_of(number: int, numbers: range) -> int:
    """Return 0, 1, or 2 if a number is a low, middle, or high one of the board's `numbers`.

    A third of them, rounded to the nearest whole number, is low, and as many are high.
    """
    ends = (len(numbers) + 1) // 3  # the number of low ones, and of high ones
    if number in numbers[:ends]:
        return 0
    return 2 if number in numbers[len(numbers) - ends :] else 1
