"""Measure the grids that begin in the lines of an upload, each of them only once."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from solver.formats.grids.line_kinds import Kind, kind_of
from solver.formats.grids.measured_grid import SMALLEST, MeasuredGrid, Unknown, measure_grid
from solver.formats.grids.row_splits import LONGEST_ROW, split_ways

LONGEST_REMARK = 256  # characters
CELL_SIGNS = re.compile(r"[0-9.*_?-]")


@dataclass(frozen=True, slots=True)
class MeasuredLines:
    """Lines of an upload. Each grid in them is measured only once.

    Methods take and return indices in `texts`.

    texts    the lines, without line breaks
    signs    drawing characters that the upload uses for empty cells
    final    whether the upload ends with these lines
    labeled  whether rows and columns are numbered or lettered
    tail     length of the incomplete line that follows the lines, in characters
    """

    texts: Sequence[str]
    signs: str
    final: bool
    labeled: bool = False
    tail: int = 0
    _measured: dict[int, MeasuredGrid | Unknown | None] = field(default_factory=dict, init=False)

    def kind(self, at: int) -> Kind:
        """Return the `Kind` of line `at`, such as a blank line, a comment, or a drawn rule."""
        return kind_of(self.texts[at], self.signs)

    def measure(self, at: int) -> MeasuredGrid | Unknown | None:
        """Return the grid that begins in line `at`, or None if none does.

        Returns PENDING if more lines are required.
        """
        if at not in self._measured:
            self._measured[at] = measure_grid(
                self.texts, at, signs=self.signs, final=self.final, labels=self.labeled
            )
        return self._measured[at]

    def ends_early(self, grid: MeasuredGrid) -> bool:
        """Return whether lines that have yet to arrive may belong to a grid."""
        if self.final or grid.end < len(self.texts):
            return False
        # A line that is much longer than the rows of the grid cannot be another row.
        return not self.is_tail_long or self.tail <= 2 * max(map(len, grid.texts), default=0)

    @property
    def is_tail_long(self) -> bool:
        """Whether the incomplete last line is too long to be a remark on the grid above it."""
        return self.tail > LONGEST_REMARK

    @property
    def is_at_end(self) -> bool:
        """Whether these lines end the upload, or a line too long for a grid or remark follows."""
        return self.final or self.is_tail_long

    def has_row(self, at: int, grid: MeasuredGrid) -> bool:
        """Return whether line `at` may be another row of a grid.

        It must split into cells in the same way as the grid's rows, and into as many. Returns False
        after the last line.
        """
        if at >= len(self.texts) or self.kind(at) is not Kind.OTHER:
            return False
        ways = split_ways(self.texts[at])
        return any(it.way == grid.rows[0].way and len(it.cells) == grid.size for it in ways)

    def may_be_row(self, at: int, size: int) -> bool:
        """Return whether a line splits into `size` cells, and mostly looks like cells.

        At least half of its characters are digits or signs for empty cells.
        """
        line = self.texts[at]
        ways = split_ways(line) if self.kind(at) is Kind.OTHER and has_signs(line) else ()
        return any(len(it.cells) == size for it in ways)


def has_signs(line: str) -> bool:
    """Return whether at least half of a line's characters are digits or signs for empty cells.

    White space doesn't count. Returns False if the line has fewer than four other characters.
    """
    written = "".join(line[:LONGEST_ROW].split())
    return 2 * len(CELL_SIGNS.findall(written)) >= len(written) >= SMALLEST
