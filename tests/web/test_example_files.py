"""Example files of every format are detected by the API and solved."""

import json
from pathlib import Path
from typing import Any

import pytest
from paths import DATA

from solver.formats import FORMATS
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

UPLOADS = DATA / "uploads"
# Each file's expected format and number of puzzles.
EXPECTED = {
    name: (format_, int(count))
    for name, format_, count in (
        line.split() for line in (DATA / "uploads.txt").read_text().splitlines()[1:]
    )
}


def test_every_example_file_has_an_expectation() -> None:
    assert {path.name for path in UPLOADS.iterdir()} == set(EXPECTED)


def test_every_format_has_an_example_file() -> None:
    assert {format_ for format_, _ in EXPECTED.values()} == {known.name for known in FORMATS}


@pytest.mark.parametrize("path", sorted(UPLOADS.iterdir()), ids=lambda path: path.name)
def test_example_file_is_recognized_and_solved(http: Any, service: Service, path: Path) -> None:
    with path.open("rb") as file:
        job = http.post("/api/v1/jobs", data={"file": (file, path.name)}).json
    ChunkRunner(service, worker="here").run(job["id"], 0)
    found = service.jobs.get(job["id"])
    assert found is not None
    format_, count = EXPECTED[path.name]
    assert found.format == format_
    answer = http.get(f"/api/v1/jobs/{job['id']}/results").data.decode()
    rows = [json.loads(line) for line in answer.splitlines()]
    assert [row["outcome"] for row in rows] == ["solved"] * count
    assert all(row["unique"] for row in rows)


def test_boards_of_every_shape_are_shown(http: Any, service: Service) -> None:
    path = UPLOADS / "variants.ndjson"
    with path.open("rb") as file:
        job = http.post("/api/v1/jobs", data={"file": (file, path.name)}).json
    ChunkRunner(service, worker="here").run(job["id"], 0)
    for number in range(1, EXPECTED[path.name][1] + 1):
        shown = http.get(f"/api/v1/jobs/{job['id']}/puzzles/{number}")
        assert shown.status_code == 200
        assert shown.json["outcome"] == "solved"
        assert http.get(f"/jobs/{job['id']}/puzzles/{number}").status_code == 200
    assert http.get(f"/jobs/{job['id']}").status_code == 200
