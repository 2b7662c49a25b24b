"""Find the possible fillings of a sandwich, between the two crusts, if all its cells differ.

The rule for sandwich clues is in `outside`, and the rule for lunchboxes in `sets`.
"""

from collections.abc import Iterator
from itertools import islice

from solver.board.budget import kept_table
from solver.board.layout import Layout
from solver.board.number_combinations import adding_up_to
from solver.board.primitive_constraints import Filling, Sandwich
from solver.rules.rule import Cells

_MOST_FILLINGS = 400  # fillings, all of which are tested for each pair of cells


def sandwich_of(cells: Cells, total: int, layout: Layout, *, outermost: bool) -> Sandwich | None:
    """Return a constraint that the cells between the crusts add up to `total`.

    The crusts are the least and the greatest number of the cells. The constraint includes that all
    cells differ. With `outermost`, the crusts must be the lowest and the highest number of the
    board. Returns None if there are too many fillings.
    """
    fillings = _fillings(len(cells), total, layout.numbers, outermost=outermost)
    return None if fillings is None else Sandwich(cells, fillings)


@kept_table
def _fillings(
    length: int, total: int, numbers: range, *, outermost: bool
) -> tuple[Filling, ...] | None:
    """Return the fillings of `_each_filling` as a tuple, or None if there are too many."""
    found = (
        *islice(_each_filling(length, total, numbers, outermost=outermost), _MOST_FILLINGS + 1),
    )
    return None if len(found) > _MOST_FILLINGS else found


def _each_filling(length: int, total: int, numbers: range, *, outermost: bool) -> Iterator[Filling]:
    """Yield the fillings of a sandwich whose inner numbers add up to `total`.

    The line has `length` cells, which all differ. With `outermost`, the crusts must be the lowest
    and the highest number of the board. Fillings with fewer numbers inside come first.
    """
    size = len(numbers)
    for many in range(length - 1):
        for chosen in adding_up_to(total, numbers[1:-1], many):
            inside = sum(1 << number - numbers[0] for number in chosen)
            for low in range(chosen[0] - numbers[0] if chosen else size):
                first = max(low + length - 1, inside.bit_length(), low + 1)
                for high in range(first, size):
                    if not outermost or (low, high) == (0, size - 1):
                        between = (1 << high) - (2 << low)
                        yield Filling(1 << low, 1 << high, inside, between & ~inside)
