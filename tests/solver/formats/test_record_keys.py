"""The client's own key of a record: in every input format with a place for it, and in results."""

import csv
import io
import json
import zipfile
from typing import Any

import pyarrow.parquet as pq
import pytest

from solver.formats import FORMATS, read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized, Records
from solver.formats.objects.json_values import read_value
from solver.formats.reading.remarks import split_remark
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

SMALL = "12.4...2....4..1"
EXAMPLES = {format_.name: format_.example for format_ in FORMATS}
GAME = EXAMPLES["opensudoku"].partition('data="')[2].partition('"')[0]


def read(text: str, *, format: str) -> Records:
    recognized = recognize(text.encode(), final=True)
    assert isinstance(recognized, Recognized)
    assert recognized.format.name == format
    block = Block(text.encode(), 0, 1)
    return read_block(block, format=format, context=recognized.context, options=ReadOptions())


@pytest.mark.parametrize(
    "format",
    ["line", "killer", "jigsaw", "pencilmarks", "hodoku", "iss", "sgt", "sudokupad", "sumocue",
     "puzzlink"],
)  # fmt: skip
def test_key_after_a_record_and_a_number_sign_is_kept_even_if_the_record_is_invalid(
    format: str,
) -> None:
    record = EXAMPLES[format].splitlines()[0]
    found = read(f"{record} # k 1\n{record[:-9]}! # k2\n{record}\t#k3\n", format=format)
    assert dict(sorted(found.names.items())) == {0: "k 1", 1: "k2", 2: "k3"}
    assert list(found.invalid) == [1]


@pytest.mark.parametrize(
    ("text", "record", "name"),
    [
        ("abc", "abc", None),
        ("abc # x", "abc", "x"),
        ("abc\t## x #y ", "abc", "x #y"),
        ("abc #", "abc", None),
        ("abc#x", "abc#x", None),
        (" # x", " # x", None),
        ("a # x\nb # y", "a # x\nb", "y"),
        ("a # x\nb", "a # x\nb", None),
    ],
)
def test_a_remark_is_in_the_last_line_after_white_space(
    text: str, record: str, name: str | None
) -> None:
    assert split_remark(text) == (record, name)


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ('custom_id="k1" name="x"', "k1"),
        ("name='a &amp; b'", "a & b"),
        ('note="solved &#60;5 min" created="1"', "solved <5 min"),
        ('note="it\'s name=\'x\'" id="7"', "7"),
        ('rename="x" created="1"', None),
        ('id=""', None),
    ],
)
def test_attributes_name_a_game_of_opensudoku(attributes: str, name: str | None) -> None:
    games = "".join(f'<game {attributes} data="{data}"/>\n' for data in (GAME, GAME[:-1]))
    found = read(f"<opensudoku>\n{games}</opensudoku>", format="opensudoku")
    assert found.names == ({} if name is None else {0: name, 1: name})
    assert list(found.invalid) == [1]


FPUZZLES: dict[str, Any] = {"size": 4, "grid": [[{}] * 4] * 4, "title": "a title"}
SCL: dict[str, Any] = {"cells": [[{}] * 4] * 4, "metadata": {"title": "a title"},
                       "regions": [[[r, c] for c in range(4)] for r in range(4)]}  # fmt: skip


@pytest.mark.parametrize("document", [FPUZZLES, SCL, {"puzzle": SMALL, "title": "a title"}])
def test_own_key_has_priority_over_the_title_of_a_document(document: dict[str, Any]) -> None:
    names = [
        read_value(document | own, text="", options=ReadOptions()).name
        for own in ({}, {"id": 5}, {"custom_id": "k1"}, {"custom_id": 0})
    ]
    assert names[0] == "a title"
    assert names[2:] == ["k1", "0"]


WORDS = "red blue . green\n. . . blue\n. . . .\ngreen . . red"
MARKED = "red blue . #\n. # . blue\n. . # .\ngreen . . red"


@pytest.mark.parametrize("separator", [" ", ",", " ; ", "\t"])
def test_key_after_the_last_row_of_words_is_not_a_word(separator: str) -> None:
    text = "".join(f"{grid.replace(' ', separator)} # k1\n" for grid in (WORDS, WORDS[:-4]))
    found = read(text, format="words")
    assert found.names == {0: "k1", 1: "k1"}
    assert list(found.invalid) == [1]


