"""Results as rows, and rows as JSON lines, CSV and plain text; the only place that writes them."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isqrt

import msgspec

from solver.board.graphemes import count_graphemes
from solver.board.puzzle import Invalid
from solver.board.result import Outcome, decide_unique
from solver.formats.reading.cells import read_cells
from web.boards.text import split_cells
from worker.job import ChunkResult, JobOptions
from worker.options import read_options

Part = tuple[int, ChunkResult]

_FORMULA_STARTS = "=+-@\t\r"


class Row(msgspec.Struct, frozen=True):
    """The result of one record, member by member as the API shows it."""

    n: int
    line: int
    puzzle: str
    outcome: str
    solution: str | None
    solutions: int
    unique: bool | None
    steps: int
    rating: None
    detail: str | None
    name: str | None


class RowWithAll(Row, frozen=True):
    """A row with all solutions that were asked for."""

    all_solutions: list[str]


@dataclass(frozen=True, slots=True)
class Writer:
    """One way to write rows: a media type and a function from rows to bytes, part by part.

    The function is told the options of the job, too.
    """

    name: str
    media_type: str
    write: Callable[[Iterable[list[Row]], JobOptions], Iterator[bytes]]


class Incomplete(Exception):
    """The job was deleted or expired during the download."""


def rows(part: Part, *, limit: int) -> list[Row]:
    """Return the rows of one part; with a limit above 2, each with all its solutions."""
    first, result = part
    labels = [outcome.label for outcome in Outcome]
    codes = result.outcomes
    counts = ChunkResult.integers(result.counts).tolist()
    details, names = result.details, result.names
    columns = zip(
        range(first, first + len(codes)),
        ChunkResult.integers(result.lines).tolist(),
        result.puzzles.split("\n"),
        codes,
        result.solutions.split("\n"),
        counts,
        ChunkResult.integers(result.steps).tolist(),
        strict=True,
    )
    # What is unique depends on outcome, count and limit alone, so it is looked up.
    unique = {
        (code, count): decide_unique(Outcome(code), count, limit=limit)
        for code, count in set(zip(codes, counts, strict=True))
    }
    if limit <= 2:
        return [
            Row(n, line, puzzle, labels[code], solution or None, count, unique[code, count],
                steps, None, details.get(n - first), names.get(n - first))
            for n, line, puzzle, code, solution, count, steps in columns
        ]  # fmt: skip
    return [
        RowWithAll(n, line, puzzle, labels[code], solution or None, count, unique[code, count],
                   steps, None, details.get(n - first), names.get(n - first),
                   result.listed.get(n - first, []))
        for n, line, puzzle, code, solution, count, steps in columns
    ]  # fmt: skip


def complete(parts: Iterable[Part], *, records: int) -> Iterator[Part]:
    """Pass parts on; raises Incomplete if they end before so many records.

    Headers and most of the body are sent by then: breaking the connection off is what is
    left to keep half an answer from looking like a whole one.
    """
    for part in parts:
        records -= len(part[1])
        yield part
    if records > 0:
        raise Incomplete


def select(
    parts: Iterable[Part],
    *,
    limit: int,
    outcomes: frozenset[str] = frozenset(),
    offset: int = 0,
    count: int | None = None,
) -> Iterator[list[Row]]:
    """Yield the rows of the parts, those with the outcomes only, `count` behind `offset`.

    Without outcomes, the parts are already those that are wanted.
    """
    for part in parts:
        if outcomes and outcomes.isdisjoint(part[1].outcome_counts()):
            continue
        found = rows(part, limit=limit)
        if outcomes:
            found = [row for row in found if row.outcome in outcomes]
            skipped = min(offset, len(found))
            offset -= skipped
            found = found[skipped : None if count is None else skipped + count]
            if count is not None:
                count -= len(found)
        if found:
            yield found
        if outcomes and count == 0:
            return


def _jsonl(parts: Iterable[list[Row]], _: JobOptions) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    for part in parts:
        yield encoder.encode_lines(part)


def _json(parts: Iterable[list[Row]], _: JobOptions) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    before = b"["
    for part in parts:
        for row in part:
            yield before + b"\n" + encoder.encode(row)
            before = b","
    yield b"\n]\n" if before == b"," else b"[]\n"


def _csv(parts: Iterable[list[Row]], _: JobOptions) -> Iterator[bytes]:
    yield ",".join(Row.__struct_fields__).encode() + b"\r\n"
    words = {True: "true", False: "false", None: None}
    for part in parts:
        buffer = io.StringIO()
        csv.writer(buffer).writerows(
            [
                (row.n, row.line, _safe(row.puzzle), row.outcome, _safe(row.solution),
                 row.solutions, words[row.unique], row.steps, row.rating, _safe(row.detail),
                 _safe(row.name))
                for row in part
            ]
        )  # fmt: skip
        yield buffer.getvalue().encode()


def _safe(field: str | None) -> str | None:
    """Return a field as no spreadsheet takes it for a formula."""
    return "'" + field if field and field[0] in _FORMULA_STARTS else field


def _txt(parts: Iterable[list[Row]], _: JobOptions) -> Iterator[bytes]:
    for part in parts:
        yield "".join([(row.solution or "") + "\n" for row in part]).encode()


def _grid(parts: Iterable[list[Row]], _: JobOptions) -> Iterator[bytes]:
    """Write solutions as grids under their numbers and names."""
    for part in parts:
        lines = []
        for row in part:
            lines.append(f"# {row.n}" + (f" {row.name}" if row.name else ""))
            if row.solution:
                cells = split_cells(row.solution)
                size = isqrt(len(cells))
                longest = max(map(count_graphemes, cells))
                separator = "" if longest == 1 else " "
                lines += [
                    separator.join(cells[start : start + size])
                    for start in range(0, len(cells), size)
                ]
            lines.append("")
        yield ("\n".join(lines) + "\n").encode()


def _sdm(parts: Iterable[list[Row]], options: JobOptions) -> Iterator[bytes]:
    """Write 9×9 solutions in digits, whatever symbols the puzzle had, and others as they are."""
    tables: dict[frozenset[str], dict[str, str]] = {}
    for part in parts:
        lines = []
        for row in part:
            line = row.solution or ""
            in_digits = line.isascii() and line.isdigit() and "0" not in line
            if line and not in_digits and len(cells := split_cells(line)) == 81:
                symbols = frozenset(cells)
                if symbols not in tables:
                    tables[symbols] = _digits_of(cells, options)
                line = "".join(map(tables[symbols].__getitem__, cells))
            lines.append(line)
        yield ("\n".join(lines) + "\n").encode()


def _digits_of(cells: list[str], options: JobOptions) -> dict[str, str]:
    """Return the digit of every symbol in a 9×9 solution."""
    puzzle = read_cells(cells, text="", options=read_options(options)).puzzle
    if isinstance(puzzle, Invalid):  # read with symbols of its own, which are not kept
        return {symbol: str(value) for value, symbol in enumerate(sorted(set(cells)), 1)}
    return {cell: str(given) for cell, given in zip(cells, puzzle.givens, strict=True)}


WRITERS = {
    writer.name: writer
    for writer in (
        Writer("jsonl", "application/x-ndjson", _jsonl),
        Writer("json", "application/json", _json),
        Writer("csv", "text/csv; charset=utf-8", _csv),
        Writer("txt", "text/plain; charset=utf-8", _txt),
        Writer("sdm", "text/plain; charset=utf-8", _sdm),
        Writer("grid", "text/plain; charset=utf-8", _grid),
    )
}
