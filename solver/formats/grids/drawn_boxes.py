"""Derives boxes or jigsaw regions from the lines that are drawn inside a grid.

. . . | . . .      even lines from side to side give the box: here 2x3
. . . | . . .
------+------
. . . | . . .
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from solver.board.layout import usual_box
from solver.formats.grids.measured_grid import MeasuredGrid
from solver.formats.grids.row_splits import HEAVY, LIGHT, WEAK, Split

_GAP = 1
_WEIGHTS = (
    dict.fromkeys("~.:'┄┈╌╴╶", WEAK)
    | dict.fromkeys("-─_*", LIGHT)
    | dict.fromkeys("=━═#┅┉╍", HEAVY)
)
Walls = list[list[int]]


@dataclass(frozen=True, slots=True)
class Drawn:
    """The boxes that a drawing shows: a box size, regions, or an error, or nothing at all.

    box      rows and columns of each box
    regions  the label of each cell's region in reading order
    fault    the error message if the lines divide the grid in an invalid way
    """

    box: tuple[int, int] | None = None
    regions: tuple[str, ...] | None = None
    fault: str | None = None


NOTHING = Drawn()


def drawn_boxes(grid: MeasuredGrid) -> Drawn:
    """Return the boxes or regions that a grid's frame, inner lines, or wider gaps show.

    The result is NOTHING if they show none, or if there is a second grid next to this one. It has a
    fault if the lines divide the grid in an invalid way.
    """
    if grid.beside:
        return NOTHING
    return _drawn(grid.rows, grid.between)


@lru_cache(maxsize=16)
def _drawn(rows: tuple[Split, ...], between: tuple[tuple[str, ...], ...]) -> Drawn:
    size = len(rows)
    upright = _upright(rows)
    lying = _lying(rows, between, whole=_uniform(_from(upright, WEAK)) is not None)
    _add_corners(rows, between, upright)
    for weight in (WEAK, LIGHT, HEAVY):
        found = _divided(size, _from(upright, weight), _from(lying, weight))
        if found is not None:
            return found
    return _boxes_by_gaps(size, _gaps(rows), _from(lying, _GAP))


def _boxes_by_gaps(size: int, upright: list[list[bool]], lying: list[list[bool]]) -> Drawn:
    """Return the boxes that wider gaps between columns and rows show, or NOTHING.

    The grid has `size` rows and columns. `upright[row][column]` is True if there is a wider gap to
    the left of a cell, and `lying[row][column]` if there is one above it. Gaps show no boxes if
    they don't divide the grid into equal boxes, or if all of them have the same direction and are
    at borders of the usual boxes.
    """
    found, usual = _divided(size, upright, lying), usual_box(size)
    if found is None or found.box is None:
        return NOTHING
    one_way = not any(map(any, upright)) or not any(map(any, lying))
    grouped = usual is not None and (
        found.box[1] % usual[1] == 0 if any(map(any, upright)) else found.box[0] % usual[0] == 0
    )
    return NOTHING if one_way and grouped else found


def _from(walls: Walls, weight: int) -> list[list[bool]]:
    return [[wall >= weight for wall in line] for line in walls]


def _upright(rows: Sequence[Split]) -> Walls:
    """Return walls[row][column]: the weight of the bar to the left of each cell, 0 without one.

    The first column always has weight 0.
    """
    size = len(rows)
    walls = [[0] * size for _ in rows]
    for row, split in enumerate(rows):
        for place, weight in split.bars:
            if 0 < place < size:
                walls[row][place] = max(walls[row][place], weight)
    return walls


def _lying(rows: Sequence[Split], between: Sequence[Sequence[str]], *, whole: bool) -> Walls:
    """Return walls[row][column]: the weight of the drawn line above each cell, 0 without one.

    `between` has the lines between the rows, as in `MeasuredGrid`. A blank line has weight 1. A
    line of bars or corners alone counts only if all drawn lines inside the grid are of that kind.
    The first row always has weight 0. With `whole`, a drawn line without spaces counts for the
    whole width, even if it is slightly too short.
    """
    size = len(rows)
    aligned = _are_aligned(rows)
    walls = [[0] * size for _ in rows]
    inner = [line for lines in between[1:size] for line in lines]
    corners_alone = not any(sign in _WEIGHTS for line in inner for sign in line)
    for row in range(1, size):
        for line in between[row]:
            if line.strip() and not corners_alone and not any(sign in _WEIGHTS for sign in line):
                continue  # Only upright walls cross this line. It draws no horizontal wall.
            partial = aligned and not (whole and " " not in line.strip())
            spans = rows[row].spans if partial else ()
            for column, weight in enumerate(_weights(line, spans, size)):
                walls[row][column] = max(walls[row][column], weight)
    return walls


def _weights(line: str, spans: Sequence[tuple[int, int]], size: int) -> list[int]:
    """Return the weight of a drawn horizontal line above each cell of the row below it.

    `spans` are the (start, end) columns of each cell in that row, or empty if they don't matter. If
    the line is above none of these cells, or there are no spans, all `size` cells get the line's
    largest weight. A line of bars or corners alone has weight LIGHT, and a blank line has the
    weight of a gap, 1.
    """
    drawn = [_WEIGHTS.get(character, 0) for character in line]
    strongest = max(drawn, default=0)
    if strongest == 0:
        return [_GAP if not line.strip() else LIGHT] * size
    under = [max(drawn[start:end], default=0) for start, end in spans]
    # In wide cells the value is at one side, so the rule may not overlap it.
    return under if any(under) else [strongest] * size


def _are_aligned(rows: Sequence[Split]) -> bool:
    """Return whether the cells of each column overlap horizontally in all rows."""
    return all(
        max(row.spans[column][0] for row in rows) < min(row.spans[column][1] for row in rows)
        for column in range(len(rows))
    )


def _add_corners(rows: Sequence[Split], between: Sequence[Sequence[str]], upright: Walls) -> None:
    """Add walls between boxes to `upright` if the frame has only corners, as in `+   +   +`.

    `between` has the lines between the rows, and `upright` the walls to the left of each cell.
    Nothing is added if there are walls already, or if the cells aren't aligned.
    """
    rules = [line for lines in between for line in lines if line.strip()]
    if any(map(any, upright)) or not rules or any(set(line) - set("+ ") for line in rules):
        return
    if not _are_aligned(rows):
        return
    corners = [place for place, character in enumerate(rules[0]) if character == "+"]
    for column in range(1, len(rows)):
        left = max(row.spans[column - 1][1] for row in rows)
        right = min(row.spans[column][0] for row in rows)
        if any(left <= corner <= right for corner in corners):
            for line in upright:
                line[column] = LIGHT


def _gaps(rows: Sequence[Split]) -> list[list[bool]]:
    """Return gaps[row][column]: whether there is a wider gap before a column.

    The gap is wider if the distance from the previous column exceeds the smallest one. All rows
    share one list. All elements are False unless the cells are tokens or characters, and the cells
    of each column are aligned at their left or right edges.
    """
    size = len(rows)
    if rows[0].way not in ("tokens", "characters"):
        return [[False] * size for _ in rows]
    for side in (0, 1):  # Columns are aligned at the left or the right side of their values.
        places = [[span[side] for span in row.spans] for row in rows]
        if all(row == places[0] for row in places):
            steps = [after - before for before, after in pairwise(places[0])]
            return [[False, *(step > min(steps) for step in steps)]] * size
    return [[False] * size for _ in rows]


def _divided(size: int, upright: list[list[bool]], lying: list[list[bool]]) -> Drawn | None:
    """Return the boxes or regions that walls show, or None if they divide nothing.

    `upright[row][column]` and `lying[row][column]` are True if there is a wall to the left of or
    above a cell. The grid has `size` rows and columns.

    Straight walls from side to side at equal distances show boxes. If they run in one direction
    only, the other side of a box follows from its area, because a box has `size` cells. Walls
    between all rows, or between all columns, are ignored. Any other walls show the regions that
    they enclose.

    The result has a fault if the boxes or regions don't have `size` cells each. Walls that enclose
    only one region, or that enclose every single cell, divide nothing.
    """
    columns = _uniform(upright)
    rows = _uniform([list(line) for line in zip(*lying, strict=True)])
    if columns is None or rows is None:
        return _walled(size, upright, lying)
    high, wide = _step(rows, size), _step(columns, size)
    if high is wide is None:
        return None
    if high == 0 or wide == 0:
        return _walled(size, upright, lying)
    if high is None and wide is not None and size % wide == 0:
        high = size // wide
    if wide is None and high is not None and size % high == 0:
        wide = size // high
    if high is None or wide is None or high * wide != size:
        drawn = f"{high or size}x{wide or size}"
        return Drawn(fault=f"the lines draw boxes of {drawn} cells, expected {size} cells each")
    return Drawn(box=(high, wide))


def _uniform(walls: Sequence[Sequence[bool]]) -> list[int] | None:
    """Return the indices of the walls in each line, or None if lines have different walls.

    `walls[line][index]` is True if there is a wall. The lines are all rows, or all columns, of a
    grid.
    """
    if any(line != walls[0] for line in map(list, walls[1:])):
        return None
    return [place for place, wall in enumerate(walls[0]) if wall]


def _step(places: Sequence[int], size: int) -> int | None:
    """Return the constant distance between walls, or 0 if they don't divide the grid evenly.

    `places` are the columns or rows that have a wall before them, and `size` is the number of
    columns or rows. Returns None if there are no walls, or one before every column or row but the
    first.
    """
    if not places or len(places) == size - 1:
        return None
    step = places[0]
    return step if list(places) == list(range(step, size, step)) and size % step == 0 else 0


def _walled(size: int, upright: list[list[bool]], lying: list[list[bool]]) -> Drawn | None:
    """Return the regions that walls enclose, or a fault if their sizes are wrong.

    The grid has `size` rows and columns, and each region must have `size` cells. Otherwise, the
    result contains only `fault`, the error message. `upright[row][column]` is True if there is a
    wall to the left of the cell, and `lying[row][column]` if there is one above it. Returns None if
    there is only one region, or if each cell is a region.
    """
    label = [-1] * (size * size)
    count = 0
    for start in range(size * size):
        if label[start] >= 0:
            continue
        label[start] = count
        waiting = [start]
        while waiting:
            cell = waiting.pop()
            for other in _open_neighbors(cell, size, upright, lying):
                if label[other] < 0:
                    label[other] = count
                    waiting.append(other)
        count += 1
    sizes = Counter(label)
    if count == 1 or count == size * size:
        return None
    if set(sizes.values()) == {size}:
        return Drawn(regions=tuple(map(str, label)))
    wrong = min(region for region, cells in sizes.items() if cells != size)
    row, column = divmod(label.index(wrong), size)
    cells = "1 cell" if sizes[wrong] == 1 else f"{sizes[wrong]} cells"
    return Drawn(fault=f"the lines around r{row + 1}c{column + 1} enclose {cells}, expected {size}")


def _open_neighbors(
    cell: int, size: int, upright: list[list[bool]], lying: list[list[bool]]
) -> Iterator[int]:
    """Yield the adjacent cells without a wall in between.

    For `upright` and `lying`, see `_walled`.
    """
    row, column = divmod(cell, size)
    if column and not upright[row][column]:
        yield cell - 1
    if column < size - 1 and not upright[row][column + 1]:
        yield cell + 1
    if row and not lying[row][column]:
        yield cell - size
    if row < size - 1 and not lying[row + 1][column]:
        yield cell + size
