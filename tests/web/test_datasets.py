"""Results as a dataset: random symmetries of puzzles, and parts that share no puzzle."""

import csv
import io
import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from http_jobs import post, work
from pyarrow import parquet as pq

from solver import minlex
from solver.canonical.symmetries import Symmetries
from web.results.dataset import Dataset
from worker.service import Service

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LETTERS = EASY.translate(str.maketrans("123456789.", "ABCDEFGHI0"))
TRANSPOSED = "".join(EASY[9 * column + row] for row in range(9) for column in range(9))
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
MANY = "1" + "." * 80
TINY = "12.4...2....4..1"
RECORDS = [EASY, LETTERS, TRANSPOSED, HARD, MANY, TINY, "xx"]


@pytest.fixture
def job(http: Any, service: Service) -> str:
    job_id = post(http, "\n".join(RECORDS), minlex="1").json["id"]
    work(service)
    return f"/api/v1/jobs/{job_id}/results"


def rows(http: Any, url: str, **query: object) -> list[dict[str, Any]]:
    answer = http.get(url, query_string=query)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def values(text: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return a puzzle of digits or letters as an array (1, 81)."""
    digits = [ord(each) - ord("A" if each.isalpha() else "1") + 1 for each in text]
    blanks = [0 if each in ".0" else digit for each, digit in zip(text, digits, strict=True)]
    return np.array([blanks], np.uint8)


def test_copies_are_symmetries_with_their_solutions(http: Any, job: str) -> None:
    found = rows(http, job, augment=3)
    assert [(row["n"], row["copy"]) for row in found] == [
        *((n, copy) for n in range(1, 6) for copy in range(4)), (6, 0), (7, 0)
    ]  # fmt: skip
    assert len({row["puzzle"] for row in found}) == len(found)
    for row in found[:20]:
        puzzle, solution = values(row["puzzle"]), values(row["solution"])
        canonical = "".join(map(str, minlex(puzzle)[0])).replace("0", ".")
        assert canonical == row["minlex"]
        assert ((puzzle == solution) | (puzzle == 0)).all()
        assert minlex(solution).all()
        if row["outcome"] == "solved":
            assert row["unique"]
    letters = [row["puzzle"] for row in found if row["n"] == 2]
    assert all(set(text) <= set("ABCDEFGHI0") for text in letters)


def test_equal_puzzles_share_a_group_and_a_part(http: Any, job: str) -> None:
    found = rows(http, job, augment=2, split="50:50")
    groups = [row["group"] for row in found if row["copy"] == 0]
    assert len({*groups[:3]}) == 1
    assert len({*groups[:5]}) == 3
    assert groups[5:] == [None, None]
    parts = {(row["group"], row["split"]) for row in found if row["group"]}
    assert len(parts) == 3
    assert {part for _, part in parts} <= {"train", "test"}
    assert all(row["split"] is None for row in found if row["group"] is None)


def test_datasets_depend_on_the_seed_alone(http: Any, job: str) -> None:
    first = rows(http, job, augment=5, seed=1)
    assert first == rows(http, job, augment=5, seed=1)
    assert first[6:12] == rows(http, job, augment=5, seed=1, offset=1, count=1)
    assert first != rows(http, job, augment=5, seed=2)
    # The copies of a puzzle don't depend on how many there are.
    fewer = rows(http, job, augment=2, seed=1)
    assert fewer == [row for row in first if row["copy"] <= 2]


def test_parts_have_the_requested_sizes() -> None:
    parts = Counter(Dataset(sizes=(80, 10, 10), seed=7)._part(str(n)) for n in range(20_000))
    assert {*parts} == {"test", "train", "validation"}
    assert abs(parts["train"] - 16_000) < 300
    assert abs(parts["test"] - 2_000) < 200


def test_tables_have_the_same_columns(http: Any, job: str) -> None:
    found = rows(http, job, augment=1, split="8:1:1")
    text = http.get(f"{job}?format=csv&augment=1&split=8:1:1").text
    table = list(csv.DictReader(io.StringIO(text)))
    for name in ("group", "copy", "split"):
        expected = ["" if row[name] is None else str(row[name]) for row in found]
        assert [line[name] for line in table] == expected
    data = http.get(f"{job}?format=parquet&augment=1&split=8:1:1").data
    columns = pq.read_table(io.BytesIO(data))
    for name in ("n", "puzzle", "solution", "group", "copy", "split"):
        assert columns[name].to_pylist() == [row[name] for row in found]


@pytest.mark.parametrize(
    ("query", "field"),
    [("augment=101", "augment"), ("augment=x", "augment"), ("split=0:1", "split"),
     ("split=1", "split"), ("split=1:2:3:4", "split"), ("augment=1&seed=-1", "seed"),
     ("augment=1&format=txt", "augment"), ("split=1:1&format=sdm", "split")],
)  # fmt: skip
def test_invalid_datasets_are_refused(http: Any, job: str, query: str, field: str) -> None:
    refused = http.get(f"{job}?{query}")
    assert (refused.status_code, refused.json["field"]) == (422, field)


def test_a_job_without_canonical_forms_is_refused(http: Any, service: Service) -> None:
    job_id = post(http, EASY).json["id"]
    work(service)
    refused = http.get(f"/api/v1/jobs/{job_id}/results?split=80:20")
    assert refused.status_code == 422
    assert "without the option minlex" in refused.json["detail"]


def test_all_symmetries_are_equally_likely() -> None:
    count = 20_000
    symmetries = Symmetries.of_keys(np.arange(count, dtype=np.uint64))
    assert (np.sort(symmetries.cells, axis=1) == np.arange(81)).all()
    assert (np.sort(symmetries.values, axis=1) == np.arange(10)).all()
    # Each cell comes first, and each value becomes 1, equally often, within five deviations.
    for chosen, kinds in ((symmetries.cells[:, 0], 81), (symmetries.values[:, 1] - 1, 9)):
        often = np.bincount(chosen, minlength=kinds)
        assert (abs(often - count / kinds) < 5 * np.sqrt(count / kinds)).all()
