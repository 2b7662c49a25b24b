import csv
import io
import json
from typing import Any

import msgspec
import numpy as np
import pytest

from solver.board.result import Outcome
from solver.board.text_lines import Lines
from web.results.csv_formulas import is_formula
from web.results.result_filter import Filter
from web.results.writers import WRITERS, Incomplete, complete, result_page, rows, select
from worker.job import JobOptions
from worker.process.chunk_runner import ChunkRunner
from worker.records.chunk_result import ChunkResult
from worker.service import Service
from worker.store.keys import JobKeys
from worker.store.results import ResultStore

PUZZLES = ["1..", "=1+1", 'say "x", y', ".2."]
SOLVED, MULTIPLE, INVALID = Outcome.SOLVED, Outcome.MULTIPLE, Outcome.INVALID
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
CLASSIC_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def chunk(n: int = 1) -> ChunkResult:
    """Return results of 4 · n records: n times solved, invalid, invalid, multiple."""
    return ChunkResult(
        lines=np.arange(3, 3 + 4 * n, dtype="<i8").tobytes(),
        outcomes=bytes([SOLVED, INVALID, INVALID, MULTIPLE]) * n,
        counts=np.array([1, 0, 0, 2] * n, "<i8").tobytes(),
        steps=np.array([5, 0, 0, 7] * n, "<i8").tobytes(),
        puzzles=Lines("\n".join(PUZZLES * n)),
        solutions=Lines("\n".join(["123", "", "", "321"] * n)),
        details={1: "-bad", 2: "a detail, with a comma"},
    )


def written(name: str, *parts: ChunkResult, options: JobOptions | None = None) -> str:
    options = options or JobOptions()
    found = select(enumerate_parts(*parts), limit=options.limit)
    return b"".join(WRITERS[name].write(found, options)).decode()


def enumerate_parts(*parts: ChunkResult) -> Any:
    first = 1
    for part in parts:
        yield first, part
        first += len(part)


