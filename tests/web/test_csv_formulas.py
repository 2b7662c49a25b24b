"""CSV fields that look like formulas are escaped, and all others are written unchanged.

Ids of records are returned unchanged, up to a limit on their length.
"""

import csv
import io
import json
from typing import Any

import pytest

from solver.formats import read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized
from web.results.csv_formulas import guard, is_formula
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

PLAIN = [
    "-5", "+5", "-3.25", "+1e5", "-1E-5", "-abc", "+49-170-123", "@user", "@a.b", "-", "+", "=",
    "--3-5--1", "- see p. 12", "a=b", "x", "", "'quoted", "-Ä_1", "5-3", "#1", "-1:2",
]  # fmt: skip
FORMULAS = [
    "=1+1", "=A1", "=cmd|' /C calc'!A0", "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0", '=HYPERLINK("http://a.example")', "-SUM(A1)", "+A1*2",
    "\t=1+1", " =1+1", "\r@SUM(A1)", "\uff1d1+1", "\uff0dSUM(A1)", "-1/2", "+1%", "@A1^2", "-a!b",
]  # fmt: skip
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize("text", PLAIN)
def test_harmless_fields_are_unchanged(text: str) -> None:
    assert guard(text) == text


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_escaped(text: str) -> None:
    assert is_formula(text)
    assert guard(text) == f"'{text}"


@pytest.mark.parametrize("name", ["-5", "-x1", "@a", "+b-2"])
def test_ids_can_be_joined(http: Any, service: Service, name: str) -> None:
    table = f"id,puzzle\n{name},{CLASSIC}\n"
    job = http.post("/api/v1/jobs", data=table, content_type="text/csv").json
    ChunkRunner(service, worker="here").run(job["id"], 0)
    text = http.get(f"/api/v1/jobs/{job['id']}/results?format=csv").text
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["name"] == name


@pytest.mark.parametrize("length", [200, 201, 1_000, 1_001])
@pytest.mark.parametrize("format_", ["csv", "json", "line"])
def test_long_ids_are_kept_whole_up_to_a_limit_that_is_reported(
    http: Any, service: Service, length: int, format_: str
) -> None:
    name = "x" * length
    text = {
        "csv": f"id,puzzle\n{name},{CLASSIC}\n",
        "json": f'{{"puzzle": "{CLASSIC}", "id": "{name}"}}\n',
        "line": f"{CLASSIC} {name}\n",
    }[format_]
    job = http.post("/api/v1/jobs", data=text, content_type="text/plain").json
    ChunkRunner(service, worker="here").run(job["id"], 0)
    row = http.get(f"/api/v1/jobs/{job['id']}/puzzles/1?wait=0").json
    assert (row["name"], row["outcome"]) == (name[:1_000], "solved")
    if length > 1_000:
        assert row["detail"] == "the name has 1,001 characters; the first 1,000 are kept"
    else:
        assert row["detail"] is None


@pytest.mark.parametrize("name", ["#12", "'x'", "a;", "`b`", "(1)", "-", "0", '"q"'])
@pytest.mark.parametrize("format_", ["csv", "ndjson"])
def test_ids_are_returned_unchanged(name: str, format_: str) -> None:
    quoted = name.replace('"', '""')
    table = f'id,puzzle\n"{quoted}",{CLASSIC}\n'
    text = table if format_ == "csv" else json.dumps({"puzzle": CLASSIC, "id": name}) + "\n"
    found = recognize(text.encode(), final=True)
    assert isinstance(found, Recognized)
    records = read_block(
        Block(text.encode(), 1, 1),
        format=found.format.name,
        context=found.context,
        options=ReadOptions(),
    )
    assert found.format.name == format_
    assert dict(records.names) == {0: name}
