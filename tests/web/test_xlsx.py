"""Excel workbooks of results: correct cells, bounded memory, and reproducible files.

Also the byte order mark with which Excel reads CSV files.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from web.api import result_download
from web.commands.cli import main
from web.results import xlsx
from web.results.table import Cell
from web.results.xlsx import MAX_CHARACTERS, TooManyRows, workbook
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

A = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
B = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
_NS = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


def read(data: bytes) -> list[list[Cell]]:
    """Return the cells of the sheet by row, with a cell per column of the first row.

    Asserts that the archive is intact, that its parts are XML, and that the rows are numbered.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            ElementTree.fromstring(archive.read(name))
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    rows = list(sheet.iterfind(".//m:row", _NS))
    assert [row.get("r") for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    return [_cells(row, len(rows[0])) for row in rows]


def _cells(row: ElementTree.Element, width: int) -> list[Cell]:
    cells: list[Cell] = [None] * width
    for cell in row:
        place = 0
        for letter in cell.get("r", "").removesuffix(row.get("r", "")):
            place = 26 * place + ord(letter) - ord("A") + 1
        cells[place - 1] = _value(cell)
    return cells


def _value(cell: ElementTree.Element) -> Cell:
    kind = cell.get("t")
    if kind == "inlineStr":
        text = cell.findtext(".//m:t", "", _NS)
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    number = cell.findtext("m:v", None, _NS)
    if number is None:
        return None
    return number == "1" if kind == "b" else json.loads(number)


def written(*rows: list[Cell]) -> list[list[Cell]]:
    return read(b"".join(workbook(["a", "b"], [rows])))[1:]


def upload(http: Any, service: Service, text: str, **query: str) -> str:
    job = http.post("/api/v1/jobs", data=text, query_string=query, content_type="text/plain").json
    for chunk in range(3):
        ChunkRunner(service, worker="here").run(job["id"], chunk)
    return f"/api/v1/jobs/{job['id']}"


TEXTS = ["=1+1", "-5", "007", B, "Müller & <Söhne>", '"', "a\nb\tc\r", "  x ", "_x0041_", "😀"]


def test_texts_stay_texts_and_numbers_numbers() -> None:
    rows: list[list[Cell]] = [[text, None] for text in TEXTS]
    rows += [[1, 2.5], [True, False], [0, -3]]
    assert written(*rows) == rows


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_text_is_read_again_without_characters_that_xml_forbids(text: str) -> None:
    expected = xlsx._FORBIDDEN.sub("\ufffd", text)
    assert written([text, 1]) == [[expected, 1]]


@pytest.mark.parametrize("sign", ["x", "😀", "<"])
def test_a_text_that_is_too_long_for_a_cell_is_cut_with_a_remark(sign: str) -> None:
    fits = sign * (MAX_CHARACTERS // (len(sign.encode("utf-16-le")) // 2))
    assert written([fits, 1]) == [[fits, 1]]
    ((text, _),) = written([fits + sign, 1])
    assert isinstance(text, str)
    assert len(text.encode("utf-16-le")) // 2 <= MAX_CHARACTERS
    assert text.startswith(sign * 100)
    assert f"for all {len(fits) + 1:,} characters" in text


def test_a_sheet_may_have_many_columns() -> None:
    heading = [f"column {number}" for number in range(800)]  # the last column is ADT
    rows: list[list[Cell]] = [[*map(str, range(800))], ["", *[None] * 798, "last"]]
    found = read(b"".join(workbook(heading, [rows])))
    assert found == [heading, rows[0], [None] * 799 + ["last"]]


def test_results_are_the_same_as_in_json(http: Any, service: Service) -> None:
    text = f"id,puzzle,who,rating\n007,{A},Müller,-5\n8,xx,=1+1,\n9,{'.' * 16},,x\n"
    path = upload(http, service, text)
    answer = http.get(f"{path}/results?format=xlsx")
    assert answer.content_type == (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    )
    assert answer.headers["Content-Disposition"].endswith('.xlsx"')
    heading, *rows = read(answer.data)
    lines = [json.loads(line) for line in http.get(f"{path}/results").text.splitlines()]
    for row, line in zip(rows, lines, strict=True):
        own = line.pop("columns")
        expected = [*line, *("upload_rating" if name == "rating" else name for name in own)]
        assert heading == expected
        assert row == [*line.values(), *(field or None for field in own.values())]


def test_rated_results_have_their_columns(http: Any, service: Service) -> None:
    path = upload(http, service, f"{'.' * 16}\n", minlex="1", rate="1")
    heading, row = read(http.get(f"{path}/results?format=xlsx").data)
    assert heading[-11:] == [
        "ep", "ed", "hodoku_score", "hodoku_level", "difficulty", "techniques", "sudokuq_rating",
        "sudokuq_difficulty", "sudokuq_solved", "minlex", "duplicate_of",
    ]  # fmt: skip
    assert len(row) == len(heading)


def test_the_same_results_are_the_same_bytes(http: Any, service: Service) -> None:
    path = upload(http, service, f"{A}\n" * 50)
    first, second = (http.get(f"{path}/results?format=xlsx", buffered=True) for _ in range(2))
    assert first.data == second.data
    assert first.headers["ETag"] == second.headers["ETag"]
    part = http.get(f"{path}/results?format=xlsx", headers={"Range": "bytes=100-199"})
    assert (part.status_code, part.data) == (206, first.data[100:200])


def test_rows_are_sent_before_the_last_one_is_there() -> None:
    made = 0

    def pages() -> Iterator[list[list[Cell]]]:
        nonlocal made
        for made in range(1, 21):  # noqa: B007
            yield [[str(hash(str(number))), number] for number in range(2_000)]

    pieces = workbook(["a", "b"], pages())
    assert next(pieces).startswith(b"PK")
    assert made <= 2
    assert max(map(len, pieces)) < 200_000
    assert made == 20


def test_more_results_than_a_sheet_has_rows_are_rejected_immediately(
    http: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(result_download, "MAX_ROWS", 3)
    path = upload(http, service, f"{A}\n" * 4)
    refused = http.get(f"{path}/results?format=xlsx")
    assert (refused.status_code, refused.json["field"]) == (422, "format")
    assert "4 results are selected, but an Excel sheet holds 3" in refused.json["detail"]
    assert len(read(http.get(f"{path}/results?format=xlsx&count=3").data)) == 4
    assert len(read(http.get(f"{path}/results?format=xlsx&offset=1").data)) == 4
    assert http.get(f"{path}/results?format=csv").status_code == 200


@pytest.mark.parametrize("limit", ["MAX_ROWS", "MAX_BYTES"])
def test_too_many_rows_or_columns_for_a_sheet_are_an_error(
    limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx, limit, 2)
    with pytest.raises(TooManyRows, match="no room for more than 2"):
        written(["a", 1], ["b", 2], ["c", 3])


def test_the_command_line_writes_workbooks(monkeypatch: pytest.MonkeyPatch) -> None:
    run = CliRunner()
    done = run.invoke(main, ["solve", "-", "--output", "xlsx"], input=f"{A}\n{A}\n")
    assert done.exit_code == 0
    assert [row[3] for row in read(done.stdout_bytes)] == ["outcome", "solved", "solved"]
    monkeypatch.setattr(xlsx, "MAX_ROWS", 1)
    failed = run.invoke(main, ["solve", "-", "--output", "xlsx"], input=f"{A}\n{A}\n")
    assert failed.exit_code == 2
    assert "no room for more than 1 rows" in failed.stderr


@pytest.mark.parametrize(("query", "mark"), [("bom=1", True), ("bom=0", False), ("", False)])
def test_csv_has_a_byte_order_mark_if_requested(
    http: Any, service: Service, query: str, mark: str
) -> None:
    path = upload(http, service, f"{A} Müller\n")
    data = http.get(f"{path}/results?format=csv&{query}").data
    assert data.startswith(b"\xef\xbb\xbfn,line" if mark else b"n,line")
    assert "Müller" in data.decode()


@pytest.mark.parametrize("query", ["format=csv&bom=yes", "format=json&bom=1"])
def test_a_byte_order_mark_that_makes_no_sense_is_refused(
    http: Any, service: Service, query: str
) -> None:
    path = upload(http, service, f"{A}\n")
    refused = http.get(f"{path}/results?{query}")
    assert (refused.status_code, refused.json["field"]) == (422, "bom")


def test_pages_offer_excel_and_csv_with_the_mark(http: Any, service: Service) -> None:
    address = upload(http, service, f"{A}\n").removeprefix("/api/v1")
    page = http.get(f"{address}?view=table").text
    assert "format=xlsx" in page
    assert "format=csv&amp;bom=1" in page
