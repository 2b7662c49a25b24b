"""Read OpenSudoku's XML: collections of 9×9 games, each a `<game data="…"/>` element.

The reader only extracts game elements from the text. It processes no DTD, expands no entities, and
opens no files, so an XML bomb is plain text to it. Even so, it rejects uploads with a document
type.
"""

import re
from collections.abc import Iterator
from html import unescape

import numpy as np

from solver.formats.format import Context, Group, ReadOptions, Records, Segments, Unreadable
from solver.formats.grids.line import read_line
from solver.formats.reading.cells import Reading, refuse, whole_name
from solver.formats.reading.classic import CLASSIC_CELLS, allows_classic, read_classic
from solver.formats.reading.collect import collect
from solver.formats.reading.text import decode

# Constructs with an end mark: comments, CDATA sections, and game elements.
_OPEN = re.compile(rb"<!--|<!\[CDATA\[|<game(?![\w.:-])")
_CLOSING = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<game": b">"}
_LONGEST_OPENING = len(b"<![CDATA[")
_DATA = re.compile(rb"""\sdata\s*=\s*(?:"([^"]*)"|'([^']*)')""")
# A game in progress. Each cell has its value, one to three fields of marks, and whether the player
# may change it (OpenSudoku's SudokuBoard.kt; in version 2 a field may be empty).
_STATE = re.compile(r"version:\s*([1-5])\s+([0-9,|\s-]+)")
_FIELDS = {"1": 3, "2": 3, "3": 3, "4": 4, "5": 5}
# Attributes with a game's name, in order of preference. OpenSudoku writes the player's notes.
_NAME_KEYS = ("custom_id", "name", "title", "id", "note", "puzzle_note", "user_note")
_NAMED = re.compile(rf"\s(?:{'|'.join(_NAME_KEYS)})\s*=".encode())
_ATTRIBUTE = re.compile(rb"""\s([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_DOCUMENT_TYPE = re.compile(rb"<!\s*(DOCTYPE|ENTITY)", re.IGNORECASE)


class OpenSudokuFormat:
    """OpenSudoku's XML collections; implements `solver.formats.format.Format`."""

    name = "opensudoku"
    description = (
        "OpenSudoku's XML with 9×9 games: either 81 digits with 0 for empty cells, or a saved "
        "game. In a saved game, the digits that the player entered are ignored. An attribute "
        "custom_id, name, title, id, or note of a game names it."
    )
    example = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n  <name>one game</name>\n'
        '  <game data="016400000200009000400000062070230100100000003003087040960000005'
        '000800007000006820"/>\n</opensudoku>\n'
    )

    def recognize(
        self, head: bytes, *, final: bool, options: ReadOptions
    ) -> Context | Unreadable | None:
        """Return {} if the root element of OpenSudoku is in `head`, otherwise None.

        If the options name this format, any text is recognized. Uploads with a document type or
        entities are rejected.
        """
        del final
        if b"<opensudoku" not in head and options.format != self.name:
            return None
        document_type = _DOCUMENT_TYPE.search(head)
        if document_type is not None:
            before = head[: document_type.start()]
            line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
            detail = "XML with a document type (DTD) or entities isn't supported; remove them"
            return Unreadable(detail, line, column)
        return {}

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the game elements outside comments and CDATA sections.

        A game whose tag another tag interrupts ends there. A tag that isn't closed is left for the
        next piece, or extends to the end of a `final` one.
        """
        del context
        spans: list[tuple[int, int, int]] = []
        place = counted = 0
        consumed = len(data) if final else _sure_end(data)
        while (opening := _OPEN.search(data, place)) is not None:
            start = opening.start()
            if opening[0] == b"<game":
                # Another element that begins before this one ends interrupts it.
                next_ = data.find(b"<", start + 1)
                closing = data.find(b">", start, next_ if next_ >= 0 else len(data))
                if closing < 0 <= next_:
                    closing = next_ - 1
            else:
                closing = data.find(_CLOSING[opening[0]], start)
            if closing < 0 and not final:
                consumed = start
                break
            place = len(data) if closing < 0 else closing + 1
            if opening[0] == b"<game":
                line += data.count(b"\n", counted, start)
                counted = start
                spans.append((start, place, line))
        starts, ends, lines = np.array(spans, np.int64).reshape(-1, 3).T
        return Segments(starts, ends, lines, max(consumed, place))

    def resume(self, data: bytes, *, context: Context) -> int | None:
        """Return the offset of the next game element, or None if `data` has none.

        A game at the very start of `data` doesn't count, because it is the overlong one.
        """
        del context
        game = data.find(b"<game", 1)
        return None if game < 0 else game

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse games with 81 digits in bulk, and the others one by one.

        A game without cells is invalid. Names come from the games' attributes.
        """
        del context
        spans = [
            _DATA.search(data, start, end)
            for start, end in zip(segments.starts.tolist(), segments.ends.tolist(), strict=True)
        ]
        places = [(0, 0) if m is None else m.span(m.lastindex or 1) for m in spans]
        starts, ends = np.array(places, np.int64).reshape(-1, 2).T
        groups: tuple[Group, ...] = ()
        left = np.ones(len(segments), np.bool_)
        if allows_classic(options):
            groups, left = read_classic(data, starts, ends)

        def readings() -> Iterator[tuple[int, Reading]]:
            for row in np.flatnonzero(left).tolist():
                text = decode(data[segments.starts[row] : segments.ends[row]])
                if spans[row] is None:
                    yield row, refuse('this game has no cells; expected <game data="…"/>', text)
                else:
                    body = unescape(decode(data[starts[row] : ends[row]]))
                    yield row, _read_game(body, text, options)

        return collect(segments.lines, readings(), groups=groups, names=_names(data, segments))


