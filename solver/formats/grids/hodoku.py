"""HoDoKu's library lines: a technique, a puzzle with placed values, and deleted candidates.

:0210:17:.+2+7..+86+31…:924 536 194 497:254 654 664 964::
 │    │  │              │               └ eliminations, placements, extra: not read
 │    │  │              └ deleted candidates: digit, row, column
 │    │  └ the cells, "+" before a value that is not a given
 │    └ the candidates that the technique is about
 └ the technique
"""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from solver.board.display import how_many, shorten
from solver.board.layout import Layout
from solver.board.puzzle import Invalid
from solver.board.symbols import Symbols
from solver.formats.format import Context, Group, ReadOptions, Records, Segments
from solver.formats.reading.cells import Reading, refuse, show_cell
from solver.formats.reading.collect import collect
from solver.formats.reading.lines import LineRecords, most_look_right
from solver.formats.reading.remarks import find_remarks
from solver.formats.reading.text import decode
from solver.rules.variants import with_variants

_CELLS = 81
_BOARD = Layout.boxed(3, 3)
_LINE = re.compile(rb":(\w{3,8}(?:-\w+)?):[^:]*:((?:\+?[0-9.])*):((?:[1-9]{3} ?)*)(?::[^\n]*)?")
_LIKE = re.compile(r":\w{3,}(?:-\w+)?:[^:]*:[^:]{20,}(?::|$)")
_ALL = np.uint64((1 << 9) - 1)


class HodokuFormat(LineRecords):
    """Lines of HoDoKu's library, one puzzle each; see `solver.formats.format.Format`."""

    name = "hodoku"
    description = (
        "Lines of HoDoKu's library with the technique, its candidates, the 9×9 puzzle (+ before "
        "each solved cell that isn't a given), and the deleted candidates as digit, row, and "
        "column. Solved cells and deleted candidates are kept. The technique becomes the name, "
        "unless another one follows after a space and a #."
    )
    example = (
        ":0000:1:016400000200009000400000062070230100100000003003087040960000005"
        "000800007000006820:519 529:::\n"
    )

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return {} if at least half of the first lines are from HoDoKu's library, otherwise None.

        Such a line has a technique between colons, and the other fields after it. If the options
        name this format, any text is recognized.
        """
        fits = most_look_right(head, lambda line: bool(_LIKE.match(line.strip())), final=final)
        return {} if fits or options.format == self.name else None

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse the valid lines in bulk, and find the error in each of the others.

        A puzzle is named after its remark, or else after its technique. If the variants in the
        options are invalid, all records are.
        """
        del context
        layout = with_variants(_BOARD, options.variant)
        if isinstance(layout, str):
            refused = Reading(Invalid(layout))
            return collect(segments.lines, ((row, refused) for row in range(len(segments))))
        remarks = find_remarks(data, segments)
        rows, cells, deleted, names = [], [], [], dict(remarks)
        for row, (start, end) in enumerate(
            zip(segments.starts.tolist(), segments.ends.tolist(), strict=True)
        ):
            match = _LINE.fullmatch(data, start, end)
            written = b"" if match is None else match[2].replace(b"+", b"")
            if match is None or len(written) != _CELLS:
                continue
            rows.append(row)
            cells.append(written)
            deleted.append(match[3].replace(b" ", b""))
            names[row] = remarks.get(row) or match[1].decode()
        group = _group(layout, rows, cells, deleted)
        right = set(rows)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row, (start, end) in enumerate(zip(segments.starts, segments.ends, strict=True)):
                if row not in right:
                    yield row, _fault(decode(data[start:end]))

        return collect(segments.lines, readings(), groups=(group,) if rows else (), names=names)


def _group(layout: Layout, rows: list[int], cells: list[bytes], deleted: list[bytes]) -> Group:
    """Return the group of puzzles that the records with the indices `rows` contain.

    `cells` has the 81 characters of each puzzle. `deleted` has its deleted candidates, as triples
    of digits: value, row, and column.
    """
    digits = np.frombuffer(b"".join(cells), np.uint8).reshape(-1, _CELLS) - np.uint8(ord("0"))
    givens = np.where(digits < 10, digits, np.uint8(0))  # unsigned: a dot wraps around
    candidates: NDArray[np.uint64] = np.full(givens.shape, _ALL)
    triples = np.frombuffer(b"".join(deleted), np.uint8).reshape(-1, 3) - np.uint8(ord("0"))
    digit, line, column = triples.T.astype(np.int64)
    row_of = np.repeat(np.arange(len(rows)), [len(text) // 3 for text in deleted])
    bits = np.uint64(1) << (digit - 1).astype(np.uint64)
    np.bitwise_and.at(candidates, (row_of, 9 * (line - 1) + column - 1), ~bits)
    return Group(layout, Symbols.usual(9), np.array(rows, np.int64), givens, candidates)


def _fault(text: str) -> Reading:
    """Return the reading of an invalid line, with a message about its first fault."""
    fields = text.strip().split(":")
    if not text.startswith(":") or len(fields) < 5:
        detail = (
            "a line of HoDoKu's library must begin with a colon and have at least five fields "
            "separated by colons, such as :0000:1:puzzle:deleted candidates:::"
        )
    elif not re.fullmatch(r"\w{3,8}(-\w+)?", fields[1]):
        detail = f"{shorten(fields[1], 20)!r} isn't a technique number; expected one such as 0002"
    else:
        cells = fields[3].replace("+", "")
        strange = re.search(r"[^0-9.]", cells)
        wrong = [one for one in fields[4].split() if not re.fullmatch("[1-9]{3}", one)]
        if strange is not None and strange.start() < _CELLS:
            place = _BOARD.cell_name(strange.start())
            detail = f"{show_cell(strange[0])} in {place} isn't a valid cell; expected 0-9 or a dot"
        elif len(cells) != _CELLS:
            detail = f"the puzzle has {how_many(len(cells), 'cell')}, expected 81"
        elif wrong:
            expected = "digit, row, and column, such as 519"
            detail = f"{shorten(wrong[0], 20)!r} isn't a deleted candidate; expected {expected}"
        else:
            detail = "expected a digit after each +"
    return refuse(detail, text)
