"""Find the lines below a grid that belong to it: its frame, labels, sums of cages, and remarks."""

from solver.formats.grids.broken_grid import broken_end
from solver.formats.grids.labels import are_labels, is_sum_line, may_be_labels
from solver.formats.grids.line_kinds import Kind
from solver.formats.grids.measured_grid import PENDING, MeasuredGrid, Unknown
from solver.formats.grids.measured_lines import LONGEST_REMARK, MeasuredLines, has_signs

MOST_LINES = 20  # Lines of text above a grid, or below it.
_MOST_BLANKS = 4


def end_of_frame(lines: MeasuredLines, grid: MeasuredGrid) -> int:
    """Return the index of the line after a grid, past a lower edge that could be read as text.

    The line after the last row is such an edge if its kind is OTHER and it equals a line drawn
    between rows. Any other line after the last row isn't skipped, not even one of the kind RULE.
    """
    if grid.end == len(lines.texts) or lines.kind(grid.end) is not Kind.OTHER:
        return grid.end
    rules = {line.strip() for drawn in grid.between for line in drawn}
    return grid.end + (lines.texts[grid.end].strip() in rules)


def labels_below(lines: MeasuredLines, grid: MeasuredGrid) -> MeasuredGrid | Unknown | None:
    """Return the grid below a grid if exactly one of them consists of region or cage labels.

    It has the same size. Up to two blank lines, drawn lines, and one line of words may be
    between them. Returns None if there is no such grid, and PENDING if more lines are required.
    """
    at = _skip(lines, end_of_frame(lines, grid), titles=1)
    if at == len(lines.texts):
        return None if lines.is_at_end else PENDING
    own = are_labels(grid.cells)
    few = [lines.texts[n] for n in range(at, min(at + 4, len(lines.texts)))]
    if not own and not any(map(may_be_labels, few)):
        return None
    below = lines.measure(at)
    if not isinstance(below, MeasuredGrid):
        return below
    fits = below.size == grid.size and are_labels(below.cells) != own
    return below if fits else None


def _skip(lines: MeasuredLines, at: int, *, titles: int) -> int:
    """Return the index of the first possible row from line `at` on.

    Blank lines, drawn lines, and up to `titles` lines of words are skipped. The search stops
    early, and returns the index where it stopped, after more than two blank lines, and at a
    comment, a section, or the end.
    """
    blanks = 0
    while at < len(lines.texts):
        kind = lines.kind(at)
        if kind is Kind.BLANK:
            blanks += 1
        elif kind is Kind.OTHER:
            wordy = not has_signs(lines.texts[at]) and not may_be_labels(lines.texts[at])
            if not titles or not wordy:
                return at
            titles -= 1
        if blanks > 2 or kind in (Kind.COMMENT, Kind.SECTION):
            return at
        at += 1
    return at


def sums_below(lines: MeasuredLines, end: int) -> tuple[tuple[str, ...], int]:
    """Return the lines with the sums of cages from line `end` on, and the index after the last.

    Blank and drawn lines may precede them. Without such lines, the index is `end`.
    """
    sums: list[str] = []
    for at in range(end, len(lines.texts)):
        kind = lines.kind(at)
        if kind is Kind.OTHER and is_sum_line(lines.texts[at]):
            sums.append(lines.texts[at])
            end = at + 1
        elif kind not in (Kind.BLANK, Kind.RULE) or sums:
            break
    return tuple(sums), end


def remarks_below(lines: MeasuredLines, end: int) -> list[int] | Unknown:
    """Return the indices of the lines of text below a grid that belong to it.

    They are the text directly below the grid, up to a blank line, or all text up to the end of
    the upload, with up to four blank lines above or within it. Text above another grid, a
    comment, or a section belongs to that instead. Blank lines after the text don't matter, so a
    block that ends with the text has the same records as the whole upload.

    More than 20 lines, or a line of more than 256 characters, aren't remarks, so the search for
    the next grid ends soon. Returns [] if no text belongs to the grid, and PENDING if more
    lines are required.
    """
    found: list[int] = []
    blanks = 0
    for at in range(end, len(lines.texts)):
        kind = lines.kind(at)
        if kind is Kind.BLANK:
            if found and not blanks:
                return found
            blanks += 1
            if not found and blanks > _MOST_BLANKS:
                return []
        elif kind is Kind.OTHER:
            found.append(at)
            lengthy = len(lines.texts[at]) > LONGEST_REMARK
            if lengthy or len(found) > MOST_LINES or blanks > _MOST_BLANKS:
                return []
            grid = lines.measure(at) or broken_end(lines, at)
            if grid is not None:
                return PENDING if grid is PENDING else []
        elif kind is not Kind.RULE and kind is not Kind.MARKUP:
            return []
    if lines.is_tail_long:
        return []
    return found if lines.final else PENDING
