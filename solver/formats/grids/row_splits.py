"""Splits one line of a grid into cells, in every possible way, with the bars between them.

A single line often allows several splits: `12 34 56` is three tokens or six characters. The grid
size decides, so `split_ways` returns all splits. `measured_grid` then picks a split of the first
line into N cells if N lines can be split in the same way into N cells.

`usual_split` and `row_width` guess the most likely split of a line without this. `may_be_cell`
checks whether a text is possible as a cell.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from solver.board.graphemes import split_graphemes
from solver.board.layout import MAX_SIZE
from solver.formats.reading.cells import as_whole

WEAK, LIGHT, HEAVY = 2, 3, 4  # The weights of bars and rules.
BARS = "|¦│┃║╎╏┆┇┊┋╽╿!:"
_WEIGHTS = dict.fromkeys("!:¦╎┆┊", WEAK) | dict.fromkeys("┃║╏┇┋", HEAVY)
_BAR = re.compile(f"[{BARS}]")
_BAR_RUN = re.compile(f"[{BARS}]+")
_TOKEN = re.compile(r"\S+")
_DELIMITERS = ",;\t&"
_BOLD = re.compile(r"(\*\*|__)(\w+)\1")
# How LaTeX ends a row: of a table, and in the package sudoku, whose rows begin with a bar.
_TABLE_ROW_END = re.compile(r"\\\\.*$")
_SUDOKU_ROW_END = re.compile(r"(?<=\|)\.\s*$")
_COMMENT = re.compile(r"\s(?:#|//).*$")
# A comment after a row without gaps: a word.
_WORDS_AFTER = re.compile(r"(\s*[0-9.*_|!-]{4,})\s+[A-Za-z]{3,}")
_NOT_A_CELL = re.compile(r"[\[\](){}<>\"'`=\\/,;\t]")
_FLOAT = re.compile(r"-?\d+\.\d*(?:e[+-]\d+)?|nan", re.IGNORECASE)
_TWICE = re.compile(r"([.*_?-])\1")
_MISSING = frozenset({"", "-1", "null", "None", "nil", "NaN", "nan", "<NA>"})
LONGEST_ROW = 4096  # characters
_CACHED = 96
_TAB_STOP = 8  # columns
_NUMBERS_FROM = 10  # cells in a row of numbers

# The texts of some cells, and their start and end in the line.
_Cells = tuple[list[str], list[tuple[int, int]]]


class Split(NamedTuple):
    """One way to split a line into cells.

    way     a delimiter, "bars", "bars heavy", "bars open", "tokens", or "characters". The ways
            "whole tokens" and "whole characters" include text that looks like a comment. See
            `_split_bars` for the ways with bars.
    cells   the texts of the cells
    spans   the start and end of each cell in the line
    bars    (number of cells before it, weight) of each upright bar
    """

    way: str
    cells: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    bars: tuple[tuple[int, int], ...]


def row_body(line: str) -> str:
    """Return a line without a comment or markup after its cells.

    A comment begins with # or // after white space, or is a word of at least three letters after a
    row without gaps. Markup is the end of a row in LaTeX.
    """
    if "#" in line or "//" in line:
        line = _COMMENT.sub("", line)
    if "\\" in line:
        line = _TABLE_ROW_END.sub("", line)
    if line.lstrip().startswith("|"):
        line = _SUDOKU_ROW_END.sub("", line)
    words = _WORDS_AFTER.match(line)
    return words[1] if words else line


def split_ways(line: str) -> tuple[Split, ...]:
    """Return all plausible ways to split a line into cells, in the order in which to try them.

    Returns () for a line that is longer than any row.
    """
    return _kept_ways(line) if len(line) <= _CACHED else _recent_ways(line)


def _ways(line: str) -> tuple[Split, ...]:
    if len(line) > LONGEST_ROW:
        return ()
    body = row_body(line)
    ways = [split for split in _all_ways(body) if split.cells]
    if len(body) < len(line):
        # Text that looks like a comment may be labels.
        ways += [split._replace(way=f"whole {split.way}") for split in _words(line)]
    return tuple(ways)


_kept_ways = lru_cache(maxsize=1 << 13)(_ways)
_recent_ways = lru_cache(maxsize=1 << 4)(_ways)  # few, because these splits are large


def _all_ways(body: str) -> Iterator[Split]:
    for delimiter in _DELIMITERS:
        if body.count(delimiter) > 1:
            yield from _split_fields(body, delimiter)
    if _BAR.search(body):
        yield from _split_bars(body)
    yield from _words(body)


def _words(body: str) -> tuple[Split, Split]:
    body = _expand_tabs(body)
    segments = _segments(body, _BAR_RUN)
    tokens_of = [list(_TOKEN.finditer(body, start, end)) for start, end, _ in segments]
    return _split_tokens(segments, tokens_of), _split_characters(segments, tokens_of)


def _expand_tabs(text: str) -> str:
    """Replace tabs by spaces up to the next tab stop. A tab is always wider than one space."""
    first, *others = text.split("\t")
    for part in others:
        gap = _TAB_STOP - len(first) % _TAB_STOP
        first += " " * (gap if gap > 1 else gap + _TAB_STOP) + part
    return first


def _segments(body: str, bar: re.Pattern[str]) -> list[tuple[int, int, int]]:
    """Return the parts of a line between bars as (start, end, weight of the bar before it).

    The weight is 0 for the first part, which has no bar before it.
    """
    segments, start, weight = [], 0, 0
    for match in bar.finditer(body):
        segments.append((start, match.start(), weight))
        start = match.end()
        weight = HEAVY if len(match[0]) > 1 else _WEIGHTS.get(match[0], LIGHT)
    return [*segments, (start, len(body), weight)]


def _gather(way: str, segments: list[tuple[int, int, int]], parts: list[_Cells]) -> Split:
    """Combine the cells of a line's segments into one split.

    The last item of a segment is the weight of the bar before it, 0 without one. `parts` has the
    cells of each segment.
    """
    cells: list[str] = []
    spans: list[tuple[int, int]] = []
    bars = []
    for (_, _, weight), (texts, places) in zip(segments, parts, strict=True):
        if weight:
            bars.append((len(cells), weight))
        cells += texts
        spans += places
    return Split(way, tuple(cells), tuple(spans), tuple(bars))


def _split_fields(body: str, delimiter: str) -> Iterator[Split]:
    """Yield the splits of a line at a delimiter. Bars may separate boxes.

    Bars at the ends of the line are a frame and contain no cells. If bars divide the line, there is
    a second split, for lines with both a bar and a delimiter between boxes: it leaves out the empty
    fields next to the bars.
    """
    segments = _segments(body, _BAR_RUN)
    if len(segments) > 1 and not body[segments[0][0] : segments[0][1]].strip():
        del segments[0]
    if len(segments) > 1 and not body[segments[-1][0] :].strip():
        del segments[-1]
    parts: list[_Cells] = []
    for start, end, _ in segments:
        texts, spans, at = [], [], start
        for field in body[start:end].split(delimiter):
            text = field.strip()
            left = at + len(field) - len(field.lstrip()) if text else at
            texts.append(_bare(text))
            spans.append((left, left + len(text) if text else at + len(field)))
            at += len(field) + 1
        parts.append((texts, spans))
    yield _gather(delimiter, segments, parts)
    if len(segments) > 1:
        if not any(texts[-1] for texts, _ in parts[:-1]):
            parts[:-1] = [(texts[:-1], spans[:-1]) for texts, spans in parts[:-1]]
        elif not any(texts[0] for texts, _ in parts[1:]):
            parts[1:] = [(texts[1:], spans[1:]) for texts, spans in parts[1:]]
        yield _gather(delimiter, segments, parts)


@lru_cache(maxsize=1 << 9)
def _bare(text: str) -> str:
    return as_whole(_BOLD.sub(r"\2", text.removeprefix("=").strip('"')))


def _split_bars(body: str) -> Iterator[Split]:
    """Yield the splits at bars, with one cell between two bars, which may be empty.

    The number of cells decides later which one is right. "bars": each bar separates two cells, and
    bars at the ends of the line are a frame. "bars heavy": the same, but adjacent bars are one
    heavy bar. "bars open": each bar separates two cells, and there are cells outside the outer
    bars.
    """
    framed = body.strip()
    for way, bar in (("bars", _BAR), ("bars heavy", _BAR_RUN), ("bars open", _BAR)):
        segments = _segments(body, bar)
        if way != "bars open":
            if bar.match(framed):
                del segments[0]
            if _BAR.match(framed[-1:]) and len(segments) > 1:
                del segments[-1]
        texts = [_bare(body[start:end].strip()) for start, end, _ in segments]
        if len(texts) >= 4 and not any(" " in text for text in texts):
            spans = [(start, max(end, start + 1)) for start, end, _ in segments]
            parts = [([text], [span]) for text, span in zip(texts, spans, strict=True)]
            yield _gather(way, segments, parts)


def _split_tokens(
    segments: list[tuple[int, int, int]], tokens_of: list[list[re.Match[str]]]
) -> Split:
    parts = [
        ([_bare(token[0]) for token in tokens], [token.span() for token in tokens])
        for tokens in tokens_of
    ]
    return _gather("tokens", segments, parts)


def _split_characters(
    segments: list[tuple[int, int, int]], tokens_of: list[list[re.Match[str]]]
) -> Split:
    parts = []
    for tokens in tokens_of:
        texts: list[str] = []
        spans: list[tuple[int, int]] = []
        for token in tokens:
            characters = split_graphemes(token[0])
            texts += characters
            spans += pairwise(accumulate(map(len, characters), initial=token.start()))
        parts.append((texts, spans))
    return _gather("characters", segments, parts)


@lru_cache(maxsize=1 << 12)
def may_be_cell(text: str, size: int) -> bool:
    """Return whether a text may be a cell in a grid of this size.

    A cell may be a number up to `size`, one other character that isn't a bracket, quote, or
    delimiter, a float, a sign for empty cells written twice, or a word for a missing value such as
    null or "".
    """
    if text in _MISSING or _TWICE.fullmatch(text):
        return True
    if text.isascii() and text.isdigit():
        return len(text) <= len(str(MAX_SIZE)) and int(text) <= size
    if _NOT_A_CELL.search(text):
        return False
    return len(split_graphemes(text)) == 1 or _FLOAT.fullmatch(text) is not None


def usual_split(line: str) -> Split | None:
    """Return the most likely split of a line, without looking at other lines.

    It is the first possible one of these: at bars, if all cells between them are short; at a
    delimiter; into at least ten tokens; into characters; into tokens. Returns None for a line
    without cells.
    """
    ways = {split.way: split for split in reversed(split_ways(line))}
    longest = max(map(len, ways["bars"].cells)) if "bars" in ways else 0
    if 0 < longest <= (1 if len(ways["bars"].cells) < _NUMBERS_FROM else 2):
        return ways["bars"]
    fewest_of = dict.fromkeys(_DELIMITERS, 2) | {"tokens": _NUMBERS_FROM, "characters": 1}
    for way, fewest in fewest_of.items():
        if way in ways and len(ways[way].cells) >= fewest:
            return ways[way]
    return ways.get("tokens")


def row_width(line: str) -> int:
    """Return the most likely number of cells in a line, without looking at other lines.

    A line that can't be split, because it is longer than any row, has as many cells as words.
    """
    split = usual_split(line)
    return len(line.split()) if split is None else len(split.cells)


def usual_width(widths: Sequence[int]) -> int:
    """Return the most frequent number of cells per row, in a tie the larger one.

    Returns 0 if there are no rows.
    """
    return max(set(widths), key=lambda width: (widths.count(width), width), default=0)
