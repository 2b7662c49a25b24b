"""Windows-1252 text keeps its umlauts wherever the stream is split, and users get a note."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from solver import Puzzle, parse
from solver.formats.reading.charset import READ_AS_WESTERN
from web.commands.cli import main
from worker.ingest.encoding import Charset, or_western
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = "12.4...2....4..1"
WORDOKU = "ÄBÖC............"


def converted(data: bytes, *, piece: int) -> tuple[str, str | None]:
    charset = Charset()
    pieces = (data[start : start + piece] for start in range(0, len(data), piece))
    return b"".join(or_western(pieces, charset)).decode("utf-8", "replace"), charset.name


TEXTS = ["x" * 50 + "Müller", "Ärger, Österreich, €5 – “Größe” ß" + " " * 99, "é\nè\nê" + "x" * 99]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("piece", [1, 2, 3, 7, 10_000])
def test_utf8_stays_utf8_wherever_the_stream_is_cut(text: str, piece: int) -> None:
    assert converted(text.encode(), piece=piece) == (text, None)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("piece", [50, 60, 10_000])
def test_windows_1252_is_found_wherever_the_stream_is_cut(text: str, piece: int) -> None:
    assert converted(text.encode("cp1252"), piece=piece) == (text, "cp1252")


def test_a_stream_is_never_read_in_two_charsets() -> None:
    start, end = ("Müller\n" * 50).encode(), ("Müller\n" * 50).encode("cp1252")
    text, charset = converted(start + end, piece=100)
    assert (text.count("Müller"), text.count("\ufffd"), charset) == (50, 50, None)
    text, charset = converted(end + start, piece=100)
    assert (text.count("Müller"), text.count("MÃ¼ller"), charset) == (50, 50, "cp1252")


def test_one_broken_byte_does_not_make_utf8_another_charset() -> None:
    text, charset = converted(("Müller\n" * 9).encode() + b"M\xfcller\n", piece=1_000)
    assert (text.count("Müller"), charset) == (9, None)


@pytest.mark.parametrize("data", [bytes(range(256)) * 9, "数独の問題".encode("gbk"), b"\x81ab" * 9])
def test_other_charsets_and_binary_data_stay_as_they_are(data: bytes) -> None:
    charset = Charset()
    assert b"".join(or_western([data], charset)) == data
    assert charset.name is None


def results(http: Any, service: Service, data: bytes) -> list[dict[str, Any]]:
    job = http.post("/api/v1/jobs", data=data, content_type="text/plain").json
    ChunkRunner(service, worker="here").run(job["id"], 0)
    lines = http.get(f"/api/v1/jobs/{job['id']}/results").data.decode().splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    "text",
    [
        f"puzzle;name\n{PUZZLE};Müller\n{PUZZLE};Meier\n",
        f"{PUZZLE} # Müller\n{PUZZLE} # Meier\n",
        f'{{"puzzle": "{PUZZLE}", "name": "Müller"}}\n{{"puzzle": "{PUZZLE}", "name": "Meier"}}\n',
    ],
)
def test_names_keep_their_umlauts_and_the_detail_names_the_charset(
    http: Any, service: Service, text: str
) -> None:
    rows = results(http, service, text.encode("cp1252"))
    found = [(row["name"], row["detail"]) for row in rows]
    assert found == [("Müller", READ_AS_WESTERN), ("Meier", None)]
    assert [row["detail"] for row in results(http, service, text.encode())] == [None, None]


def test_symbols_are_read_in_windows_1252_too(http: Any, service: Service) -> None:
    data = f"{WORDOKU}\n".encode("cp1252")
    (row,) = results(http, service, data)
    assert row["puzzle"] == WORDOKU
    assert READ_AS_WESTERN in row["detail"]
    (puzzle,) = parse(data)
    assert isinstance(puzzle, Puzzle)
    assert str(puzzle) == WORDOKU


def test_umlauts_far_after_the_beginning_are_read(http: Any, service: Service) -> None:
    text = f"{SMALL} # x\n" * 20_000 + f"{SMALL} # Müller\n"
    job = http.post("/api/v1/jobs", data=text.encode("cp1252"), content_type="text/plain").json
    for chunk in range(30):
        ChunkRunner(service, worker="here").run(job["id"], chunk)
    query = {"offset": 20_000}
    answer = http.get(f"/api/v1/jobs/{job['id']}/results", query_string=query).data.decode()
    row = json.loads(answer)
    assert (row["name"], row["detail"]) == ("Müller", READ_AS_WESTERN)


def test_preview_and_command_line_read_it_too(http: Any, tmp_path: Path) -> None:
    data = f"puzzle;name\n{SMALL};Müller\n".encode("cp1252")
    look = http.post("/api/v1/look", data=data, content_type="text/plain").json
    assert look["first"][0]["name"] == "Müller"
    file = tmp_path / "puzzles.csv"
    file.write_bytes(data)
    run = CliRunner().invoke(main, ["solve", str(file), "--output", "jsonl"])
    row = json.loads(run.stdout)
    assert (row["name"], row["detail"]) == ("Müller", READ_AS_WESTERN)
