import dataclasses
import io
import json
import re
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from http_jobs import finished, submit_form, work
from msgspec.structs import replace
from receiver import SECRET

from solver import Layout, Outcome, solve, solve_many
from solver.formats import FORMATS
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS, with_variants
from web.app import create_app
from web.pages.board_drawing import LARGEST_SMALL_BOARD
from web.pages.filters import show_bytes, show_duration, show_number
from web.pages.samples import SAMPLES
from web.pages.variant_pictures import FORBIDDEN, board_of
from worker.service import Service
from worker.store import keys
from worker.store.live_workers import WorkerInfo

GOOD = "12.4...2....4..1"
SOLVED = "1234341221434321"
CONFLICT = "11.............."
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TWICE = "5" + CLASSIC[:-1]


def numbers(page: str) -> list[int]:
    """Return the numbers of the puzzles in a page's table."""
    return [int(number) for number in re.findall(r'<tr id="n(\d+)"', page)]


def formats_on(page: str) -> list[str]:
    return re.findall(r'<article class="card" id="(\w+)">', page)


def test_page_of_formats_shows_every_one(http: FlaskClient) -> None:
    assert formats_on(http.get("/formats").text) == [format_.name for format_ in FORMATS]
    assert "curl -T puzzles.txt http://localhost/api/v1/jobs/" in http.get("/").text


def test_formats_are_found_by_any_words_without_scripts(http: FlaskClient) -> None:
    assert formats_on(http.get("/formats?q=Interactive+SOLVER+thermo").text) == ["iss"]
    nothing = http.get("/formats?q=nothing+like+<that>").text
    assert formats_on(nothing) == []
    assert "Show all" in nothing
    assert "&lt;that&gt;" in nothing


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_start_with_one_click(http: FlaskClient, name: str) -> None:
    answer = http.post(f"/samples/{name}")
    assert answer.status_code == 303
    assert f"<h1>{SAMPLES[name].title}</h1>" in http.get(answer.headers["Location"]).text
    assert http.post("/samples/nothing").status_code == 404


def test_true_candidates_are_a_view_of_the_puzzle(http: FlaskClient, service: Service) -> None:
    usual, asked = (
        finished(http, service, GOOD.replace("4", "."), limit="10", **options)
        for options in ({}, {"true_candidates": "true"})
    )
    assert "True candidates" not in http.get(f"{usual}/puzzles/1").text
    assert "True candidates" in http.get(f"{asked}/puzzles/1").text
    answer = http.get(f"/api/v1{asked}/puzzles/1").json
    assert answer is not None
    assert answer["true_candidates"]["r1c1"] == {"1": answer["solutions"]}


def test_regions_that_were_found_are_drawn(http: FlaskClient, service: Service) -> None:
    text = ".Shape~4x4.NoBoxes.ChaosConstruction.~R1C1_1~R1C2_2~R1C3_3~R1C4_4~R2C1_2"
    pages = [
        finished(http, service, text + rest, limit="1")
        # the first row is a region; unsolvable
        for rest in (".SameValues~4~CC1~CC2~CC3~CC4", ".~R1C2_1")
    ]
    cut, uncut = (http.get(f"/api/v1{page}/puzzles/1").json for page in pages)
    assert cut is not None
    assert cut["regions"][:5] == [1, 1, 1, 1, 2]
    assert uncut is not None
    assert "regions" not in uncut
    assert ['class="thick"' in http.get(f"{page}/puzzles/1").text for page in pages] == [
        True,
        False,
    ]


def test_variants_are_boxes_to_tick(http: FlaskClient, service: Service) -> None:
    page = http.get("/").text
    shown = re.findall(r'name="variant" value="(\w+)"', page)
    assert set(shown) == set(VARIANTS) - {"doppelganger"}  # only applies to special boards
    data = {"variant": ["diagonal", "antiknight"], "text": CLASSIC}
    path = http.post("/jobs", data=data, content_type="multipart/form-data").headers["Location"]
    job = service.jobs.get(path.rsplit("/", 1)[1])
    assert job is not None
    assert job.options.variant == "diagonal,antiknight"
    refused = http.post("/jobs", data=data | {"text": "hello"}, content_type="multipart/form-data")
    assert re.findall(r'value="(\w+)" checked', refused.text) == ["diagonal", "antiknight"]
    assert '<details class="extra-rules">' in page
    assert '<details class="extra-rules" open>' in refused.text


