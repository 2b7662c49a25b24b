"""Parquet files of results: the same values as JSON, types, streaming, and reproducible bytes."""

import importlib.util
import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from click.testing import CliRunner
from http_jobs import post, work
from pyarrow import parquet as pq

from web.commands.cli import main
from web.results.parquet import parquet
from web.results.rows import Row
from web.results.table import Table
from worker.service import Service

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
MANY = "1" + "." * 80
TINY = "12.4...2....4..1"
TABLE = f"""id,puzzle,who,rating,all_solutions
007,{EASY},Müller,-5,
8,xx,=1+1,,
9,{TINY},,x,y
10,{MANY},,,
"""
OURS = ("rating", "all_solutions")
OPTIONS = {"rate": "1", "minlex": "1", "true_candidates": "1", "limit": "3"}


@pytest.fixture
def job(http: Any, service: Service) -> str:
    """Return the URL of the results of a finished job with the columns that OPTIONS add."""
    job_id = post(http, TABLE, **OPTIONS).json["id"]
    work(service)
    return f"/api/v1/jobs/{job_id}/results"


def lines(http: Any, url: str) -> list[dict[str, Any]]:
    """Return the results as JSON, with the user's own columns under their names in CSV."""
    rows = [json.loads(line) for line in http.get(url).text.splitlines()]
    for row in rows:
        own = row.pop("columns")
        row |= {f"upload_{name}" if name in OURS else name: text for name, text in own.items()}
    return rows


def nested(counts: dict[str, Any] | None) -> list[Any] | None:
    """Return a map as the list of pairs that pyarrow and pandas read. None stays None."""
    return None if counts is None else [*counts.items()]


def expected(row: dict[str, Any], columns: Sequence[str]) -> list[Any]:
    """Return the values of a JSON line in the order of the columns, None for missing members."""
    true = row.get("true_candidates")
    row = row | {
        "techniques": nested(row["techniques"]),
        "true_candidates": true and [(cell, nested(counts)) for cell, counts in true.items()],
    }
    return [row.get(name) for name in columns]


def test_values_are_the_same_as_in_json(http: Any, job: str) -> None:
    answer = http.get(f"{job}?format=parquet")
    assert answer.content_type == "application/vnd.apache.parquet"
    assert answer.headers["Content-Disposition"].endswith('.parquet"')
    table = pq.read_table(io.BytesIO(answer.data))
    rows = lines(http, job)
    assert len(rows) == table.num_rows == 4
    found = zip(*(column.to_pylist() for column in table.columns), strict=True)
    assert [*map(list, found)] == [expected(row, table.column_names) for row in rows]
    heading = http.get(f"{job}?format=csv").text.splitlines()[0].split(",")
    assert table.column_names[: len(heading)] == heading
    assert table.column_names[len(heading) :] == ["true_candidates", "all_solutions"]
    assert set().union(*rows) == {*table.column_names}
    check_types(table.schema)


def check_types(schema: pa.Schema) -> None:
    # Types of maps are shown with the name of their values.
    types = {field.name: re.sub(r" \('\w+'\)", "", str(field.type)) for field in schema}
    words = "dictionary<values=string, indices=int8, ordered=1>"
    counts = "map<string, int64>"
    assert types == {
        "n": "int64", "line": "int64", "puzzle": "string", "outcome": words, "solution": "string",
        "solutions": "int64", "unique": "bool", "steps": "int64", "rating": "double",
        "detail": "string", "name": "string", "ep": "double", "ed": "double",
        "hodoku_score": "int64", "hodoku_level": words, "difficulty": words, "techniques": counts,
        "sudokuq_rating": "int64", "sudokuq_difficulty": words, "sudokuq_solved": "double",
        "minlex": "string", "duplicate_of": "int64", "id": "string", "who": "string",
        "upload_rating": "string", "upload_all_solutions": "string",
        "true_candidates": f"map<string, {counts}>", "all_solutions": "list<element: string>",
    }  # fmt: skip
    assert not schema.field("n").nullable


