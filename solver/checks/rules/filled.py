"""What a check looks at: the cells of one constraint in a full grid."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from solver.board.layout import Layout


class Filled(NamedTuple):
    """A constraint with what a full grid has in its cells.

    `numbers` stand in the order of `cells`, and are those that rules reckon with: they begin
    with `layout.lowest`. `value` is 0 where the rule takes none; `grid` has the numbers of all
    cells, in reading order.
    """

    numbers: Sequence[int]
    cells: tuple[int, ...]
    value: int | tuple[int, ...] | str
    layout: Layout
    grid: Sequence[int]

    @property
    def number(self) -> int:
        """The value of a rule that takes one number."""
        return self.value if isinstance(self.value, int) else 0

    @property
    def values(self) -> tuple[int, ...]:
        """The value of a rule that takes many numbers."""
        return self.value if isinstance(self.value, tuple) else (self.number,)

    @property
    def text(self) -> str:
        """The value of a rule that takes a text."""
        return str(self.value)


Check = Callable[[Filled], bool]  # whether the rule is kept


def all_differ(numbers: Sequence[int]) -> bool:
    """Return whether no number is there twice."""
    return len(set(numbers)) == len(numbers)


def third_of(number: int, numbers: range) -> int:
    """Return whether a number is low (0), middle (1) or high (2) among those of the board."""
    ends = (len(numbers) + 1) // 3  # so many are low, and as many are high
    if number in numbers[:ends]:
        return 0
    return 2 if number in numbers[len(numbers) - ends :] else 1
