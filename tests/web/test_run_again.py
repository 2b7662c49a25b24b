"""Jobs that solve selected records of another job again.

The API, the clients, and the command line create them. `test_run_again_pages` tests the buttons of
the pages.
"""

import dataclasses
import json
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from http_jobs import client_of, post, results, work
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from web.client import Failure
from web.commands.cli import main
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.store.keys import JobKeys

pytestmark = pytest.mark.redis

UNIQUE = "12.4...2....4..1"
MANY = "1..............."
NONE = "12.4..3.2...4..1"
CLASH = "11.............."
SHORT = "12.4"
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARDER = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
OPEN = "." * 81


def again(http: Any, job: dict[str, Any], **body: Any) -> dict[str, Any]:
    answer = http.post("/api/v1/jobs", json={"from_job": job["id"], **body})
    assert answer.status_code == 202, answer.text
    created: dict[str, Any] = answer.get_json()
    return created


def bare(row: dict[str, Any]) -> dict[str, Any]:
    """Return a result without the members that differ between jobs with the same puzzles."""
    return {
        name: value
        for name, value in row.items()
        if name not in ("n", "line", "source", "true_candidates")
    }


def numbers(rows: list[dict[str, Any]]) -> list[int]:
    return [row["source"]["n"] for row in rows]


def test_selected_records_are_solved_again_with_other_options(
    http: FlaskClient, service: Service
) -> None:
    text = f"{UNIQUE}\n\n# a comment\n{MANY}\n{NONE}\n{CLASH}\n{UNIQUE}\n{SHORT}\n"
    first = post(http, text, limit="2", name="six").json
    work(service)
    job = again(http, first, where={"outcome": "multiple,solved"}, options={"limit": 5})
    assert job["source"] == {"job": first["id"], "where": {"outcome": "multiple,solved"}}
    assert (job["name"], job["total"], job["options"]["limit"]) == ("six", 3, 5)
    work(service)
    rows = results(http, job)
    assert [row["source"] for row in rows] == [{"job": first["id"], "n": n} for n in (1, 2, 5)]
    assert [(row["n"], row["line"]) for row in rows] == [(1, 1), (2, 4), (3, 7)]
    fresh = post(http, f"{UNIQUE}\n{MANY}\n{UNIQUE}\n", limit="5").json
    work(service)
    assert list(map(bare, rows)) == list(map(bare, results(http, fresh)))


UPLOADS = {
    "lines": f"{UNIQUE}\n{MANY}\n{UNIQUE} # mine\n{CLASH}\n{SHORT}\n",
    "classic": f"{CLASSIC}\n{OPEN}\n{CLASSIC.replace('.', '0')}\n{CLASSIC}\n",
    "table": f"id,givens,level\na-1,{UNIQUE},easy\na-2,{MANY},\na-3,{SHORT},hard\na-4,{CLASH},x\n",
    "grids": "Puzzle one\n12|.4\n..|.2\n--+--\n..|..\n4.|.1\n\nTwo\n1..4\n....\n....\n4..1\n",
    "JSON": f'{{"givens": "{UNIQUE}", "custom_id": "x"}}\n{{"givens": 7}}\n{{"givens": "{MANY}"}}',
    "solutions": f"puzzle,solution\n{UNIQUE},1234341221434321\n{MANY},{'1' * 16}\n",
}


