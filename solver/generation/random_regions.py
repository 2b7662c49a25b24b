"""Random jigsaws: N connected regions of N cells on an N×N grid."""

from solver.board.layout import Layout
from solver.generation.cell_groups import is_connected, neighbors_of
from solver.generation.random_choices import RandomChoices

# Attempted exchanges per cell. On 9×9, each cell then changes its region some 15 times. With a
# third of them, a third of the jigsaws still had a whole row as a region.
_EXCHANGES = 60


def random_regions(size: int, choices: RandomChoices) -> tuple[str, ...]:
    """Return the label of each cell's region, "1" to "size" in reading order.

    The regions are rows at first. Then neighboring regions exchange cells at random, as long as
    each of them stays connected.
    """
    jigsaw = _Jigsaw(size, choices)
    for _ in range(_EXCHANGES * size * size):
        jigsaw.exchange()
    regions = jigsaw.region_of
    number_of = {region: str(place) for place, region in enumerate(dict.fromkeys(regions), 1)}
    return tuple(number_of[region] for region in regions)


class _Jigsaw:
    """Regions that can exchange cells. `region_of` has the region of each cell."""

    def __init__(self, size: int, choices: RandomChoices) -> None:
        cells = range(size * size)
        self.region_of = [cell // size for cell in cells]
        self._members = [{*cells[start : start + size]} for start in cells[::size]]
        self._neighbors = neighbors_of(Layout.grid(size, size, size=size, box=None))
        self._choices = choices

    def exchange(self) -> None:
        """Move a random cell to a neighboring region, and one of the cells there to its own.

        Nothing changes if one of the regions wouldn't be connected.
        """
        neighbors, choices = self._neighbors, self._choices
        cell = choices.below(len(neighbors))
        own, other = (self.region_of[each] for each in (cell, choices.one_of(neighbors[cell])))
        left = self._members[own] - {cell}
        movable = [
            each for each in sorted(self._members[other]) if not left.isdisjoint(neighbors[each])
        ]
        if own == other or not movable:
            return
        back = choices.one_of(movable)
        mine, its = left | {back}, self._members[other] - {back} | {cell}
        if is_connected(mine, neighbors) and is_connected(its, neighbors):
            self._members[own], self._members[other] = mine, its
            self.region_of[cell], self.region_of[back] = other, own
