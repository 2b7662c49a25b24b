"""Picture sudokus: small images replace the symbols on a job's pages."""

import io
import re
from typing import Any

import pytest

from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

PUZZLE, SOLVED = "12.4...2....4..1", "1234341221434321"
PNG = b"\x89PNG\r\n\x1a\n"


def job(http: Any, service: Service, text: str = PUZZLE) -> str:
    found = http.post("/api/v1/jobs", data=text, content_type="text/plain").json
    ChunkRunner(service, worker="here").run(found["id"], 0)
    return str(found["id"])


def send(http: Any, path: str, *files: tuple[str, bytes]) -> Any:
    data = {"pictures": [(io.BytesIO(content), name) for name, content in files]}
    return http.post(path, data=data, content_type="multipart/form-data")


FOUR = [(f"{n}.png", PNG + bytes([n])) for n in (1, 2, 3, 4)]


def drawn(page: str) -> list[int]:
    return [int(value) for value in re.findall(r'<image href="[^"]*/pictures/(\d+)"', page)]


def test_boards_are_drawn_with_the_pictures(http: Any, service: Service) -> None:
    job_id = job(http, service)
    page = f"/jobs/{job_id}"
    results = f"{page}?view=table"
    assert drawn(http.get(results).text) == []
    assert send(http, f"{page}/pictures", *FOUR).status_code == 303
    assert drawn(http.get(results).text) == [int(c) for c in SOLVED]
    assert drawn(http.get(f"{page}/puzzles/1").text) == [int(c) for c in SOLVED]
    answer = http.get(f"{page}/pictures/3")
    assert (answer.data, answer.mimetype) == (PNG + b"\3", "image/png")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_letters_and_emoji_have_pictures_too(http: Any, service: Service) -> None:
    table = str.maketrans("1234", "🐱🐶🐸🐼")
    job_id = job(http, service, "12.4...2...34..1".translate(table))
    send(http, f"/jobs/{job_id}/pictures", *FOUR)
    assert drawn(http.get(f"/jobs/{job_id}?view=table").text) == [int(c) for c in SOLVED]


def test_pictures_of_a_page_are_sorted_by_name_and_of_the_api_are_not(
    http: Any, service: Service
) -> None:
    job_id = job(http, service)
    shuffled = [("p10.png", PNG + b"10"), ("p2.png", PNG + b"2")]
    send(http, f"/jobs/{job_id}/pictures", *shuffled)
    assert http.get(f"/jobs/{job_id}/pictures/1").data == PNG + b"2"
    assert send(http, f"/api/v1/jobs/{job_id}/pictures", *shuffled).status_code == 204
    assert http.get(f"/jobs/{job_id}/pictures/1").data == PNG + b"10"


def test_sending_no_files_removes_the_images(http: Any, service: Service) -> None:
    job_id = job(http, service)
    send(http, f"/jobs/{job_id}/pictures", *FOUR)
    send(http, f"/jobs/{job_id}/pictures", ("", b""))
    assert http.get(f"/jobs/{job_id}/pictures/1").status_code == 404
    assert drawn(http.get(f"/jobs/{job_id}?view=table").text) == []


@pytest.mark.parametrize(
    ("files", "status", "detail"),
    [
        ([("a.svg", b"<svg/>")], 422, "a.svg isn't a PNG, JPEG, GIF, or WebP image"),
        ([("a.png", b"hello")], 422, "a.png isn't a PNG, JPEG, GIF, or WebP image"),
        ([("a.png", PNG + b"x" * 65_536)], 413, "a.png is larger than 65,536 bytes"),
        ([("a.png", PNG)] * 101, 422, "expected at most 100 images, one per value, not 101"),
    ],
)
def test_invalid_images_are_rejected(
    http: Any, service: Service, files: list[tuple[str, bytes]], status: int, detail: str
) -> None:
    answer = send(http, f"/api/v1/jobs/{job(http, service)}/pictures", *files)
    assert (answer.status_code, answer.json["detail"]) == (status, detail)


def test_pictures_are_deleted_with_their_job(http: Any, service: Service) -> None:
    job_id = job(http, service)
    send(http, f"/jobs/{job_id}/pictures", *FOUR)
    http.delete(f"/api/v1/jobs/{job_id}")
    assert service.images.count(job_id) == 0
    assert send(http, f"/api/v1/jobs/{job_id}/pictures", *FOUR).status_code == 404


def test_unknown_numbers_of_pictures_and_puzzles_are_not_found(http: Any, service: Service) -> None:
    page = f"/jobs/{job(http, service)}"
    for number in (0, 65, 1 << 31, 1 << 64, 10**400, "9" * 3_900):
        assert http.get(f"{page}/pictures/{number}").status_code == 404
        assert http.get(f"{page}/puzzles/{number}").status_code == 404
        assert http.get(f"/api/v1{page}/puzzles/{number}").status_code == 404


def test_pictures_are_refused_where_the_store_is_nearly_full(
    http: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"/jobs/{job(http, service)}"
    monkeypatch.setattr(type(service.health), "has_room", lambda _: False)
    for path in (page, f"/api/v1{page}"):
        answer = send(http, f"{path}/pictures", *FOUR)
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
    assert service.images.count(page.rpartition("/")[2]) == 0


@pytest.mark.parametrize("kind", ["image/png", "application/json", "application/octet-stream"])
def test_body_that_is_not_a_form_keeps_the_images(http: Any, service: Service, kind: str) -> None:
    page = f"/jobs/{job(http, service)}"
    send(http, f"/api/v1{page}/pictures", *FOUR)
    assert http.post(f"/api/v1{page}/pictures", data=PNG, content_type=kind).status_code == 415
    assert http.get(f"{page}/pictures/4").status_code == 200
    assert http.post(f"/api/v1{page}/pictures").status_code == 204
    assert http.get(f"{page}/pictures/4").status_code == 404
