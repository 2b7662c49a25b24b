"""Choices as plain search wants them."""

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
from solver.compiling.arrays import joined, starts
from solver.engines.general.backtracking.state import Choices

_Pairs = Sequence[tuple[int, int]]


class Readers(NamedTuple):
    """Parts that are asked about all of their cells at once, those of options behind others."""

    sums: tuple[Sum, ...]
    regulars: tuple[Regular, ...]
    combinations: tuple[Combination, ...]
    enclosed: tuple[Enclosed, ...]

    def cells(self) -> list[list[tuple[int, ...]]]:
        """Return the cells of each part of each kind."""
        return [
            [total.cells for total in self.sums],
            [regular.cells for regular in self.regulars],
            [combination.cells for combination in self.combinations],
            [enclosed.cells for enclosed in self.enclosed],
        ]


_KINDS = (Sum, Regular, Combination, Enclosed)


def with_those_of_options(readers: Readers, choices: Sequence[Either]) -> Readers:
    """Return the readers, and all that options have."""
    parts = [part for choice in choices for option in choice.options for part in option]
    return Readers(
        (*readers.sums, *[part for part in parts if isinstance(part, Sum)]),
        (*readers.regulars, *[part for part in parts if isinstance(part, Regular)]),
        (*readers.combinations, *[part for part in parts if isinstance(part, Combination)]),
        (*readers.enclosed, *[part for part in parts if isinstance(part, Enclosed)]),
    )


def choices_of(layout: Layout, readers: Readers, first: int) -> Choices:
    """Return the choices of a layout, given all readers and the number of the first choice."""
    size = layout.size
    options = [option for choice in layout.choices for option in choice.options]
    own = Counter(type(part) for option in options for part in option)
    ends = accumulate(map(len, readers))
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
    own_readers, reader_ranges = joined(asked)
    return Choices(
        np.int64(first),
        *joined([cells_of_choice(choice) for choice in layout.choices]),
        starts([len(choice.options) for choice in layout.choices]),
        np.array([part.cell for each in narrow for part in each], np.uint32),
        np.array([part.allowed for each in narrow for part in each], np.uint64),
        starts(map(len, narrow)),
        related[:, :2].astype(np.uint32, order="C"),
        related[:, 2].copy(),
        starts(map(len, pairs)),
        np.array([*numbered], np.uint64).reshape(-1, size),
        own_readers,
        reader_ranges,
    )


def _related(option: Sequence[Tried], size: int) -> Iterator[tuple[tuple[int, ...], _Pairs]]:
    """Yield what first cells of some pairs allow in the second ones."""
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


_NO_CELLS, _BEGINNING = joined([])
UNCHOSEN = Choices(
    np.int64(1 << 30),  # no reader is a choice
    _NO_CELLS, _BEGINNING, _BEGINNING,
    _NO_CELLS, np.zeros(0, np.uint64), _BEGINNING,
    np.zeros((0, 2), np.uint32), np.zeros(0, np.int32), _BEGINNING, np.zeros((0, 1), np.uint64),
    _NO_CELLS, _BEGINNING,
)  # fmt: skip
