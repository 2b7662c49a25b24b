"""Read jigsaws in one line: the cells and a region label for each cell, or the labels alone."""

from collections.abc import Iterator
from dataclasses import replace
from math import isqrt

import numpy as np

from solver.board.display import how_many
from solver.board.puzzle import Invalid, Puzzle
from solver.formats.format import (
    ROWS_AS_BOXES,
    Context,
    Group,
    ReadOptions,
    Records,
    Segments,
)
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.cells import Reading, read_cells, refuse, with_solution
from solver.formats.reading.collect import collect
from solver.formats.reading.deduce import BLANKS
from solver.formats.reading.lines import LineRecords, most_look_right
from solver.formats.reading.remarks import split_remark
from solver.formats.reading.text import decode
from solver.rules.regions import read_regions, with_regions

_SMALLEST = 4
_FEWEST_CHARACTERS = 32  # of cells and labels: 4×4 both


def read_jigsaw(text: str, *, options: ReadOptions) -> Reading:
    """Read a jigsaw in one line: its cells and a region label for each, or the labels alone.

    If the second half of the line is a solution instead of labels, the puzzle has the boxes of the
    options or else the usual ones, and the reading has the solution.
    """
    body = "".join(text.split())
    if is_map(body):
        return _read_map(body, text, options)
    half = len(body) // 2
    if len(body) % 2 or isqrt(half) ** 2 != half or half == 0:
        detail = (
            f"{how_many(len(body), 'character')}, expected 162 (81 cells, 81 region labels) or "
            "twice another square number"
        )
        return refuse(detail, text)
    if solves(body[half:], body[:half]):
        return _read_solved(body[:half], body[half:], text, options)
    labels = read_regions(body[half:])
    if isinstance(labels, str):
        return refuse(labels, text)
    options = replace(options, box=ROWS_AS_BOXES)
    reading = read_cells(body[:half], text=text, options=options)
    if isinstance(reading.puzzle, Invalid):
        return reading
    placed = place(reading.puzzle, labels, text)
    return placed if isinstance(placed.puzzle, Invalid) else replace(placed, note=reading.note)


def _read_solved(cells: str, solution: str, text: str, options: ReadOptions) -> Reading:
    """Read a puzzle without regions, and attach its solution.

    `cells` and `solution` have one character per cell. The boxes are those of the options or else
    the usual ones. `text` is the record, for error messages.
    """
    return with_solution(read_cells(cells, text=text, options=options), solution)


def is_filled_grid(body: str) -> bool:
    """Return whether a text is a Latin square: each symbol once in every row and column.

    It has at least 4×4 cells. Such a text isn't a region map, because regions are connected.
    """
    size = isqrt(len(body))
    if size < _SMALLEST or size * size != len(body) or len(set(body)) != size:
        return False
    lines = [body[start : start + size] for start in range(0, len(body), size)]
    lines += [body[start::size] for start in range(size)]
    return all(len(set(line)) == size for line in lines)


def solves(solution: str, cells: str) -> bool:
    """Return whether `solution` is a Latin square that agrees with the givens among the cells.

    Both texts have the same length. A given may differ from the solution in upper and lower case.
    """
    pairs = zip(cells.upper(), solution.upper(), strict=True)
    return is_filled_grid(solution) and all(one in BLANKS or one == two for one, two in pairs)


def _read_map(body: str, text: str, options: ReadOptions) -> Reading:
    """Read a jigsaw without givens from its region labels, one per cell."""
    reading = read_cells(["."] * len(body), text=text, options=replace(options, box=ROWS_AS_BOXES))
    if isinstance(reading.puzzle, Invalid):
        return reading
    return place(reading.puzzle, tuple(body), text)


def is_map(body: str) -> bool:
    """Return whether a text labels the cells of N connected regions of N cells, with N at least 3.

    In a filled grid no two neighbors are equal, so it can't be mistaken for a map.
    """
    size = isqrt(len(body))
    if size < 3 or size * size != len(body) or isinstance(read_regions(body), str):
        return False
    for label in set(body):
        left = {cell for cell, other in enumerate(body) if other == label}
        waiting = [left.pop()]
        while waiting:
            cell = waiting.pop()
            column = cell % size
            beside = [cell - 1] * (column > 0) + [cell + 1] * (column < size - 1)
            for other in (*beside, cell - size, cell + size):
                if other in left:
                    left.discard(other)
                    waiting.append(other)
        if left:
            return False
    return True


