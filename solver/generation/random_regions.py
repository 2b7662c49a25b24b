"""Draw random jigsaws: N connected regions of N cells on an N×N grid."""

from solver.board.layout import Layout
from solver.generation.cell_groups import neighbors_of
from solver.generation.random_choices import RandomChoices

# Attempted exchanges per cell. On 9×9, each cell then changes its region some 15 times. With a
# third of them, a third of the jigsaws still had a whole row as a region.
_EXCHANGES = 60


def random_regions(size: int, choices: RandomChoices) -> tuple[str, ...]:
    """Return the label of each cell's region, a number from 1 to `size` as text.

    The labels are in the reading order of the regions' first cells.

    At first, the regions are the rows. Then neighboring regions exchange cells at random, as long
    as each of them stays connected.
    """
    jigsaw = _Jigsaw(size, choices)
    for _ in range(_EXCHANGES * size * size):
        jigsaw.exchange()
    regions = jigsaw.region_of
    number_of = {region: str(place) for place, region in enumerate(dict.fromkeys(regions), 1)}
    return tuple(number_of[region] for region in regions)


class _Jigsaw:
    """Regions that can exchange cells. `region_of` has the region of each cell.

    Sets of cells are bit masks here (bit 0 = first cell), which saves most of the time.
    """

    def __init__(self, size: int, choices: RandomChoices) -> None:
        cells = range(size * size)
        self.region_of = [cell // size for cell in cells]
        self._size = size
        self._members = [((1 << size) - 1) << start for start in cells[::size]]
        self._first_column = sum(1 << cell for cell in cells[::size])
        self._last_column = self._first_column << (size - 1)
        self._neighbors = neighbors_of(Layout.grid(size, size, size=size, box=None))
        self._choices = choices

    def exchange(self) -> None:
        """Move a random cell to a neighboring region, and one of the cells there to its own.

        Nothing changes if a random neighbor of the cell is in the same region, or if one of the
        regions wouldn't be connected.
        """
        region_of, members, choices = self.region_of, self._members, self._choices
        cell = choices.below(len(region_of))
        own, other = region_of[cell], region_of[choices.one_of(self._neighbors[cell])]
        if own == other:
            return
        left = members[own] & ~(1 << cell)
        movable = _cells_in(self._near(left) & members[other])
        if not movable:
            return
        back = choices.one_of(movable)
        mine, its = left | 1 << back, members[other] & ~(1 << back) | 1 << cell
        if self._is_connected(mine) and self._is_connected(its):
            members[own], members[other] = mine, its
            region_of[cell], region_of[back] = other, own

    def _near(self, cells: int) -> int:
        """Return the cells that share an edge with one of `cells`, as a bit mask.

        Some of `cells` may be among them. Bits after the last cell of the grid may be set.
        """
        in_row = (cells & ~self._last_column) << 1 | (cells & ~self._first_column) >> 1
        return in_row | cells << self._size | cells >> self._size

    def _is_connected(self, cells: int) -> bool:
        reached, before = cells & -cells, 0
        while reached != before:
            before = reached
            reached |= self._near(reached) & cells
        return reached == cells


def _cells_in(mask: int) -> list[int]:
    """Return the cells of a set, given as a bit mask, in ascending order."""
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cells
