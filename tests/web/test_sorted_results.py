"""Results sorted by guesses, and a job's counts of its records by guesses and over time."""

import json
from itertools import product
from typing import Any

import numpy as np
import pytest
from jobs import open_job
from msgspec import structs

from solver.board.result import Outcome
from solver.board.text_lines import Lines
from web.results import sort_orders
from worker.records.chunk_result import ChunkResult
from worker.records.explanations import StoredDifficulty
from worker.records.guess_classes import classes_of, most_in_class
from worker.service import Service
from worker.store import statistics

CHUNK = 3
# Some numbers share a class, and there are enough chunks for several groups of two.
STEPS = [0, 9, 514, 515, 7, 0, 0, 515, 5000, 0, 512, 513, 9, 4999, 5001, 514, 0, 515]
OUTCOMES = [Outcome.MULTIPLE if n % 4 == 1 else Outcome.SOLVED for n in range(len(STEPS))]
RATINGS = [15 + n % 3 if outcome is Outcome.SOLVED else None for n, outcome in enumerate(OUTCOMES)]


@pytest.fixture
def job(service: Service, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the id of a finished, rated job with the records of this module."""
    monkeypatch.setattr(statistics, "_CHUNKS_PER_BUCKET", 2)
    job_id = open_job(service, chunks=len(STEPS) // CHUNK, records=CHUNK)
    service.redis.hset(f"sudokuq:{{{job_id}}}:facts", "options", '{"rate":true}')
    service.jobs.seal(job_id)
    for chunk, start in enumerate(range(0, len(STEPS), CHUNK)):
        service.chunks.acquire(job_id, chunk, holder="me")
        part = result(range(start, start + CHUNK))
        service.chunks.commit(job_id, chunk, done=0, total=CHUNK, result=part)
    return job_id


def result(records: range) -> ChunkResult:
    ratings = {place: RATINGS[n] for place, n in enumerate(records)}
    return ChunkResult(
        lines=np.arange(records.start + 1, records.stop + 1, dtype="<i8").tobytes(),
        outcomes=bytes(OUTCOMES[n] for n in records),
        counts=np.ones(len(records), "<i8").tobytes(),
        steps=np.array([STEPS[n] for n in records], "<i8").tobytes(),
        puzzles=Lines("\n".join(f"p{n + 1}" for n in records)),
        solutions=Lines("\n".join(f"s{n + 1}" for n in records)),
        difficulties={
            place: StoredDifficulty(1, 1, (rating, rating, rating), {0: 1})
            for place, rating in ratings.items()
            if rating is not None
        },
    )


def numbers(http: Any, job_id: str, **query: str) -> list[int]:
    answer = http.get(f"/api/v1/jobs/{job_id}/results", query_string=query)
    assert answer.status_code == 200, answer.text
    rows = [json.loads(line) for line in answer.text.splitlines()]
    assert [row["steps"] for row in rows] == [STEPS[row["n"] - 1] for row in rows]
    assert [row["puzzle"] for row in rows] == [f"p{row['n']}" for row in rows]
    return [row["n"] for row in rows]


def expected(wanted: list[int], *, sort: str) -> list[int]:
    sign = -1 if sort.startswith("-") else 1
    return sorted(wanted, key=lambda n: sign * STEPS[n - 1])


EVERY = list(range(1, len(STEPS) + 1))


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({}, EVERY),
        ({"outcome": "solved"}, [n for n in EVERY if OUTCOMES[n - 1] is Outcome.SOLVED]),
        ({"outcome": "multiple"}, [n for n in EVERY if OUTCOMES[n - 1] is Outcome.MULTIPLE]),
        ({"outcome": "solved,multiple"}, EVERY),
        ({"outcome": "failed"}, []),
        ({"rating": "1.6.."}, [n for n in EVERY if (RATINGS[n - 1] or 0) >= 16]),
    ],
)
def test_results_are_sorted_by_steps(
    query: dict[str, str], wanted: list[int], http: Any, job: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for most_held, sort in product((1, 3, 1000), ("steps", "-steps")):
        monkeypatch.setattr(sort_orders, "_MOST_HELD", most_held)
        known = expected(wanted, sort=sort)
        assert numbers(http, job, sort=sort, **query) == known
        for offset, count in ((0, 1), (3, 4), (8, 3), (len(EVERY) - 1, 5), (500, 1), (2, 0)):
            bounds = {"offset": str(offset), "count": str(count)}
            page = numbers(http, job, sort=sort, **query, **bounds)
            assert page == known[offset : offset + count]


@pytest.mark.parametrize("offset", range(0, len(STEPS) + 1, 5))
def test_results_are_sorted_and_selected_where_they_were_not_counted(
    offset: int, http: Any, job: str, service: Service
) -> None:
    service.redis.delete(f"sudokuq:{{{job}}}:steps", f"sudokuq:{{{job}}}:sums")
    known = expected(EVERY, sort="-steps")
    assert numbers(http, job, sort="-steps", offset=str(offset)) == known[offset:]
    solved = [n for n in EVERY if OUTCOMES[n - 1] is Outcome.SOLVED]
    assert numbers(http, job, outcome="solved", offset=str(offset)) == solved[offset:]


def test_page_is_sorted_by_steps_and_leads_back(http: Any, job: str) -> None:
    page = http.get(f"/jobs/{job}?sort=-steps&outcome=solved").text
    known = expected([n for n in EVERY if OUTCOMES[n - 1] is Outcome.SOLVED], sort="-steps")
    places = [page.index(f'<tr id="n{n}"') for n in known]
    assert places == sorted(places)
    assert "outcome=solved&amp;sort=steps" in page
    assert 'aria-sort="descending"' in page


def test_classes_are_exact_for_few_steps_and_narrow_for_many() -> None:
    every = np.arange(5000)
    classes = classes_of(every)
    assert classes[:512].tolist() == list(range(512))
    for steps, least in zip(every.tolist(), classes.tolist(), strict=True):
        assert least <= steps <= most_in_class(least)
        assert most_in_class(least) - least <= least / 256
    begins = np.flatnonzero(np.diff(classes)) + 1
    assert [most_in_class(least) + 1 for least in sorted(set(classes.tolist()))[:-1]] == list(
        begins
    )


def test_steps_and_times_of_a_job_are_counted(job: str, service: Service) -> None:
    counts = service.statistics.steps(job)
    assert set(counts) == {"solved", "multiple"}
    assert sum(counts["solved"].values()) == OUTCOMES.count(Outcome.SOLVED)
    assert counts["solved"][0] == sum(
        steps == 0 and outcome is Outcome.SOLVED
        for steps, outcome in zip(STEPS, OUTCOMES, strict=True)
    )
    times = service.statistics.times(job)
    assert times is not None
    assert sum(times.records) == len(STEPS)


def test_slots_of_time_become_wider_as_a_job_lasts(job: str, service: Service) -> None:
    facts = f"sudokuq:{{{job}}}:facts"
    more = open_job(service, chunks=3, records=CHUNK)
    for chunk, ago in enumerate((0, 100, 10_000)):
        service.chunks.acquire(more, chunk, holder="me")
        now = float(service.redis.hget(facts, "started_at") or 0)
        service.redis.hset(facts.replace(job, more), "started_at", now - ago)
        part = structs.replace(result(range(CHUNK)))
        service.chunks.commit(more, chunk, done=0, total=CHUNK, result=part)
    times = service.statistics.times(more)
    assert times is not None
    assert len(times.records) <= statistics.TIME_SLOTS
    assert sum(times.records) == 3 * CHUNK
    assert 10_000 <= len(times.records) * times.width < 10_000 + 600
    assert times.records[0] >= CHUNK
