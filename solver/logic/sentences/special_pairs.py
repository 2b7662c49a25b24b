"""Sentences about the pairs of cells in a step that must differ because of a special rule.

Readers see for themselves that two cells share a row, a column, or a box. A knight's move, a cage,
or a diagonal has to be named.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, product

from solver.board.layout import Layout
from solver.logic.deduction import Deduction
from solver.logic.sentences.places import reason_to_differ

_MOST_PAIRS = 4  # for each rule
_WINGS = ("0800", "0801")  # their first cell, the hinge, sees the others


def special_pairs(
    deduction: Deduction, layout: Layout, can_be: Callable[[int, int], bool]
) -> list[str]:
    """Return a sentence for each special rule that a step depends on.

    For example, "r1c3 and r3c4 are a knight's move apart, and so are r3c4 and r5c3". `can_be(cell,
    value)` returns whether the cell has the value as a candidate.
    """
    pairs_for: dict[str, list[str]] = {}
    for one, other in dict.fromkeys(_pairs(deduction, can_be)):
        reason = reason_to_differ(layout, one, other)
        if reason is not None:
            names = f"{layout.cell_name(one)} and {layout.cell_name(other)}"
            pairs_for.setdefault(reason, []).append(names)
    return [
        ", and so are ".join([f"{first} are {reason}", *others[: _MOST_PAIRS - 1]])
        for reason, (first, *others) in pairs_for.items()
    ]


def _pairs(deduction: Deduction, can_be: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of cells in which one value excludes the other, the lower cell first.

    These are the hinge of a wing with its pincers, the restricted commons between almost locked
    sets, and the eliminated candidates with the candidates of the pattern that exclude them. Links
    of chains aren't included, because their sentences name the reason of each link.
    """
    if deduction.code in _WINGS:
        yield from _sorted_product(deduction.cells[:1], deduction.cells[1:])
    for group, following in pairwise(deduction.sets):
        for value in group.restricted:
            yield from _sorted_product(
                (cell for cell in group.cells if can_be(cell, value)),
                (cell for cell in following.cells if can_be(cell, value)),
            )
    for cell, value in deduction.eliminations:
        causes = [one for one in _causes(deduction, cell, value) if can_be(one, value)]
        yield from _sorted_product([cell], causes)


def _causes(deduction: Deduction, cell: int, value: int) -> Iterator[int]:
    """Yield the cells of the pattern that can exclude a value from a cell."""
    for groups in (deduction.fins, deduction.endo_fins, *deduction.colors):
        yield from (one for one, other in groups if other == value)
    for group in deduction.sets:
        if value in group.values:
            yield from group.cells
    for chain in deduction.chains:
        if cell not in (*chain[0].cells, *chain[-1].cells):
            for node in (chain[0], chain[-1]):
                if node.value == value:
                    yield from node.cells
    if not (deduction.base or deduction.terms or deduction.chains):
        yield from deduction.cells


def _sorted_product(some: Iterable[int], others: Iterable[int]) -> Iterator[tuple[int, int]]:
    for one, other in product(some, others):
        if one != other:
            yield min(one, other), max(one, other)
