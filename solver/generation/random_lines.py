"""Random thermometers and arrows that fit a solution."""

from collections.abc import Callable, Sequence

from solver.board.bounds import Bounds
from solver.generation.cell_groups import Neighbors
from solver.generation.random_choices import RandomChoices

Line = tuple[int, ...]  # cells, from the bulb of a thermometer, or from the circle of an arrow

_LEAST = 3  # cells of a line
_FEW = 3
_TRIES = 100  # to draw a line


class LineDrawing:
    """Draws lines of up to `largest` cells that fit the numbers in the cells of a solution.

    Lines go from cell to cell in `neighbors`, and share no cells.
    """

    def __init__(
        self,
        cells: Sequence[int],
        numbers: Sequence[int],
        *,
        largest: int,
        neighbors: Neighbors,
        choices: RandomChoices,
    ) -> None:
        """Start with a board on which all `cells` are free for lines."""
        self._free = set(cells)
        self._numbers = numbers
        self._largest = largest
        self._neighbors = neighbors
        self._choices = choices

    def draw(self, rule: str, count: Bounds) -> list[Line] | None:
        """Return lines of a rule, or None if too few fit on the board.

        Their number is drawn from `count`. If that has no upper bound, it is at most a few more
        than the lower one.
        """
        least = int(count.least or 1)
        most = least + _FEW if count.most is None else int(count.most)
        wanted = least + self._choices.below(most - least + 1)
        draw = _DRAWN_AS[rule]
        lines: list[Line] = []
        for _ in range(_TRIES * wanted):
            if len(lines) == wanted or not self._free:
                break
            line = draw(self, self._choices.one_of(sorted(self._free)))
            if line is not None:
                lines.append(line)
                self._free -= {*line}
        return lines if len(lines) >= least else None

    def thermometer(self, bulb: int) -> Line | None:
        """Return a thermometer, along which the numbers increase, or None."""
        length = _LEAST + self._choices.below(self._largest - _LEAST + 1)
        line = [bulb]
        while len(line) < length:
            near = [
                cell for cell in self._near(line) if self._numbers[cell] > self._numbers[line[-1]]
            ]
            if not near:
                break
            line.append(self._choices.one_of(near))
        return tuple(line) if len(line) >= _LEAST else None

    def arrow(self, circle: int) -> Line | None:
        """Return an arrow, whose other numbers add up to that in the circle, or None."""
        line, rest = [circle], self._numbers[circle]
        while rest > 0 and len(line) < self._largest:
            near = [cell for cell in self._near(line) if self._numbers[cell] <= rest]
            if not near:
                break
            line.append(self._choices.one_of(near))
            rest -= self._numbers[line[-1]]
        return tuple(line) if rest == 0 and len(line) >= _LEAST else None

    def _near(self, line: Sequence[int]) -> list[int]:
        """Return the free cells next to the end of a line."""
        return [
            cell for cell in self._neighbors[line[-1]] if cell in self._free and cell not in line
        ]


_DRAWN_AS: dict[str, Callable[[LineDrawing, int], Line | None]] = {
    "thermo": LineDrawing.thermometer,
    "arrow": LineDrawing.arrow,
}
