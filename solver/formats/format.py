"""The interface of a format, and the data exchanged between formats and the rest of the project.

upload ──recognize──► Recognized ──Splitter──► Block … Block       (web: splits, never parses)
Block ──read──► Records        (worker: parses)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout, usual_box
from solver.board.puzzle import Invalid, Puzzle
from solver.board.symbols import Symbols
from solver.board.text_lines import DIGITS, Lines

# Details from the beginning of an upload that a format requires to read the rest, such as the CSV
# column with the puzzles. They are sent as JSON, so they are plain values.
Context = Mapping[str, str | int | bool | None]

_T = TypeVar("_T")

# A box option that fits every grid. The boxes are then replaced by regions.
ROWS_AS_BOXES = (1, 0)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The user's options for reading the text. Each default leaves the choice to the text.

    format   name of a format, or "auto" to recognize it
    box      rows and columns of a box, or `ROWS_AS_BOXES`
    symbols  the symbols of the values 1…N
    blank    the sign for empty cells
    variant  names of variants that are added to the rules of every puzzle
    """

    format: str = "auto"
    box: tuple[int, int] | None = None
    symbols: tuple[str, ...] | None = None
    blank: str | None = None
    variant: tuple[str, ...] = ()

    def box_of(self, size: int) -> tuple[int, int] | None:
        """Return the box (rows, columns) for a grid with `size` rows.

        The option `box` takes precedence over the usual box for that size. With `ROWS_AS_BOXES`,
        the box is a whole row. Returns None if the option isn't set and there is no usual box.
        """
        return (1, size) if self.box == ROWS_AS_BOXES else self.box or usual_box(size)


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """The positions of the complete records, which are one puzzle each, in a piece of an upload.

    starts, ends  int64 byte offsets in the piece: record i is data[starts[i]:ends[i]]
    lines         int64 line number in the upload, from 1, that messages give for each record. For a
                  grid, it is that of the first row, even if the record begins with a title.
    consumed      byte offset in the piece. Text from there on isn't segmented yet, and must be
                  passed again together with the next piece.
    fault         error message if the upload is truncated, but its last record isn't
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    consumed: int
    fault: str | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def part(self, first: int, stop: int) -> "Segments":
        """Return the positions of the records `first` to `stop` − 1.

        The result has the same `consumed`, but no `fault`.
        """
        some = slice(first, stop)
        return Segments(self.starts[some], self.ends[some], self.lines[some], self.consumed)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the upload that contains complete records, including the text between them.

    data      the text of the part in bytes
    records   number of records
    line      line number of the block's first line in the upload, from 1
    fault     error message if the block stands for one record that is too long to keep, or for a
              truncated end of the upload; `data` is then only an excerpt
    charset   name of the charset of the upload if it was guessed
    segments  the positions of the records, if known, so that they needn't be found again
    """

    data: bytes
    records: int
    line: int
    fault: str | None = None
    charset: str | None = None
    segments: Segments | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class DigitBlock:
    """A block of lines that contain only digits and one sign for empty cells, stored as numbers.

    grid   (records, width) uint8, 0 = empty cell
    blank  ASCII code of the sign for empty cells in the text
    line   number of the block's first line in the upload, from 1
    """

    grid: NDArray[np.uint8]
    blank: int
    line: int

    @property
    def records(self) -> int:
        """The number of records. Each one is a line."""
        return len(self.grid)

    def as_text(self) -> Block:
        """Return the same records as a block of text, one record per line."""
        lines = Lines.of_grids(self.grid, bytes([self.blank]) + DIGITS)
        return Block(lines.text.encode(), self.records, self.line)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Puzzles from one block that have the same layout and symbols.

    rows        (m,) int64 indices of their records in the block, ascending
    givens      (m, cells) uint8, 0 = empty cell
    candidates  (m, cells) uint64 bit masks as in `solver.board.puzzle.Puzzle`, None if the upload
                contains no candidates
    expected    (m, cells) uint8 solutions from the upload, 0 where one is missing, None if it
                contains no solutions
    """

    layout: Layout
    symbols: Symbols
    rows: NDArray[np.int64]
    givens: NDArray[np.uint8]
    candidates: NDArray[np.uint64] | None = None
    expected: NDArray[np.uint8] | None = None

    def puzzle(self, place: int, *, name: str | None = None) -> Puzzle:
        """Return the puzzle at index `place` (from 0) in this group, named `name`."""
        marked = None if self.candidates is None else tuple(self.candidates[place].tolist())
        givens = tuple(self.givens[place].tolist())
        return Puzzle(self.layout, givens, self.symbols, marked, name=name)

    def part(self, places: NDArray[np.int64]) -> "Group":
        """Return a group of only the puzzles at the indices `places` of this group.

        `places` (k,) are distinct and ascending. If they are all indices, the group itself is
        returned.
        """
        if len(places) == len(self.rows):
            return self
        return replace(
            self,
            rows=self.rows[places],
            givens=self.givens[places],
            candidates=None if self.candidates is None else self.candidates[places],
            expected=None if self.expected is None else self.expected[places],
        )

    def moved(self, first: int) -> "Group":
        """Return the group with `first` added to every record index in `rows`."""
        return replace(self, rows=self.rows + first) if first else self


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """The parsed records of a block. Every record is either in exactly one group or in `invalid`.

    lines      line number in the upload of every record, from 1, as in `Segments`
    invalid    by record index, the invalid records with their error messages
    notes      by record index, remarks about how a record was read
    names      by record index, its name: the title above it, or the name or comment after it
    own        by record index, the fields of the user's additional columns in a table
    own_names  the headings of these columns
    """

    lines: NDArray[np.int64]
    groups: tuple[Group, ...]
    invalid: Mapping[int, Invalid] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    own: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    own_names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)

    def at(self, places: NDArray[np.int64]) -> "Records":
        """Return the records at the indices `places` only, renumbered from 0.

        The indices `places` are distinct and ascending.
        """
        moved = np.full(len(self), -1)
        moved[places] = np.arange(len(places))
        groups = []
        for group in self.groups:
            kept = np.flatnonzero(moved[group.rows] >= 0)
            if len(kept):
                part = group.part(kept)
                groups.append(replace(part, rows=moved[part.rows]))

        def by_record(texts: Mapping[int, _T]) -> dict[int, _T]:
            return {int(moved[row]): each for row, each in texts.items() if moved[row] >= 0}

        return Records(
            lines=self.lines[places],
            groups=tuple(groups),
            invalid=by_record(self.invalid),
            notes=by_record(self.notes),
            names=by_record(self.names),
            own=by_record(self.own),
            own_names=self.own_names,
        )


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The reason why an entire upload is rejected, with line and column (from 1) if known.

    `detail` is the error message, and `option` is the name of the option that has an invalid
    value, or None.
    """

    detail: str
    line: int | None = None
    column: int | None = None
    option: str | None = None


