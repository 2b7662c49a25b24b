"""Find the auxiliary cells of primitive constraints, and give them other numbers.

Each constraint numbers its auxiliary cells −1, −2, and so on. They get new numbers when the
constraints of a board, or of the options of a disjunction, are put together.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from solver.board.primitive_constraints import (
    Combination,
    Disjunction,
    Domain,
    FullRank,
    House,
    Links,
    Part,
    Partition,
    Regular,
    Relation,
    SatDisjunction,
    Sum,
)
from solver.rules.rule import Cells

_PAIRS = (Links, Relation)
# Types whose auxiliary cells also occur in constraints of other types.
_ALSO_IN_OTHERS = {House, Links, Relation, Sum, Combination, Disjunction}


def renumber_auxiliary(parts: Sequence[Part], first: int) -> tuple[Sequence[Part], int]:
    """Renumber the auxiliary cells of constraints: −1 becomes `first`, −2 becomes first + 1, ….

    Returns the renumbered constraints, and the number of auxiliary cells.
    """
    own = count_auxiliary(parts)
    if own == 0:
        return parts, 0
    return replace_cells(parts, {-1 - place: first + place for place in range(own)}), own


def replace_cells(parts: Sequence[Part], moved: Mapping[int, int]) -> list[Part]:
    """Return the constraints with new numbers for some of their cells.

    `moved` maps old to new numbers. Cells without an entry stay. In partitions and full ranks, only
    the auxiliary answer cells are replaced. A `Disjunction` stays as it is, because it has no
    auxiliary cells.
    """
    return [_replace_cells_of(part, moved) for part in parts]


def count_auxiliary(parts: Sequence[Part]) -> int:
    """Return the number of auxiliary cells of constraints, which are −1, −2, and so on.

    Constraints of some types are skipped, because their auxiliary cells also occur in other ones.
    """
    return -min([0, *[lowest_cell(part) for part in parts if type(part) not in _ALSO_IN_OTHERS]])


def lowest_cell(part: Part) -> int:
    """Return the smallest cell number in a constraint, which is negative for auxiliary cells.

    Returns 0 if the constraint has no cells.
    """
    if type(part) is Regular:  # the most common type
        return min(part.cells, default=0)
    if isinstance(part, Domain):
        return part.cell
    if isinstance(part, _PAIRS):
        return min(chain.from_iterable(part.pairs), default=0)
    if isinstance(part, SatDisjunction | Disjunction):
        return min(map(lowest_cell, chain(*part.options)), default=0)
    return min(part.cells, default=0)


def _replace_cells_of(part: Part, moved: Mapping[int, int]) -> Part:
    """Return a copy of one constraint in which some cells have new numbers.

    `moved` maps old to new numbers. Cells without an entry stay. The exceptions for some types of
    constraints are those of `replace_cells`.
    """

    def other(cells: Cells) -> Cells:
        return tuple(map(moved.get, cells, cells))

    if type(part) is Regular:
        return Regular(other(part.cells), part.automaton)
    if isinstance(part, Domain):
        return Domain(moved.get(part.cell, part.cell), part.allowed)
    if isinstance(part, _PAIRS):
        return part._replace(
            pairs=tuple([(moved.get(one, one), moved.get(two, two)) for one, two in part.pairs])
        )
    if isinstance(part, SatDisjunction):
        return SatDisjunction(tuple([tuple(replace_cells(group, moved)) for group in part.options]))
    if isinstance(part, Disjunction):
        return part  # It has no auxiliary cells.
    if isinstance(part, Partition | FullRank):
        return part._replace(answers=other(part.answers))
    return part._replace(cells=other(part.cells))