def place(puzzle: Puzzle, labels: tuple[str, ...], text: str) -> Reading:
    """Return the reading of a puzzle whose boxes are replaced by regions.

    `labels` has the region label of each cell. If they are invalid, so is the reading. `text` is
    the record, for the error message. The reading has no note and no name.
    """
    layout = with_regions(puzzle.layout, labels)
    if isinstance(layout, str):
        return refuse(layout, text)
    return Reading(replace(puzzle, layout=layout))


class JigsawFormat(LineRecords):
    """Jigsaws, one per line; see `solver.formats.format.Format`."""

    name = "jigsaw"
    description = (
        "One jigsaw per line: the cells (81 for 9×9), and then a label for each cell that names "
        "its region, with or without a space in between. The regions alone work, too. A name may "
        "follow after a space and a #."
    )
    example = (
        "3.......7"
        "1.......5"
        "....68..."
        "..5.19..."
        "...9....."
        "........2"
        "8....3..."
        "...235..1"
        ".......9."
        "000000021453303021453333221453322221455566121445666111445566667488887777888887777\n"
    )

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return {} if at least half of the first lines of an upload are jigsaws, otherwise None.

        Such a line has the region labels of all cells, or the cells and then as many region labels,
        or the cells and then their solution. If the options name this format, any text is
        recognized.
        """
        fits = most_look_right(head, lambda line: _has_regions(split_remark(line)[0]), final=final)
        return {} if fits or options.format == self.name else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse lines of cells and labels without spaces in bulk, and the others one by one."""
        del context
        places = zip(segments.starts.tolist(), segments.ends.tolist(), strict=True)
        records = [data[start:end] for start, end in places]
        names: dict[int, str] = {}
        for row, record in enumerate(records) if b"#" in data else ():
            text, name = split_remark(decode(record))
            if name is not None:
                records[row], names[row] = text.encode(), name
        groups, notes, left = _read_plain(records, options)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row in left:
                yield row, read_jigsaw(decode(records[row]), options=options)

        return collect(segments.lines, readings(), groups=groups, names=names, notes=notes)


def _read_plain(
    records: list[bytes], options: ReadOptions
) -> tuple[tuple[Group, ...], dict[int, str], list[int]]:
    """Read the valid records of cells and region labels without spaces in bulk.

    Returns their groups, notes by record index, and the ascending indices of all other records.
    """
    by_regions: dict[bytes, list[int]] = {}
    left = []
    for row, record in enumerate(records):
        body = record.strip()
        half = len(body) // 2
        doubled = len(body) % 2 == 0 and isqrt(half) ** 2 == half
        if record.isascii() and len(record.split()) == 1 and doubled:
            by_regions.setdefault(body[half:], []).append(row)
        else:
            left.append(row)
    groups: list[Group] = []
    notes: dict[int, str] = {}
    for written, rows in by_regions.items():
        cells, labels = len(written), read_regions(written.decode())
        bulk = Bulk(len(rows), replace(options, box=ROWS_AS_BOXES))
        if not isinstance(labels, str) and not is_filled_grid(written.decode()):
            grids = b"".join([records[row].strip()[:cells] for row in rows])
            characters = np.frombuffer(grids, np.uint8).reshape(len(rows), -1)
            bulk.add_characters(np.arange(len(rows)), characters)
            row_of = np.array(rows, np.int64)
            for group in bulk.groups:
                layout = with_regions(group.layout, labels)
                if isinstance(layout, str):
                    bulk.left[group.rows] = True
                    continue
                groups.append(replace(group, layout=layout, rows=row_of[group.rows]))
            notes |= {rows[place]: note for place, note in bulk.notes.items()}
        left += [rows[place] for place in np.flatnonzero(bulk.left).tolist()]
    return tuple(groups), notes, sorted(left)


def _has_regions(line: str) -> bool:
    body = "".join(line.split())
    half = len(body) // 2
    if is_map(body):
        return True
    if len(body) < _FEWEST_CHARACTERS or len(body) % 2:
        return False
    if is_filled_grid(body[half:]):
        # With one space or tab between them, puzzle and solution are columns of a table.
        one_apart = len(line.strip()) == len(body) + 1
        return not one_apart and solves(body[half:], body[:half])
    return not isinstance(read_regions(body[half:]), str)
