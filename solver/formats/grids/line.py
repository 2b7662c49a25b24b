"""Read one puzzle per line: 81 characters, N² characters, or N² numbers."""

import re
from collections.abc import Iterator
from dataclasses import replace
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from solver.board.display import how_many, shorten
from solver.board.graphemes import count_graphemes, normalize, split_graphemes
from solver.board.layout import MAX_SIZE
from solver.board.puzzle import Invalid
from solver.formats.format import Context, Group, ReadOptions, Records, Segments
from solver.formats.grids.links import LEFT_OUT, LINK, cells_in_link, is_link, is_position
from solver.formats.reading.bulk import Bulk
from solver.formats.reading.byte_tables import byte_mask, byte_table
from solver.formats.reading.cells import (
    Reading,
    as_whole,
    clean_name,
    is_square,
    read_cells,
    refuse,
)
from solver.formats.reading.classic import CLASSIC_CELLS, allows_classic, read_classic
from solver.formats.reading.collect import collect
from solver.formats.reading.deduce import are_words
from solver.formats.reading.lines import (
    BOM,
    LineRecords,
    end_of_line,
    head_lines,
    segment_lines,
)
from solver.formats.reading.options import read_box
from solver.formats.reading.text import ELLIPSIS, decode

_SEPARATORS = re.compile(r"[\s,;|]+")
_NUMBER_OR_BLANK = re.compile(rf"\d{{1,2}}|{MAX_SIZE}|[.*_?xX-]", re.ASCII)
_SPACES_AS_BLANKS = re.compile(r"[0-9 ]*  [0-9 ]*")
_CELL_CHARACTERS = re.compile(r"[0-9A-Za-z.*_?-]+")
_WITH_COMMENT = re.compile(r"(?=\S*\d)[0-9.*_?-]{40,}[\s,;|#].*")  # longer than any other number
_LINK_BYTES = re.compile(LINK.pattern.encode())
_IS_SEPARATOR = byte_table(b" \t,;|#")
_PAIR = re.compile(r"\d\d|\.\.", re.ASCII)
# The lines that open and close a list of strings in the source of a program.
_QUOTED = re.compile(r"""(?:[\w .:*]+=)?\s*(["'`])((?:(?!\1).)*)\1\s*[,;]?\s*(?:(?:#|//).*)?""")
_OPENING = re.compile(r"[^\"'`]*[\[({]\s*")
_CLOSINGS = (b"]", b")", b"}", b"],", b"];", b");", b"};", b"});", b"]);")
_SURELY = re.compile(r"[1-9.]{81}|[0-9]{81}")
_SHORTEST = 16  # characters: a 4×4 puzzle
_LONGEST_GROUP = MAX_SIZE  # Separators may divide a line into groups, which are at most whole rows.


def split_line(text: str) -> list[str]:
    """Split a line into the cells of a puzzle, without comments around them.

    The line can be a URL that contains a classic puzzle. The number of cells isn't checked. The
    result is [] only if there is nothing but separators, or nothing before a # comment. Other text
    without a puzzle is split, too, for example into the characters of its first word.
    """
    linked = cells_in_link(text)
    if linked:
        return linked
    body = _body(text)
    if body.isascii() and _is_puzzle_length(len(body)) and _SPACES_AS_BLANKS.fullmatch(body):
        return list(body)
    tokens = [token for token in _SEPARATORS.split(body) if token]
    if _is_puzzle_length(len(tokens)) and (
        all(map(_is_token, tokens)) or are_words(tokens, isqrt(len(tokens)))
    ):
        return tokens
    fields = _fields(body)
    if _is_puzzle_length(len(fields)) and all(count_graphemes(field) <= 2 for field in fields):
        return fields
    lengths = [count_graphemes(token) for token in tokens]
    joined = "".join(tokens)
    if len(set(lengths)) == 1 and lengths[0] <= _LONGEST_GROUP and _is_puzzle_length(sum(lengths)):
        return split_graphemes(joined)
    pairs = _split_pairs(tokens[0]) if len(tokens) == 1 else []
    if pairs:
        return pairs
    puzzles = [n for n, length in enumerate(lengths) if _is_puzzle_length(length)]
    if len(tokens) > 1 and puzzles:
        chosen = 0 if 0 in puzzles else max(puzzles, key=lengths.__getitem__)
        return split_graphemes(tokens[chosen])
    if _is_puzzle_length(count_graphemes(body)):
        return split_graphemes(body)
    if _is_puzzle_length(sum(lengths)):
        longest = tokens[lengths.index(max(lengths))]
        return split_graphemes(joined if _are_groups(joined, longest) else longest)
    # A single character before other text isn't a 1×1 puzzle.
    return split_graphemes(joined if lengths[:1] == [1] else tokens[0]) if tokens else []


