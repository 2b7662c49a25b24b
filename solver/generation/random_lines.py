"""Draw random lines and Kropki dots that fit a solution."""

from collections.abc import Callable, Sequence
from itertools import product

from solver.board.bounds import Bounds
from solver.generation.cell_groups import Neighbors
from solver.generation.random_choices import RandomChoices

Line = tuple[int, ...]  # cells, from the bulb of a thermometer, or from the circle of an arrow

_LEAST = 3  # cells of a line
_FEW = 3
_WHISPER = 5  # the least difference of neighbors on a German whispers line
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
        """Start with a board on which all `cells` are free for lines.

        `numbers` are the numbers of all cells in the solution.
        """
        self._free = set(cells)
        self._numbers = numbers
        self._largest = largest
        self._neighbors = neighbors
        self._choices = choices

    def draw(self, rule: str, count: Bounds) -> list[Line] | None:
        """Return lines of a rule, or None if too few fit on the board.

        Their number is drawn from `count`. If that has no upper bound, it is at most a few more
        than the lower one. If fewer lines fit, but no fewer than the lower bound, these are
        returned. The cells of the lines are no longer free.
        """
        least, wanted = _wanted(count, self._choices)
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
        """Return a thermometer from `bulb` on, or None if it is too short. Its numbers increase."""
        return self._grown(bulb, lambda line, number: number > line[-1])

    def whisper(self, start: int) -> Line | None:
        """Return a German whispers line from `start` on: adjacent numbers differ by 5 or more.

        Returns None if it is too short.
        """
        return self._grown(start, lambda line, number: abs(number - line[-1]) >= _WHISPER)

    def renban(self, start: int) -> Line | None:
        """Return a renban line from `start` on, whose numbers are consecutive in some order.

        Returns None if the line doesn't reach its random length.
        """
        length = self._length()

        def fits(line: Sequence[int], number: int) -> bool:
            numbers = {*line, number}
            return len(numbers) > len(line) and max(numbers) - min(numbers) < length

        line = self._grown(start, fits, length=length)
        return line if line is not None and len(line) == length else None

    def palindrome(self, middle: int) -> Line | None:
        """Return a palindrome, whose numbers read the same in both directions.

        It grows from the middle, which is one cell or two with the same number. Returns None if it
        is too short.
        """
        length, line = self._length(), [middle]
        if length % 2 == 0:
            same = [each for each in self._near(line) if self._same(each, middle)]
            if not same:
                return None
            line.append(self._choices.one_of(same))
        while len(line) < length:
            ends = product(self._near(line[::-1]), self._near(line))
            pairs = [(one, other) for one, other in ends if one != other and self._same(one, other)]
            if not pairs:
                break
            one, other = self._choices.one_of(pairs)
            line = [one, *line, other]
        return tuple(line) if len(line) >= _LEAST else None

    def arrow(self, circle: int) -> Line | None:
        """Return an arrow: the circle, then cells whose numbers add up to that in the circle.

        Returns None if the random cells don't add up to it, or if there are fewer than two.
        """
        line, rest = [circle], self._numbers[circle]
        while rest > 0 and len(line) < self._largest:
            near = [cell for cell in self._near(line) if self._numbers[cell] <= rest]
            if not near:
                break
            line.append(self._choices.one_of(near))
            rest -= self._numbers[line[-1]]
        return tuple(line) if rest == 0 and len(line) >= _LEAST else None

    def _length(self) -> int:
        return _LEAST + self._choices.below(self._largest - _LEAST + 1)

    def _grown(
        self,
        start: int,
        fits: Callable[[Sequence[int], int], bool],
        *,
        length: int | None = None,
    ) -> Line | None:
        """Return a line of up to `length` cells from `start` on, or None if it stays too short.

        The default length is random. fits(numbers on the line, number) returns whether a cell with
        this number can be added.
        """
        length = length or self._length()
        line = [start]
        while len(line) < length:
            numbers = [self._numbers[cell] for cell in line]
            near = [cell for cell in self._near(line) if fits(numbers, self._numbers[cell])]
            if not near:
                break
            line.append(self._choices.one_of(near))
        return tuple(line) if len(line) >= _LEAST else None

    def _same(self, one: int, other: int) -> bool:
        return self._numbers[one] == self._numbers[other]

    def _near(self, line: Sequence[int]) -> list[int]:
        """Return the free cells next to the last cell of a line that aren't on the line."""
        return [
            cell for cell in self._neighbors[line[-1]] if cell in self._free and cell not in line
        ]


_DRAWN_AS: dict[str, Callable[[LineDrawing, int], Line | None]] = {
    "thermo": LineDrawing.thermometer,
    "arrow": LineDrawing.arrow,
    "whisper": LineDrawing.whisper,
    "renban": LineDrawing.renban,
    "palindrome": LineDrawing.palindrome,
}
# Whether two numbers, the lesser one first, get a Kropki dot
_DOTS: dict[str, Callable[[int, int], bool]] = {
    "white": lambda low, high: high - low == 1,
    "black": lambda low, high: high == 2 * low,
}


def draw_dots(
    rule: str,
    count: Bounds,
    *,
    numbers: Sequence[int],
    neighbors: Neighbors,
    choices: RandomChoices,
) -> list[tuple[int, int]] | None:
    """Return pairs of neighbors for Kropki dots, or None if too few are suitable.

    `rule` is "white" or "black". `numbers` has the number in each cell of the solution. The number
    of dots is drawn from `count`. If that has no upper bound, it is at most a few more than the
    lower one.
    """
    least, wanted = _wanted(count, choices)
    fits = _DOTS[rule]
    possible = [
        (cell, other)
        for cell, near in enumerate(neighbors)
        for other in near
        if cell < other and fits(*sorted((numbers[cell], numbers[other])))
    ]
    return choices.shuffled(possible)[:wanted] if len(possible) >= least else None


def _wanted(count: Bounds, choices: RandomChoices) -> tuple[int, int]:
    """Return the least permitted number of constraints, at least 1, and the number to draw.

    The latter is drawn at random from `count`. If that has no upper bound, it is at most a few more
    than the least number.
    """
    least = int(count.least or 1)
    most = least + _FEW if count.most is None else int(count.most)
    return least, least + choices.below(most - least + 1)
