"""Draw a step of an explanation: the grid with candidates, houses, and links, colored by role.

The candidates of a cell are arranged in a small grid, as people write them on paper, with 1 in the
upper left corner. They keep clear of the cell's edges, and of cages and their sums. On boards with
cages, they are larger in the cells without a sum. A value that the step places is as large as the
other values of the grid.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt

from solver.board.graphemes import split_graphemes
from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.logic.deduction import Candidate, Deduction, Node
from solver.logic.explanation import Position
from solver.logic.marks import Link, Marks, marks_of
from web.boards.canvas import Shape
from web.boards.drawing import draw
from web.boards.geometry import CELL, Point, middle, outline, polyline, towards
from web.boards.renderers.registry import render_board
from web.boards.svg import LONGEST_NUMBER, Picture, Text, make_picture

LARGEST_SIZE = 16  # on larger boards, all candidates of a cell are too small to read
# Steps are drawn on boards with up to this many values. Above LARGEST_SIZE, only the candidates
# with a role in the step are drawn.
LARGEST_DRAWN = 25
# The distances of candidates from the left, right, upper, and lower edges of their cell
_SIDE, _TOP, _BOTTOM = 1.4, 1.0, 1.0
_CROWDED_SIDE = 0.8  # with more than three candidates next to each other
# The same on boards with cages, whose outlines and sums need space
_CAGED_SIDE, _CAGED_TOP, _CAGED_BOTTOM = 2.8, 5.26, 2.44
_FREE_TOP, _FREE_BOTTOM = 2.25, 2.25  # in cells without a sum
_FEW = 3  # candidates next to each other that have space for symbols of two characters
_AWAY = 2.2  # distance of a link's ends from the centers of its candidates
# Distance of a candidate's baseline from its center, and the same on boards with cages, with up to
# three candidates next to each other and with more. The last two are for cells without a sum.
_LOWERED, _CAGED_LOWERED, _CROWDED_LOWERED = 1.9, 1.8, 1.3
_FREE_LOWERED, _FREE_CROWDED_LOWERED = 2.0, 1.5


def pencil_marks(
    layout: Layout, symbols: Symbols, candidates: Sequence[Sequence[int]]
) -> tuple[Text, ...]:
    """Return the candidates of all cells as small texts, or () for boards with more than 16 values.

    `candidates` contains the candidate values of each cell, from 1.
    """
    if layout.size > LARGEST_SIZE:
        return ()
    bits = tuple(sum(1 << (value - 1) for value in values) for values in candidates)
    return tuple(_Pencil(layout, symbols).texts(bits, {}))


def draw_position(
    layout: Layout, symbols: Symbols, givens: Sequence[int], position: Position
) -> Picture:
    """Draw the grid with the values of a position, and its candidates if it has up to 16 values."""
    picture = make_picture(draw(layout, symbols, givens, position.values))
    if layout.size > LARGEST_SIZE:
        return picture
    pencil = _Pencil(layout, symbols)
    return replace(picture, texts=(*picture.texts, *pencil.texts(position.candidates, {})))


def draw_deduction(
    layout: Layout,
    symbols: Symbols,
    givens: Sequence[int],
    position: Position,
    deduction: Deduction,
    *,
    only_marked: bool = False,
) -> Picture:
    """Draw the grid as it is before a step, with the cells and candidates of the step marked.

    `deduction` is the step. `position` contains the values and candidates before it. If
    `only_marked`, the other candidates are left out, as always on boards with more than 16 values.
    """
    marks = marks_of(deduction, position.candidates)
    picture = make_picture(draw(layout, symbols, givens, position.values))
    ground, *rules = picture.shapes
    pencil = _Pencil(layout, symbols)
    placed = dict(deduction.placements)
    only_marked = only_marked or layout.size > LARGEST_SIZE
    shown = _shown_candidates(position, marks, placed, only_marked=only_marked)
    return replace(
        picture,
        shapes=(ground, *_grounds(layout, marks), *rules, *pencil.links(marks.links)),
        texts=(
            *picture.texts,
            *pencil.texts(shown, marks.candidates),
            *_placements(layout, symbols, placed),
        ),
    )


def _shown_candidates(
    position: Position, marks: Marks, placed: Mapping[int, int], *, only_marked: bool
) -> list[int]:
    """Return the candidates to draw as a bit mask for each cell, 0 for the cells in `placed`.

    If `only_marked`, these are the candidates that have a role in the step.
    """
    shown = list(position.candidates)
    if only_marked:
        shown = [0] * len(shown)
        for members in marks.candidates.values():
            for cell, value in members:
                shown[cell] |= 1 << (value - 1)
    for cell in placed:
        shown[cell] = 0
    return shown


def _placements(layout: Layout, symbols: Symbols, placed: Mapping[int, int]) -> Iterator[Text]:
    """Yield the values that a step places, as texts as large as the other values of the grid.

    `placed` maps cells to values.
    """
    values = [placed.get(cell, 0) for cell in range(layout.cells)]
    nothing = (0,) * layout.cells
    for text in make_picture(draw(layout, symbols, nothing, values)).texts:
        yield replace(text, kind="placed")


def _grounds(layout: Layout, marks: Marks) -> Iterator[Shape]:
    """Yield the colored backgrounds of the cover houses, base houses, and cells of a step.

    Cells in both a base house and a cover house get only the background of the base house.
    """

    def ground(kind: str, cells: set[int]) -> Iterator[Shape]:
        if cells:
            yield Shape(kind, outline(divmod(cell, layout.columns) for cell in sorted(cells)))

    covers = {cell for house in marks.covers for cell in layout.houses[house].cells}
    houses = {cell for house in marks.houses for cell in layout.houses[house].cells}
    yield from ground("cover", covers - houses)
    yield from ground("house", houses)
    yield from ground("marked", set(marks.cells))


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of candidates in a cell.

    `kind` are the CSS classes of their texts. `top` and `bottom` are the distances of the rows from
    the edges of the cell, and `lowered` is that of a baseline from the center of its row.
    """

    kind: str
    top: float
    bottom: float
    lowered: float