def _are_groups(joined: str, longest: str) -> bool:
    """Return True if all parts of a line are cells, and False if only the longest part is.

    Separators divide a line into parts. `joined` contains all parts without the separators, and
    `longest` is the longest part. All parts are cells if `longest` has fewer than 16 characters, or
    if the others fill at least one row of the grid (√n characters, where n is the length of
    `joined`) and have only letters that `longest` has, too. Otherwise, the others are a comment.
    """
    if len(longest) < _SHORTEST:
        return True
    own_letters = {character for character in set(joined) - set(longest) if character.isalpha()}
    return not own_letters and len(joined) - len(longest) >= isqrt(len(joined))


def _body(text: str) -> str:
    """Return the text of a line that contains the puzzle.

    It is the content of a string literal if the line is one, as in a program's source, and
    otherwise the text before a # comment. An ellipsis becomes three dots if the line contains other
    dots.
    """
    if ELLIPSIS in text and "." in text:
        text = text.replace(ELLIPSIS, "...")
    quoted = _QUOTED.fullmatch(text)
    return quoted[2] if quoted else text.partition("#")[0].strip("\r\n")


def _fields(text: str) -> list[str]:
    """Return the stripped fields of a line, split at its delimiter.

    The delimiter is the first of comma, semicolon, and tab that occurs at least 15 times, or else a
    comma. An empty last field is left out if the number of the others is a square.
    """
    delimiter = next((each for each in ",;\t" if text.count(each) >= _SHORTEST - 1), ",")
    fields = [as_whole(field.strip()) for field in text.split(delimiter)]
    return fields[:-1] if fields[-1] == "" and is_square(len(fields) - 1) else fields


def _split_pairs(text: str) -> list[str]:
    """Return the cells of a puzzle with two digits or two dots for each, or [] for other text.

    Values that are too large for the puzzle's size make it other text, too.
    """
    half = len(text) // 2
    pairs = _PAIR.findall(text)
    if len(text) % 2 or not _is_puzzle_length(half) or len(pairs) != half:
        return []
    fits = all(pair == ".." or int(pair) <= isqrt(half) for pair in pairs)
    return pairs if fits else []


def read_line(text: str, *, options: ReadOptions) -> Reading:
    """Read the puzzle in one line of text.

    The line may begin with the shape of the boxes and a semicolon, such as "2x3;". This shape is
    ignored if the options set the box. A comment after the cells becomes the name of the puzzle, or
    without a comment, the text before the cells does. The line can also be a URL with a classic
    puzzle. The reading is invalid if the number of cells isn't a square, or if a cell can't be
    read.
    """
    box, text = _split_box(text)
    if box is not None and options.box is None:
        options = replace(options, box=box)
    if is_link(text) and not cells_in_link(text):
        return refuse("this URL doesn't contain the 81 cells of a classic puzzle", text)
    cells = _split(text, options)
    name = clean_name(_find_comment(text, cells))
    if not is_square(len(cells)) and len(cells) < MAX_SIZE**2:
        detail = f"{how_many(len(cells), 'character')}, expected 81 (or another square number)"
        # A dot and a zero together belong to a puzzle and its regions, not to several puzzles.
        if len(cells) % CLASSIC_CELLS == 0 and not {".", "0"} <= set(cells):
            detail += (
                f". If these are {len(cells) // CLASSIC_CELLS} puzzles, the line breaks between "
                "them are missing: curl keeps them with --data-binary or -T instead of -d"
            )
        if not cells:
            detail = "the puzzle is empty, expected 81 characters (or another square number)"
        return Reading(Invalid(detail, shorten(text)), name=name)
    reading = replace(read_cells(cells, text=text, options=options), name=name)
    return replace(reading, note=LEFT_OUT) if is_position(text) else reading