@pytest.mark.parametrize("delimiter", [None, ","])
def test_number_sign_can_be_a_word(delimiter: str | None) -> None:
    text = MARKED.replace(" ", ", ") if delimiter else MARKED
    context = {"height": 4, "delimiter": delimiter}
    block = Block(text.encode(), 0, 1)
    found = read_block(block, format="words", context=context, options=ReadOptions())
    assert (found.names, dict(found.invalid)) == ({}, {})


def with_key(name: str, example: str) -> str:
    """Return an upload in the format `name` whose first record has the key k1."""
    record = {"custom_id": "k1", "puzzle": SMALL}
    first, *_ = example.splitlines()
    match name:
        case "opensudoku":
            return example.replace("<game ", '<game custom_id="k1" ', 1)
        case "ndjson":
            return json.dumps(record)
        case "json":
            return json.dumps([record])
        case "csv":
            return f"custom_id,puzzle\nk1,{SMALL}\n"
        case "grid":
            return example.replace(first, "k1", 1)
        case "words":
            return f"{WORDS} # k1\n"
    return f"{first} # k1\n"


# A key after a list isn't part of it. As JSON, the list is the member `puzzle` of an object.
WITHOUT_KEYS = {"lists"}


@pytest.mark.redis
@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - WITHOUT_KEYS))
def test_key_in_an_upload_is_in_its_results(http: Any, service: Service, name: str) -> None:
    data = with_key(name, EXAMPLES[name])
    query = {"limit": 1, "step_limit": 1}
    job = http.post("/api/v1/jobs", data=data, query_string=query, content_type="text/plain").json
    assert job["format"] == name
    ChunkRunner(service, worker="here").run(job["id"], 0)
    path = f"/api/v1/jobs/{job['id']}/results"
    table = pq.read_table(io.BytesIO(http.get(f"{path}?format=parquet").data))
    rows = {
        "jsonl": json.loads(http.get(path).text.partition("\n")[0]),
        "csv": next(csv.DictReader(io.StringIO(http.get(f"{path}?format=csv").text))),
        "parquet": table.to_pylist()[0],
    }
    assert {output: row["name"] for output, row in rows.items()} == dict.fromkeys(rows, "k1")


def test_list_has_a_key_as_member_of_an_object() -> None:
    rows = [[1, 2, 0, 4], [0, 0, 0, 2], [0] * 4, [4, 0, 0, 1]]
    found = read(json.dumps({"custom_id": "k1", "puzzle": rows}) + "\n", format="ndjson")
    assert (found.names, dict(found.invalid)) == ({0: "k1"}, {})


@pytest.mark.redis
@pytest.mark.parametrize("output", ["jsonl", "json", "csv", "grid", "xlsx"])
def test_key_is_in_every_output_that_has_a_place_for_it(
    http: Any, service: Service, output: str
) -> None:
    puzzles = [{"custom_id": f"key-{n}", "puzzle": SMALL[:n]} for n in (16, 15)]
    job = http.post("/api/v1/jobs", json={"puzzles": puzzles}).json
    ChunkRunner(service, worker="here").run(job["id"], 0)
    path = f"/api/v1/jobs/{job['id']}"
    data = http.get(f"{path}/results?format={output}").data
    if output == "xlsx":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read("xl/worksheets/sheet1.xml")
    assert b"key-16" in data
    assert b"key-15" in data
    assert http.get(f"{path}/puzzles/2").json["name"] == "key-15"
    body = "\n".join(map(json.dumps, puzzles))
    look = http.post("/api/v1/look", data=body, content_type="text/plain").json
    assert look["first"][0]["name"] == "key-16"


@pytest.mark.parametrize("key", ["custom_id", "puzzle_id", "uuid"])
def test_ids_of_tables_are_keys_in_json_as_well(key: str) -> None:
    for more in ({}, {"solution": None, "level": 1}):
        value: dict[str, Any] = {key: "k1", "puzzle": SMALL, **more}
        found = read_value(value, text="", options=ReadOptions())
        assert (found.name, found.note) == ("k1", None)


@pytest.mark.parametrize("key", [{"a": 1}, ["a"], True])
def test_a_key_that_is_neither_text_nor_a_number_is_noted(key: Any) -> None:
    note = "ignored 'custom_id', because it is neither text nor a number"
    value = {"custom_id": key, "puzzle": SMALL}
    assert read_value(value, text="", options=ReadOptions()).note == note
    records = read("".join(json.dumps(value) + "\n" for _ in range(3)), format="ndjson")
    assert [records.notes[row] for row in range(3)] == [note] * 3
