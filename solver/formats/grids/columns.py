"""Split rows in which spaces are empty cells, so a value's column determines its cell.

|   7   | 5   3 |   4   |      5 3   |   7   |           53  7
|   | 7 |   | 5 |                  9 |       | 1 2       6  195
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from solver.board.layout import MOST_IN_A_WORD
from solver.formats.grids.row_splits import BARS, LIGHT, Split, row_body

COLUMNS = "columns"  # the way to split rows of these grids, see `Split.way`
_SMALLEST = 4
_BAR = re.compile(f"[{BARS}]")
_TOKEN = re.compile(rf"[^\s{BARS}]+")
# A value, or a usual sign for an empty cell.
_MAY_HAVE = re.compile(rf"[\s{BARS}]*(?:(?:\d{{1,3}}|[^\W\d]|[.*_?-])(?:[\s{BARS}]+|$))*")
_CLOSE = re.compile(rf"[0-9\s]+|[^{BARS}]*[{BARS}](?:(?:[^\W_]|\s)*[{BARS}])+(?:[^\W_]|\s)*")
_GAP = re.compile(rf"  |^ |[{BARS}]")
_UNFRAMED = re.compile(r"[1-9 ]+")
# Rows that are split without columns, because they have no gaps or equal gaps everywhere.
_EVEN = re.compile(r"[1-9]+|[1-9](?: [1-9])*|[1-9]{2}(?: [1-9]{2})*|[1-9]{3}(?: [1-9]{3})*")
_USUAL_SIZE = 9
_PITCHES = range(1, 7)
_PADS = range(3)

Rows = tuple[tuple[Split, ...], list[list[str]], int]


@lru_cache(maxsize=1 << 12)
def may_have_columns(line: str) -> bool:
    """Return whether a line may be a row of a grid in which spaces are empty cells.

    It may if it consists of numbers up to three digits, single letters, and signs for empty cells,
    with spaces or bars between them, or of digits and spaces alone. It also may if it has at least
    two bars, and only letters, digits, and spaces after the first one. A comment at its end is
    ignored.
    """
    body = row_body(line)
    return _MAY_HAVE.fullmatch(body) is not None or _CLOSE.fullmatch(body) is not None


def bar_columns(line: str) -> tuple[int, ...]:
    """Return the indices of all bars in a line: the characters in `BARS`, such as | and !."""
    return tuple(match.start() for match in _BAR.finditer(line))


@dataclass(frozen=True, slots=True)
class _Pitch:
    """The spacing of the cells between two bars.

    each           number of cells between the bars
    pitch          characters from the start of a cell to the start of the next one
    wide           characters per cell
    before, after  padding between the cells and the bars, in characters
    """

    each: int
    pitch: int
    wide: int
    before: int
    after: int

    @property
    def length(self) -> int:
        return self.before + (self.each - 1) * self.pitch + self.wide + self.after


@dataclass(slots=True)
class Columns:
    """Collects the lines of a grid in which spaces are empty cells.

    `measure` then determines the cells from the columns of the values. `rows` are the lines added
    as rows so far. There may be more of them than the grid has.
    """

    rows: list[str] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)
    _between: list[list[str]] = field(default_factory=lambda: [[]])

    @property
    def is_full(self) -> bool:
        """Whether there are already 64 rows, the maximum for these grids."""
        return len(self.rows) >= MOST_IN_A_WORD

    @property
    def ends_with_two_rules(self) -> bool:
        """Whether the last two lines are both drawn lines, with no row between them."""
        return len(self._between[-1]) > 1

    def add_rule(self, line: str) -> None:
        """Add a drawn horizontal line below the rows added so far."""
        self._between[-1].append(line)

    def add_row(self, line: str, place: int) -> None:
        """Add a row of the grid. `place` is the index of its line in the text."""
        self.rows.append(line)
        self._places.append(place)
        self._between.append([])

    def measure(self) -> Rows | None:
        """Find a grid at the beginning of the added rows. Return None if there is none.

        Also returns None if no row has a bar, a space at its start, or two adjacent spaces, because
        then no space can be an empty cell. Rows after the grid are ignored. The result has the
        split of each row into cells, the drawn lines above each row and below the last one, and the
        index of the last row's line in the text. Comments after the cells are removed from `rows`.
        """
        if len(self.rows) < _SMALLEST or not any(map(_GAP.search, self.rows)):
            return None
        self.rows = list(map(row_body, self.rows))
        bars = list(map(bar_columns, self.rows))
        splits = self._framed(bars) if bars[0] else self._unframed()
        if splits is None:
            return None
        count = len(splits)
        return tuple(splits), self._between[: count + 1], self._places[count - 1]

    def _framed(self, bars: Sequence[tuple[int, ...]]) -> list[Split] | None:
        """Split rows into cells, given the columns of the bars in each row.

        Only the rows before the first one whose bars are in other columns are split. Returns None
        if they can't be split into a grid, or if several ways to split them give different cells.
        """
        same = next((n for n, own in enumerate(bars) if own != bars[0]), len(bars))
        rows = self.rows[:same]
        tokens = [[(m.start(), m.end()) for m in _TOKEN.finditer(row)] for row in rows]
        found: list[tuple[_Order, list[Split]]] = []
        has_room = False  # for cells to the left of the first bar
        for opened, stretches in _stretches(rows, bars[0]):
            for pitch in _pitches(stretches):
                size = pitch.each * len(stretches)
                if not _SMALLEST <= size <= min(same, MOST_IN_A_WORD):
                    continue
                starts = _cell_starts(stretches, pitch)
                if starts[0] < 0:
                    continue
                splits = [
                    _read_row(row, own, starts, pitch, len(stretches))
                    for row, own in zip(rows[:size], tokens[:size], strict=True)
                ]
                if None not in splits:
                    uneven = pitch.before != pitch.after
                    # One bar alone doesn't show how wide the stretches are.
                    padding = pitch.before + pitch.after if len(bars[0]) > 1 else 0
                    order = _Order(size != same, opened, uneven, padding)
                    found.append((order, [split for split in splits if split is not None]))
                    has_room |= stretches[0][0] is None
        return _only_reading(found, any_sides=has_room)

    def _unframed(self) -> list[Split] | None:
        """Split rows without bars into cells of one character, adjacent or one space apart.

        The grid consists of all rows if that is possible, or else of the first nine. Returns None
        if a row contains anything but digits from 1 to 9 and spaces, or if the rows don't fit a
        grid.
        """
        if not all(map(_UNFRAMED.fullmatch, self.rows)):
            return None
        for size in dict.fromkeys((len(self.rows), _USUAL_SIZE)):
            rows = self.rows[:size]
            if len(rows) < size or all(_EVEN.fullmatch(row.strip()) for row in rows):
                continue
            longest = max(len(row.rstrip()) for row in rows)
            indent = min(len(row) - len(row.lstrip()) for row in rows)
            for pitch in (1, 2):
                length = (size - 1) * pitch + 1
                margin = indent if longest > length else 0
                if not length - 3 * pitch <= longest - margin <= length and size != _USUAL_SIZE:
                    continue
                starts = [margin + pitch * column for column in range(size)]
                splits = [_read_loose(row, starts) for row in rows]
                if longest - margin <= length and None not in splits:
                    return [split for split in splits if split is not None]
        return None


class _Order(NamedTuple):
    """How unlikely a way to split rows is. The lowest order is the most likely one.

    is_part   whether the grid is only a part of the rows
    opened    number of open sides, see `_stretches`
    uneven    whether the padding before the cells differs from that after them
    padding   the padding before and after the cells of a stretch, in characters
    """

    is_part: bool
    opened: int
    uneven: bool
    padding: int


def _only_reading(
    found: Sequence[tuple[_Order, list[Split]]], *, any_sides: bool
) -> list[Split] | None:
    """Return the most likely of several ways to split rows, or None if it isn't certain.

    It isn't if equally likely ways give different cells. With `any_sides`, ways that differ in
    their open sides are equally likely. Otherwise, the fewer sides are open, the more likely.
    """
    if not found:
        return None
    is_part = min(order.is_part for order, _ in found)
    best: dict[int, _Order] = {}
    for order, _ in found:
        if order.is_part == is_part:
            best[order.opened] = min(order, best.get(order.opened, order))
    likely = set(best.values()) if any_sides else {min(best.values())}
    readings = [splits for order, splits in found if order in likely]
    alike = {tuple(split.cells for split in splits) for splits in readings}
    return readings[0] if len(alike) == 1 else None


Stretch = tuple[int | None, int | None]


def _stretches(rows: Sequence[str], bars: Sequence[int]) -> Iterator[tuple[int, list[Stretch]]]:
    """Yield the possible divisions of rows at their bars. `bars` are the columns of the bars.

    Each result is the number of open sides (0 to 2), and the parts of the rows between two bars as
    (start, end) columns. A side is open if there are cells outside its last bar. The part at an
    open side has None instead of the outer column. If nothing is written there, the cells may be
    empty or missing, so divisions with and without an open side are yielded.
    """
    before = any(row[: bars[0]].strip() for row in rows)
    after = any(row[bars[-1] + 1 :].strip() for row in rows)
    for left, right in product((False, True), repeat=2):
        if (before and not left) or (after and not right) or (left and bars[0] == 0):
            continue
        edges: list[int | None] = [*([None] if left else []), *bars, *([None] if right else [])]
        pairs = pairwise(edges)
        yield left + right, [(None if it is None else it + 1, stop) for it, stop in pairs]


def _pitches(stretches: Sequence[Stretch]) -> Iterator[_Pitch]:
    lengths = {right - left for left, right in stretches if left is not None and right is not None}
    if len(lengths) > 1:
        return
    length = next(iter(lengths), None)
    most = MOST_IN_A_WORD // max(len(stretches), 1)
    for each, pitch, wide, before, after in product(
        range(1, most + 1), _PITCHES, (1, 2), _PADS, _PADS
    ):
        if abs(before - after) > 1 or pitch < wide + (wide > 1):
            continue
        made = _Pitch(each, pitch, wide, before, after)
        if length is None or made.length == length:
            yield made


def _cell_starts(stretches: Sequence[Stretch], pitch: _Pitch) -> list[int]:
    starts = []
    for left, right in stretches:
        begin = (right or 0) - pitch.length if left is None else left
        starts += [begin + pitch.before + pitch.pitch * cell for cell in range(pitch.each)]
    return starts


def _read_row(
    row: str,
    tokens: Sequence[tuple[int, int]],
    starts: Sequence[int],
    pitch: _Pitch,
    stretches: int,
) -> Split | None:
    """Split a row into cells with the given starts, or return None if a word doesn't fit a cell.

    `tokens` has the start and end of each word. If cells touch, a word is cut into cells. A cell
    without a word is a space. `stretches` is the number of stretches of cells between bars, which
    all have this pitch.
    """
    cells = [" "] * len(starts)
    for begin, end in tokens:
        for at in range(begin, end, pitch.wide if pitch.pitch == pitch.wide else end - begin):
            stop = min(at + pitch.wide, end) if pitch.pitch == pitch.wide else end
            cell = next((n for n, s in enumerate(starts) if s <= at and stop <= s + pitch.wide), -1)
            if cell < 0 or cells[cell] != " ":
                return None
            cells[cell] = row[at:stop]
    spans = tuple((start, start + pitch.wide) for start in starts)
    inner = tuple((pitch.each * n, LIGHT) for n in range(1, stretches))
    return Split(COLUMNS, tuple(cells), spans, inner)


def _read_loose(row: str, starts: Sequence[int]) -> Split | None:
    cells = tuple(row[start : start + 1] or " " for start in starts)
    if sum(cell != " " for cell in cells) != len(row.replace(" ", "")):
        return None
    return Split(COLUMNS, cells, tuple((start, start + 1) for start in starts), ())
