"""Draw a step of an explanation: the grid with candidates, houses, and links, colored by role.

The candidates of a cell are arranged in a small grid, as people write them on paper, with 1 in the
upper left corner. They keep clear of the cell's edges, and of cages and their sums, and are equally
large in all cells. On boards with rules, a cell that can have any value has a single small text,
such as 1–9. A value that the step places is as large as the other values of the grid.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil, sqrt
from typing import NamedTuple

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
_FEW = 3  # candidates next to each other that have space for symbols of two characters
_AWAY = 2.2  # distance of a link's ends from the centers of its candidates


class _Raster(NamedTuple):
    """Where the candidates of a cell are, the same in all cells of a board.

    `side`, `top`, and `bottom` are their distances from the edges of the cell, and `lowered` is the
    distance of a baseline from the center of its row.
    """

    side: float
    top: float
    bottom: float
    lowered: float


_PLAIN = _Raster(2.0, 2.0, 2.0, 1.95)
# With more than three candidates next to each other, they are smaller.
_CROWDED = _Raster(1.6, 1.6, 1.6, 1.6)
# On boards with cages, whose outlines and sums need space
_CAGED = _Raster(2.6, 5.2, 2.8, 1.5)
_CAGED_CROWDED = _Raster(2.8, 4.9, 2.3, 1.2)
# By whether there are texts in corners of cells, and whether candidates are crowded. The editor
# uses them, too.
RASTERS = ((_PLAIN, _CROWDED), (_CAGED, _CAGED_CROWDED))
_LONGEST_RANGE = 7  # characters that fit in a cell
_RANGE_LOWERED = 1.7  # distance of its baseline from the middle


def any_value(symbols: Symbols) -> str:
    """Return the text for a cell that can have any value: its first and last symbol."""
    values, _ = _shortened(symbols.values)
    text = f"{values[0]}–{values[-1]}"
    return text if len(text) <= _LONGEST_RANGE else "any"


def pencil_marks(
    layout: Layout,
    symbols: Symbols,
    candidates: Sequence[Sequence[int]],
    *,
    with_ranges: bool = False,
) -> tuple[Text, ...]:
    """Return the candidates of all cells as small texts, or () for boards with more than 16 values.

    `candidates` contains the candidate values of each cell, from 1. With `with_ranges`, a cell that
    can have any value has a single text, such as 1–9, instead of all values.
    """
    if layout.size > LARGEST_SIZE:
        return ()
    bits = tuple(sum(1 << (value - 1) for value in values) for values in candidates)
    return tuple(_Pencil(layout, symbols).texts(bits, {}, with_ranges=with_ranges))


def draw_position(
    layout: Layout,
    symbols: Symbols,
    givens: Sequence[int],
    position: Position,
    *,
    pencil_marks: Sequence[int] | None = None,
) -> Picture:
    """Draw the grid with the values of a position, and its candidates if it has up to 16 values.

    With `pencil_marks`, only candidates among these are drawn (see `_shown_candidates`).
    """
    picture = make_picture(draw(layout, symbols, givens, position.values))
    if layout.size > LARGEST_SIZE:
        return picture
    pencil = _Pencil(layout, symbols)
    shown = _shown_candidates(position.candidates, pencil_marks)
    texts = pencil.texts(shown, {}, with_ranges=pencil_marks is not None)
    return replace(picture, texts=(*picture.texts, *texts))


def draw_deduction(
    layout: Layout,
    symbols: Symbols,
    givens: Sequence[int],
    position: Position,
    deduction: Deduction,
    *,
    only_marked: bool = False,
    pencil_marks: Sequence[int] | None = None,
) -> Picture:
    """Draw the grid as it is before a step, with the cells and candidates of the step marked.

    `deduction` is the step. `position` contains the values and candidates before it. If
    `only_marked`, the other candidates are left out, as always on boards with more than 16 values.
    With `pencil_marks`, candidates that aren't among these are drawn only if they have a role in
    the step (see `_shown_candidates`).
    """
    marks = marks_of(deduction, position.candidates)
    picture = make_picture(draw(layout, symbols, givens, position.values))
    ground, *rules = picture.shapes
    pencil = _Pencil(layout, symbols)
    placed = dict(deduction.placements)
    shown = _shown_candidates(
        position.candidates,
        pencil_marks,
        by_role=marks.candidates,
        only_marked=only_marked or layout.size > LARGEST_SIZE,
    )
    for cell in placed:
        shown[cell] = 0
    return replace(
        picture,
        shapes=(ground, *_grounds(layout, marks), *rules, *pencil.links(marks.links)),
        texts=(
            *picture.texts,
            *pencil.texts(shown, marks.candidates, with_ranges=pencil_marks is not None),
            *_placements(layout, symbols, placed),
        ),
    )


def _shown_candidates(
    candidates: Sequence[int],
    pencil_marks: Sequence[int] | None,
    *,
    by_role: Mapping[str, Sequence[Candidate]] = {},
    only_marked: bool = False,
) -> list[int]:
    """Return the candidates to draw as a bit mask for each cell.

    With `pencil_marks`, these are the candidates among them that a solver would have written down.
    `by_role` maps a role in a step to the candidates that have it, which are always drawn. If
    `only_marked`, the others are left out.
    """
    roles = [0] * len(candidates)
    for members in by_role.values():
        for cell, value in members:
            roles[cell] |= 1 << (value - 1)
    if only_marked:
        return roles
    if pencil_marks is None:
        return list(candidates)
    return [
        mask & own | role for mask, own, role in zip(candidates, pencil_marks, roles, strict=True)
    ]


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


class _Pencil:
    """Draws the candidates of a board as small texts, and links between them."""

    def __init__(self, layout: Layout, symbols: Symbols) -> None:
        self._layout = layout
        is_caged = render_board(layout, symbols).cornered
        self._symbols, length = _shortened(symbols.values)
        self._any_value = any_value(symbols)
        self._across = ceil(sqrt(layout.size))
        self._down = ceil(layout.size / self._across)
        is_crowded = self._across > _FEW
        self._kind = f"candidate of{self._across}" + (f" short-{length}" if length else "")
        if not length and is_crowded and max(map(len, self._symbols)) > 1:
            self._kind += " numbers"
        if is_caged:
            self._kind += " caged"
        rasters = (_CAGED, _CAGED_CROWDED) if is_caged else (_PLAIN, _CROWDED)
        self._raster = rasters[is_crowded]

    def texts(
        self,
        candidates: Sequence[int],
        by_role: Mapping[str, Sequence[Candidate]],
        *,
        with_ranges: bool,
    ) -> Iterator[Text]:
        """Yield the candidates of all cells as small texts.

        `candidates` is a bit mask per cell, bit 0 = value 1. `by_role` maps a role in the step to
        the candidates that have it. Candidates with the same role and height share a text if
        possible. With `with_ranges`, a cell with all candidates, of which none has a role, has a
        single text, such as 1–9, instead.
        """
        roles = {one: role for role, members in by_role.items() for one in members}
        involved = {one.cell for one in roles}
        every = (1 << self._layout.size) - 1
        lines: dict[tuple[str, float], list[tuple[float, str]]] = {}
        for cell, bits in enumerate(candidates):
            if with_ranges and bits == every and cell not in involved:
                yield self._range(cell)
                continue
            for value in range(1, self._layout.size + 1):
                if bits >> (value - 1) & 1:
                    one = Candidate(cell, value)
                    x, y = self._point(one)
                    line = (f"{self._kind} {roles.get(one, '')}".rstrip(), y + self._raster.lowered)
                    lines.setdefault(line, []).append((x, self._symbols[value - 1]))
        for (kind, y), places in lines.items():
            for across, written in _joined(places):
                yield Text(kind, across, round(y, 1), written)

    def _range(self, cell: int) -> Text:
        """Return the text of a cell that can have any value, in the middle of its candidates."""
        row, column = divmod(cell, self._layout.columns)
        middle_down = (CELL + self._raster.top - self._raster.bottom) / 2
        return Text(
            "any-value",
            str(column * CELL + CELL // 2),
            round(row * CELL + middle_down + _RANGE_LOWERED, 1),
            self._any_value,
        )

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
        side, top, bottom, _ = self._raster
        wide, high = CELL - 2 * side, CELL - top - bottom
        return (
            round(column * CELL + side + (right + 0.5) * wide / self._across, 1),
            round(row * CELL + top + (down + 0.5) * high / self._down, 1),
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
