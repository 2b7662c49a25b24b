"""Write results as CSV and JSON lines quickly: whole columns, for rows without extra details.

`writers` uses this module for plain results, and `csv_table` and `rows` for all others.

The text of many rows is built as a matrix of bytes with one line per row. Fields of varying length
are padded with zero bytes, which are removed at the end (shown as blanks here):

    {"n":     9 8 ,"line":     9 9 ,"puzzle":" … ","outcome":" solved   …  }
    {"n":     9 9 ,"line":   1 0 0 ,"puzzle":" … ","outcome":" multiple …  }

In this module, a column is either one text for all rows, or a matrix of bytes with one line per
row.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome, decide_unique
from solver.board.text_lines import Lines, copy_rows
from worker.records.chunk_result import ChunkResult

_FILLING = b"\0"
# A column is either one text for all rows, or a matrix of bytes with one line per row.
_Column = bytes | NDArray[np.uint8]
_NULL = b"null"


def json_lines(numbers: Sequence[int], result: ChunkResult, *, limit: int) -> bytes | None:
    """Return all records of a result as JSON lines, or None if the fast path can't write them.

    `numbers` contains each record's number in the job, from 1. `limit` is the job's limit on
    solutions. The fast path can't write results with optional columns such as names or ratings. The
    puzzles must have the same length, and so must the solutions. Both must be ASCII text without
    characters that need escaping.
    """
    return _written(_JSON, numbers, result, limit=limit)


def csv_lines(numbers: Sequence[int], result: ChunkResult, *, limit: int) -> bytes | None:
    """Return all records of a result as lines of CSV, or None as in `json_lines`.

    For CSV, the puzzles and solutions must not contain characters that need quotes, or that make a
    spreadsheet execute a field.
    """
    return _written(_CSV, numbers, result, limit=limit)


def _written(
    style: "_Style", numbers: Sequence[int], result: ChunkResult, *, limit: int
) -> bytes | None:
    """Return all records of a result in a style, or None if the fast path can't write them.

    `numbers` and `limit` are as in `json_lines`.
    """
    texts = _texts(result, unsafe=style.unsafe)
    if texts is None:
        return None
    puzzles, solutions, solved = texts
    places, lines = _array(numbers), ChunkResult.integers(result.lines)
    numbered = _decimal(places)
    columns = (
        numbered,
        # If the upload contains nothing but records, their numbers and lines are equal.
        numbered if np.array_equal(places, lines) else _decimal(lines),
        puzzles,
        _chosen(_outcomes(), _codes(result)),
        style.solutions(solutions, solved),
        _decimal(ChunkResult.integers(result.counts)),
        _unique(result, style.unique, limit=limit),
        _decimal(ChunkResult.integers(result.steps)),
    )
    pairs = zip(style.before, columns, strict=True)
    return _joined(len(result), *chain.from_iterable(pairs), *_rest(style, result))


def _rest(style: "_Style", result: ChunkResult) -> tuple[_Column, ...]:
    """Return the end of each line, after the column `steps`, as columns of text.

    It contains the empty columns, the source of the record if the results have one, and the line
    break.
    """
    if not result.source:
        return (style.empty + style.end,)
    before, between, after = style.source
    numbers = _decimal(ChunkResult.integers(result.source_numbers))
    job = style.empty + before + result.source.encode() + between
    return job, numbers, after + style.end


def _texts(
    result: ChunkResult, *, unsafe: bytes
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_]] | None:
    """Return the puzzles and solutions as matrices of bytes, and which records have a solution.

    These are arrays with the shapes (n, width), (m, width), and (n,), for n records with m
    solutions. Returns None if the result has no records or has optional columns besides the
    source. Also returns None if the puzzles or the solutions differ in length, or contain control
    characters, characters that aren't ASCII, or any of the characters in `unsafe`.
    """
    optional = (
        result.details, result.names, result.listed, result.minlex,
        result.true_candidates, result.minimality, result.difficulties, result.own_ratings,
        result.regions, result.own_names,
    )  # fmt: skip
    if any(optional) or len(result) == 0:
        return None
    solved = result.solved()
    puzzles = _codes_of(result.puzzles, np.ones(len(result), np.bool_), unsafe=unsafe)
    if not solved.any():
        return None if puzzles is None else (puzzles, puzzles[:0], solved)
    solutions = _codes_of(result.solutions, solved, unsafe=unsafe)
    if puzzles is None or solutions is None:
        return None
    return puzzles, solutions, solved


def _codes_of(lines: Lines, there: NDArray[np.bool_], *, unsafe: bytes) -> NDArray[np.uint8] | None:
    """Return the lines for which `there` is true as a matrix of bytes with one row per line.

    The other lines must be empty. Returns None if the lines differ in length, or contain control
    characters, characters that aren't ASCII, or any of the characters in `unsafe`.
    """
    codes = lines.codes(there)
    if codes is None:
        return None
    made_of = lines.grids()
    written = codes.tobytes() if made_of is None else made_of[1]
    if np.frombuffer(written, np.uint8).min() < ord(" ") or any(each in written for each in unsafe):
        return None
    return codes


def _array(numbers: Sequence[int]) -> NDArray[np.int64]:
    if isinstance(numbers, range):
        return np.arange(numbers.start, numbers.stop)
    return np.array(numbers, np.int64)


def _codes(result: ChunkResult) -> NDArray[np.uint8]:
    return np.frombuffer(result.outcomes, np.uint8)


def _outcomes() -> list[bytes]:
    return [outcome.label.encode() for outcome in Outcome]


def _unique(result: ChunkResult, words: dict[bool | None, bytes], *, limit: int) -> _Column:
    """Return the column `unique`, which depends only on the outcome, the count, and the limit.

    `words` contains the texts for its values.
    """
    every = ChunkResult.integers(result.counts) * len(Outcome) + _codes(result)

    def word(pair: int) -> bytes:
        count, code = divmod(pair, len(Outcome))
        return words[decide_unique(Outcome(code), count, limit=limit)]

    if (every == every[0]).all():  # saves sorting
        return word(int(every[0]))
    pairs, places = np.unique(every, return_inverse=True)
    return _chosen([word(pair) for pair in pairs.tolist()], places)


def _chosen(texts: Sequence[bytes], places: NDArray[np.integer[Any]]) -> _Column:
    """Return the column whose row i contains texts[places[i]].

    It is one text if all places are equal, and otherwise a matrix. `places` isn't empty.
    """
    if (places == places[0]).all():
        return texts[int(places[0])]
    width = max(map(len, texts))
    filled = b"".join(text.ljust(width, _FILLING) for text in texts)
    column: NDArray[np.uint8] = np.frombuffer(filled, np.uint8).reshape(len(texts), -1)[places]
    return column


def _decimal(numbers: NDArray[np.int64]) -> _Column:
    """Return the column with nonnegative numbers in decimal, padded on the left with zero bytes.

    If all numbers are equal, the column is just the text of one.
    """
    largest, smallest = int(numbers.max()), int(numbers.min())
    if largest == smallest:
        return b"%d" % largest
    digits = np.empty((len(numbers), len(str(largest))), np.uint8)
    always = digits.shape[1] - len(str(smallest))  # from this place on, every number has a digit
    rest = numbers.astype(np.uint32) if largest < 1 << 32 else numbers
    for place in range(digits.shape[1] - 1, -1, -1):
        left = rest // 10
        digit = rest - 10 * left + ord("0")
        if place < always:
            # A leading zero becomes padding.
            digit *= rest > 0
        digits[:, place] = digit
        rest = left
    return digits


def _quoted(lines: NDArray[np.uint8], there: NDArray[np.bool_]) -> _Column:
    """Return a column with quoted texts in the rows where `there` is true, and null in the others.

    `lines` contains only these texts, in order, as a matrix of bytes.
    """
    if len(lines) == 0:
        return _NULL
    width = lines.shape[1] + 2
    quoted = np.zeros((len(lines), max(width, len(_NULL))), np.uint8)
    quoted[:, [0, width - 1]] = ord('"')
    copy_rows(lines, quoted[:, 1 : width - 1])
    column = _spread(quoted, there)
    if len(lines) < len(there):
        column[~there, : len(_NULL)] = np.frombuffer(_NULL, np.uint8)
    return column


def _spread(lines: NDArray[np.uint8], there: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return a column with texts in the rows where `there` is true, and padding in the others.

    `lines` contains only these texts, in order, as a matrix of bytes.
    """
    if len(lines) == len(there):
        return lines
    column = np.zeros((len(there), lines.shape[1]), np.uint8)
    column[there] = lines
    return column


