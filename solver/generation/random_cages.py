"""Draw random killer cages: divide the board into connected cages without repeated numbers."""

from collections.abc import Iterator, Sequence

from solver.board.bounds import Bounds
from solver.generation.cell_groups import Neighbors, around, is_connected
from solver.generation.random_choices import RandomChoices

Cage = frozenset[int]

# How often each size is drawn. Killers in newspapers have similar shares.
_WEIGHTS = {2: 40, 3: 33, 4: 18, 5: 9, 6: 3, 7: 1, 8: 1, 9: 1}


class CageDrawing:
    """Draws cages of two to `largest` cells.

    `numbers` has the number in each cell of the solution.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        *,
        largest: int,
        neighbors: Neighbors,
        choices: RandomChoices,
    ) -> None:
        self._numbers = numbers
        self._largest = largest
        self._neighbors = neighbors
        self._choices = choices

    def draw(self, cells: Sequence[int], count: Bounds) -> list[Cage] | None:
        """Divide the cells into a permitted number of cages, or return None if that fails.

        Neighboring cages are merged, or cages are split, until their number is within `count`.
        """
        cages = self._without_singles(self._grown(cells))
        while cages is not None and count.most is not None and len(cages) > count.most:
            cages = self._merged(cages)
        while cages is not None and count.least is not None and len(cages) < count.least:
            cages = self._split(cages)
        return cages

    def excluding(self, other: Sequence[int], cages: Sequence[Cage]) -> list[Cage] | None:
        """Change two cages so that another solution has wrong sums there, and return all cages.

        `other` has the number in each cell of that solution, which has the right sums in the given
        cages. A cell in which it differs from the wanted solution moves to a neighboring cage.
        Returns None if no such cell can move.
        """
        cage_of = {cell: cage for cage in cages for cell in cage}
        moves = [
            (cell, cage, target)
            for cell, cage in cage_of.items()
            if self._numbers[cell] != other[cell] and self._can_leave(cell, cage)
            for target in self._around({cell}, cages)
            if target is not cage and self._is_cage(target | {cell})
        ]
        if not moves:
            return None
        cell, cage, target = self._choices.one_of(moves)
        return _replaced(cages, (cage, target), (cage - {cell}, target | {cell}))

    def _grown(self, cells: Sequence[int]) -> list[Cage]:
        """Divide the cells into cages of random sizes, without repeated numbers.

        A cage that can't grow is smaller, and can have a single cell.
        """
        weights = [_WEIGHTS.get(size, 0) for size in range(self._largest + 1)]
        free = set(cells)
        cages = []
        for start in self._choices.shuffled(cells):
            if start not in free:
                continue
            size = self._choices.by_weight(weights)
            cage = frozenset((start,))
            while len(cage) < size:
                near = [
                    cell
                    for cell in around(cage, self._neighbors)
                    if cell in free and self._is_cage(cage | {cell})
                ]
                if not near:
                    break
                cage |= {self._choices.one_of(near)}
            free -= cage
            cages.append(cage)
        return cages

    def _without_singles(self, cages: list[Cage]) -> list[Cage] | None:
        """Join each cage of one cell to another cage, or else move a cell of another cage to it.

        Returns None if that isn't possible.
        """
        for single in [cage for cage in cages if len(cage) == 1]:
            if single not in cages:
                continue  # another single cell joined it
            near = self._around(single, cages)
            joined = [(cage, (single | cage,)) for cage in near if self._is_cage(single | cage)]
            moved = [
                (cage, (single | {cell}, cage - {cell}))
                for cage in near
                for cell in sorted(cage.intersection(around(single, self._neighbors)))
                if self._is_cage(single | {cell}) and self._can_leave(cell, cage)
            ]
            if not joined and not moved:
                return None
            old, new = self._choices.one_of(joined or moved)
            cages = _replaced(cages, (single, old), new)
        return cages

    def _merged(self, cages: Sequence[Cage]) -> list[Cage] | None:
        """Return the cages after two random neighboring ones are merged, or None if none can be."""
        pairs = [
            (cage, other)
            for cage in cages
            for other in self._around(cage, cages)
            if min(cage) < min(other) and self._is_cage(cage | other)
        ]
        if not pairs:
            return None
        cage, other = self._choices.one_of(pairs)
        return _replaced(cages, (cage, other), (cage | other,))

    def _split(self, cages: Sequence[Cage]) -> list[Cage] | None:
        """Return the cages after a random one is split, or None if none can be.

        A pair of neighbors is split off, and two or more connected cells remain.
        """
        splits = [(cage, pair) for cage in cages for pair in self._pairs(cage)]
        if not splits:
            return None
        cage, pair = self._choices.one_of(splits)
        return _replaced(cages, (cage,), (pair, cage - pair))

    def _pairs(self, cage: Cage) -> Iterator[Cage]:
        """Yield the pairs of neighbors that can be split off from a cage.

        Two or more connected cells must remain.
        """
        for cell in sorted(cage):
            for near in self._neighbors[cell]:
                left = cage - {cell, near}
                is_new = near in cage and cell < near
                if is_new and len(left) > 1 and is_connected(left, self._neighbors):
                    yield frozenset((cell, near))

    def _around(self, cells: Cage | set[int], cages: Sequence[Cage]) -> list[Cage]:
        """Return the cages next to some cells, in the order of `cages`.

        They contain a cell that shares an edge with one of `cells`, and isn't one of these itself.
        """
        near = around(cells, self._neighbors)
        return [cage for cage in cages if not cage.isdisjoint(near)]

    def _is_cage(self, cells: Cage) -> bool:
        """Return whether a cage of these cells isn't too large and has no repeated number."""
        numbers = {self._numbers[cell] for cell in cells}
        return len(numbers) == len(cells) <= self._largest

    def _can_leave(self, cell: int, cage: Cage) -> bool:
        """Return whether the other cells of a cage form a cage without `cell`.

        That takes two or more cells, and they must be connected.
        """
        return len(cage) > 2 and is_connected(cage - {cell}, self._neighbors)


def _replaced(cages: Sequence[Cage], old: Sequence[Cage], new: Sequence[Cage]) -> list[Cage]:
    """Return the cages without `old` and with the `new` ones, sorted by their first cell."""
    return sorted([*(cage for cage in cages if cage not in old), *new], key=min)
