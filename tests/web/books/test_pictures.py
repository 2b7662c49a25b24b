"""Pictures of single puzzles, and archives of pictures."""

import io
import json
import re
import zipfile
from typing import Any
from xml.etree import ElementTree

import pytest
from http_jobs import post, work
from PIL import Image

from web.boards.styles import COLOR, GRAY
from web.books.pen import replace_missing_glyphs
from worker.service import Service

pytestmark = pytest.mark.redis

TINY = "12.4...2....4..1"
SOLVED = "1234341221434321"
UPLOAD = f"{TINY}\nnone\n................\n"


@pytest.fixture
def job(http: Any, service: Service) -> str:
    """Return the URL of a job with a solved, an invalid, and an ambiguous puzzle."""
    job_id = post(http, UPLOAD).json["id"]
    work(service)
    return f"/api/v1/jobs/{job_id}"


def symbols(svg: bytes) -> str:
    return "".join(each.text or "" for each in ElementTree.fromstring(svg).iter() if each.text)


def test_svg_shows_the_puzzle_its_solution_or_its_candidates(http: Any, job: str) -> None:
    puzzle = http.get(f"{job}/puzzles/1.svg")
    assert puzzle.content_type == "image/svg+xml"
    assert symbols(puzzle.data) == TINY.replace(".", "")
    solution = http.get(f"{job}/puzzles/1.svg?show=solution").data
    assert sorted(symbols(solution)) == sorted(SOLVED)
    assert len(symbols(http.get(f"{job}/puzzles/1.svg?show=candidates").data)) > len(TINY) / 2


def test_pictures_of_puzzles_do_not_show_the_regions_to_find(http: Any, service: Service) -> None:
    text = ".Shape~4x4.NoBoxes.ChaosConstruction.~R1C1_1~R1C2_2~R1C3_3~R1C4_4~R2C1_2"
    job_id = post(http, f"{text}.SameValues~4~CC1~CC2~CC3~CC4", limit="1").json["id"]
    work(service)
    url = f"/api/v1/jobs/{job_id}/puzzles/1.svg"
    border = f'stroke="{COLOR["thick"]}" stroke-width="1.8"'
    assert border in http.get(f"{url}?show=solution").text
    assert border not in http.get(url).text


def test_candidates_keep_clear_of_each_other_and_of_sums_of_cages(
    http: Any, service: Service
) -> None:
    caged = {
        "puzzle": "." * 81,
        "constraints": [{"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 14}],
    }
    job_id = post(http, json.dumps(caged)).json["id"]
    work(service)
    svg = http.get(f"/api/v1/jobs/{job_id}/puzzles/1.svg?show=candidates").data
    texts = [
        (float(each.attrib["y"]), float(each.attrib["font-size"]), "".join(each.itertext()))
        for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]
    ((sum_line, _, _),) = [text for text in texts if text[2] == "14"]
    lines = sorted({(y, size) for y, size, text in texts if text != "14"})[:3]  # of row 1
    above = [sum_line, lines[0][0], lines[1][0]]
    # The height of digits is 66% of the font size.
    assert all(y - 0.66 * size > line for (y, size), line in zip(lines, above, strict=True))


def test_png_is_as_wide_as_requested(http: Any, job: str) -> None:
    response = http.get(f"{job}/puzzles/1.png?size=123")
    assert response.content_type == "image/png"
    picture = Image.open(io.BytesIO(response.data)).convert("L")
    assert picture.size == (123, 123)
    # The middle of the first cell contains ink of the digit.
    assert min(picture.crop((8, 8, 28, 28)).tobytes()) < 100


def test_gray_pictures_contain_no_colors(http: Any, job: str) -> None:
    text = http.get(f"{job}/puzzles/1.svg?show=solution&ink=gray").text
    found = re.findall(r"\"#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\"", text)
    assert found
    assert all(red == green == blue for red, green, blue in found)
    assert COLOR.keys() == GRAY.keys()


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_archive_has_a_picture_of_each_puzzle_and_each_solution(
    kind: str, http: Any, job: str
) -> None:
    response = http.get(f"{job}/results?format={kind}&size=60")
    assert response.content_type == "application/zip"
    assert response.headers["Content-Disposition"].endswith('.zip"')
    archive = zipfile.ZipFile(io.BytesIO(response.data))
    names = [f"1.{kind}", f"1-solution.{kind}", f"3.{kind}", f"3-solution.{kind}"]
    assert archive.namelist() == names
    assert archive.testzip() is None
    only = http.get(f"{job}/results?format={kind}&show=puzzle&outcome=solved&size=60").data
    assert zipfile.ZipFile(io.BytesIO(only)).namelist() == [f"1.{kind}"]


def test_pictures_contain_the_images_of_the_job(http: Any, job: str) -> None:
    image = io.BytesIO()
    Image.new("RGB", (16, 16), "#00ff00").save(image, "PNG")
    files = [(io.BytesIO(image.getvalue()), f"{n}.png") for n in range(1, 5)]
    http.post(f"{job}/pictures", data={"pictures": files}, content_type="multipart/form-data")
    assert http.get(f"{job}/puzzles/1.svg").text.count("data:image/png;base64,") == 6
    png = http.get(f"{job}/puzzles/1.png?size=100").data
    assert Image.open(io.BytesIO(png)).convert("RGB").getpixel((14, 14)) == (0, 255, 0)


def test_damaged_images_are_explained(http: Any, job: str) -> None:
    files = [(io.BytesIO(b"\x89PNG\r\n\x1a\n" + bytes([n])), f"{n}.png") for n in range(1, 5)]
    http.post(f"{job}/pictures", data={"pictures": files}, content_type="multipart/form-data")
    for path in ("puzzles/1.png", "results?format=png", "results?format=pdf"):
        response = http.get(f"{job}/{path}")
        assert response.status_code == 422, path
        assert "an image of the job is damaged" in response.json["detail"]


def test_characters_that_no_font_has_are_drawn_as_squares() -> None:
    assert replace_missing_glyphs("5日👍🏽本") == "5□👍🏽□"


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("puzzles/1.svg?size=9", 422, "'size' must be a whole number from 50 to 4,000, not '9'"),
        ("puzzles/1.png?show=solutoin", 422, "Did you mean 'solution'?"),
        ("results?format=svg&ink=grey", 422, "Did you mean 'gray'?"),
        ("results?format=jpg", 422, "Expected one of: jsonl"),
        ("puzzles/2.svg", 404, "puzzle 2 has no board to draw"),
        ("puzzles/4.svg", 404, "the job has no puzzle 4"),
    ],
)
def test_requests_that_cannot_be_drawn_are_explained(
    path: str, status: int, words: str, http: Any, job: str
) -> None:
    response = http.get(f"{job}/{path}")
    assert response.status_code == status
    assert words in response.json["detail"]