def _names(data: bytes, segments: Segments) -> dict[int, str]:
    """Return the names in the attributes of games, by record index.

    A game's name is in the first of the known attributes that isn't blank. Games without one are
    left out.
    """
    names: dict[int, str] = {}
    if _NAMED.search(data) is None:  # most files have none
        return names
    for row, (start, end) in enumerate(zip(segments.starts, segments.ends, strict=True)):
        written = {key: one or two for key, one, two in _ATTRIBUTE.findall(data, start, end)}
        texts = (unescape(decode(written.get(key.encode(), b""))) for key in _NAME_KEYS)
        name = next(filter(None, map(whole_name, texts)), None)
        if name is not None:
            names[row] = name
    return names


def _read_game(body: str, text: str, options: ReadOptions) -> Reading:
    """Read the cells of a game: 81 digits, or a saved state whose givens are the puzzle.

    In a saved state, the cells that the player may change aren't givens, unless the player may
    change all of them. The reading is invalid if the state doesn't have 81 cells.
    """
    state = _STATE.fullmatch(body.strip())
    if state is None:
        return read_line(body, options=options)
    fields = [field for field in state[2].split("|") if field.strip()]
    width = _FIELDS[state[1]]
    if len(fields) != CLASSIC_CELLS * width:
        return refuse(f"the game has {len(fields) / width:g} cells, expected {CLASSIC_CELLS}", text)
    values, editable = fields[::width], [field != "0" for field in fields[width - 1 :: width]]
    # In a puzzle that is still being created, every cell is editable.
    givens = (
        v if all(editable) or not may else "0" for v, may in zip(values, editable, strict=True)
    )
    return read_line("".join(givens), options=options)


def _sure_end(data: bytes) -> int:
    """Return the offset up to which the data certainly contains no incomplete construct.

    It is the offset of the last "<" if that is in the last few bytes, because a construct may begin
    there. Otherwise, it is the end.
    """
    begun = data.rfind(b"<", max(len(data) - _LONGEST_OPENING, 0))
    return len(data) if begun < 0 else begun