def _joined(rows: int, *columns: _Column) -> bytes:
    """Return the text of all rows, with the columns side by side and without their padding.

    `rows` is the number of rows.
    """
    widths = [len(each) if isinstance(each, bytes) else each.shape[1] for each in columns]
    template = b"".join(
        each if isinstance(each, bytes) else bytes(width)
        for each, width in zip(columns, widths, strict=True)
    )
    text = bytearray(template) * rows
    matrix = np.frombuffer(text, np.uint8).reshape(rows, -1)
    start = 0
    for column, width in zip(columns, widths, strict=True):
        if not isinstance(column, bytes):
            copy_rows(column, matrix[:, start : start + width])
        start += width
    return bytes(text).replace(_FILLING, b"")


@dataclass(frozen=True, slots=True)
class _Style:
    """How to write rows in a format: as JSON lines or as CSV.

    before     the text before each column
    empty      the text of the columns that are empty
    source     the text before the id of the job from which records come, before their numbers in
               that job, and after them
    end        the end of a line
    unsafe     characters that can't be written as they are. If any puzzle or solution of a result
               contains one, the fast path doesn't write the result.
    unique     the texts for the values of the column `unique`
    solutions  builds the column of solutions. Its arguments are the solutions as a matrix of bytes,
               and which records have one.
    """

    before: tuple[bytes, ...]
    empty: bytes
    source: tuple[bytes, bytes, bytes]
    end: bytes
    unsafe: bytes
    unique: dict[bool | None, bytes]
    solutions: Callable[[NDArray[np.uint8], NDArray[np.bool_]], _Column]


_JSON = _Style(
    before=(
        b'{"n":', b',"line":', b',"puzzle":"', b'","outcome":"', b'","solution":',
        b',"solutions":', b',"unique":', b',"steps":',
    ),
    empty=b',"rating":null,"detail":null,"name":null',
    source=(b',"source":{"job":"', b'","n":', b"}"),
    end=b"}\n",
    unsafe=b'"\\',
    unique={True: b"true", False: b"false", None: _NULL},
    solutions=_quoted,
)  # fmt: skip
_CSV = _Style(
    before=(b"", *(b"," for _ in range(7))),
    empty=b",,,",
    source=(b",", b",", b""),
    end=b"\r\n",
    # Characters that need quotes, or that make a spreadsheet execute the field.
    unsafe=b"\",;'=+-@ ",
    unique={True: b"true", False: b"false", None: b""},
    solutions=_spread,
)
