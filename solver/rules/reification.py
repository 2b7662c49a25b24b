"""Reification: automata and relations that decide whether a primitive constraint holds.

An automaton reads an answer cell before the cells of the constraint. An answer cell is an auxiliary
cell whose value is 1 for no or 2 for yes. The grid determines it.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from solver.board.automaton import Automaton, unroll
from solver.board.budget import ELEMENTS, charge, kept_table
from solver.board.layout import Layout
from solver.board.primitive_constraints import (
    Combination,
    Domain,
    House,
    Links,
    Part,
    Regular,
    Relation,
    Sum,
)
from solver.rules.rule import Cells, one_phase

NO, YES = 1, 2  # values of an answer cell


def answer(cell: int) -> Domain:
    """Return the domain of an auxiliary answer cell: its value is 1 (no) or 2 (yes)."""
    return Domain(cell, 1 << NO - 1 | 1 << YES - 1)


Primitive = tuple[Hashable, Cells]  # the constraint to reify (see `primitives_of`) and its cells
Follow = Callable[[Any, int, int], Any]  # (state, value from 0, place) → next state or None


@kept_table
def reified(primitive: Hashable, length: int, numbers: range) -> Automaton | str:
    """Return an automaton that reads an answer and then the cells of a primitive constraint.

    It accepts if the answer is yes and the constraint holds, or if the answer is no and it doesn't.
    The answer is the first number for no, and the second for yes. `primitive` is the constraint
    without its cells, as `primitives_of` yields it, `length` the number of its cells, and `numbers`
    are those of the board. Returns an error message if the automaton is too large.
    """
    if isinstance(primitive, Automaton):
        return _reified_automaton(primitive)
    start, follow, accepts, phase = _DEFINITIONS[type(primitive)](primitive)

    def follow_answered(state: Any, number: int, place: int) -> Any:
        value = number - numbers[0]
        if place == 0:
            return None if value > 1 else (value == YES - 1, start)
        is_yes, inner = state
        after = None if inner is None else follow(inner, value, place - 1)
        return None if is_yes and after is None else (is_yes, after)

    return unroll(
        length + 1,
        numbers=numbers,
        start=None,
        follow=follow_answered,
        accepts=lambda state: state[0] == (state[1] is not None and accepts(state[1])),
        phase=lambda place: (phase(place - 1),) if place else None,
    )


# The definition of an automaton: (start, follow, accepts, phase). Values count from 0.
Definition = tuple[Any, Follow, Callable[[Any], bool], Callable[[int], Hashable]]


def _by_relation(allowed: tuple[int, ...]) -> Definition:
    def follow(state: Any, value: int, place: int) -> Any:
        return (
            ("first", value) if place == 0 else "holds" if allowed[state[1]] >> value & 1 else None
        )

    return "start", follow, lambda state: state == "holds", int


def _by_sum(total: tuple[int, tuple[int, ...], int]) -> Definition:
    target, factors, lowest = total

    def follow(state: int, value: int, place: int) -> int:
        return state + factors[place] * (value + lowest)

    return 0, follow, lambda state: state == target, lambda place: factors[place]


def _by_sets(sets: frozenset[int]) -> Definition:
    def follow(state: int, value: int, place: int) -> int | None:
        del place
        seen = state | 1 << value
        return seen if any(not seen & ~each for each in sets) else None

    return 0, follow, lambda state: state in sets, one_phase


def _reified_automaton(inner: Automaton) -> Automaton:
    """Return the automaton of `reified` for a constraint that is an automaton itself.

    It reads the answer, then the cells. After yes it accepts the words of `inner`, and after no all
    other words. Of the states, 0 is the start. Those of `inner` follow twice: for the answer yes,
    then for the answer no. The last state means that the answer was no and `inner` has rejected.
    """
    states, count = len(inner.ends), len(inner.steps) + 1
    yes, no, dead = 1, 1 + states, 1 + 2 * states
    values = max(len(inner.kinds), YES)
    known = [*inner.kinds.tolist(), *[-1] * (values - len(inner.kinds))]
    pairs = [(min(value, YES), kind) for value, kind in enumerate(known)]
    kinds = list(dict.fromkeys(pairs))
    # The transitions for the answer yes, for the answer no, and from the start. The additional
    # rows, for automata that have rejected, and unknown values have no transitions.
    charge(50 + (4 * count * len(kinds) + 4 * inner.rows.size) // ELEMENTS)
    after = np.full((count, len(kinds)), -1, np.int32)
    after[:-1] = inner.steps.take([kind for _, kind in kinds], axis=1)
    after[:, [column for column, (_, kind) in enumerate(kinds) if kind < 0]] = -1
    steps = np.full((2 * count + 1, len(kinds)), -1, np.int32)
    steps[count:-1] = dead
    np.add(after, yes, out=steps[:count], where=after >= 0)
    np.add(after, no, out=steps[count:-1], where=after >= 0)
    steps[-1] = [(no, yes, -1)[value] for value, _ in kinds]
    rows = np.full((1 + len(inner.rows), dead + 1), -1, np.int32)
    rows[0, 0] = 2 * count
    rows[1:, yes:no] = np.where(inner.rows >= 0, inner.rows, count - 1)
    np.add(rows[1:, yes:no], count, out=rows[1:, no:dead])
    rows[1:, dead] = 2 * count - 1
    return Automaton(
        np.concatenate((_AT_FIRST, inner.phases + 1)),
        np.array([*map(kinds.index, pairs)], np.int32),
        rows,
        steps,
        np.concatenate(([False], inner.ends, ~inner.ends, [True])),
        2 * inner.edges + (len(inner.phases) + 1) * values,
    )


_AT_FIRST = np.zeros(1, np.int32)  # the phase of the answer cell


# The types of constraints to reify, and the automaton for each. Relations are tuples of ints, sums
# tuples of (target, factors, lowest number).
class _Allowed(tuple[int, ...]):
    """A relation between two cells: the allowed values of the second one by value of the first.

    Sets of values are bits.
    """

    __slots__ = ()


class _Total(tuple[Any, ...]):
    """A sum without its cells: the target, the factors, and the lowest number of the board."""

    __slots__ = ()


_DEFINITIONS: dict[type, Callable[[Any], Definition]] = {
    _Allowed: _by_relation,
    _Total: _by_sum,
    frozenset: _by_sets,
}


def primitives_of(parts: Sequence[Part], layout: Layout) -> Iterator[Primitive]:
    """Split constraints into primitives to reify: yield each of them with its cells.

    The constraints hold if the answers of all primitives are yes. Houses and not-equal pairs become
    one primitive per pair of cells. The primitives, without their cells:

    domain       the allowed values as bits (an int)
    relation     an `_Allowed`, with the allowed values of the second cell for each of the first
    sum          a `_Total`: the target, the factors, and the lowest number of the board
    combination  a frozenset of its sets
    automaton    the `Automaton`

    Constraints of other types are skipped.
    """
    for part in parts:
        match part:
            case Domain():
                yield part.allowed, (part.cell,)
            case Links():
                yield from ((_differ(layout.size), pair) for pair in part.pairs)
            case House():
                yield from ((_differ(layout.size), pair) for pair in combinations(part.cells, 2))
            case Relation():
                yield from ((_Allowed(part.allowed), pair) for pair in part.pairs)
            case Sum():
                yield _Total((part.target, part.factors, layout.lowest)), part.cells
            case Combination():
                yield frozenset(part.sets), part.cells
            case Regular():
                yield part.automaton, part.cells


def parts_of(primitives: Sequence[Primitive], layout: Layout) -> Iterator[Part]:
    """Convert primitives as `primitives_of` yields them back to primitive constraints.

    The constraints hold if all of the primitives do. No answer cells are involved.
    """
    differ = _differ(layout.size)
    pairs = tuple([(cells[0], cells[1]) for primitive, cells in primitives if primitive == differ])
    if pairs:
        yield Links("in all options", pairs)
    for primitive, cells in primitives:
        match primitive:
            case Automaton():
                yield Regular(cells, primitive)
            case int():
                yield Domain(cells[0], primitive)
            case _Total():
                target, factors, _ = primitive
                yield Sum(cells, factors, target)
            case frozenset():
                yield Combination(cells, tuple(sorted(primitive)))
            case _Allowed() if primitive != differ:
                yield Relation(((cells[0], cells[1]),), primitive)


def _differ(size: int) -> _Allowed:
    """Return the relation between two cells that must differ, on a board of `size` values."""
    return _Allowed(~(1 << value) & (1 << size) - 1 for value in range(size))