def test_upload_page_offers_ratings_and_canonical_forms_first(http: FlaskClient) -> None:
    options = http.get("/").text.split('<details class="options"')[1]
    assert re.findall(r'<label for="(\w+)">', options)[:3] == ["rate", "minlex", "name"]


def test_editor_shows_display_names_and_sentences_of_rules(http: FlaskClient) -> None:
    rules = http.get("/editor/rules").text
    shown = dict(re.findall(r'value="(\w+)" data-title="(.*?)"', rules))
    assert shown.items() >= {name: rule.title for name, rule in RULES.items()}.items()
    assert shown["antiknight"] == VARIANTS["antiknight"].title
    page = http.get("/").text
    titles = re.findall(r"<span>([^<]*)<small id=\"variant-(\w+)\">(.*?)</small>", page)
    assert ("XV, all given", "xvnegative", VARIANTS["xvnegative"].description) in titles


@pytest.mark.parametrize("name", FORBIDDEN)
def test_values_that_a_variant_drawing_shows_as_forbidden_are_forbidden(name: str) -> None:
    board = board_of(name)
    values = [FORBIDDEN[name].get(divmod(n, board.columns), 0) for n in range(board.cells)]
    with_it = with_variants(board, (name,))
    assert isinstance(with_it, Layout)
    outcomes = [
        Outcome(solve_many(np.array([values], np.uint8), layout=layout, limit=1).outcomes[0])
        for layout in (board, with_it)
    ]
    assert outcomes[0] is Outcome.SOLVED
    assert outcomes[1] in (Outcome.UNSOLVABLE, Outcome.INVALID)


def test_example_of_a_format_is_filled_in(http: FlaskClient) -> None:
    assert "Grid 01\n003020600" in http.get("/?example=grid").text.split("</textarea>")[0]
    assert http.get("/?example=nonsense").status_code == 200


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_every_example_is_accepted(http: FlaskClient, format_: Any) -> None:
    assert submit_form(http, format_.example)


def test_pasted_text_becomes_a_job_with_its_options(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, GOOD, name="mine", limit="1", box="", step_limit="")
    page = http.get(f"{path}?n=1").text
    assert "<h1>mine</h1>" in page
    assert "finished" in page
    job = service.jobs.get(path.rsplit("/", 1)[1])
    assert job is not None
    assert (job.options.limit, job.options.box) == (1, None)


def test_file_becomes_a_job_of_its_name(http: FlaskClient) -> None:
    data = {"name": "", "text": "", "file": (io.BytesIO(f"{GOOD}\n".encode()), "batch 7.txt")}
    answer = http.post("/jobs", data=data)
    assert answer.status_code == 303
    assert "<h1>batch 7.txt</h1>" in http.get(answer.headers["Location"]).text


def test_rejected_upload_shows_the_message_and_the_form_contents(http: FlaskClient) -> None:
    data = {"limit": "7", "name": "<mine>", "text": "hello <b>\nthere"}
    answer = http.post("/jobs", data=data, content_type="multipart/form-data")
    assert answer.status_code == 400
    assert "Line 1, column 1: No puzzle format matches" in answer.text
    assert "hello &lt;b&gt;\nthere</textarea>" in answer.text
    assert 'value="&lt;mine&gt;"' in answer.text
    assert 'value="7"' in answer.text


def test_option_that_cannot_be_used_is_pointed_at(http: FlaskClient) -> None:
    data = {"box": "9q9", "text": GOOD}
    answer = http.post("/jobs", data=data, content_type="multipart/form-data")
    assert answer.status_code == 422
    field = re.search(r'<input id="box"[^>]*>', answer.text)
    assert field is not None
    assert 'aria-invalid="true"' in field[0]
    assert '<small id="box-fault" class="fault">“Box shape” must be rows x columns' in answer.text
    assert '<details class="options" open>' in answer.text


def test_upload_page_offers_webhooks_where_the_operator_allows_them(
    http: FlaskClient, service: Service
) -> None:
    assert "Webhook" not in http.get("/").text
    asked = dataclasses.replace(service.settings, webhook_hosts=("hooks.example",))
    http = create_app(service=dataclasses.replace(service, settings=asked)).test_client()
    assert "A webhook needs one: whsec_" in http.get("/").text
    data = {"text": GOOD, "webhook": "http://other.example/"}
    answer = http.post("/jobs", data=data, content_type="multipart/form-data")
    assert answer.status_code == 422
    assert 'id="webhook" name="webhook" type="url" value="http://other.example/"' in answer.text
    assert re.search(r'<small id="webhook-fault" class="fault">[^<]* other\.example<', answer.text)
    job = submit_form(http, GOOD, webhook="https://hooks.example/", webhook_secret=SECRET)
    page = http.get(job).text
    assert "A notification will be sent to <code>https://hooks.example/</code>" in page
    assert SECRET not in page
    assert submit_form(http, GOOD, webhook="", webhook_secret="")
    known = dataclasses.replace(asked, webhook_secret=SECRET)
    http = create_app(service=dataclasses.replace(service, settings=known)).test_client()
    assert "Without one, the operator’s secret is used." in http.get("/").text


