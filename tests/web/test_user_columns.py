"""The user's own columns are returned with the results, with their names and in their order."""

import csv
import io
import json
from typing import Any

import pytest
from click.testing import CliRunner

from solver.formats.reading.own_columns import MOST_CHARACTERS
from web.commands.cli import main
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

A = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
B = "12.4...2....4..1"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def upload(http: Any, service: Service, text: str, **query: str) -> str:
    query["format"] = "csv"
    job = http.post("/api/v1/jobs", data=text, query_string=query, content_type="text/plain").json
    for chunk in range(3):
        ChunkRunner(service, worker="here").run(job["id"], chunk)
    return f"/api/v1/jobs/{job['id']}"


def lines(http: Any, path: str, query: str = "") -> list[dict[str, Any]]:
    text = http.get(f"{path}/results?{query}").text
    return [json.loads(line) for line in text.splitlines()]


def table(http: Any, path: str, query: str = "") -> list[list[str]]:
    text = http.get(f"{path}/results?format=csv&{query}").text
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    ("text", "names", "rows"),
    [
        (f"id,puzzle,Source,level\n007,{A},Müller,easy\n8,{B},,hard\n",
         ["id", "Source", "level"], [["007", "Müller", "easy"], ["8", "", "hard"]]),
        (f'puzzle;solution;note\n{A};{SOLVED};"a; ""b"""\n{B};;c\n', ["note"], [['a; "b"'], ["c"]]),
        (f"puzzle\trating\tsteps\n{A}\t7.1\t-5\n{B}\t=1+1\t@x\n",
         ["upload_rating", "upload_steps"], [["7.1", "-5"], ["'=1+1", "@x"]]),
        (f",puzzle,x,x,\n0,{A},1,2,\n1,{B},3,4,\n", ["column_1", "x", "x_2"],
         [["0", "1", "2"], ["1", "3", "4"]]),
        (f"1,{A},easy\n2,{B},hard\n", ["column_1", "column_3"], [["1", "easy"], ["2", "hard"]]),
        (f"| puzzle | who |\n|---|---|\n| {A} | Ann |\n| {B} | B |\n", ["who"], [["Ann"], ["B"]]),
        (f'puzzle,id\n{A},"=""007"""\n{B},"two\nlines"\n', ["id"], [["007"], ["two\nlines"]]),
        (f"puzzle,who\n{A}\nnonsense,Bob\n", ["who"], [[""], ["Bob"]]),
    ],
)  # fmt: skip
def test_other_columns_are_returned_in_order(
    http: Any, service: Service, text: str, names: list[str], rows: list[list[str]]
) -> None:
    path = upload(http, service, text)
    heading, *written = table(http, path)
    assert heading[-len(names) :] == names
    assert [row[-len(names) :] for row in written] == rows
    assert {len(row) for row in written} == {len(heading)}
    own = [name.removeprefix("upload_") for name in names]
    unguarded = [[field.removeprefix("'") for field in row] for row in rows]
    found = [row["columns"] for row in lines(http, path)]
    assert [list(each) for each in found] == [own, own]
    assert [list(each.values()) for each in found] == unguarded
    assert http.get(f"{path}/puzzles/2?wait=0").json["columns"] == found[1]


def test_they_follow_their_record_through_filters_and_orders(http: Any, service: Service) -> None:
    text = f"puzzle,who\n{'.' * 16},c\n{A},a\n{B},b\nxx,d\n"
    path = upload(http, service, text)
    assert [row["columns"]["who"] for row in lines(http, path, "outcome=solved")] == ["a", "b"]
    assert [row[-1] for row in table(http, path, "sort=-steps")][1:] != []
    assert table(http, path, "outcome=invalid")[1][-1] == "d"
    assert table(http, path, "outcome=failed") == [table(http, path)[0]]
    assert table(http, path, "offset=2&count=1")[1][-1] == "b"


def test_uploads_without_other_columns_are_as_they_were(http: Any, service: Service) -> None:
    path = upload(http, service, f"puzzle,solution\n{A},{SOLVED}\n")
    assert "columns" not in lines(http, path)[0]
    assert table(http, path)[0][-1] == "name"


@pytest.mark.parametrize("puzzle", [A, B])
def test_fields_that_are_too_long_are_left_out_with_a_note(
    http: Any, service: Service, puzzle: str
) -> None:
    fits, too_long = "x" * (MOST_CHARACTERS - 2), "x" * (MOST_CHARACTERS - 1)
    text = f"puzzle,a,b\n{puzzle},{fits},\n{puzzle},{too_long},\n"
    first, second = lines(http, upload(http, service, text))
    assert (first["columns"]["a"], first["detail"]) == (fits, None)
    assert second["columns"] == {}
    assert "8,193 characters, so they are ignored; the limit is 8,192" in second["detail"]


@pytest.mark.parametrize("puzzle", [A, B])
def test_fields_beyond_the_last_column_are_reported(
    http: Any, service: Service, puzzle: str
) -> None:
    text = f"puzzle,a\n{puzzle},x,\n{puzzle},x,y\n"
    first, second = lines(http, upload(http, service, text))
    assert first["detail"] is None
    assert "3 fields, but the table has 2 columns" in second["detail"]


def test_columns_beyond_the_most_that_are_kept_are_reported(http: Any, service: Service) -> None:
    heading = ",".join(["puzzle", *(f"c{number}" for number in range(1_001))])
    (row,) = lines(http, upload(http, service, f"{heading}\n{A}{',x' * 1_001}\n"))
    assert list(row["columns"]) == [f"c{number}" for number in range(1_000)]
    assert "1,002 fields, but the table has 1,001 columns" in row["detail"]


def test_a_failed_record_keeps_its_columns() -> None:
    from solver.formats import recognize
    from solver.formats.format import Block, Recognized
    from worker.job import JobOptions
    from worker.process.solve_block import parse_block

    data = f"puzzle,who\n{A},Ann\nxx,Bob\n".encode()
    found = recognize(data, final=True)
    assert isinstance(found, Recognized)
    solver = parse_block(
        Block(data, 2, 1), format="csv", context=found.context, options=JobOptions()
    )
    for record, who in enumerate(("Ann", "Bob")):
        result = solver.give_up(record, detail="died")
        assert (result.own, result.own_names) == ({0: (who,)}, ("who",))


def test_the_command_line_writes_them_too() -> None:
    text = f"puzzle,who\n{A},Ann\n"
    done = CliRunner().invoke(main, ["solve", "-", "--output", "csv"], input=text)
    assert done.stdout.splitlines()[0].endswith("name,who")
    assert done.stdout.splitlines()[1].endswith("Ann")
