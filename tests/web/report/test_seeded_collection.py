"""A report names every seeded defect of a collection, and nothing else."""

from importlib.resources import files
from typing import Any

import pytest
from flask.testing import FlaskClient
from http_jobs import finished
from seeded import Seeded, seeded

from solver.logic.rating.difficulty import WORDS
from worker.service import Service

pytestmark = pytest.mark.redis

_OF_EACH = 3
_PUZZLES = 180


def numbers(http: FlaskClient, path: str, query: str) -> list[int]:
    answer: Any = http.get(f"/api/v1{path}/results?format=json&{query}")
    assert answer.status_code == 200, answer.text
    return [row["n"] for row in answer.json]


@pytest.fixture
def collection(http: FlaskClient, service: Service) -> tuple[str, Seeded]:
    """Return the path of a finished job with a seeded collection, and its defects."""
    sample = files("solver").joinpath("samples/sample.txt").read_text().split()
    path = finished(http, service, "\n".join(sample[:_PUZZLES]), rate="true")
    rows: Any = http.get(f"/api/v1{path}/results?format=json").json
    rated = [row for row in rows if row["rating"] is not None]
    made = seeded(
        [row["puzzle"] for row in rated], [row["rating"] for row in rated], of_each=_OF_EACH
    )
    options = {"rate": "true", "minlex": "true", "name": "book"}
    return finished(http, service, made.text, **options), made


def test_report_names_each_seeded_defect_and_nothing_else(
    http: FlaskClient, collection: tuple[str, Seeded]
) -> None:
    path, made = collection
    report: Any = http.get(f"/api/v1{path}/report").json
    parts = {problem["kind"]: problem for problem in report["problems"]}
    duplicates = report["duplicates"]
    parts |= {"identical": duplicates["identical"], "equivalent": duplicates["equivalent"]}
    parts["disagrees"] = report["claims"] | {"puzzles": report["claims"]["disagreements"]}
    assert parts.keys() == made.defects.keys()
    for defect, expected in made.defects.items():
        part = parts[defect]
        query = "&".join(f"{key}={value}" for key, value in part["filter"].items())
        assert (defect, part["puzzles"]) == (defect, len(expected))
        assert numbers(http, path, query) == expected
    only_turned = {*made.defects["equivalent"]} - {*made.defects["identical"]}
    assert numbers(http, path, "finding=transformed") == sorted(only_turned)
    assert duplicates["transformed"]["puzzles"] == len(only_turned) > 0
    bad = {number for defect, ns in made.defects.items() if defect != "disagrees" for number in ns}
    good = [number for number in range(1, report["puzzles"] + 1) if number not in bad]
    assert report["publishable"]["puzzles"] == len(good)
    assert numbers(http, path, "finding=publishable") == good
    for part in ("difficulty", "givens", "symmetry"):
        assert report[part]["outliers"]["first"] == []
    levels = report["book"]["levels"]
    assert len(levels) == len(report["claims"]["levels"])
    assert (
        max(level["puzzles"] for level in levels) <= min(level["puzzles"] for level in levels) + 1
    )


def test_proposed_levels_count_each_puzzle_under_one_difficulty_word(
    http: FlaskClient, collection: tuple[str, Seeded]
) -> None:
    path, _ = collection
    report: Any = http.get(f"/api/v1{path}/report").json
    book = report["book"]
    words = []
    for level in book["levels"]:
        assert sum(part["puzzles"] for part in level["measured"]) == level["puzzles"]
        words += [part["name"] for part in level["measured"]]
        for part in level["measured"]:
            query = "&".join(f"{key}={value}" for key, value in part["filter"].items())
            assert len(numbers(http, path, query)) == part["puzzles"]
    assert words == sorted(words, key=WORDS.index)