@pytest.mark.parametrize("body", [b"", b"--x\r\n", b"--x\r\nrubbish\r\n\r\n--x--", b"\0\xff" * 50])
def test_malformed_form_is_rejected(http: FlaskClient, body: bytes) -> None:
    answer = http.post("/jobs", data=body, content_type="multipart/form-data; boundary=x")
    assert answer.status_code == 400
    assert "Your upload was not accepted" in answer.text


def test_running_job_reloads_itself_without_scripts(http: FlaskClient, service: Service) -> None:
    path = submit_form(http, GOOD)
    page = http.get(path).text
    assert '<noscript><meta http-equiv="refresh"' in page
    assert "Stop the job" in page
    assert "Download" not in page
    work(service)
    page = http.get(f"{path}?n=1").text
    assert "refresh" not in page
    assert "Download" in page


def test_job_with_one_puzzle_opens_its_page(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, GOOD)
    answer = http.get(path)
    assert (answer.status_code, answer.location) == (303, f"{path}/puzzles/1")
    # The list of results is still there, and linked from the puzzle.
    assert f'href="{path}?n=1"' in http.get(answer.location).text
    assert numbers(http.get(f"{path}?n=1").text) == [1]
    assert http.get(finished(http, service, f"{GOOD}\n{GOOD}")).status_code == 200