def test_pandas_polars_and_duckdb_read_it(http: Any, job: str, tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    path.write_bytes(http.get(f"{job}?format=parquet").data)
    rows = lines(http, job)
    check_pandas(pd.read_parquet(path), rows)
    check_polars(pl.read_parquet(path), rows)
    with duckdb.connect() as database:
        check_duckdb(database, path, rows)


def check_pandas(frame: pd.DataFrame, rows: list[dict[str, Any]]) -> None:
    for name in ("n", "puzzle", "outcome", "solutions", "who"):
        assert frame[name].tolist() == [row[name] for row in rows]
    assert frame["rating"].dropna().tolist() == [1.2]
    assert frame["outcome"].cat.categories.tolist()[:2] == ["solved", "multiple"]
    assert frame[frame["difficulty"] < "hard"]["n"].tolist() == [1]
    assert dict(frame["techniques"][0]) == rows[0]["techniques"]


def check_polars(frame: pl.DataFrame, rows: list[dict[str, Any]]) -> None:
    for name in ("n", "puzzle", "outcome", "solution", "unique", "rating", "difficulty", "name"):
        assert frame[name].to_list() == [row[name] for row in rows]
    assert frame["techniques"].to_list() == [row["techniques"] for row in rows]
    assert frame["all_solutions"].to_list() == [row.get("all_solutions") for row in rows]


def check_duckdb(
    database: duckdb.DuckDBPyConnection, path: Path, rows: list[dict[str, Any]]
) -> None:
    names = ("n", "puzzle", "outcome", "solution", "rating", "hodoku_score", "minlex")
    found = database.execute(f"SELECT {', '.join(names)} FROM '{path}'").fetchall()
    assert found == [tuple(row[name] for name in names) for row in rows]
    needed = database.execute(f"SELECT techniques['Naked Single'] FROM '{path}' WHERE rating < 2")
    assert needed.fetchall() == [(rows[0]["techniques"]["Naked Single"],)]
    ((cells,),) = database.execute(f"SELECT true_candidates FROM '{path}' WHERE n = 3").fetchall()
    assert cells == rows[2]["true_candidates"]


def test_a_job_without_options_has_the_columns_of_csv_alone(http: Any, service: Service) -> None:
    job_id = post(http, f"{EASY}\n{MANY}\n").json["id"]
    work(service)
    url = f"/api/v1/jobs/{job_id}/results"
    table = pq.read_table(io.BytesIO(http.get(f"{url}?format=parquet").data))
    assert table.to_pylist() == [json.loads(line) for line in http.get(url).text.splitlines()]
    assert table.column_names == http.get(f"{url}?format=csv").text.splitlines()[0].split(",")


def test_filters_and_sort_orders_apply(http: Any, job: str) -> None:
    for query in ("outcome=solved", "sort=-steps", "count=1&offset=2", "outcome=failed"):
        table = pq.read_table(io.BytesIO(http.get(f"{job}?format=parquet&{query}").data))
        rows = http.get(f"{job}?{query}").text.splitlines()
        assert table["n"].to_pylist() == [json.loads(row)["n"] for row in rows]


def test_the_same_results_are_the_same_bytes(http: Any, job: str) -> None:
    first, second = (http.get(f"{job}?format=parquet", buffered=True) for _ in range(2))
    assert first.data == second.data
    assert first.headers["ETag"] == second.headers["ETag"]
    part = http.get(f"{job}?format=parquet", headers={"Range": "bytes=100-199"})
    assert (part.status_code, part.data) == (206, first.data[100:200])
    packed = http.get(f"{job}?format=parquet", headers={"Accept-Encoding": "gzip, zstd"})
    assert "Content-Encoding" not in packed.headers


def row(number: int) -> Row:
    text = f"{hash(number):064}"
    return Row(number, number, text, "solved", text, 1, None, 0, None, None, None)


def test_row_groups_are_sent_before_the_last_row_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.results.parquet._GROUP_BYTES", 100_000)
    made = 0

    def pages() -> Iterator[list[Row]]:
        nonlocal made
        for made in range(1, 101):
            yield [row(100 * made + number) for number in range(100)]

    pieces = parquet(pages(), Table())
    first = next(pieces)
    assert first.startswith(b"PAR1")
    assert made < 10
    data = first + b"".join(pieces)
    assert made == 100
    read = pq.ParquetFile(io.BytesIO(data))
    assert read.read()["n"].to_pylist() == [*range(100, 10_100)]
    # A page alone would make a small row group, so several pages share one.
    assert 10 <= read.num_row_groups <= 50


def test_memory_does_not_grow_with_the_number_of_rows() -> None:
    def peak(pages: int) -> int:
        page = [row(number) for number in range(2_000)]
        pa.default_memory_pool().release_unused()
        most = 0
        for _ in parquet((page for _ in range(pages)), Table()):
            most = max(most, pa.total_allocated_bytes())
        return most

    assert peak(60) <= 1.5 * peak(20) + 1_000_000


def test_the_command_line_writes_parquet() -> None:
    done = CliRunner().invoke(main, ["solve", "-", "--output", "parquet"], input=f"{EASY}\nxx\n")
    assert done.exit_code == 1
    outcomes = pq.read_table(io.BytesIO(done.stdout_bytes))["outcome"].to_pylist()
    assert outcomes == ["solved", "invalid"]


def test_without_pyarrow_the_extra_is_named(
    http: Any, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = job.removeprefix("/api/v1").removesuffix("/results")
    assert "format=parquet" in http.get(page).text
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "pyarrow" else find(name)
    )
    refused = http.get(f"{job}?format=parquet")
    assert (refused.status_code, refused.json["field"]) == (422, "format")
    install = "run pip install '.[parquet]' in the project's folder"
    missing = f"parquet needs pyarrow, which isn't installed: {install}"
    assert refused.json["detail"] == f"on this server, {missing}"
    assert "format=parquet" not in http.get(page).text
    failed = CliRunner().invoke(main, ["solve", TINY, "--output", "parquet"])
    assert (failed.exit_code, failed.stderr) == (2, f"sudokuq: --output {missing}\n")