class _Pencil:
    """Draws the candidates of a board as small texts, and links between them.

    In cells with a text in their corner, the candidates are lower and smaller than in other cells.
    """

    def __init__(self, layout: Layout, symbols: Symbols) -> None:
        self._layout = layout
        self._cornered = render_board(layout, symbols).cornered_cells
        self._symbols, length = _shortened(symbols.values)
        self._across = ceil(sqrt(layout.size))
        self._down = ceil(layout.size / self._across)
        self._kind = f"candidate of{self._across}" + (f" short-{length}" if length else "")
        if not length and self._across > _FEW and max(map(len, self._symbols)) > 1:
            self._kind += " numbers"
        is_crowded = self._across > _FEW
        self._left = _CAGED_SIDE if self._cornered else _CROWDED_SIDE if is_crowded else _SIDE
        self._wide = CELL - 2 * self._left
        cornered = (_CAGED_TOP, _CAGED_BOTTOM, _CROWDED_LOWERED if is_crowded else _CAGED_LOWERED)
        free = (_FREE_TOP, _FREE_BOTTOM, _FREE_CROWDED_LOWERED if is_crowded else _FREE_LOWERED)
        self._cornered_rows = _Rows(f"{self._kind} caged", *cornered)
        self._free_rows = _Rows(f"{self._kind} caged free", *free)
        self._plain_rows = _Rows(self._kind, _TOP, _BOTTOM, _LOWERED)

    def _rows(self, cell: int) -> "_Rows":
        """Return how the candidates of a cell are arranged, which depends on texts in corners."""
        if not self._cornered:
            return self._plain_rows
        return self._cornered_rows if cell in self._cornered else self._free_rows

    def texts(
        self, candidates: Sequence[int], by_role: Mapping[str, Sequence[Candidate]]
    ) -> Iterator[Text]:
        """Yield the candidates of all cells as small texts.

        `candidates` is a bit mask per cell, bit 0 = value 1. `by_role` maps a role in the step to
        the candidates that have it. Candidates with the same role and height share a text if
        possible.
        """
        roles = {one: role for role, members in by_role.items() for one in members}
        lines: dict[tuple[str, float], list[tuple[float, str]]] = {}
        for cell, bits in enumerate(candidates):
            rows = self._rows(cell)
            for value in range(1, self._layout.size + 1):
                if bits >> (value - 1) & 1:
                    one = Candidate(cell, value)
                    x, y = self._point(one)
                    line = (f"{rows.kind} {roles.get(one, '')}".rstrip(), y + rows.lowered)
                    lines.setdefault(line, []).append((x, self._symbols[value - 1]))
        for (kind, y), places in lines.items():
            for across, written in _joined(places):
                yield Text(kind, across, round(y, 1), written)

    def links(self, links: Sequence[Link]) -> Iterator[Shape]:
        """Yield one shape with all weak links and one with all strong links, if there are any."""
        for kind in ("weak", "strong"):
            paths = [self._path(link) for link in links if link.kind == kind]
            if paths:
                yield Shape(f"link {kind}", "".join(paths))

    def _path(self, link: Link) -> str:
        """Return the path of a link, whose ends keep a distance from the candidates."""
        start, end = self._middle(link.start), self._middle(link.end)
        return polyline((towards(start, end, _AWAY), towards(end, start, _AWAY)))

    def _middle(self, node: Node) -> Point:
        """Return the point in the middle of a node's candidates."""
        return middle([self._point(Candidate(cell, node.value)) for cell in node.cells])

    def _point(self, candidate: Candidate) -> Point:
        """Return the center of a candidate."""
        row, column = divmod(candidate.cell, self._layout.columns)
        down, right = divmod(candidate.value - 1, self._across)
        rows = self._rows(candidate.cell)
        high = CELL - rows.top - rows.bottom
        return (
            round(column * CELL + self._left + (right + 0.5) * self._wide / self._across, 1),
            round(row * CELL + rows.top + (down + 0.5) * high / self._down, 1),
        )


def _shortened(words: Sequence[str]) -> tuple[Sequence[str], int]:
    """Return the shortest prefixes of equal length that distinguish the words, and their length.

    The length is at most `LONGEST_NUMBER`. If all words are already this short, or prefixes of this
    length aren't distinct (in any case of the letters), the words are returned unchanged, with the
    length 0.
    """
    letters = [split_graphemes(word) for word in words]
    if max(map(len, letters)) <= LONGEST_NUMBER:
        return words, 0
    for length in range(1, LONGEST_NUMBER + 1):
        short = ["".join(word[:length]) for word in letters]
        if len({each.casefold() for each in short}) == len(words):
            return short, length
    return words, 0


def _joined(places: list[tuple[float, str]]) -> Iterator[tuple[str, str]]:
    """Yield the `x` attributes and contents of SVG texts for (x, symbol) pairs.

    If all symbols are single ASCII characters, yields a single text, whose attribute lists all
    coordinates. Otherwise yields one text per symbol.
    """
    if all(len(symbol) == 1 and symbol.isascii() for _, symbol in places):
        yield " ".join(f"{x:g}" for x, _ in places), "".join(symbol for _, symbol in places)
        return
    for x, symbol in places:
        yield f"{x:g}", symbol