@pytest.mark.parametrize("text", UPLOADS.values(), ids=UPLOADS)
@pytest.mark.parametrize("per_chunk", [1, 1000])
def test_every_kind_of_record_gives_the_same_result_again(
    http: FlaskClient, service: Service, text: str, per_chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.ingest.stream.RECORDS_WITH_LOGIC", per_chunk)
    first = post(http, text).json
    work(service)
    before = results(http, first)
    job = first
    # The first time, chunks are smaller. The second time, they are selected from selected ones.
    for studies in (True, False):
        job = again(http, job, options={"true_candidates": studies})
        work(service)
        rows = results(http, job)
        assert numbers(rows) == [row["n"] for row in before]
        assert [row["line"] for row in rows] == [row["line"] for row in before]
        assert list(map(bare, rows)) == list(map(bare, before))


def test_filters_are_those_of_the_results(http: FlaskClient, service: Service) -> None:
    first = post(http, f"{CLASSIC}\n{HARDER}\n{OPEN}\n", rate="true").json
    work(service)
    easy, harder, _ = results(http, first)
    assert easy["rating"] < harder["rating"]
    job = again(http, first, where={"rating": f"{harder['rating']}.."})
    work(service)
    (row,) = results(http, job)
    assert row["source"]["n"] == 2
    assert bare(row) == bare(harder)
    job = again(http, first, where={"outcome": ["multiple", "step_limit"]}, options={"rate": False})
    assert (job["total"], job["options"]["rate"]) == (1, False)


def test_cancelled_job_runs_again_as_far_as_it_was_solved(
    http: FlaskClient, service: Service, runner: ChunkRunner
) -> None:
    table = "givens,own\n" + f"{UNIQUE},a\n" * 300
    first = post(http, table, true_candidates="true").json
    runner.run(first["id"], 0)
    http.post(f"/api/v1/jobs/{first['id']}/cancel")
    done = http.get(f"/api/v1/jobs/{first['id']}").get_json()["done"]
    assert 0 < done < 300
    job = again(http, first, options={"true_candidates": False})
    assert job["total"] == done
    work(service)
    assert numbers(results(http, job)) == list(range(1, done + 1))


@pytest.mark.parametrize("text", [f"{CLASSIC}\n" * 300, f"givens,own\n{UNIQUE},a\n" * 300])
def test_deleted_source_does_not_affect_the_new_job(
    http: FlaskClient, service: Service, text: str
) -> None:
    first = post(http, text).json
    work(service)
    job = again(http, first, options={"limit": 1})
    assert http.delete(f"/api/v1/jobs/{first['id']}").status_code == 204
    work(service)
    assert len(results(http, job)) == first["total"]


def test_new_job_that_is_canceled_too_early_is_reported_without_an_upload(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = post(http, f"{CLASSIC}\n" * 300).json
    work(service)
    add = service.jobs.add_chunks

    def cancel_first(job_id: str, blocks: Any) -> int:
        service.jobs.cancel(job_id)
        return add(job_id, blocks)

    monkeypatch.setattr(service.jobs, "add_chunks", cancel_first)
    answer = http.post("/api/v1/jobs", json={"from_job": first["id"]})
    problem = answer.get_json()
    assert (answer.status_code, problem["type"]) == (409, "/errors/job-gone")
    assert problem["title"] == "Job deleted while it was created"
    assert problem["detail"] == (
        "the job was canceled or deleted, or has expired, before all of its puzzles were stored; "
        "try again"
    )


def test_source_that_vanishes_during_the_selection_creates_no_job(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = post(http, f"{CLASSIC}\n" * 300).json
    work(service)
    read = service.results.read_with_records

    def delete_first(job_id: str, chunks: Any) -> Any:
        service.jobs.delete(job_id)
        return read(job_id, chunks)

    monkeypatch.setattr(service.results, "read_with_records", delete_first)
    answer = http.post("/api/v1/jobs", json={"from_job": first["id"]})
    assert (answer.status_code, answer.get_json()["type"]) == (404, "/errors/job-not-found")
    assert service.active_jobs.ids() == []


def test_records_that_the_results_repeat_are_stored_once(
    http: FlaskClient, service: Service
) -> None:
    for text, is_kept in ((f"{CLASSIC}\n{OPEN}\n", False), (f"{CLASSIC} # mine\n", True)):
        job = post(http, text).json
        work(service)
        assert service.redis.exists(JobKeys(job["id"]).input(0)) == is_kept


def test_chunk_of_selected_records_survives_time_slices_and_deliveries(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, "givens,own\n" + f"{UNIQUE},a\n{MANY},b\n" * 20).json
    work(service)
    job = again(http, first, where={"outcome": "multiple"}, options={"true_candidates": True})
    hasty = dataclasses.replace(service.settings, chunk_seconds=0.0)
    runner = ChunkRunner(dataclasses.replace(service, settings=hasty), worker="here")
    runs = 0
    while http.get(f"/api/v1/jobs/{job['id']}").get_json()["state"] != "finished":
        runner.run(job["id"], 0)
        runs += 1
    assert runs > 1
    work(service)
    rows = results(http, job)
    assert numbers(rows) == list(range(2, 41, 2))
    assert [row["columns"] for row in rows] == [{"own": "b"}] * 20


def test_every_output_names_the_source(http: FlaskClient, service: Service) -> None:
    text = f"{CLASSIC}\n{OPEN}\n"
    first = post(http, text).json
    work(service)
    job = again(http, first, where={"outcome": "multiple"}, options={"limit": 3})
    work(service)
    address = f"/api/v1/jobs/{job['id']}"
    source = {"job": first["id"], "n": 2}
    assert http.get(f"{address}/results?format=json").get_json()[0]["source"] == source
    assert http.get(f"{address}/puzzles/1").get_json()["source"] == source
    table = http.get(f"{address}/results?format=csv").text.splitlines()
    assert table[0].endswith(",name,source_job,source_n")
    assert table[1].endswith(f",{first['id']},2")
    assert f"# 1 (puzzle 2 of job {first['id']})" in (
        http.get(f"{address}/results?format=grid").text
    )
    assert f'href="/jobs/{first["id"]}/puzzles/2"' in http.get(f"/jobs/{job['id']}?n=1").text
    assert "puzzle 2 of another job" in http.get(f"/jobs/{job['id']}/puzzles/1").text


def test_client_and_command_line_run_puzzles_again(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = post(http, f"{UNIQUE}\n{MANY}\n", name="two").json
    work(service)
    with client_of(http, monkeypatch) as client:
        job = client.run_again(
            first["id"], outcome="solved", name="one", metadata={"a": "b"}, expires_in=60,
            options={"limit": 3},
        )  # fmt: skip
        assert (job["name"], job["total"], job["metadata"]) == ("one", 1, {"a": "b"})
        assert job["options"]["limit"] == 3
        with pytest.raises(Failure, match="wait until it has ended"):
            client.run_again(job["id"])
        chosen = ["--outcome", "multiple", "--step-limit", "5", "--json"]
        shown = CliRunner().invoke(main, ["submit", "--from", first["id"], *chosen])
        assert shown.exit_code == 0, shown.output
        job = json.loads(shown.output)
        assert (job["name"], job["total"], job["options"]["step_limit"]) == ("two", 1, 5)
    for arguments in (
        [], ["-", "--from", first["id"]], ["-", "--outcome", "solved"],
    ):  # fmt: skip
        wrong = CliRunner().invoke(main, ["submit", *arguments], input=UNIQUE)
        assert (wrong.exit_code, "--from JOB" in wrong.output) == (2, True), wrong.output


INVALID: list[tuple[dict[str, Any], int, str]] = [
    ({"where": {"outcome": "fine"}}, 422, "outcome"),
    ({"where": {"outcomes": "solved"}}, 422, "outcomes"),
    ({"where": {"outcome": 3}}, 422, "outcome"),
    ({"where": ["solved"]}, 422, "where"),
    ({"where": {"rating": "7.1.."}}, 422, "rating"),
    ({"where": {"outcome": "failed"}}, 422, "where"),
    ({"options": {"variant": "diagonal"}}, 422, "variant"),
    ({"options": {"step_limits": 3}}, 422, "step_limits"),
    ({"options": {"rate": True, "limit": 1}}, 422, "limit"),
    ({"puzzles": [UNIQUE]}, 422, "from_job"),
    ({"from_job": "unknown"}, 404, "from_job"),
    ({"from_job": "x" * 1_000}, 404, "from_job"),
    ({"from_job": 7}, 422, "from_job"),
]


def test_invalid_requests_are_rejected_with_the_field(http: FlaskClient, service: Service) -> None:
    first = post(http, f"{UNIQUE}\n").json
    work(service)
    for body, status, field in INVALID:
        answer = http.post("/api/v1/jobs", json={"from_job": first["id"], **body})
        assert (answer.status_code, answer.get_json()["field"]) == (status, field), body
    answer = http.post("/api/v1/jobs", json={"puzzles": [UNIQUE], "where": {}})
    assert (answer.status_code, answer.get_json()["field"]) == (422, "where")
    assert service.active_jobs.ids() == []


def test_unfinished_job_cannot_run_again_yet(http: FlaskClient) -> None:
    first = post(http, f"{UNIQUE}\n").json
    answer = http.post("/api/v1/jobs", json={"from_job": first["id"]})
    assert (answer.status_code, answer.get_json()["type"]) == (409, "/errors/job-not-finished")
    assert answer.headers["Retry-After"]
    assert "wait until it has ended" in answer.get_json()["detail"]


def test_repeated_request_with_an_idempotency_key_returns_the_same_job(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, f"{UNIQUE}\n{MANY}\n").json
    work(service)
    body = {"from_job": first["id"], "where": {"outcome": "solved"}}
    headers = {"Idempotency-Key": "k"}
    ids = {http.post("/api/v1/jobs", json=body, headers=headers).get_json()["id"] for _ in "ab"}
    assert len(ids) == 1
    other = http.post("/api/v1/jobs", json=body | {"where": {}}, headers=headers)
    assert other.status_code == 422


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    lines=st.lists(st.sampled_from([UNIQUE, MANY, NONE, CLASH, SHORT, CLASSIC]), min_size=1),
    chosen=st.sets(st.sampled_from(["solved", "multiple", "unsolvable", "invalid"])),
    limit=st.sampled_from([1, 2, 4]),
    names=st.booleans(),
    small=st.booleans(),
)
def test_results_equal_those_of_a_fresh_upload_of_the_same_records(
    http: FlaskClient,
    service: Service,
    *,
    lines: list[str],
    chosen: set[str],
    limit: int,
    names: bool,
    small: bool,
) -> None:
    if names:
        lines = [f"{line} # {number}" for number, line in enumerate(lines)]
    query = {"true_candidates": str(small).lower(), "format": "line"}
    first = post(http, "\n".join(lines), **query).json
    work(service)
    selected = [row["n"] for row in results(http, first) if not chosen or row["outcome"] in chosen]
    body = {"from_job": first["id"], "where": {"outcome": ",".join(chosen)}}
    options = {"limit": limit, "true_candidates": not small}
    answer = http.post("/api/v1/jobs", json=body | {"options": options})
    if not selected:
        assert answer.status_code == 422
        return
    query |= {"limit": str(limit), "true_candidates": str(not small).lower()}
    fresh = post(http, "\n".join(lines[n - 1] for n in selected), **query).json
    work(service)
    rows = results(http, answer.get_json())
    assert numbers(rows) == selected
    assert list(map(bare, rows)) == list(map(bare, results(http, fresh)))
