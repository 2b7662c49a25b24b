"""Rule units: the pieces of a layout's constraints that are explained one by one.

A unit is a constraint, or a piece of a large one, such as a single pair of cells. It numbers its
own cells and auxiliary variables from 0. Its filters come from the primitive constraints that the
engines get, so a rule needs no code of its own here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import cast

from solver.board.layout import Layout
from solver.board.primitive_constraints import (
    Combination,
    Disjunction,
    Domain,
    House,
    Links,
    Part,
    Regular,
    Relation,
    Sandwich,
    Sum,
)
from solver.logic.board import Words
from solver.logic.deduction import sum_of_houses
from solver.logic.rule_steps.filters import (
    Domains,
    difference_filter,
    domain_filter,
    joined,
    options_filter,
    propagate,
    relation_filter,
    sandwich_filter,
    set_filter,
    sum_filter,
    word_filter,
)
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sums import equations, is_usable
from solver.rules.rule import Constraint, sets_that

_MOST_TOGETHER = 16  # cells; the pairs and groups of larger constraints are separate units
_MOST_UNIT_CELLS = 100  # of a unit, including auxiliary variables
_MOST_DERIVED = 3  # cells of a sum that follows from houses and cages
_MOST_UNITS = 50  # such sums
_MOST_KNOWN = 10_000  # results of a unit that are kept
_SIMPLE = (House, Links, Domain)  # covered by the other techniques
_PAIRWISE = (Links, Relation)


@dataclass(frozen=True, slots=True, eq=False)
class RuleUnit:
    """A constraint, or a piece of one, with the filters of its primitive constraints.

    constraint  the index of the constraint in the layout
    cells       the cells of the grid, in the order of the local numbers 0, 1, 2, …
    hidden      the domains of the variables that follow these cells
    numbers     the numbers of the cells and the variables in `parts`
    parts       the primitive constraints that have filters
    filters     the filters in one array, which use the local numbers
    full        the values that the cells can have in an empty grid, as bits
    summed      whether the techniques for sums cover the unit. Then its filters also use that cells
                differ where they see each other.
    known       earlier results of `filtered`, because trials repeat them
    """

    constraint: int
    cells: tuple[int, ...]
    hidden: tuple[int, ...]
    numbers: tuple[int, ...]
    parts: tuple[Part, ...]
    filters: Words
    full: tuple[int, ...]
    summed: bool
    known: dict[tuple[int, ...], tuple[int, ...] | None] = field(default_factory=dict)

    def filtered(self, domains: Sequence[int]) -> tuple[int, ...] | None:
        """Return the domains of the cells without impossible values, or None if one is empty.

        `domains` are those of the unit's cells, in order.
        """
        own = tuple(domains)
        if own in self.known:
            return self.known[own]
        local: Domains = [*own, *self.hidden]
        is_possible = propagate(self.filters, local)
        left = tuple(local[: len(own)]) if is_possible else None
        if len(self.known) >= _MOST_KNOWN:
            self.known.clear()
        self.known[own] = left
        return left


@lru_cache(maxsize=32)
def rule_units(layout: Layout) -> tuple[RuleUnit, ...]:
    """Return the units of a layout's constraints.

    Constraints that are nothing but houses, not-equal pairs, and domains have none, because the
    other techniques cover them. Constraints without a filter have none either, and those with many
    cells have several (see `_groups`) or none.
    """
    constraints = cast("tuple[Constraint, ...]", layout.constraints)
    full = [(1 << layout.size) - 1] * layout.cells
    for domain in layout.domains:
        if domain.cell < layout.cells:
            full[domain.cell] &= domain.allowed
    units: list[RuleUnit] = []
    for index, constraint in enumerate(constraints):
        parts = constraint.parts(layout)
        if isinstance(parts, str) or all(
            isinstance(part, House | Links | Domain) for part in parts
        ):
            continue
        for group in _groups(constraint, parts):
            unit = _unit(index, group, layout, full)
            if unit is not None:
                units.append(unit)
    return tuple(units)


@lru_cache(maxsize=32)
def derived_units(layout: Layout) -> tuple[RuleUnit, ...]:
    """Return the units of some small sums that follow from houses and cages, for trials.

    There are at most `_MOST_UNITS` of them, with at most `_MOST_DERIVED` cells each. Their houses
    have consecutive indices. Instead of the index of a constraint, a unit contains the number that
    `sum_of_houses` makes from these.
    """
    full = (1 << layout.size) - 1
    units: list[RuleUnit] = []
    for equation in equations(layout):
        houses = equation.houses
        if not houses or len(equation.terms) > _MOST_DERIVED:
            continue
        if houses != tuple(range(houses[0], houses[0] + len(houses))):
            continue
        cells, factors = zip(*equation.terms, strict=True)
        part = Sum(cells, factors, equation.total)
        local = {cell: number for number, cell in enumerate(cells)}
        filters = joined([*_filters(part, local, layout), *_sharper_filters(part, local, layout)])
        every = (full,) * len(cells)
        number = sum_of_houses(houses)
        units.append(RuleUnit(number, cells, (), cells, (part,), filters, every, summed=True))
    return tuple(units[:_MOST_UNITS])


def _groups(constraint: Constraint, parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    """Yield the primitive constraints of each unit of a constraint.

    A constraint of up to `_MOST_TOGETHER` cells is one unit, and so is a larger one that has
    auxiliary variables. Otherwise, each pair of cells that its primitive constraints relate is a
    unit, and so is each other primitive constraint, except houses and domains, which other
    techniques cover.
    """
    if constraint.cells and len(constraint.cells) <= _MOST_TOGETHER:
        yield parts
        return
    by_pair: dict[tuple[int, int], list[Part]] = {}
    others: list[Part] = []
    has_hidden = any(cell < 0 for part in parts for cell in _cells_of(part))
    for part in parts:
        if isinstance(part, _PAIRWISE) and not has_hidden:
            for one, other in part.pairs:
                key = (min(one, other), max(one, other))
                by_pair.setdefault(key, []).append(part._replace(pairs=((one, other),)))
        else:
            others.append(part)
    yield from by_pair.values()
    if has_hidden:
        yield others
    else:
        yield from ([part] for part in others if not isinstance(part, _SIMPLE))


def _unit(
    index: int, parts: Sequence[Part], layout: Layout, full: Sequence[int]
) -> RuleUnit | None:
    """Return the unit of some primitive constraints of the constraint with this index.

    Returns None if it would have no filters that other techniques lack, or too many cells. `full`
    are the values that each cell can have in an empty grid, as bits.
    """
    if all(isinstance(part, _SIMPLE) for part in parts):
        return None
    known = dict.fromkeys(chain.from_iterable(map(_cells_of, parts)))
    cells = tuple(cell for cell in known if 0 <= cell < layout.cells)
    hidden = tuple(cell for cell in known if not 0 <= cell < layout.cells)
    if not cells or len(known) > _MOST_UNIT_CELLS:
        return None
    local = {cell: number for number, cell in enumerate((*cells, *hidden))}
    filters = [keep for part in parts for keep in _filters(part, local, layout)]
    summed = all(
        isinstance(part, _SIMPLE) or (isinstance(part, Sum) and is_usable(part, layout))
        for part in parts
    )
    for part in parts if summed else ():
        if isinstance(part, Sum):
            filters += _sharper_filters(part, local, layout)
    return RuleUnit(
        constraint=index,
        cells=cells,
        hidden=((1 << layout.size) - 1,) * len(hidden),
        numbers=(*cells, *hidden),
        parts=tuple(part for part in parts if _cells_of(part)),
        filters=joined(filters),
        full=tuple(full[cell] for cell in cells),
        summed=summed,
    )


def _filters(part: Part, local: dict[int, int], layout: Layout) -> Iterator[Words]:
    """Yield the filters of a primitive constraint. `local` maps its cells to their local numbers.

    Types that only the engines support have no filter.
    """
    match part:
        case House():
            own = [local[cell] for cell in part.cells]
            yield difference_filter(list(combinations(own, 2)))
        case Links() | Relation():
            pairs = [(local[one], local[other]) for one, other in part.pairs]
            if isinstance(part, Relation):
                yield relation_filter(pairs, part.allowed)
            else:
                yield difference_filter(pairs)
        case Domain():
            yield domain_filter(local[part.cell], part.allowed)
        case Disjunction():
            yield options_filter(
                [
                    [keep for each in option for keep in _filters(each, local, layout)]
                    for option in part.options
                ]
            )
        case Sum() | Regular() | Combination() | Sandwich():
            yield _filter_of_cells(part, [local[cell] for cell in part.cells], layout)


def _filter_of_cells(
    part: Sum | Regular | Combination | Sandwich, own: Sequence[int], layout: Layout
) -> Words:
    """Return the filter of a primitive constraint.

    `own` are the indices of the constraint's cells in the list of domains that the filter is
    applied to, in the constraint's order.
    """
    match part:
        case Sum():
            return sum_filter(
                own, part.factors, part.target, lowest=layout.lowest, size=layout.size
            )
        case Regular():
            return word_filter(own, part.automaton)
        case Combination():
            return set_filter(own, part.sets)
        case Sandwich():
            return sandwich_filter(own, part.fillings)


def _sharper_filters(part: Sum, local: dict[int, int], layout: Layout) -> Iterator[Words]:
    """Yield filters of a sum that remove more because some of its cells see each other.

    `local` maps its cells to their local numbers. If all cells see each other, one of the filters
    allows only the sets of values with the right sum.
    """
    peers = peers_of_cells(layout)
    pairs = [
        (local[one], local[other])
        for one, other in combinations(part.cells, 2)
        if other in peers[one]
    ]
    count = len(part.cells)
    if pairs:
        yield difference_filter(pairs)
    if {*part.factors} == {1} and len(pairs) == comb(count, 2) and count <= layout.size:
        sets = sets_that(layout, count, lambda numbers: sum(numbers) == part.target)
        if sets is not None:
            yield set_filter([local[cell] for cell in part.cells], sets)


def _cells_of(part: Part) -> tuple[int, ...]:
    """Return the cells of a primitive constraint, in order and with repeats.

    Returns () for types that logic doesn't filter, such as connected regions.
    """
    match part:
        case Links() | Relation():
            return tuple(chain.from_iterable(part.pairs))
        case Domain():
            return (part.cell,)
        case Disjunction():
            return tuple(
                chain.from_iterable(_cells_of(each) for own in part.options for each in own)
            )
        case House() | Sum() | Regular() | Combination() | Sandwich():
            return part.cells
        case _:
            return ()
