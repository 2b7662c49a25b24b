"""Write full rank clues as automata, for engines without a propagator for them.

`solver.board.primitive_constraints.FullRank` describes these clues.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from solver.board.automaton import Automaton, unroll
from solver.board.budget import kept_table
from solver.board.primitive_constraints import FullRank, Regular

Line = tuple[int, ...]

# Comparison results as values of an auxiliary cell, from 0. Lines are hardly ever equal.
LESS, MORE, EQUAL = 0, 1, 2


def sides_of(rows: int, columns: int) -> tuple[list[Line], ...]:
    """Return all lines of a grid by the side where they start: left, top, right, bottom.

    A line is a tuple of cells, in the order in which they are read from that side. Each side lists
    its lines from the top or from the left.
    """
    across = [tuple(range(c, c + columns)) for c in range(0, rows * columns, columns)]
    down = list(zip(*across, strict=True))
    return across, down, [line[::-1] for line in across], [line[::-1] for line in down]


def regulars_of(full_rank: FullRank, numbers: range) -> Iterator[Regular]:
    """Yield automaton constraints that together enforce a full rank clue on a square grid.

    `numbers` are those of the board, as many as the grid has rows. The ranked line starts on one
    side of the grid. Each of the other three sides has an auxiliary cell for the result of a
    comparison: LESS, EQUAL, or MORE. For each line of such a side, a constraint sets this cell if
    the line starts with the same value as the ranked line. The last constraint requires that
    `full_rank.less` of the three results are LESS.
    """
    others = [side for side in sides_of(len(numbers), len(numbers)) if full_rank.line not in side]
    compared = _compared(numbers, full_rank.begins)
    for answer, side in zip(full_rank.answers, others, strict=True):
        for other in side:
            turns = chain.from_iterable(zip(full_rank.line[1:], other[1:], strict=True))
            yield Regular((answer, other[0], *turns), compared)
    yield Regular(full_rank.answers, _so_many_less(numbers, full_rank.less, len(full_rank.answers)))


@kept_table
def _compared(numbers: range, begins: int) -> Automaton:
    """Return the automaton that compares a line with the ranked line if both start with `begins`.

    It reads the comparison result (LESS if the other line is lower), the first value of the other
    line, and then the remaining values of the ranked line and the other line in turn. It accepts if
    the result is right, or if the other line doesn't start with the value `begins` (from 0).

    States: None at the start, the result, (the result, the number just read of the ranked line), or
    "settled" if the rest of the lines doesn't matter.
    """

    def follow(state: Any, number: int, place: int) -> Any:
        if place == 0:
            result = number - numbers[0]
            return result if result <= EQUAL else None
        if state == "settled":
            return state
        if place == 1:
            return state if number - numbers[0] == begins else "settled"
        if place % 2 == 0:
            return (state, number)
        result, first = state
        if number == first:
            return result
        return "settled" if result == (LESS if number < first else MORE) else None

    return _unbounded(
        2 * len(numbers),
        numbers=numbers,
        start=None,
        follow=follow,
        accepts=lambda state: state in ("settled", EQUAL),
        phase=lambda place: place if place < 2 else 2 + place % 2,
    )


@kept_table
def _so_many_less(numbers: range, less: int, lines: int) -> Automaton:
    """Return the automaton that accepts if exactly `less` of `lines` comparison results are LESS.

    A state is the number of LESS read so far.
    """

    def follow(count: int, number: int, place: int) -> int | None:
        del place
        count += number - numbers[0] == LESS
        return count if count <= less else None

    return _unbounded(
        lines, numbers=numbers, start=0, follow=follow, accepts=lambda count: count == less
    )


def _unbounded(length: int, **machine: Any) -> Automaton:
    automaton = unroll(length, most_edges=None, **machine)
    assert not isinstance(automaton, str)  # noqa: S101 (for the type checker: nothing bounds it)
    return automaton
