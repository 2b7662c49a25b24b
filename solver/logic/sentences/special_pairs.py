"""Sentences about the pairs of cells in a step that must differ because of a special rule.

Readers see for themselves that two cells share a row, a column, or a box. A knight's move, a cage,
or a diagonal has to be named.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, product

from solver.board.layout import Layout
from solver.logic.deduction import Deduction
from solver.logic.sentences.places import reason_to_differ

_ANY_PLACE = ("in a ", "in all ")  # of which there can be several
_APART = " apart"  # ends the reason of a move
_MOST_PAIRS = 4  # for each move
_WINGS = ("0800", "0801")  # their first cell, the hinge, sees the others


def special_pairs(
    deduction: Deduction, layout: Layout, can_be: Callable[[int, int], bool]
) -> list[str]:
    """Return a sentence for each special rule that a step depends on.

    For example, "r3c4 is a knight's move from r1c3 and r5c3". Of many pairs of cells that the same
    move connects, only the first few are named. `can_be(cell, value)` returns whether the cell has
    the value as a candidate.
    """
    pairs_for: dict[str, list[tuple[int, int]]] = {}
    for pair in dict.fromkeys(_pairs(deduction, can_be)):
        reason = reason_to_differ(layout, *pair)
        if reason is not None:
            pairs_for.setdefault(reason, []).append(pair)
    sentences: list[str] = []
    for reason, pairs in pairs_for.items():
        if reason.endswith(_APART):
            sentences += _moves(reason.removesuffix(_APART), pairs[:_MOST_PAIRS], layout)
        elif reason.startswith(_ANY_PLACE):
            named = (_listed(pair, layout) for pair in pairs[:_MOST_PAIRS])
            sentences += [f"{cells} are {reason}" for cells in named]
        else:
            together = sorted({cell for pair in pairs for cell in pair})
            sentences.append(f"{_listed(together, layout)} are {reason}")
    return sentences


def _moves(move: str, pairs: list[tuple[int, int]], layout: Layout) -> Iterator[str]:
    """Yield sentences such as "r3c4 is a knight's move from r1c3 and r5c3" for pairs of cells.

    The cells that are in most pairs come first, so that few sentences are needed.
    """
    left = list(pairs)
    while left:
        center = Counter(cell for pair in left for cell in pair).most_common(1)[0][0]
        others = [
            one if other == center else other for one, other in left if center in (one, other)
        ]
        yield f"{layout.cell_name(center)} is {move} from {_listed(others, layout)}"
        left = [pair for pair in left if center not in pair]


def _listed(cells: Sequence[int], layout: Layout) -> str:
    *most, end = map(layout.cell_name, cells)
    return f"{', '.join(most)}{',' if len(most) > 1 else ''} and {end}" if most else end


def _pairs(deduction: Deduction, can_be: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of cells that can't both have a certain value, so that the step is valid.

    The cell with the lower number comes first. The pairs are the hinge of a wing with its pincers,
    the restricted commons between almost locked sets, and the eliminated candidates with the
    candidates of the pattern that exclude them. Links of chains aren't included, because their
    sentences name the reason of each link.
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
