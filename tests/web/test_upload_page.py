"""The page that creates a job: its form, its options, and rejected uploads."""

import dataclasses
import io
import re
from html import unescape
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from http_jobs import finished, submit_form
from receiver import SECRET

from solver import Layout, Outcome, solve_many
from solver.board.puzzle import Invalid
from solver.formats import FORMATS, parse
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant, with_variants
from web.app import create_app
from web.pages.rule_pictures import example_of
from web.pages.rule_puzzles import puzzle_with
from web.pages.samples import SAMPLES
from web.pages.variant_pictures import FORBIDDEN, board_of
from worker.service import Service

GOOD = "12.4...2....4..1"
SOLVED = "1234341221434321"
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_start_with_one_click(http: FlaskClient, name: str) -> None:
    answer = http.post(f"/samples/{name}")
    assert answer.status_code == 303
    assert f"<h1>{SAMPLES[name].title}</h1>" in http.get(answer.headers["Location"]).text
    assert http.post("/samples/nothing").status_code == 404


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


def test_upload_page_offers_the_options_that_matter_most_first(http: FlaskClient) -> None:
    options = http.get("/").text.split('class="ticks"')[1].split('class="more"')[0]
    assert re.findall(r'<input id="(\w+)"', options) == ["rate", "minlex", "limit", "name"]


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


def test_puzzle_with_a_rule_is_filled_in(http: FlaskClient) -> None:
    for rule in ("thermo", "antiknight", "chaosconstruction"):
        assert puzzle_with((RULES | VARIANTS)[rule]) in unescape(http.get(f"/?rule={rule}").text)
    assert http.get("/?rule=nonsense").status_code == 200


def test_examples_of_all_rules_are_puzzles() -> None:
    rules: list[Rule | Variant] = [*RULES.values(), *VARIANTS.values()]
    for rule in rules:
        (puzzle,) = parse(example_of(rule))
        assert not isinstance(puzzle, Invalid), rule.name


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
    assert "Line 1, column 1: This can’t be read as a puzzle" in answer.text
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