class Format(Protocol):
    """A notation for puzzles.

    `name` identifies the format in options and messages. `description` explains it to users, and
    `example` is a short upload in it. `solver.formats` has a module per family, with one object per
    format.
    """

    name: str
    description: str
    example: str

    def recognize(
        self, head: bytes, *, final: bool, options: ReadOptions
    ) -> Context | Unreadable | None:
        """Return the context for reading an upload with this head, or None if it isn't this format.

        The context is passed to the other methods. Returns Unreadable if the upload is in this
        format but must be rejected. `final` means that `head` is the whole upload.
        """
        ...

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the complete records in `data`, whose first line is number `line` of the upload.

        `final` means that the upload ends with `data`. Otherwise, a record that may continue after
        `data` is left for the next piece. Splitting an upload between any two records changes
        neither the records nor their line numbers.
        """
        ...

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Return the offset after an overlong record, or None if `data` doesn't contain its end.

        `data` starts somewhere inside that record. The beginning of the record has been dropped.
        """
        ...

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the records at the positions `segments` in `data`.

        A malformed record becomes `Invalid` and doesn't affect the others.
        """
        ...


@dataclass(frozen=True, slots=True)
class Recognized:
    """The format of an upload, its context, and the number of records per block.

    `block_records` depends on the size and the rules of the first puzzles, see
    `solver.formats.splitter.block_records`.
    """

    format: Format
    context: Context
    block_records: int
