"""Jobs keep the folder names of an uploaded archive, and reports use them as claimed levels."""

import csv
import io
import zipfile
from importlib.resources import files
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_jobs import post, results, work

from worker.service import Service

pytestmark = pytest.mark.redis

_SAMPLE = files("solver").joinpath("samples/sample.txt").read_text().split()[:6]


def uploaded(http: FlaskClient, service: Service, contents: dict[str, str]) -> dict[str, Any]:
    """Return a finished, rated job with the puzzles of an archive, given as {file: text}."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in contents.items():
            archive.writestr(name, text)
    job: dict[str, Any] = post(http, written.getvalue(), rate="true").json
    work(service)
    return job


def get(http: FlaskClient, path: str) -> Any:
    return http.get(path).json


def folders(rows: list[dict[str, Any]]) -> list[str]:
    return [row["columns"]["folder"] for row in rows]


def test_folders_of_an_archive_are_claimed_levels_of_a_job(
    http: FlaskClient, service: Service
) -> None:
    contents = {
        "book/hard/1.txt": "\n".join(_SAMPLE[:2]),
        "book/hard/2.txt": f"{_SAMPLE[2]}\n\n",
        "book/easy/1.txt": "\n".join(_SAMPLE[3:]),
    }
    job = uploaded(http, service, contents)
    assert folders(results(http, job)) == ["hard"] * 3 + ["easy"] * 3
    assert folders(results(http, job, sort="-rating", count="1", outcome="solved")) != []
    path = f"/api/v1/jobs/{job['id']}"
    text: Any = http.get(f"{path}/results?format=csv").text
    heading, *rows = csv.reader(io.StringIO(text))
    assert [row[heading.index("folder")] for row in rows] == ["hard"] * 3 + ["easy"] * 3
    assert get(http, f"{path}/puzzles/4?wait=0")["columns"] == {"folder": "easy"}

    claims = get(http, f"{path}/report")["claims"]
    assert claims["column"] == "folder"
    assert {level["name"]: level["puzzles"] for level in claims["levels"]} == {"easy": 3, "hard": 3}
    assert "Claimed" in http.get(f"/jobs/{job['id']}/report").text
    hard = next(level for level in claims["levels"] if level["name"] == "hard")

    # The folders stay those of the uploaded puzzles when some are selected and solved again.
    request = {"from_job": job["id"], "where": {"outcome": "solved", **hard["filter"]}}
    again: Any = http.post("/api/v1/jobs", json=request).json
    work(service)
    assert folders(results(http, again)) == ["hard"] * 3


def test_a_claimed_level_in_the_upload_takes_precedence(
    http: FlaskClient, service: Service
) -> None:
    table = f"name,puzzle,level\na,{_SAMPLE[0]},1\nb,{_SAMPLE[1]},2\n"
    job = uploaded(http, service, {"easy/1.csv": table, "hard/2.csv": f"c,{_SAMPLE[2]},2\n"})
    assert results(http, job)[2]["columns"] == {"name": "c", "level": "2", "folder": "hard"}
    claims = get(http, f"/api/v1/jobs/{job['id']}/report")["claims"]
    assert claims["column"] == "level"


def test_a_single_folder_is_no_column(http: FlaskClient, service: Service) -> None:
    job = uploaded(http, service, {"book/1.txt": _SAMPLE[0], "book/2.txt": _SAMPLE[1]})
    assert "columns" not in results(http, job)[1]
    assert get(http, f"/api/v1/jobs/{job['id']}/report")["claims"] is None
