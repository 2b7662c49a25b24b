"""Chains in Eureka notation, such as "(4)r1c1 = (4)r1c9 - (4)r3c9 = (7)r3c9".

A strong link is written as =, a weak link as -. A group of cells is written as r1c12. An almost
locked set that loses one value and so contains another one is written as (5=3)r1c46.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise, product

from solver.logic.deduction import AlmostLockedSet, Deduction, Node
from solver.logic.sentences.chains import is_set
from solver.logic.sentences.wording import Wording

_SIGNS = {"strong": " = ", "weak": " - "}
_MOST_COLUMNS = 9  # on larger boards, r1c12 is the cell in column 12


def eureka(deduction: Deduction, words: Wording) -> str | None:
    """Return the chains of a step in Eureka notation, one per line, or None if it has none.

    Nets have none, because their lines can have several reasons each.
    """
    if len(deduction.sets) > 1 and not deduction.cells:
        return _sets(deduction, words)
    chains = [chain for chain in deduction.chains if len(chain) > 1]
    if not chains or any(chain[0].link for chain in deduction.chains):
        return None
    return "\n".join(_chain(chain, words) for chain in chains)


def _chain(chain: Sequence[Node], words: Wording) -> str:
    text = ""
    for number, node in enumerate(chain):
        sign = _SIGNS.get(node.link, "")
        if number and is_set(chain, number - 1) and not is_set(chain, number):
            sign = " - " if node.link == "weak" else " = "
        values = words.value(node.value)
        if is_set(chain, number):
            values += f"={words.value(chain[number + 1].value)}"
        text += f"{sign}({values}){short_cells(node.cells, words)}"
    return text


def _sets(deduction: Deduction, words: Wording) -> str:
    """Return the almost locked sets of a step as a chain, such as "(3=5)r1c46 - (5=3)r1c8".

    It begins and ends with the lowest value that the step removes.
    """
    links = restricted_path(deduction.sets)
    last = sorted({value for _, value in deduction.eliminations})[0]
    entered = (last, *links)
    left = (*links, last)
    return " - ".join(
        f"({words.value(one)}={words.value(other)}){short_cells(group.cells, words)}"
        for one, other, group in zip(entered, left, deduction.sets, strict=True)
    )


def restricted_path(sets: tuple[AlmostLockedSet, ...]) -> tuple[int, ...]:
    """Return a value for each link between consecutive sets: one of their restricted commons.

    The values of successive links differ, because a set can't lose a value and gain it.
    """
    ways = product(*(group.restricted for group in sets[:-1]))
    return next(way for way in ways if all(one != other for one, other in pairwise(way)))


def short_cells(cells: Collection[int], words: Wording) -> str:
    """Return cells in short form, such as r1c12 or r12c3, or their names separated by commas.

    The short form needs cells at all crossings of their rows and columns. Boards with more than
    nine rows or columns have no short form.
    """
    columns = words.layout.columns
    places = [(cell // columns + 1, cell % columns + 1) for cell in cells]
    rows, across = ({place[side] for place in places} for side in range(2))
    if len(rows) * len(across) == len(places) and max(words.layout.rows, columns) <= _MOST_COLUMNS:
        return f"r{''.join(map(str, sorted(rows)))}c{''.join(map(str, sorted(across)))}"
    return ",".join(map(words.layout.cell_name, cells))