def test_results_come_in_pages(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{CLASSIC}\n" * 120)
    assert numbers(http.get(path).text) == list(range(1, 51))
    last = http.get(f"{path}?offset=100").text
    assert numbers(last) == list(range(101, 121))
    assert 'rel="next"' not in last
    assert 'rel="prev"' in last


@pytest.mark.parametrize("offset", ["-5", "x", "9" * 30, "0"])
def test_no_offset_breaks_the_page(http: FlaskClient, service: Service, offset: str) -> None:
    path = finished(http, service, GOOD)
    assert http.get(f"{path}?offset={offset}").status_code == 200


def test_downloads_are_labeled_with_their_contents(http: FlaskClient, service: Service) -> None:
    page = http.get(f"{finished(http, service, GOOD)}?n=1").text
    labels = dict(re.findall(r"results\?format=(\w+)[^>]*>([^<]*)</a>", page))
    assert labels["txt"] == "Solutions only (txt)"
    assert labels["sdm"] == "Puzzles only (sdm)"
    assert labels["grid"] == "Drawn solutions (grid)"


def test_empty_page_of_a_running_job_has_no_pages_to_turn(http: FlaskClient) -> None:
    page = http.get(submit_form(http, f"{CLASSIC}\n" * 120)).text
    assert "No results yet." in page
    assert "of 120</span>" not in page.split('id="paging"')[1]
    assert 'rel="next"' not in page


def test_puzzle_is_found_by_its_number(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{CLASSIC}\n" * 120)
    answer = http.get(f"{path}?n=77")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"{path}?offset=50#n77"
    assert http.get(f"{path}?n=121").status_code == 200


def test_results_are_filtered_by_outcome(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{CLASSIC}\n{TWICE}\n" * 60)
    page = http.get(f"{path}?outcome=invalid&offset=50").text
    assert numbers(page) == list(range(102, 121, 2))
    assert "51–60 of 60" in page
    assert "outcome=invalid" in page
    assert numbers(http.get(f"{path}?outcome=nonsense").text) == list(range(1, 51))


def test_invalid_records_say_why(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{GOOD}\n{CONFLICT}\n<script>\n")
    page = http.get(path).text
    assert "1 twice in row 1: r1c1, r1c2" in page
    assert '<text class="wrong" x="10 30" y="15">11</text>' in page
    assert "&lt;script&gt;" in page


def test_puzzle_page_shows_the_solution(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, f"{GOOD}\n{CONFLICT}\nxx\n")
    page = http.get(f"{path}/puzzles/1").text
    assert SOLVED in page
    assert "has exactly one solution" in page
    assert "1 twice in row 1" in http.get(f"{path}/puzzles/2").text
    assert "The record as uploaded" in http.get(f"{path}/puzzles/3").text
    assert http.get(f"{path}/puzzles/4").status_code == 404


def test_solutions_asked_for_are_drawn(http: FlaskClient, service: Service) -> None:
    path = finished(http, service, "." * 16, limit="20")
    page = http.get(f"{path}/puzzles/1").text
    assert "Solutions 1–20 of 20 or more" in page
    assert "20 or more" in page
    assert page.count("<figure>") == 20


def differences_on(page: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the cells (row, column from 0) that a page marks as different and as found."""
    overlay = re.search(r'<g class="overlay differences">(.*?)</g>', page)
    assert overlay is not None
    cells: dict[bool, set[tuple[int, int]]] = {True: set(), False: set()}
    for kind, places, y in re.findall(r'<text class="([^"]*)" x="([^"]*)" y="([^"]*)"', overlay[1]):
        cells[kind == "found"] |= {
            (int(float(y)) // 20, int(float(x)) // 20) for x in places.split()
        }
    return cells[False], cells[True]


@pytest.mark.parametrize("puzzle", ["1..4............", "12..34..........", "." * 16])
@pytest.mark.parametrize("limit", [3, 7, 20, 1000])
@pytest.mark.parametrize("options", [{}, {"true_candidates": "true"}], ids=["listed", "candidates"])
def test_only_proven_differences_between_solutions_are_shown(
    http: FlaskClient, service: Service, puzzle: str, limit: int, options: dict[str, str]
) -> None:
    path = finished(http, service, puzzle, limit=str(limit), **options)
    page = http.get(f"{path}/puzzles/1").text
    grids = np.array(solve(puzzle, limit=1000).listed)
    truly = {divmod(int(cell), 4) for cell in np.flatnonzero((grids != grids[0]).any(axis=0))}
    differing, found = differences_on(page)
    assert differing <= truly
    assert not found & truly
    is_complete = bool(options) or limit > len(grids)
    assert (differing == truly) or not is_complete
    assert ("Empty cells may differ as well" in page) != is_complete


def test_number_of_compared_solutions_is_shown(
    http: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pages.puzzle._MAX_COMPARED", 0)
    path = finished(http, service, "." * 16, limit="1000")
    page = http.get(f"{path}/puzzles/1").text
    assert "Based on 50 of 288 solutions." in page
    assert "Solutions 1–50 of 288</h2>" in page
    assert differences_on(page)[1] == set()


def test_single_requested_solution_is_not_called_unique(
    http: FlaskClient, service: Service
) -> None:
    path = finished(http, service, GOOD, limit="1")
    page = http.get(f"{path}/puzzles/1").text
    assert "unknown" in page
    assert "exactly one" not in page


@pytest.mark.parametrize("box", ["1x1", "2x3", "4x4", "5x5", "6x6"])
def test_board_of_every_size_is_shown(http: FlaskClient, service: Service, box: str) -> None:
    rows, columns = map(int, box.split("x"))
    size = rows * columns
    text = " ".join(["1"] + ["."] * (size**2 - 1))
    puzzle = f'{{"puzzle": "{text}"}}'
    path = finished(http, service, puzzle, box=box, limit="1", step_limit="50")
    assert "<svg" in http.get(f"{path}/puzzles/1").text
    assert ('<svg class="board' in http.get(f"{path}?n=1").text) == (size <= LARGEST_SMALL_BOARD)


def test_job_is_cancelled_and_deleted(http: FlaskClient) -> None:
    path = submit_form(http, GOOD)
    answer = http.post(f"{path}/cancel")
    assert (answer.status_code, answer.headers["Location"]) == (303, path)
    assert "cancelled" in http.get(path).text
    answer = http.post(f"{path}/delete")
    assert answer.status_code == 303
    assert "were deleted" in http.get(answer.headers["Location"]).text
    assert http.get(path).status_code == 404


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/jobs/none", "Job not found"),
        ("/jobs/none/puzzles/1", "Job not found"),
        ("/nowhere", "Not found"),
    ],
)
def test_missing_page_is_friendly(http: FlaskClient, path: str, title: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 404
    assert f"<h1>{title}</h1>" in answer.text
    assert "Check that the URL is complete." in answer.text
    assert "Upload puzzles" in answer.text


def test_pages_have_no_inline_script_or_style_and_no_outside_host(
    http: FlaskClient, service: Service
) -> None:
    running = submit_form(http, GOOD)
    job = finished(http, service, f"{GOOD}\nxx\n")
    for path in ("/", running, job, f"{job}/puzzles/1", f"{job}/puzzles/2", "/jobs/none"):
        answer = http.get(path)
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", answer.text), path
        # Links may lead to other hosts, but no resource may be loaded from one.
        loaded = re.sub(r'<a [^>]*rel="noopener noreferrer">', "", answer.text)
        for address in re.findall(r'(?:src|href|action)="([^"]*)"', loaded):
            assert not re.match(r"(?:https?:)?//", address), address


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.01, "under 0.1 s"), (3.14, "3.1 s"), (75, "1 min 15 s"), (3600, "1 h"), (604_800, "7 d"),
     (59.7, "1 min"), (90_061, "1 d 1 h")],
)  # fmt: skip
def test_duration_is_shown_in_two_units(seconds: float, shown: str) -> None:
    assert show_duration(seconds) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0"), (7, "7"), (0.25, "0.2"), (12.5, "12"), (1_234_567.8, "1,234,568")],
)
def test_number_is_shown_with_commas(number: float, shown: str) -> None:
    assert show_number(number) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(4 << 30, "4 GiB"), (1 << 20, "1 MiB"), (1536, "1,536 bytes"), (0, "0 bytes")],
)
def test_bytes_are_shown_in_the_largest_whole_unit(number: int, shown: str) -> None:
    assert show_bytes(number) == shown


def test_page_of_a_job_reports_that_no_worker_is_running(http: Any, service: Service) -> None:
    path = submit_form(http, GOOD)
    assert "No worker is running" in http.get(path).text
    service.registry.beat(WorkerInfo(name="w", slots=2, started_at=1.0))
    assert "No worker is running" not in http.get(path).text


def test_waiting_job_and_worker_show_what_is_being_compiled(http: Any, service: Service) -> None:
    path = submit_form(http, GOOD)
    worker = WorkerInfo(name="w", slots=2, started_at=1.0, preparing="all other boards, ratings")
    service.registry.beat(worker)
    assert "compiling all other boards, ratings" in http.get(path).text
    assert "Compiling all other boards, ratings" in http.get("/workers").text
    [shown] = http.get("/api/v1/workers").json["workers"]
    assert shown["compiling"] == "all other boards, ratings"
    service.registry.beat(replace(worker, preparing=""))
    assert "compiling" not in http.get(path).text
    assert "Idle" in http.get("/workers").text
    assert http.get("/api/v1/workers").json["workers"][0]["compiling"] is None


def test_pages_name_the_code_that_they_wait_for(http: Any, service: Service) -> None:
    plain = finished(http, service, CLASSIC)
    rated = submit_form(http, GOOD, rate="true")
    compiling = "all other boards, ratings and explanations"
    missing = ["GENERAL", "LOGIC", "SOMETHING_NEW"]
    worker = WorkerInfo(name="w", slots=2, started_at=1.0, missing=missing, preparing=compiling)
    service.registry.beat(worker)
    assert "This job waits for: ratings and explanations." in http.get(rated).text
    waiting = http.get(f"{plain}/puzzles/1").text
    assert (
        f"Working out the steps. This waits until the workers have compiled {compiling}," in waiting
    )
    unrated = http.get(submit_form(http, GOOD)).text
    assert "Only puzzles that need this code wait for it." in unrated
    service.registry.beat(replace(worker, preparing=""))
    assert "Working out the steps. This page refreshes" in http.get(f"{plain}/puzzles/1").text


def test_report_of_an_older_worker_is_shown(http: Any, service: Service) -> None:
    path = submit_form(http, GOOD, rate="true")
    service.registry.beat(WorkerInfo(name="w", slots=2, started_at=1.0))
    report = {"name": "w", "slots": 2, "started_at": 1.0, "preparing": "ratings and explanations"}
    service.redis.set(keys.worker("w"), json.dumps(report), ex=60)
    page = http.get(path).text
    assert "The workers are still compiling ratings and explanations." in page
    assert "Only puzzles that need this code wait for it." in page


def test_page_of_an_unsolved_puzzle_leads_back_to_its_job(http: FlaskClient) -> None:
    path = submit_form(http, GOOD)
    answer = http.get(f"{path}/puzzles/1")
    assert answer.status_code == 409
    assert re.search(
        rf'href="{path.removeprefix("http://localhost")}">Back to the job<', answer.text
    )
