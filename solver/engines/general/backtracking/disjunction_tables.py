"""Tables of disjunctions (`or` constraints) for backtracking search."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, count, permutations
from typing import NamedTuple

import numpy as np

from solver.board.layout import Layout
from solver.board.primitive_constraints import (
    Combination,
    Disjunction,
    Domain,
    House,
    Links,
    Regular,
    Relation,
    Sandwich,
    Searchable,
    Sum,
)
from solver.compiling.ragged import csr, offsets_of
from solver.engines.general.backtracking.table_types import DISJUNCTION, Disjunctions

_Pairs = Sequence[tuple[int, int]]


class Propagated(NamedTuple):
    """The constraints of the four kinds whose propagators options of disjunctions can have, too.

    sums          the sums of a layout, and sums that its constraints imply
    regulars      automaton constraints
    combinations  value sets: the values of some cells form one of several sets
    sandwiches    sandwich sums

    Each tuple ends with the constraints that belong to options of disjunctions, once
    `with_those_of_options` has added them. Their propagators run only when the option is tried.
    """

    sums: tuple[Sum, ...]
    regulars: tuple[Regular, ...]
    combinations: tuple[Combination, ...]
    sandwiches: tuple[Sandwich, ...]

    def cells(self) -> list[list[tuple[int, ...]]]:
        """Return four lists, one per kind of constraint, with the cells of each constraint."""
        return [
            [total.cells for total in self.sums],
            [regular.cells for regular in self.regulars],
            [combination.cells for combination in self.combinations],
            [sandwiches.cells for sandwiches in self.sandwiches],
        ]


_KINDS = (Sum, Regular, Combination, Sandwich)


def with_those_of_options(
    propagated: Propagated, disjunctions: Sequence[Disjunction]
) -> Propagated:
    """Return the constraints, with those in options of disjunctions appended to each tuple by type.

    `propagated` must not contain the latter already.
    """
    options = [option for disjunction in disjunctions for option in disjunction.options]
    parts = [part for option in options for part in option]
    return Propagated(
        (*propagated.sums, *[part for part in parts if isinstance(part, Sum)]),
        (*propagated.regulars, *[part for part in parts if isinstance(part, Regular)]),
        (*propagated.combinations, *[part for part in parts if isinstance(part, Combination)]),
        (*propagated.sandwiches, *[part for part in parts if isinstance(part, Sandwich)]),
    )


def disjunctions_of(layout: Layout, propagated: Propagated, kinds: Sequence[int]) -> Disjunctions:
    """Return the tables of a layout's disjunctions.

    `propagated` contains all sums, automata, value sets, and sandwiches, including those in options
    of disjunctions. `kinds` has the kind (SUM, AUTOMATON, …) of each propagator of the layout, in
    the order of their numbers.
    """
    size = layout.size
    options = [option for disjunction in layout.disjunctions for option in disjunction.options]
    own = Counter(type(part) for option in options for part in option)
    ends = accumulate(map(len, propagated))
    number = {kind: count(end - own[kind]) for kind, end in zip(_KINDS, ends, strict=True)}
    propagators = [
        [next(number[type(part)]) for part in each if type(part) in number] for each in options
    ]
    domains = [[part for part in option if isinstance(part, Domain)] for option in options]
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
    option_propagators, propagator_ranges = csr(propagators)
    return Disjunctions(
        first_propagator=np.int64(kinds.index(DISJUNCTION)),
        option_ranges=offsets_of([len(disjunction.options) for disjunction in layout.disjunctions]),
        domain_cells=np.array([part.cell for each in domains for part in each], np.uint32),
        domains=np.array([part.allowed for each in domains for part in each], np.uint64),
        domain_ranges=offsets_of(map(len, domains)),
        pairs=related[:, :2].astype(np.uint32, order="C"),
        pair_tables=related[:, 2].copy(),
        pair_ranges=offsets_of(map(len, pairs)),
        allowed=np.array([*numbered], np.uint64).reshape(-1, size),
        propagators=option_propagators,
        propagator_ranges=propagator_ranges,
    )


def _related(option: Sequence[Searchable], size: int) -> Iterator[tuple[tuple[int, ...], _Pairs]]:
    """Yield the binary relations of an option, each with the pairs of cells that it restricts.

    The option is a list of constraints that must hold together. A relation is a tuple with one item
    per value (from 0) of the first cell: the values allowed in the second one, as bits. Houses and
    not-equal pairs become relations, too, with both orders of each pair.
    """
    differ = tuple([~(1 << value) & (1 << size) - 1 for value in range(size)])
    for part in option:
        if isinstance(part, Relation):
            yield part.allowed, part.pairs
        elif isinstance(part, Links):
            yield differ, [*part.pairs, *[(two, one) for one, two in part.pairs]]
        elif isinstance(part, House):
            yield differ, [*permutations(part.cells, 2)]


def cells_of_disjunction(disjunction: Disjunction) -> Sequence[int]:
    """Return the cells of all constraints in a disjunction, each cell once."""
    cells: dict[int, None] = {}
    for part in chain(*disjunction.options):
        if isinstance(part, Domain):
            cells[part.cell] = None
        elif isinstance(part, Links | Relation):
            cells |= dict.fromkeys(chain.from_iterable(part.pairs))
        else:
            cells |= dict.fromkeys(part.cells)
    return [*cells]


_NO_CELLS, _NO_RANGES = csr([])
NO_DISJUNCTIONS = Disjunctions(
    first_propagator=np.int64(0),
    option_ranges=_NO_RANGES,
    domain_cells=_NO_CELLS,
    domains=np.zeros(0, np.uint64),
    domain_ranges=_NO_RANGES,
    pairs=np.zeros((0, 2), np.uint32),
    pair_tables=np.zeros(0, np.int32),
    pair_ranges=_NO_RANGES,
    allowed=np.zeros((0, 1), np.uint64),
    propagators=_NO_CELLS,
    propagator_ranges=_NO_RANGES,
)
