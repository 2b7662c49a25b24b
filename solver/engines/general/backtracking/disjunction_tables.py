"""Tables of disjunctions (`or` constraints) for backtracking search."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, count, permutations
from typing import NamedTuple

import numpy as np

from solver.board.layout import Layout
from solver.board.parts import (
    Combination,
    Domain,
    Either,
    Enclosed,
    House,
    Links,
    Regular,
    Relation,
    Sum,
    Tried,
)
from solver.compiling.ragged import csr, offsets_of
from solver.engines.general.backtracking.state import Choices

_Pairs = Sequence[tuple[int, int]]


class Propagators(NamedTuple):
    """Constraints that propagate over all of their cells.

    Those of disjunctions' options come last.
    """

    sums: tuple[Sum, ...]
    regulars: tuple[Regular, ...]
    combinations: tuple[Combination, ...]
    enclosed: tuple[Enclosed, ...]

    def cells(self) -> list[list[tuple[int, ...]]]:
        """Return the cells of each constraint, by kind."""
        return [
            [total.cells for total in self.sums],
            [regular.cells for regular in self.regulars],
            [combination.cells for combination in self.combinations],
            [enclosed.cells for enclosed in self.enclosed],
        ]


_KINDS = (Sum, Regular, Combination, Enclosed)


def with_those_of_options(propagators: Propagators, choices: Sequence[Either]) -> Propagators:
    """Return the propagators together with those of all options."""
    parts = [part for choice in choices for option in choice.options for part in option]
    return Propagators(
        (*propagators.sums, *[part for part in parts if isinstance(part, Sum)]),
        (*propagators.regulars, *[part for part in parts if isinstance(part, Regular)]),
        (*propagators.combinations, *[part for part in parts if isinstance(part, Combination)]),
        (*propagators.enclosed, *[part for part in parts if isinstance(part, Enclosed)]),
    )


def choices_of(layout: Layout, propagators: Propagators, first: int) -> Choices:
    """Return the tables of a layout's disjunctions.

    `first` is the number of the first disjunction among all propagators.
    """
    size = layout.size
    options = [option for choice in layout.choices for option in choice.options]
    own = Counter(type(part) for option in options for part in option)
    ends = accumulate(map(len, propagators))
    number = {kind: count(end - own[kind]) for kind, end in zip(_KINDS, ends, strict=True)}
    asked = [
        [next(number[type(part)]) for part in each if type(part) in number] for each in options
    ]
    narrow = [[part for part in option if isinstance(part, Domain)] for option in options]
    numbered: dict[tuple[int, ...], int] = {}
    pairs: list[list[tuple[int, int, int]]] = [
        [
            (one, other, numbered.setdefault(allowed, len(numbered)))
            for allowed, some in _related(option, size)
            for one, other in some
        ]
        for option in options
    ]
    related = np.array([*chain.from_iterable(pairs)], np.int32).reshape(-1, 3)
    own_readers, propagator_ranges = csr(asked)
    return Choices(
        np.int64(first),
        *csr([cells_of_choice(choice) for choice in layout.choices]),
        offsets_of([len(choice.options) for choice in layout.choices]),
        np.array([part.cell for each in narrow for part in each], np.uint32),
        np.array([part.allowed for each in narrow for part in each], np.uint64),
        offsets_of(map(len, narrow)),
        related[:, :2].astype(np.uint32, order="C"),
        related[:, 2].copy(),
        offsets_of(map(len, pairs)),
        np.array([*numbered], np.uint64).reshape(-1, size),
        own_readers,
        propagator_ranges,
    )


def _related(option: Sequence[Tried], size: int) -> Iterator[tuple[tuple[int, ...], _Pairs]]:
    """Yield the binary relations of an option.

    Pairs of cells and what the first allows in the second.
    """
    differ = tuple([~(1 << value) & (1 << size) - 1 for value in range(size)])
    for part in option:
        if isinstance(part, Relation):
            yield part.allowed, part.pairs
        elif isinstance(part, Links):
            yield differ, [*part.pairs, *[(two, one) for one, two in part.pairs]]
        elif isinstance(part, House):
            yield differ, [*permutations(part.cells, 2)]


def cells_of_choice(choice: Either) -> Sequence[int]:
    """Return the cells of all options, each once."""
    cells: dict[int, None] = {}
    for part in chain(*choice.options):
        if isinstance(part, Domain):
            cells[part.cell] = None
        elif isinstance(part, Links | Relation):
            cells |= dict.fromkeys(chain.from_iterable(part.pairs))
        else:
            cells |= dict.fromkeys(part.cells)
    return [*cells]


_NO_CELLS, _BEGINNING = csr([])
UNCHOSEN = Choices(
    np.int64(1 << 30),  # no propagator is a disjunction
    _NO_CELLS, _BEGINNING, _BEGINNING,
    _NO_CELLS, np.zeros(0, np.uint64), _BEGINNING,
    np.zeros((0, 2), np.uint32), np.zeros(0, np.int32), _BEGINNING, np.zeros((0, 1), np.uint64),
    _NO_CELLS, _BEGINNING,
)  # fmt: skip
