"""Find where a broken grid ends: lines that look like rows but don't form N rows of N cells."""

from solver.board.layout import MAX_SIZE, usual_box
from solver.formats.grids.line_kinds import Kind, is_title
from solver.formats.grids.measured_grid import PENDING, SMALLEST, Unknown
from solver.formats.grids.measured_lines import MeasuredLines, has_signs
from solver.formats.grids.row_splits import LONGEST_ROW, row_width, usual_width


def broken_end(lines: MeasuredLines, start: int) -> int | Unknown | None:
    """Return the index of the line after the broken grid that begins at line `start`.

    The grid ends with the last row before a comment, a section, a title, or a blank line that
    doesn't separate two bands of rows. It also ends when it has as many rows as each row has
    cells. Returns None if too few lines look like rows of at least four cells, or if the first
    line differs much from most rows. Returns PENDING if more lines are required.
    """
    widths: list[int] = []
    signs = 0
    band = 0  # the number of rows up to the last blank line
    last = start
    at = start
    while at < len(lines.texts):
        kind = lines.kind(at)
        if kind is Kind.BLANK:
            continues = _continues(lines, at, widths, len(widths) - band)
            if isinstance(continues, Unknown):
                return continues
            if not continues:
                break
            band = len(widths)
        if kind in (Kind.COMMENT, Kind.SECTION):
            break
        if kind is Kind.OTHER:
            line = lines.texts[at]
            if is_title(line[:LONGEST_ROW]) and not has_signs(line):
                break
            widths.append(row_width(line))
            signs += has_signs(line)
            last = at
            if len(widths) >= min(max(widths), MAX_SIZE) and (
                len(widths) >= min(usual_width(widths), MAX_SIZE)
            ):
                break
        at += 1
    else:
        if not lines.is_at_end:
            return PENDING
    width = usual_width(widths)
    alike = widths.count(width)
    plausible = signs >= 2 or alike >= max(3, width // 2)
    fits = bool(widths) and abs(widths[0] - width) <= max(2, width // 4)
    return last + 1 if width >= SMALLEST and plausible and fits else None


def _continues(lines: MeasuredLines, at: int, widths: list[int], above: int) -> bool | Unknown:
    """Return whether the blank line `at` separates two bands of rows in the same grid.

    Both bands must have as many rows as a box, and the line below the second band must not be
    another row. `widths` has the number of cells of each row so far, and `above` is the number
    of rows since the last blank line. Returns PENDING if more lines are required.
    """
    width = usual_width(widths)
    box = usual_box(width) if width > 1 else None
    if box is None or above != box[0]:
        return False
    rows = [
        lines.kind(line) is Kind.OTHER and row_width(lines.texts[line]) == width
        for line in range(at + 1, min(at + 2 + box[0], len(lines.texts)))
    ]
    band, rows_after = rows[: box[0]], rows[box[0] :]
    if not all(band):
        return False
    if not rows_after and not lines.final:
        return PENDING
    return len(band) == box[0] and rows_after != [True]
