"""The input of a check: the cells of one constraint in a full grid."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from solver.board.layout import Layout


class Filled(NamedTuple):
    """A constraint with the numbers of a full grid in its cells.

    `numbers` are in the order of `cells`. They are the numbers that rules calculate with, starting
    at `layout.lowest`. `value` is the constraint's parameter, 0 if the rule takes none. `grid` has
    the numbers of all cells in reading order, then those of the variables.
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
    """Return 0, 1, or 2 if a number is a low, middle, or high one of the board's `numbers`."""
    ends = (len(numbers) + 1) // 3  # the number of low ones, and of high ones
    if number in numbers[:ends]:
        return 0
    return 2 if number in numbers[len(numbers) - ends :] else 1
