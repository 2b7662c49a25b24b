"""Truncated JSON is never accepted as complete: an error follows the puzzles before the cut.

The job isn't all solved then, and the command line fails.
"""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from solver import Invalid, parse
from solver.formats import Splitter, read_block, recognize
from solver.formats.format import ReadOptions, Recognized
from web.commands.cli import main
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

SMALL = "12.4...2....4..1"
GRID = [[1, 2, 0, 4], [0, 0, 0, 2], [0, 0, 0, 0], [4, 0, 0, 1]]
WHOLE = {
    "strings": json.dumps([SMALL] * 4),
    "wrapped": json.dumps({"puzzles": [SMALL, {"id": 1, "puzzle": SMALL}]}, indent=1),
    "objects": json.dumps([{"puzzle": SMALL, "metadata": {"a": [1, "]"]}}] * 3),
    "grids": json.dumps([GRID] * 3),
    "single quotes": repr([SMALL] * 3),
    "one object": json.dumps({"name": "x", "puzzle": SMALL, "size": 4}, indent=2),
}


def details(text: str) -> list[str]:
    return [each.detail for each in parse(text) if isinstance(each, Invalid)]


def streamed(data: bytes, *, piece: int, records: int) -> tuple[int, list[str]]:
    """Parse an upload in blocks; return the number of puzzles and the error messages.

    The upload is split in pieces of `piece` bytes. A block has up to `records` records.
    """
    recognized = recognize(data, final=True)
    if not isinstance(recognized, Recognized):
        return 0, [recognized.detail]
    splitter = Splitter(recognized, max_records=records, piece_bytes=piece)
    count, messages = 0, []
    for block in (*splitter.feed(data), *splitter.close()):
        name, context = recognized.format.name, recognized.context
        found = read_block(block, format=name, context=context, options=ReadOptions())
        assert len(found) == block.records
        count += len(found) - len(found.invalid)
        messages += [each.detail for each in found.invalid.values()]
    return count, messages


@pytest.mark.parametrize("name", WHOLE)
def test_every_cut_is_reported_and_the_puzzles_before_it_are_kept(name: str) -> None:
    whole = WHOLE[name]
    assert details(whole) == []
    for end in range(2, len(whole)):
        text = whole[:end]
        if len(text.strip()) < 2:
            continue
        found = details(text)
        assert len(found) == 1, text
        if text.lstrip("[{ \n"):
            assert "ends inside" in found[0] or "check that the list is complete" in found[0], text
        complete = sum(not isinstance(each, Invalid) for each in parse(text))
        assert complete <= len(parse(whole))


@pytest.mark.parametrize("piece", [3, 50, 1 << 18])
@pytest.mark.parametrize("records", [1, 2, 100])
@pytest.mark.parametrize("name", ["strings", "wrapped", "objects", "grids"])
def test_a_cut_is_reported_in_streams_too(name: str, records: int, piece: int) -> None:
    whole = WHOLE[name]
    complete, messages = streamed(whole.encode(), piece=piece, records=records)
    assert (complete, messages) == (len(parse(whole)), [])
    for end in (len(whole) - 1, len(whole) - 2, whole.rindex(",") + 1, len(whole) // 2):
        text = whole[:end]
        expected = parse(text)
        _, messages = streamed(text.encode(), piece=piece, records=records)
        assert messages == [each.detail for each in expected if isinstance(each, Invalid)]
        assert len(messages) == 1


def test_the_place_where_the_json_ends_is_reported() -> None:
    text = f'{{"puzzles": [\n "{SMALL}",\n "{SMALL}"\n'
    (detail,) = details(text)
    assert f"(line 3, column {len(SMALL) + 3})" in detail
    (detail,) = details(f'[\n"{SMALL}",\n{{"puzzle":\n "12')
    assert detail == "the JSON is incomplete: it ends inside a string at line 2, column 5"


def test_an_empty_list_without_an_end_is_rejected_as_truncated() -> None:
    assert details('{"puzzles": [') == [
        "the JSON is incomplete: it ends inside the list of puzzles"
    ]


def test_job_of_a_cut_upload_is_not_all_solved(http: Any, service: Service) -> None:
    text = f'{{"puzzles": ["{SMALL}",'
    for kind in ("text/plain", "application/octet-stream"):
        job = http.post("/api/v1/jobs", data=text, content_type=kind).json
        ChunkRunner(service, worker="here").run(job["id"], 0)
        for chunk in range(1, 5):
            ChunkRunner(service, worker="here").run(job["id"], chunk)
        found = http.get(f"/api/v1/jobs/{job['id']}").json
        assert found["state"] == "finished"
        assert (found["outcomes"]["solved"], found["outcomes"]["invalid"]) == (1, 1)
        look = http.post("/api/v1/look", data=text, content_type="text/plain").json
        assert look["problems"] == 1
    body = http.post("/api/v1/jobs", data=text, content_type="application/json")
    assert body.status_code == 400


def test_command_line_fails_for_a_cut_file(tmp_path: Any) -> None:
    file = tmp_path / "puzzles.json"
    file.write_text(f'{{"puzzles": ["{SMALL}",')
    run = CliRunner().invoke(main, ["solve", str(file), "--output", "jsonl"])
    assert run.exit_code == 1
    assert "ends inside the list of puzzles" in run.stdout