def _split_box(text: str) -> tuple[tuple[int, int] | None, str]:
    """Split off the box at the beginning of a line such as "2x3;…", if there is one.

    Returns the box or None, and the text after it.
    """
    before, _, rest = text.partition(";")
    box = read_box(before) if rest else None
    return (None, text) if box is None else (box, rest)


def _find_comment(text: str, cells: list[str]) -> str:
    """Return the comment after the cells of a puzzle, or if there is none, the text before them.

    `cells` are the cells found in `text`. Returns "" if there is neither, and for URLs.
    """
    if is_link(text):
        return ""
    body, mark, comment = text.partition("#")
    if mark or not cells:
        return comment
    before, found, after = body.partition("".join(cells))
    return (after.strip() or before) if found else ""


def _split(text: str, options: ReadOptions) -> list[str]:
    symbols = options.symbols or ()
    if any(len(symbol) > 1 for symbol in symbols) or "#" in symbols:
        # Without separators, the symbols determine where a cell ends.
        longest_first = sorted(symbols, key=len, reverse=True)
        return re.findall("|".join([*map(re.escape, longest_first), r"\S"]), normalize(text))
    return split_line(text)


def _is_puzzle_length(number: int) -> bool:
    return number >= _SHORTEST and is_square(number)


class LineFormat(LineRecords):
    """One puzzle per line; implements `solver.formats.format.Format`."""

    name = "line"
    description = (
        "One puzzle per line, as N×N characters (81 for 9×9) with any common sign for empty cells "
        "(also .sdm files). URLs that contain 81 digits work, too, such as those of "
        "sudokuwiki.org and sudokuexchange.com. Text after the puzzle and lines that begin with # "
        "are comments. A list of strings in a program's source code works, too."
    )
    example = (
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
        "016400000200009000400000062070230100100000003003087040960000005000800007000006820\n"
    )

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        """Return the context if at least half of the lines are puzzles, otherwise None.

        Lines of characters that can be cells count even if their number is wrong. One line that
        certainly is a classic puzzle is enough. If the options name this format, any text is
        recognized. The context is {"listed": True} if the lines are a list of string literals in a
        program's source, and otherwise {}.
        """
        lines = head_lines(head, final=final)
        listed = len(lines) > 1 and _OPENING.fullmatch(lines[0]) and _QUOTED.fullmatch(lines[1])
        context = {"listed": True} if listed else {}
        if options.format == self.name:
            return context
        lines = lines[1:-1] if listed else lines
        bodies = [_split_box(line)[1] for line in lines]
        fitting = sum(_is_puzzle_length(len(_split(body, options))) for body in bodies)
        alike = sum(len(line) >= _SHORTEST and _is_cells(line) for line in lines)
        fits = 2 * max(fitting, alike) >= len(lines) or any(map(_SURELY.fullmatch, lines))
        return context if lines and fits else None

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        """Find the lines that aren't blank, comments, or the beginning or end of a list."""
        if not context.get("listed"):
            return segment_lines(data, line=line, final=final)
        first = data[: end_of_line(data) or len(data)].removeprefix(BOM).strip()
        opening = first if line == 1 and _OPENING.fullmatch(decode(first)) else b""
        return segment_lines(data, line=line, final=final, skip=(*_CLOSINGS, opening))

    def parse(
        self, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        """Parse classic 9×9 lines, and others without separators, in bulk, the rest one by one."""
        del context
        groups: tuple[Group, ...] = ()
        left = np.ones(len(segments), np.bool_)
        if allows_classic(options):
            groups, left = read_classic(data, segments.starts, segments.ends)
        names = _names(data, segments, segments.starts + CLASSIC_CELLS, ~left)
        bulk = _read_others(data, segments, left, options, names)
        readings = _parse_slowly(data, segments, left & bulk.left, options)
        return collect(
            segments.lines, readings, groups=groups + bulk.groups, names=names, notes=bulk.notes
        )


def _read_others(
    data: bytes,
    segments: Segments,
    left: NDArray[np.bool_],
    options: ReadOptions,
    names: dict[int, str],
) -> Bulk:
    """Read in bulk the lines that the fast path for classic puzzles left over (`left`).

    These are puzzles with nothing or a comment after them, and URLs with a puzzle. Comments are
    added to `names` by record index. The `left` array of the result marks all lines except those
    that were read here. No line is read if a symbol in the options has several characters.
    """
    bulk = Bulk(len(segments), options)
    rows = np.flatnonzero(left)
    if len(rows) == 0 or any(len(symbol) > 1 for symbol in options.symbols or ()):
        return bulk
    starts, ends = segments.starts[rows].copy(), segments.ends[rows].copy()
    text = np.frombuffer(data, np.uint8)
    links = np.flatnonzero(text[starts] == ord("h"))
    for place in links.tolist():
        match = _LINK_BYTES.match(data, starts[place], ends[place])
        if match is not None:
            starts[place], ends[place] = match.span(1)
    separators = np.append(np.flatnonzero(byte_mask(data, _IS_SEPARATOR)), len(text))
    puzzle_ends = np.minimum(ends, separators[np.searchsorted(separators, starts)])
    has_more = puzzle_ends < ends
    next_ = text[np.minimum(puzzle_ends + 1, len(text) - 1)]
    # The following text may contain cells, too, unless it is a comment.
    fits = ~has_more | (text[np.minimum(puzzle_ends, len(text) - 1)] == ord("#"))
    fits |= has_more & (next_ == ord("#"))
    lengths = np.where(fits, puzzle_ends - starts, 0)
    for length in np.unique(lengths).tolist():
        if _is_puzzle_length(length):
            alike = np.flatnonzero(lengths == length)
            bulk.add_characters(rows[alike], text[starts[alike, None] + np.arange(length)])
    commented = np.flatnonzero(has_more & ~bulk.left[rows])
    all_ends = segments.ends.copy()
    all_ends[rows] = puzzle_ends
    plain = np.zeros(len(segments), np.bool_)
    plain[rows[commented]] = True
    names |= _names(data, segments, all_ends, plain)
    return bulk


def _names(
    data: bytes, segments: Segments, puzzle_ends: NDArray[np.int64], plain: NDArray[np.bool_]
) -> dict[int, str]:
    """Return the comments after puzzles, which become their names, by record index.

    `puzzle_ends` has the byte offset after each puzzle, and `plain` marks the records to look at.
    """
    names = {}
    for row in np.flatnonzero(plain & (segments.ends > puzzle_ends)).tolist():
        name = clean_name(decode(data[puzzle_ends[row] : segments.ends[row]]))
        if name is not None:
            names[row] = name
    return names


def _is_cells(line: str) -> bool:
    written = line.strip()
    return any(kind.fullmatch(written) for kind in (_CELL_CHARACTERS, _WITH_COMMENT))


def _parse_slowly(
    data: bytes, segments: Segments, left: NDArray[np.bool_], options: ReadOptions
) -> Iterator[tuple[int, Reading]]:
    """Read the records that the mask `left` selects, one by one, each with its index."""
    for row in np.flatnonzero(left).tolist():
        record = decode(data[segments.starts[row] : segments.ends[row]])
        yield row, read_line(record, options=options)


def _is_token(token: str) -> bool:
    return _NUMBER_OR_BLANK.fullmatch(token) is not None
