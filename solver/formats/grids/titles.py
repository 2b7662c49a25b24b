"""Find out whether lines at a grid's beginning are really a title, or its own damaged rows."""

from solver.formats.grids.line_kinds import Kind, is_date
from solver.formats.grids.measured_grid import PENDING, MeasuredGrid, Unknown, has_values
from solver.formats.grids.measured_lines import CELL_SIGNS, MeasuredLines
from solver.formats.grids.row_splits import split_ways

_MOST_TITLES = 5  # Lines of text directly above a grid that could also be its rows.


def grid_below(lines: MeasuredLines, at: int) -> tuple[int, MeasuredGrid] | Unknown | None:
    """Return the next grid that begins in the five lines below line `at`.

    The result is the index of the grid's first line, and the grid. Returns None if there is no
    such grid, or a blank line, section, or comment comes before it. Returns PENDING if more
    lines are required.
    """
    end = at + 1 + _MOST_TITLES
    for below in range(at + 1, min(end, len(lines.texts))):
        if lines.kind(below) in (Kind.BLANK, Kind.SECTION, Kind.COMMENT):
            return None
        grid = lines.measure(below)
        if isinstance(grid, Unknown) or (grid is not None and lines.ends_early(grid)):
            return PENDING
        if grid is not None and not begins_with_title(lines, grid, below):
            return below, grid
    return None if end <= len(lines.texts) or lines.is_at_end else PENDING


def begins_with_title(lines: MeasuredLines, grid: MeasuredGrid, at: int) -> bool | Unknown:
    """Return whether the first row of a measured grid is really a title above another grid.

    `at` is the index of that row's line. By chance, the title has as many characters or words
    as the rows have cells, so that it was taken for a row. A grid of the same size must begin
    in the next line. Returns PENDING if more lines are required.
    """
    first = {cell for cell in grid.rows[0].cells if not cell.isdigit()}
    others = {cell for row in grid.rows[1:] for cell in row.cells}
    dated = is_date(lines.texts[at])
    if (first <= others and not dated) or lines.kind(at) is not Kind.OTHER:
        return False
    below = lines.measure(at + 1)
    if isinstance(below, Unknown) or below is None:
        return below is not None and PENDING
    if below.size != grid.size or not has_values(below):
        return False
    if lines.ends_early(below):
        return PENDING
    wordy = not CELL_SIGNS.search(lines.texts[at]) and any(map(str.isdigit, others))
    return dated or wordy or not lines.has_row(below.end, below)


def is_damaged(lines: MeasuredLines, above: range, grid: MeasuredGrid) -> bool:
    """Return whether the lines `above` a grid are its actual first rows, one of them damaged.

    Because of the damaged row, the measured grid begins too far down, and its real last row
    follows it. One of the lines above then splits in the same way as the rows, into almost as
    many cells (±2), and shares most of its cells with the grid.
    """
    way, size = grid.rows[0].way, grid.size
    if not lines.has_row(grid.end, grid):
        return False
    used = {cell for row in grid.rows for cell in row.cells}
    return any(
        split.way == way
        and abs(len(split.cells) - size) <= 2
        and 2 * sum(cell in used for cell in split.cells) > size
        for at in above
        for split in split_ways(lines.texts[at])
    )
