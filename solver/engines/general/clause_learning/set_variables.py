"""Value sets and cages for clause learning: auxiliary variables whose values are the sets.

A constraint whose cells take their values from one of several sets gets an auxiliary variable. Its
value is the number of the set. So the search can guess, imply, and learn about sets as about values
of cells. These variables follow the cells of the board. On a 9×9 board with the cages 3 cells = 8
and 2 cells = 5 they are:

cell    0 … 80     81                    82
values  1 … 9      1 is 125, 2 is 134    1 is 14, 2 is 23
"""

import itertools
from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.number_combinations import adding_up_to
from solver.board.primitive_constraints import Combination, Sum
from solver.engines.general.all_different import PeerBits, do_differ

# sets that are examined; 500 and 2,000 make no difference to the 84 public variants
_MOST_SETS = 1000
# Values that share no set also exclude each other through the auxiliary variable. Stating it
# directly is only faster, and too much on boards with more values than this. With 0 or 32, the time
# for the public variants is the same within noise.
_MOST_VALUES = 16

_Pairs = list[tuple[int, int]]


class SetVariables(NamedTuple):
    """The auxiliary variables of value-set constraints, with the clauses that define them.

    `needs` are clauses, as lists of literals. `barred` are arrays (n, 2) of candidates that exclude
    each other. `domains` are the domains of the variables, as bits.
    """

    needs: list[list[int]]
    barred: list[NDArray[np.int64]]
    domains: NDArray[np.uint64]


def set_variables_of(combinations: Sequence[Combination], size: int, cells: int) -> SetVariables:
    """Return an auxiliary variable for each value-set constraint, with clauses and exclusive pairs.

    The variables are numbered as cells, from `cells` on. Value k (from 0) of a variable states that
    the values of the constraint's cells form its k-th set. A board has `size` values, and each
    constraint must have at most as many sets.
    """
    needs: list[list[int]] = []
    barred = []
    for hidden, combination in enumerate(combinations, cells):
        sets = [2 * (hidden * size + number) for number in range(len(combination.sets))]
        places = 2 * (np.array(combination.cells)[:, None] * size + np.arange(size))
        holding, absent, apart = _values_of(combination.sets, size)
        needs.append(sets)
        for value, numbers in enumerate(holding):
            somewhere = places[:, value].tolist()
            among = [sets[number] for number in numbers]
            needs += [[each + 1, *somewhere] for each in among]
            needs += [[place + 1, *among] for place in somewhere]
        barred.append(candidate_pairs([(hidden, cell) for cell in combination.cells], absent, size))
        if size <= _MOST_VALUES:
            barred.append(
                candidate_pairs(list(itertools.combinations(combination.cells, 2)), apart, size)
            )
    domains = np.array([(1 << len(each.sets)) - 1 for each in combinations], np.uint64)
    return SetVariables(needs, barred, domains)


@lru_cache(maxsize=256)
def _values_of(sets: tuple[int, ...], size: int) -> tuple[list[list[int]], _Pairs, _Pairs]:
    """Return which sets contain which values, as (holding, absent, apart).

    holding  per value (from 0): the indices of the sets that contain it
    absent   all pairs (index of a set, value that isn't in it)
    apart    all pairs of values that aren't in a set together, in both orders
    """
    holding = [
        [number for number, values in enumerate(sets) if values >> value & 1]
        for value in range(size)
    ]
    absent = [
        (number, value)
        for number, values in enumerate(sets)
        for value in range(size)
        if not values >> value & 1
    ]
    apart = [
        (a, b)
        for a in range(size)
        for b in range(size)
        if not any(values >> a & values >> b & 1 for values in sets)
    ]
    return holding, absent, apart


def as_combination(total: Sum, layout: Layout, peer_bits: PeerBits) -> Combination | None:
    """Convert a sum of cells that all differ to a value-set constraint.

    Returns None if a factor isn't 1, or if two of the cells may have the same value. Returns None
    as well if there are too many sets of this size to examine, or if more of them than the board
    has values have the right sum.
    """
    if set(total.factors) != {1} or comb(layout.size, len(total.cells)) > _MOST_SETS:
        return None
    if not do_differ(total.cells, peer_bits):
        return None
    sets = _adding_up(len(total.cells), total.target, layout.numbers)
    return Combination(total.cells, sets) if len(sets) <= layout.size else None


@lru_cache(maxsize=1024)
def _adding_up(length: int, target: int, numbers: range) -> tuple[int, ...]:
    """Return the sets of `length` different numbers with the target sum, as bits.

    Bit 0 stands for the first of the board's `numbers`.
    """
    return tuple(
        sum(1 << number - numbers[0] for number in chosen)
        for chosen in adding_up_to(target, numbers, length)
    )


def candidate_pairs(
    cells: Sequence[tuple[int, int]], values: Sequence[tuple[int, int]], size: int
) -> NDArray[np.int64]:
    """Return an array (n, 2) of candidate pairs: each pair of cells with each pair of values.

    A candidate is cell · `size` + value, with values from 0.
    """
    pairs = np.array(cells, np.int64).reshape(-1, 1, 2) * size
    return (pairs + np.array(values, np.int64).reshape(1, -1, 2)).reshape(-1, 2)
