"""Results written column by column are the same as those written row by row."""

import csv
import io

import msgspec
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from solver.board.result import Outcome
from solver.board.text_lines import Lines
from web.results.fast_csv_and_json import csv_lines, json_lines
from web.results.rows import FIELDS, PlainRows
from web.results.writers import WRITERS, result_page
from worker.job import JobOptions
from worker.records.chunk_result import ChunkResult

NUMBERS = st.sampled_from([0, 1, 7, 9, 10, 99, 100, 12_345, (1 << 32) + 5, 10**15])
OUTCOMES = [Outcome.SOLVED, Outcome.MULTIPLE, Outcome.UNSOLVABLE, Outcome.STEP_LIMIT]


@st.composite
def results(draw: st.DrawFn, symbols: str = "12.0-x") -> ChunkResult:
    count, width = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    line = st.text(symbols, min_size=width, max_size=width)
    if draw(st.booleans()):
        line = st.text(symbols, min_size=1, max_size=3)
    outcomes = draw(st.lists(st.sampled_from(OUTCOMES), min_size=count, max_size=count))
    counts = [
        {Outcome.SOLVED: 1, Outcome.MULTIPLE: 2, Outcome.UNSOLVABLE: 0}.get(outcome, place % 3)
        for place, outcome in enumerate(outcomes)
    ]
    numbers = st.lists(NUMBERS, min_size=count, max_size=count)
    source = draw(st.sampled_from(["", "a_-1"]))
    return ChunkResult(
        lines=np.array(draw(numbers), "<i8").tobytes(),
        outcomes=bytes(outcomes),
        counts=np.array(counts, "<i8").tobytes(),
        steps=np.array(draw(numbers), "<i8").tobytes(),
        puzzles=Lines("\n".join(draw(line) for _ in range(count))),
        solutions=Lines("\n".join(draw(line) if found else "" for found in counts)),
        source=source,
        source_numbers=np.array(draw(numbers), "<i8").tobytes() if source else b"",
    )


def by_rows(name: str, first: int, result: ChunkResult, *, limit: int) -> bytes:
    """Return results in the format `name` (jsonl or csv), as the row objects define them.

    The fields of CSV come from the real writer, and are compared with the row objects.
    """
    page = result_page((first, result), limit=limit, listed=False)
    assert isinstance(page.rows, PlainRows)
    if name == "jsonl":
        encoder = msgspec.json.Encoder()
        return b"".join(encoder.encode(row) + b"\n" for row in page.rows)
    has_source = bool(result.source)
    lines = b"".join(WRITERS["csv"].write([page], JobOptions(), source=has_source)).decode()
    rows = list(csv.reader(io.StringIO(lines)))[1:]
    words = {True: "true", False: "false", None: ""}
    for read, row in zip(rows, page.rows, strict=True):
        assert [int(read[0]), int(read[1]), read[2].lstrip("'"), read[3]] == [
            row.n, row.line, row.puzzle, row.outcome]  # fmt: skip
        assert [read[4].lstrip("'"), int(read[5]), read[6], int(read[7])] == [
            row.solution or "", row.solutions, words[row.unique], row.steps]  # fmt: skip
        source = [] if row.source is UNSET else [row.source.job, str(row.source.n)]
        assert read[len(FIELDS) :] == source
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


@settings(deadline=None)
@given(result=st.one_of(results(), results('1."\\,é☃\t')), first=NUMBERS, limit=st.integers(1, 3))
def test_columns_are_written_as_rows_are(result: ChunkResult, first: int, limit: int) -> None:
    numbers = range(first, first + len(result))
    by_columns = json_lines(numbers, result, limit=limit)
    assert by_columns in (None, by_rows("jsonl", first, result, limit=limit))
    assert json_lines(list(numbers), result, limit=limit) == by_columns
    lines = by_rows("csv", first, result, limit=limit)
    assert csv_lines(numbers, result, limit=limit) in (None, lines)


def test_grids_of_one_size_are_written_by_columns_with_and_without_solutions() -> None:
    result = ChunkResult(
        lines=np.array([9, 10, 11], "<i8").tobytes(),
        outcomes=bytes([Outcome.SOLVED, Outcome.UNSOLVABLE, Outcome.MULTIPLE]),
        counts=np.array([1, 0, 2], "<i8").tobytes(),
        steps=np.array([0, 10, 7], "<i8").tobytes(),
        puzzles=Lines("1..\n11.\n..."),
        solutions=Lines("123\n\n321"),
    )
    assert json_lines(range(99, 102), result, limit=2) == by_rows("jsonl", 99, result, limit=2)
    assert csv_lines(range(99, 102), result, limit=2) == (
        b"99,9,1..,solved,123,1,true,0,,,\r\n"
        b"100,10,11.,unsolvable,,0,false,10,,,\r\n"
        b"101,11,...,multiple,321,2,false,7,,,\r\n"
    )
