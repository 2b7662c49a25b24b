"""Jobs that solve selected records of another job again.

The API, the clients, the command line, and buttons on a job's page create them.
"""

import dataclasses
import json
import re
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
HARDEST = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
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


def test_a_job_that_runs_again_is_named_by_its_purpose_and_links_to_the_first(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, f"{UNIQUE}\n{UNIQUE}\n", name="weekly.txt").json
    work(service)
    url = f"/jobs/{first['id']}/again"
    options = {"limit": "2", "step_limit": "1000"}
    names = []
    for added in ({"rate": "true"}, {"minlex": "true"}, {"explain": "true"}, {}):
        page = http.post(url, data=options | added, follow_redirects=True).text
        assert re.search(rf'href="/jobs/{first["id"]}">weekly.txt</a> and were run again', page)
        names.append(re.findall(r"<h1>(.*?)</h1>", page)[0])
    assert names == [
        "weekly.txt, rated",
        "Duplicates in weekly.txt",
        "weekly.txt, explained",
        "weekly.txt, again",
    ]


def test_a_search_for_duplicates_is_named_by_the_number_of_puzzles_without_a_name(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, f"{UNIQUE}\n{UNIQUE}\n").json
    work(service)
    page = http.post(f"/jobs/{first['id']}/duplicates", follow_redirects=True).text
    assert "Duplicates in 2 puzzles</a>" in page


def test_page_of_a_job_runs_the_shown_puzzles_again(http: FlaskClient, service: Service) -> None:
    first = post(http, f"{UNIQUE}\n{MANY}\n{UNIQUE}\n", minlex="true", name="mine").json
    assert "Run again" not in http.get(f"/jobs/{first['id']}").text
    work(service)
    assert "Run these 3 puzzles again" in http.get(f"/jobs/{first['id']}").text
    assert "Run this puzzle again" in http.get(f"/jobs/{first['id']}?outcome=multiple").text
    form = {"outcome": "solved", "limit": "3", "step_limit": "7", "count_only": "true"}
    answer = http.post(f"/jobs/{first['id']}/again", data=form)
    assert answer.status_code == 303, answer.text
    job = http.get("/api/v1" + answer.headers["Location"]).get_json()
    assert (job["total"], job["source"]["where"]) == (2, {"outcome": "solved"})
    changed = {"limit": 3, "step_limit": 7, "count_only": True, "minlex": False}
    assert job["options"] == first["options"] | changed
    page = http.get(answer.headers["Location"]).text
    assert f'href="/jobs/{first["id"]}?outcome=solved"' in page
    assert http.get("/api/v1/jobs").get_json()["jobs"][0]["id"] == job["id"]
    wrong = http.post(f"/jobs/{first['id']}/again", data={"step_limit": "many"})
    assert wrong.status_code == 422
    assert http.post("/jobs/unknown/again").status_code == 404


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


def presets(page: str) -> list[str]:
    return re.findall(r'title="Creates a new job"[^>]*>([^<]*)<', page)


def test_the_button_that_rates_all_puzzles_has_a_short_label(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, f"{CLASSIC}\n{CLASSIC}\n").json
    work(service)
    assert presets(http.get(f"/jobs/{first['id']}").text)[0] == "Rate the 2 puzzles"


def press(http: FlaskClient, path: str, label: str) -> Any:
    """Press a button on a page that runs a job's puzzles again, and return the new job."""
    forms = re.findall(r'<form[^>]* action="([^"]*/again)"[^>]*>(.*?)</form>',
                       http.get(path).text, re.DOTALL)  # fmt: skip
    [(action, form)] = [each for each in forms if f">{label}</button>" in each[1]]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w+)"', form))
    answer = http.post(action, data=fields)
    assert answer.status_code == 303, answer.text
    return http.get("/api/v1" + answer.headers["Location"]).get_json()


def test_presets_on_a_job_page_run_the_puzzles_with_an_outcome_again(
    http: FlaskClient, service: Service
) -> None:
    text = f"{CLASSIC}\n{HARDER}\n{CLASSIC}\n{HARDEST}\n"
    first = post(http, text, step_limit="10", minlex="true").json
    path = f"/jobs/{first['id']}"
    assert presets(http.get(path).text) == []
    work(service)
    rate = "Rate the 3 puzzles with one solution"
    raise_limit = "Allow 100 guesses for the undecided puzzle"
    assert presets(http.get(path).text) == [rate, raise_limit]
    assert presets(http.get(f"{path}?outcome=solved").text) == [rate]
    assert presets(http.get(f"{path}?outcome=multiple").text) == []
    job = press(http, path, rate)
    assert (job["total"], job["source"]["where"]) == (3, {"outcome": "solved"})
    assert job["options"] == first["options"] | {"rate": True}
    work(service)
    assert presets(http.get(f"/jobs/{job['id']}").text) == []
    job = press(http, path, raise_limit)
    assert (job["total"], job["source"]["where"]) == (1, {"outcome": "step_limit"})
    assert job["options"] == first["options"] | {"step_limit": 100}


def test_buttons_in_a_report_run_the_puzzles_again_for_what_it_lacks(
    http: FlaskClient, service: Service
) -> None:
    first = post(http, f"{CLASSIC}\n{HARDER}\n", limit="3").json
    work(service)
    path = f"/jobs/{first['id']}/report"
    rated = press(http, path, "Rate the puzzles")
    assert (rated["total"], rated["options"]) == (2, first["options"] | {"rate": True})
    tested = press(http, path, "Test the minimality")
    assert (tested["total"], tested["options"]) == (2, first["options"] | {"minimal": True})
    work(service)
    assert ">Rate the puzzles</button>" not in http.get(f"/jobs/{rated['id']}/report").text


def test_presets_fit_the_options_and_boards_of_the_job(http: FlaskClient, service: Service) -> None:
    small = post(http, f"{UNIQUE}\n").json
    first_solution = post(http, f"{CLASSIC}\n{CLASSIC}\n", limit="1").json
    work(service)
    assert presets(http.get(f"/jobs/{small['id']}").text) == []
    label = "Check the 2 solved puzzles for uniqueness"
    assert presets(http.get(f"/jobs/{first_solution['id']}").text) == [label, "Find duplicates"]
    assert press(http, f"/jobs/{first_solution['id']}", label)["options"]["limit"] == 2