def upload(http: Any, service: Service, text: str, **query: str) -> str:
    job = http.post("/api/v1/jobs", data=text, query_string=query, content_type="text/plain").json
    runner = ChunkRunner(service, worker="here")
    for number in range(len(text) // 100_000 + 20):
        runner.run(job["id"], number)
    return f"/api/v1/jobs/{job['id']}"


def test_json_line_has_the_members_of_the_contract_in_order() -> None:
    lines = written("jsonl", chunk(), chunk()).splitlines()
    assert len(lines) == 8
    assert lines[0] == (
        '{"n":1,"line":3,"puzzle":"1..","outcome":"solved","solution":"123","solutions":1,'
        '"unique":true,"steps":5,"rating":null,"detail":null,"name":null}'
    )
    assert json.loads(lines[5])["n"] == 6
    assert json.loads(lines[1])["solution"] is None


def test_canonical_forms_are_a_column_if_requested() -> None:
    part = msgspec.structs.replace(chunk(), minlex=Lines("..1\n\n\n.12"))
    found = list(select([(1, part)], limit=2, minlex=True))
    asked = JobOptions(minlex=True)
    text = {name: b"".join(WRITERS[name].write(found, asked)).decode() for name in ("jsonl", "csv")}
    lines = [json.loads(line) for line in text["jsonl"].splitlines()]
    assert [line["minlex"] for line in lines] == ["..1", None, None, ".12"]
    table = list(csv.reader(io.StringIO(text["csv"])))
    assert table[0][-1] == "minlex"
    assert [row[-1] for row in table[1:]] == ["..1", "", "", ".12"]
    # A chunk without canonical forms has null in each row.
    assert [row.minlex for row in rows((1, chunk()), limit=2, minlex=True)] == [None] * 4
    assert "minlex" not in written("csv", part)


def test_solutions_are_listed_only_if_more_than_two_are_requested() -> None:
    part = chunk()
    part.listed[3] = ["321", "123"]
    three = JobOptions(limit=3)
    found = [json.loads(line) for line in written("jsonl", part, options=three).splitlines()]
    assert [row["all_solutions"] for row in found] == [[], [], [], ["321", "123"]]
    assert "all_solutions" not in written("jsonl", part)
    assert "all_solutions" not in written("csv", part, options=three)


def test_csv_and_json_lines_have_the_same_contents() -> None:
    table = list(csv.DictReader(io.StringIO(written("csv", chunk(), chunk()), newline="")))
    lines = [json.loads(line) for line in written("jsonl", chunk(), chunk()).splitlines()]
    assert [row["unique"] for row in table[:4]] == ["true", "", "", "false"]
    for row, line in zip(table, lines, strict=True):
        assert list(row) == list(line)
        for name in ("n", "line", "outcome", "solutions", "steps"):
            assert row[name] == str(line[name])
        assert row["puzzle"].removeprefix("'") == line["puzzle"]


def test_no_field_of_a_table_is_a_formula() -> None:
    for row in csv.DictReader(io.StringIO(written("csv", chunk()))):
        assert row["puzzle"] != "=1+1"
        assert not any(map(is_formula, row.values()))


@pytest.mark.parametrize(
    "options", [{}, {"rate": "1"}, {"minlex": "1"}, {"rate": "1", "minlex": "1"}]
)
def test_csv_has_the_same_columns_where_no_row_is_wanted(
    options: dict[str, str], http: Any, service: Service
) -> None:
    path = upload(http, service, CLASSIC + "\n", **options)
    some, none = (
        http.get(f"{path}/results?format=csv&outcome={o}").text for o in ("solved", "failed")
    )
    assert none == some.splitlines(keepends=True)[0]
    assert ("hodoku_score" in none, "minlex" in none) == ("rate" in options, "minlex" in options)


def test_plain_solutions_have_a_line_for_every_record() -> None:
    assert written("txt", chunk()) == "123\n\n\n321\n"


@pytest.mark.parametrize(
    ("puzzle", "written"),
    [(CLASSIC, CLASSIC.replace(".", "0")),
     (CLASSIC.replace(".", "-"), CLASSIC.replace(".", "0")),
     ("11" + "." * 79, "11" + "0" * 79),  # readable, but unsolvable
     ("12.4...2....4..1", "1204000200004001"),
     ("nonsense", "")],
)  # fmt: skip
def test_sdm_has_the_puzzles_with_zeros_for_empty_cells(
    puzzle: str, written: str, http: Any, service: Service
) -> None:
    path = upload(http, service, f"{CLASSIC}\n{puzzle}\n", format="line")
    first, second = http.get(f"{path}/results?format=sdm").text.splitlines()
    assert (first, second) == (CLASSIC.replace(".", "0"), written)


@pytest.mark.parametrize("symbols", ["ABCDEFGHI", "OPQRSTUVW", "012345678", "ihgfedcba"])
def test_sdm_uses_digits_for_all_symbols(symbols: str, http: Any, service: Service) -> None:
    puzzle = CLASSIC.translate(str.maketrans("123456789", symbols))
    path = upload(http, service, puzzle + "\n", symbols=symbols, blank=".", format="line")
    assert http.get(f"{path}/results?format=sdm").text == CLASSIC.replace(".", "0") + "\n"
    written = CLASSIC_SOLVED.translate(str.maketrans("123456789", symbols))
    assert http.get(f"{path}/results?format=txt").text == written + "\n"


def test_unknown_uniqueness_is_null() -> None:
    first = ChunkResult(
        lines=np.array([1], "<i8").tobytes(), outcomes=bytes([SOLVED]),
        counts=np.array([1], "<i8").tobytes(), steps=np.array([0], "<i8").tobytes(),
        puzzles=Lines("1"), solutions=Lines("1"),
    )  # fmt: skip
    assert rows((1, first), limit=1)[0].unique is None
    assert rows((1, first), limit=2)[0].unique is True


def test_filter_counts_the_matching_results() -> None:
    def numbers(**bounds: Any) -> list[int]:
        outcomes = frozenset({"solved", "multiple"})
        parts = enumerate_parts(*[chunk(2)] * 3)
        found = select(parts, limit=2, wanted=Filter(outcomes), **bounds)
        return [row.n for page in found for row in page.rows]

    everything = [1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24]
    assert numbers() == everything
    for offset in range(13):
        for count in range(14):
            assert numbers(offset=offset, count=count) == everything[offset : offset + count]


def test_truncated_download_does_not_look_complete(http: Any, service: Service) -> None:
    pages = [result_page(part, limit=2) for part in enumerate_parts(chunk())]
    assert len(list(complete(pages, rows=4))) == 1
    with pytest.raises(Incomplete):
        list(complete(pages, rows=5))
    path = upload(http, service, "12.4...2....4..1\n" * 9_000)
    assert_breaks_off(http, path, f"{path}/results")


@pytest.mark.parametrize("state", ["running", "cancelled"])
def test_truncated_download_of_an_unfinished_job_does_not_look_complete(
    state: str, http: Any, service: Service
) -> None:
    job = http.post("/api/v1/jobs", data="12.4...2....4..1\n" * 12_000).json
    path = f"/api/v1/jobs/{job['id']}"
    for number in range(2):
        ChunkRunner(service, worker="here").run(job["id"], number)
    if state == "cancelled":
        http.post(f"{path}/cancel")
    assert http.get(path).json["state"] == state
    assert_breaks_off(http, path, f"{path}/results?partial=1")


def assert_breaks_off(http: Any, path: str, download: str) -> None:
    """Check that a download is interrupted when its job is deleted."""
    answer = http.get(download, buffered=False)
    pieces = iter(answer.response)
    next(pieces)
    http.delete(path)
    with pytest.raises(ConnectionResetError):
        list(pieces)
    answer.close()


@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=20-30"}])
@pytest.mark.parametrize("query", ["", "?format=csv", "?sort=-steps", "?outcome=solved"])
def test_job_deleted_before_the_download_is_not_found(
    headers: dict[str, str],
    query: str,
    http: Any,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = upload(http, service, "12.4...2....4..1\n" * 5)
    reads = iter(range(99))

    def read(store: ResultStore, job: JobKeys, chunk: int, first: int) -> Any:
        # a range request reads everything once before, to compute its length
        if next(reads) == len(headers):
            http.delete(path)
        return parts(store, job, chunk, first)

    parts = ResultStore._parts
    monkeypatch.setattr(ResultStore, "_parts", read)
    answer = http.get(f"{path}/results{query}", headers=headers)
    assert (answer.status_code, answer.content_type) == (404, "application/problem+json")


@pytest.mark.parametrize("query", ["", "offset=3", "offset=99", "count=0", "offset=1&count=99",
                                   "outcome=solved&count=1"])  # fmt: skip
def test_complete_download_raises_no_error(query: str, http: Any, service: Service) -> None:
    path = upload(http, service, "12.4...2....4..1\n" * 5)
    assert http.get(f"{path}/results?{query}").status_code == 200


def test_download_has_the_name_of_the_job(http: Any, service: Service) -> None:
    path = upload(http, service, "12.4...2....4..1\n", name='my "best"\r\nones.txt')
    answer = http.get(f"{path}/results?format=csv")
    assert (
        answer.headers["Content-Disposition"] == 'attachment; filename="my-best-ones-results.csv"'
    )
    assert answer.content_type == "text/csv; charset=utf-8"
