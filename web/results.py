"""Results as rows, and rows as JSON lines, CSV and plain text; the only place that writes them."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import msgspec

from solver.result import Outcome, decide_unique
from worker.jobs import ChunkResult

Part = tuple[int, ChunkResult]

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


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


class RowWithAll(Row, frozen=True):
    """A row with all solutions that were asked for."""

    all_solutions: list[str]


@dataclass(frozen=True, slots=True)
class Writer:
    """One way to write rows: a media type and a function from rows to bytes, part by part."""

    name: str
    media_type: str
    write: Callable[[Iterable[list[Row]]], Iterator[bytes]]


def rows(part: Part, *, limit: int) -> list[Row]:
    """Return the rows of one part; with a limit above 2, each with all its solutions."""
    first, result = part
    labels = [outcome.label for outcome in Outcome]
    codes = result.outcomes
    counts = ChunkResult.integers(result.counts).tolist()
    details = result.details
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
                steps, None, details.get(n - first))
            for n, line, puzzle, code, solution, count, steps in columns
        ]  # fmt: skip
    return [
        RowWithAll(n, line, puzzle, labels[code], solution or None, count, unique[code, count],
                   steps, None, details.get(n - first), result.listed.get(n - first, []))
        for n, line, puzzle, code, solution, count, steps in columns
    ]  # fmt: skip


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


def _jsonl(parts: Iterable[list[Row]]) -> Iterator[bytes]:
    encoder = msgspec.json.Encoder()
    for part in parts:
        yield encoder.encode_lines(part)


def _csv(parts: Iterable[list[Row]]) -> Iterator[bytes]:
    yield ",".join(Row.__struct_fields__).encode() + b"\r\n"
    for part in parts:
        buffer = io.StringIO()
        writer = csv.writer(buffer)
        for row in part:
            fields = (getattr(row, name) for name in Row.__struct_fields__)
            writer.writerow([_safe(field) for field in fields])
        yield buffer.getvalue().encode()


def _safe(field: object) -> object:
    """Return a field as no spreadsheet takes it for a formula."""
    if isinstance(field, bool):
        return "true" if field else "false"
    if isinstance(field, str) and field.startswith(_FORMULA_STARTS):
        return "'" + field
    return field


def _txt(parts: Iterable[list[Row]]) -> Iterator[bytes]:
    for part in parts:
        yield "".join([(row.solution or "") + "\n" for row in part]).encode()


WRITERS = {
    writer.name: writer
    for writer in (
        Writer("jsonl", "application/x-ndjson", _jsonl),
        Writer("csv", "text/csv; charset=utf-8", _csv),
        Writer("txt", "text/plain; charset=utf-8", _txt),
        Writer("sdm", "text/plain; charset=utf-8", _txt),
    )
}
