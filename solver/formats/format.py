"""The interface of a format, and what passes between formats and the rest of the project.

upload ──recognise──► Recognised ──Splitter──► Block … Block       (web: cuts, never parses)
Block ──read──► Records        (worker: parses)
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.puzzle import Invalid, Puzzle
from solver.board.symbols import Symbols
from solver.board.text_lines import DIGITS, Lines

# What a format needs to remember from the head of an upload to read its middle (the CSV
# column of the puzzle, say). It travels as JSON, hence plain values only.
Context = Mapping[str, str | int | bool | None]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user said about the text; None leaves it to the puzzle."""

    format: str = "auto"
    box: tuple[int, int] | None = None
    symbols: tuple[str, ...] | None = None
    blank: str | None = None
    variant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """The complete records in a piece of text, as three int64 arrays of one length.

    starts, ends  offsets: record i is data[starts[i]:ends[i]]
    lines         the line number of the first line of each record in the upload, from 1
    consumed      everything before this offset is done with; the next piece starts there
    fault         how the text ends too early, if it is final and no record shows that
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    lines: NDArray[np.int64]
    consumed: int
    fault: str | None = None

    def __len__(self) -> int:
        return len(self.starts)

    def part(self, first: int, stop: int) -> "Segments":
        """Return the records first…stop−1."""
        some = slice(first, stop)
        return Segments(self.starts[some], self.ends[some], self.lines[some], self.consumed)


@dataclass(frozen=True, slots=True)
class Block:
    """Whole records, as they stood in the upload, with everything between them.

    `line` is the number of the block's first line in the upload. `fault` is set when the
    block stands for one record that cannot be kept (too long); `data` is its beginning then.
    `charset` names the charset of the upload, where that had to be guessed.
    """

    data: bytes
    records: int
    line: int
    fault: str | None = None
    charset: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class DigitBlock:
    """A block that is nothing but lines of digits and one kind of blank, as numbers.

    grid   (records, width) uint8   0 = blank
    blank  the ASCII code of what stands for it in the text
    line   the number of the first line in the upload
    """

    grid: NDArray[np.uint8]
    blank: int
    line: int

    @property
    def records(self) -> int:
        """How many records it has, each a line."""
        return len(self.grid)

    def as_text(self) -> Block:
        """Return the same records as text, with line feeds between them."""
        lines = Lines.of_grids(self.grid, bytes([self.blank]) + DIGITS)
        return Block(lines.text.encode(), self.records, self.line)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The puzzles of a block that share layout and symbols.

    rows    (m,) int64         which records of the block, ascending
    givens  (m, cells) uint8   0 = blank

    `candidates` (m, cells) uint64 are bits as in `solver.board.puzzle.Puzzle`, if they are written.
    `expected` (m, cells) uint8 has the solutions that stood in the upload, 0 where none did.
    """

    layout: Layout
    symbols: Symbols
    rows: NDArray[np.int64]
    givens: NDArray[np.uint8]
    candidates: NDArray[np.uint64] | None = None
    expected: NDArray[np.uint8] | None = None

    def puzzle(self, place: int, *, name: str | None = None) -> Puzzle:
        """Return puzzle number `place` of the group, counted from 0."""
        marked = None if self.candidates is None else tuple(self.candidates[place].tolist())
        givens = tuple(self.givens[place].tolist())
        return Puzzle(self.layout, givens, self.symbols, marked, name=name)

    def part(self, places: NDArray[np.int64]) -> "Group":
        """Return a group of some of its puzzles, by their places from 0, which ascend."""
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
        """Return the same puzzles in a block where the first of its records is number `first`."""
        return replace(self, rows=self.rows + first) if first else self


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """What a block holds: every record is in exactly one group, or in `invalid`.

    `lines` has the line of every record. `notes` has remarks about how a record was read,
    `names` what the upload calls it: a title above it, a name or a comment behind it. `own` has
    the fields of the user's own columns, which are called `own_names`.
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


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why an upload is refused as a whole, and where, as far as it can be told.

    `option` names the option that asks for what there is not.
    """

    detail: str
    line: int | None = None
    column: int | None = None
    option: str | None = None


class Format(Protocol):
    """One way to write puzzles. A module of `solver.formats` per family, one object each."""

    name: str
    description: str
    example: str

    def recognise(
        self, head: bytes, *, final: bool, options: ReadOptions
    ) -> Context | Unreadable | None:
        """Return what is needed to read the upload that starts so, or None if it is not this.

        Unreadable if it is this, and must not be read.
        `final` tells that `head` is the whole upload.
        """
        ...

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the complete records of `data`, whose first line has the number `line`.

        Without `final`, a record that may go on behind the end is left for the next piece.
        Cutting a text anywhere between two records changes no record and no line number.
        """
        ...

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Return the offset behind the end of a record too long to keep, None if not in sight.

        `data` is from somewhere inside that record; its beginning is lost.
        """
        ...

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the records; a bad one becomes `Invalid` and costs the others nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Recognised:
    """The format of an upload, what it remembers from the head, and how large blocks may be."""

    format: Format
    context: Context
    block_records: int
