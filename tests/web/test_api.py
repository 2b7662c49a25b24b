import gzip
import io
import json
import re
from typing import Any

import pytest
import zstandard
from http_jobs import post, results, work
from jobs import open_job

from solver.formats import Splitter
from web.api.openapi import describe
from web.app import create_app
from worker.ingest import stream
from worker.service import Service
from worker.settings import Settings

GOOD = "12.4...2....4..1"
SOLVED = "1234341221434321"


def test_upload_is_accepted_and_its_answers_fetched_later(http: Any, service: Service) -> None:
    answer = post(http, f"# mine\n{GOOD}\n\nxx\n")
    assert answer.status_code == 202
    assert answer.headers["Location"].endswith(f"/api/v1/jobs/{answer.json['id']}")
    assert int(answer.headers["Retry-After"]) > 0
    early = http.get(f"/api/v1/jobs/{answer.json['id']}/results")
    assert early.status_code == 409
    work(service)
    job = http.get(answer.headers["Location"]).json
    assert (job["state"], job["total"], job["done"]) == ("finished", 2, 2)
    assert results(http, job)[0] == {
        "n": 1, "line": 2, "puzzle": GOOD, "outcome": "solved", "solution": SOLVED,
        "solutions": 1, "unique": True, "steps": 0, "rating": None, "detail": None,
        "name": None,
    }  # fmt: skip
    assert results(http, job)[1]["outcome"] == "invalid"
    assert results(http, job)[1]["line"] == 4


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress, bytes])
@pytest.mark.parametrize("kind", ["form", "raw", "put"])
def test_upload_arrives_in_every_wrapping(
    pack: Any, kind: str, http: Any, service: Service
) -> None:
    body = pack(f"{GOOD}\n".encode() * 3)
    if kind == "form":
        answer = http.post(
            "/api/v1/jobs", data={"limit": "3", "file": (io.BytesIO(body), "mine.txt")}
        )
    elif kind == "raw":
        answer = http.post("/api/v1/jobs?limit=3&name=mine.txt", data=body)
    else:
        answer = http.put("/api/v1/jobs/mine.txt?limit=3", data=body)
    assert answer.status_code == 202, answer.data
    work(service)
    job = http.get(f"/api/v1/jobs/{answer.json['id']}").json
    assert (job["name"], job["total"], job["options"]["limit"]) == ("mine.txt", 3, 3)
    assert results(http, job)[2]["all_solutions"] == [SOLVED]


def test_json_body_carries_puzzles_and_options(http: Any, service: Service) -> None:
    puzzles = [GOOD, [[1, 2, 0, 4], [0, 0, 0, 2], [0] * 4, [4, 0, 0, 1]], {"puzzle": GOOD}]
    answer = http.post("/api/v1/jobs", json={"puzzles": puzzles, "options": {"limit": 1}})
    assert answer.status_code == 202
    work(service)
    found = results(http, answer.json)
    assert [row["solution"] for row in found] == [SOLVED] * 3
    assert [row["unique"] for row in found] == [None] * 3
    unknown = http.post("/api/v1/jobs", json={"puzzles": [], "killer": 1})
    assert (unknown.status_code, unknown.json["field"]) == (422, "killer")


def test_fields_may_follow_a_small_file(http: Any) -> None:
    file = (io.BytesIO(GOOD.encode()), "a.txt")
    answer = http.post("/api/v1/jobs", data={"file": file, "limit": "7"})
    assert answer.json["options"]["limit"] == 7


def test_pasted_text_is_an_upload_too(http: Any) -> None:
    for fields, status in (({"text": GOOD}, 202), ({}, 400)):
        empty = (io.BytesIO(b""), "")
        answer = http.post("/api/v1/jobs", data={**fields, "file": empty})
        assert answer.status_code == status


@pytest.mark.parametrize(
    ("field", "value"),
    [("limit", "0"), ("limit", "x"), ("limit", "10001"), ("step_limit", "-1"), ("box", "3"),
     ("box", "11x11"), ("variant", "diagonal,thermo"),
     ("format", "nope"), ("nope", "1")],
)  # fmt: skip
def test_option_that_cannot_be_used_is_named(field: str, value: str, http: Any) -> None:
    answer = post(http, GOOD, **{field: value})
    assert answer.status_code == 422
    assert answer.content_type == "application/problem+json"
    assert answer.json["field"] == field


def test_options_that_are_switched_off_are_no_fault(http: Any) -> None:
    assert post(http, GOOD, rate="false", explain="0", box="").status_code == 202


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"", 400), (b"hello\n", 400), (b"\0\0", 400), (b"\x1f\x8bnot gzip", 400),
     (gzip.compress(GOOD.encode(), mtime=0)[:-9], 400), (b"PK\x03\x04", 400),
     (zstandard.compress(b"1")[:-1] + b"xxxx", 400)],
)  # fmt: skip
def test_upload_that_cannot_be_read_leaves_nothing(
    body: bytes, status: int, http: Any, service: Service
) -> None:
    answer = post(http, body)
    assert answer.status_code == status
    assert answer.json["detail"]
    assert service.redis.keys("sudokuq:{*") == []


def test_bounds_are_reported(settings: Settings) -> None:
    from dataclasses import replace

    from worker.service import connect_service

    tight = replace(settings, max_upload_bytes=1000, max_puzzles=5, max_jobs_per_client=1)
    service = connect_service(tight)
    http = create_app(service=service).test_client()
    assert "1,000 bytes" in post(http, f"{GOOD}\n" * 100).json["detail"]
    bomb = post(http, gzip.compress(b"1" * 10_000_000))
    assert bomb.status_code == 413
    assert "5 puzzles" in post(http, f"{GOOD}\n" * 6).json["detail"]
    assert post(http, GOOD).status_code == 202
    answer = post(http, GOOD)
    assert answer.status_code == 429
    assert answer.headers["Retry-After"]
    service.app.close()
    service.redis.close()


def test_idempotency_key_leads_to_the_first_job(http: Any) -> None:
    def send(body: str, key: str) -> Any:
        return http.post("/api/v1/jobs", data=body, headers={"Idempotency-Key": key})

    first = send(GOOD, "k")
    assert first.status_code == 202
    assert send(GOOD, "k").json["id"] == first.json["id"]
    assert send(GOOD + "\n", "k").status_code == 422
    assert send(GOOD, "other").json["id"] != first.json["id"]
    assert send("nonsense", "again").status_code == 400
    assert send(GOOD, "again").status_code == 202


def test_etag_saves_the_body_until_something_changes(http: Any, service: Service) -> None:
    job = post(http, GOOD).json
    url = f"/api/v1/jobs/{job['id']}"
    tag = http.get(url).headers["ETag"]
    assert http.get(url, headers={"If-None-Match": tag}).status_code == 304
    work(service)
    assert http.get(url, headers={"If-None-Match": tag}).status_code == 200
    assert http.get(f"{url}?wait=x").status_code == 422


def test_results_are_written_in_every_format(http: Any, service: Service) -> None:
    job = post(http, f"{GOOD}\n-=1\n{'.' * 16}\n").json
    work(service)
    url = f"/api/v1/jobs/{job['id']}/results"
    table = http.get(f"{url}?format=csv").data.decode().splitlines()
    assert table[0] == "n,line,puzzle,outcome,solution,solutions,unique,steps,rating,detail,name"
    assert table[1] == f"1,1,{GOOD},solved,{SOLVED},1,true,0,,,"
    assert table[2].startswith("2,2,'-=1,invalid,")
    text = http.get(f"{url}?format=txt").data.decode().split("\n")
    assert text[:2] == [SOLVED, ""]
    assert http.get(f"{url}?format=xml").status_code == 422


def test_results_are_filtered_and_paged(http: Any, service: Service) -> None:
    job = post(http, f"{GOOD}\n{'.' * 16}\n" * 10).json
    work(service)

    def numbers(**query: str) -> list[int]:
        return [row["n"] for row in results(http, job, **query)]

    assert numbers(offset="3", count="4") == [4, 5, 6, 7]
    assert numbers(outcome="multiple") == list(range(2, 21, 2))
    assert numbers(outcome="multiple", offset="2", count="3") == [6, 8, 10]
    assert numbers(outcome="solved,multiple") == list(range(1, 21))
    assert numbers(outcome="failed") == []
    url = f"/api/v1/jobs/{job['id']}/results"
    assert http.get(f"{url}?outcome=nope").status_code == 422
    assert http.get(f"{url}?offset=-1").status_code == 422


def test_partial_is_true_or_false(http: Any) -> None:
    job = post(http, GOOD).json
    answer = http.get(f"/api/v1/jobs/{job['id']}/results?partial=maybe")
    assert (answer.status_code, answer.json["field"]) == (422, "partial")
    assert answer.json["detail"] == "'partial' must be true or false, not 'maybe'"


@pytest.mark.parametrize("name", ["outcom", "Outcome", "partal", "limit"])
def test_unknown_name_in_the_query_of_results_is_refused(name: str, http: Any) -> None:
    job = post(http, GOOD).json
    answer = http.get(f"/api/v1/jobs/{job['id']}/results?format=csv&{name}=1")
    assert (answer.status_code, answer.json["field"]) == (422, name)
    assert f"Unknown query parameter {name!r}" in answer.json["detail"]


def test_results_accept_documented_parameters_and_cache_busters(
    http: Any, service: Service
) -> None:
    job = post(http, GOOD, rate="1", minlex="1").json
    work(service)
    described = describe(service.settings)["paths"]["/api/v1/jobs/{job_id}/results"]["get"]
    values = {
        "format": "jsonl", "outcome": "solved", "rating": "1.0..", "sort": "steps",
        "technique": "Naked Single", "search": "1", "duplicates": "without", "numbers": "1-3",
        "finding": "publishable", "sudokuq_rating": "20..500", "offset": "0",
        "count": "5", "partial": "1", "bom": "0",
    }  # fmt: skip
    names = {part["name"] for part in described["parameters"] if part["in"] == "query"}
    others = {
        "augment", "split", "seed",  # see `test_datasets.py`
        "size", "show", "ink",  # see `books/test_pictures.py`
        "title", "author", "page", "bleed", "per_page", "chapters", "cover", "heads",
        "page_numbers", "solutions", "hints", "rules", "large_print", "preset",  # `test_books.py`
    }  # fmt: skip
    assert names == set(values) | others
    query = values | {"_": "123", "_t": "4"}
    assert http.get(f"/api/v1/jobs/{job['id']}/results", query_string=query).status_code == 200


def test_pages_of_a_rare_outcome_read_only_chunks_that_contain_it(
    http: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    rare, blank = f"{'.' * 16}\n", f"{GOOD}\n"
    monkeypatch.setattr(
        stream, "Splitter", lambda recognized, **_: Splitter(recognized, max_records=10)
    )
    job = post(http, "".join([blank * 95, rare, blank * 54, rare * 2, blank * 48])).json
    work(service)
    assert service.jobs.get(job["id"]).chunks == 20  # type: ignore[union-attr]

    def reads(**query: str) -> tuple[list[int], int]:
        service.redis.config_resetstat()
        numbers = [row["n"] for row in results(http, job, outcome="multiple", **query)]
        return numbers, service.redis.info("commandstats")["cmdstat_lrange"]["calls"]

    assert reads() == ([96, 151, 152], 2)
    assert reads(count="1") == ([96], 1)
    assert reads(offset="1", count="1") == ([151], 1)
    assert reads(offset="2") == ([152], 1)
    assert [row["n"] for row in results(http, job, outcome="failed")] == []


def test_failed_job_reports_the_reason(http: Any, service: Service) -> None:
    job = post(http, f"{GOOD}\n").json
    assert job["fault"] is None
    service.chunks.fail(job["id"], fault="its puzzles are gone")
    seen = http.get(f"/api/v1/jobs/{job['id']}").json
    assert (seen["state"], seen["fault"]) == ("failed", "its puzzles are gone")


def test_download_resumes_where_it_was_interrupted(http: Any, service: Service) -> None:
    job = post(http, f"{GOOD}\nnone\n" * 40).json
    work(service)
    whole = http.get(f"/api/v1/jobs/{job['id']}/results").data
    begun = whole[: len(whole) // 3]
    arrived = begun[: begun.rfind(b"\n") + 1]
    last = json.loads(arrived.splitlines()[-1])["n"]
    rest = http.get(f"/api/v1/jobs/{job['id']}/results?offset={last}").data
    assert arrived + rest == whole


def test_one_result_has_its_grid_and_candidates(http: Any, service: Service) -> None:
    job = post(http, f"{GOOD}\nxx\n").json
    work(service)
    found = http.get(f"/api/v1/jobs/{job['id']}/puzzles/1").json
    assert found["grid"][0] == ["1", "2", None, "4"]
    assert found["candidates"][0] == [[], [], ["3"], []]
    assert found["solution_grid"][3] == ["4", "3", "2", "1"]
    assert found["explanation"] is None
    assert http.get(f"/api/v1/jobs/{job['id']}/puzzles/2").json["grid"] is None
    assert http.get(f"/api/v1/jobs/{job['id']}/puzzles/3").status_code == 404
    assert http.get(f"/api/v1/jobs/{job['id']}/puzzles/0").status_code == 404


def test_cancel_and_delete(http: Any) -> None:
    job = post(http, GOOD).json
    url = f"/api/v1/jobs/{job['id']}"
    assert http.post(f"{url}/cancel").json["state"] == "cancelled"
    assert http.delete(url).status_code == 204
    for answer in (http.get(url), http.delete(url), http.post(f"{url}/cancel")):
        assert answer.status_code == 404


def test_cancelled_job_reports_that_a_puzzle_was_not_done(http: Any) -> None:
    url = f"/api/v1/jobs/{post(http, GOOD).json['id']}"
    early = http.get(f"{url}/puzzles/1")
    assert (early.status_code, early.headers["Retry-After"]) == (409, "1")
    assert early.json["detail"] == "the job is queued, and puzzle 1 isn't solved yet"
    assert http.get(f"{url}/puzzles/2").status_code == 404
    http.post(f"{url}/cancel")
    late = http.get(f"{url}/puzzles/1")
    assert late.status_code == 404
    assert late.json["detail"] == "the job is cancelled, and puzzle 1 was not solved"


def test_a_missing_puzzle_is_a_conflict_while_its_job_is_uploading(
    http: Any, service: Service
) -> None:
    url = f"/api/v1/jobs/{open_job(service, chunks=1)}"
    assert http.get(f"{url}/puzzles/1").status_code == 409
    assert http.get(f"{url}/puzzles/1000").status_code == 409
    assert http.get(f"{url}/puzzles/0").status_code == 404
    assert "solved yet" in http.get(f"{url.removeprefix('/api/v1')}/puzzles/1").text


def test_the_list_of_jobs_refuses_unknown_parameters(http: Any) -> None:
    refused = http.get("/api/v1/jobs?curser=1")
    assert (refused.status_code, refused.json["field"]) == (422, "curser")
    assert "Did you mean 'cursor'?" in refused.json["detail"]
    assert "cursor, count" in http.get("/api/v1/jobs?status=running").json["detail"]
    assert http.get("/api/v1/jobs?count=2&_=17").status_code == 200


@pytest.mark.parametrize("key", ["", "k" * 256])
def test_an_idempotency_key_without_or_with_too_many_characters_is_a_bad_request(
    http: Any, key: str
) -> None:
    answer = http.post("/api/v1/jobs", data=GOOD, headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json["type"]) == (400, "/errors/bad-request")
    assert f"{len(key)} characters" in answer.json["detail"]


@pytest.mark.parametrize("coding", ["", "gzip"])
def test_error_for_a_large_json_body_names_the_alternatives(
    http: Any, coding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from web.uploads import accept

    body = json.dumps({"puzzles": [GOOD] * 100})
    monkeypatch.setattr(accept, "_MAX_JSON_BYTES", 1_000)
    packed = {"Content-Encoding": coding} if coding else {}
    sent = gzip.compress(body.encode()) if coding else body.encode()
    answer = http.post("/api/v1/jobs", data=sent, headers=packed, content_type="application/json")
    assert (answer.status_code, answer.json["type"]) == (413, "/errors/too-large")
    for word in ("64 MiB", "NDJSON", "multipart"):
        assert word in answer.json["detail"]
    documented = http.get("/api/openapi.json").json["components"]["schemas"]["Batch"]
    assert "64 MiB" in documented["description"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("path", ["jobs", "solve?wait=0"])
def test_json_is_read_as_windows_programs_save_it(path: str, encoding: str, http: Any) -> None:
    body = {"puzzles": [GOOD]} if path == "jobs" else {"puzzle": GOOD}
    answer = http.post(
        f"/api/v1/{path}",
        data=json.dumps(body).encode(encoding),
        content_type="application/json",
    )
    assert answer.status_code == 202, answer.data


def test_repeated_parameters_form_a_list(http: Any, service: Service) -> None:
    answer = http.post(
        "/api/v1/jobs?variant=diagonal&variant=antiknight",
        data=f"{GOOD}\nxx\n{'.' * 16}\n",
        content_type="text/plain",
    )
    assert answer.json["options"]["variant"] == "diagonal,antiknight"
    answer = http.post(
        "/api/v1/jobs",
        data="variant=diagonal&text=12.4...2....4..1&variant=antiknight",
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.json["options"]["variant"] == "diagonal,antiknight"
    assert http.post("/api/v1/jobs?limit=2&limit=3", data=GOOD).status_code == 422
    job = post(http, f"{GOOD}\nxx\n{'.' * 16}\n").json
    work(service)
    url = f"/api/v1/jobs/{job['id']}/results?outcome=invalid&outcome=multiple"
    assert [json.loads(line)["n"] for line in http.get(url).data.splitlines()] == [2, 3]
    first = http.get(f"{url}&count=1")
    assert [json.loads(line)["n"] for line in first.data.splitlines()] == [2]
    following = first.headers["Link"].partition(">")[0].removeprefix("<")
    assert [json.loads(line)["n"] for line in http.get(following).data.splitlines()] == [3]


def test_requests_need_a_key_if_keys_are_enabled(settings: Settings) -> None:
    from dataclasses import replace

    http = create_app(replace(settings, api_keys=("secret",))).test_client()
    url = "/api/v1/formats"
    assert http.get(url).status_code == 401
    assert http.get(url, headers={"X-API-Key": "wrong"}).status_code == 401
    assert http.get(url, headers={"X-API-Key": "secret"}).status_code == 200
    assert http.get(url, headers={"Authorization": "Bearer secret"}).status_code == 200


def test_unavailable_redis_is_reported() -> None:
    http = create_app(Settings(redis_url="unix:///nowhere/redis.sock?db=0")).test_client()
    for path in ("/api/v1/jobs/x", "/api/v1/workers", "/readyz"):
        answer = http.get(path)
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
    assert http.get("/healthz").status_code == 200


def test_service_without_workers_is_not_ready(http: Any) -> None:
    assert http.get("/readyz").status_code == 503
    assert http.get("/api/v1/workers").json["workers"] == []
    assert b"sudokuq_workers 0.0" in http.get("/metrics").data


def test_slash_at_the_end_changes_nothing(http: Any) -> None:
    def ask(method: str, path: str) -> tuple[int, str | None]:
        query = {"wait": "0"} if "/solve" in path else {}
        answer = http.open(
            path, method=method, query_string=query, data=GOOD, content_type="text/plain",
            headers={"X-Request-Id": "same"},
        )  # fmt: skip
        return answer.status_code, (answer.get_json(silent=True) or {}).get("detail")

    asked = 0
    for rule in list(http.application.url_map.iter_rules()):
        path = re.sub("<[^>]*>", "1", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if not path.endswith("/") and not path.startswith("/static/"):
                assert ask(method, f"{path}/") == ask(method, path), f"{method} {path}"
                asked += 1
    assert asked > 30


def test_pages_load_nothing_from_elsewhere(http: Any) -> None:
    answer = http.get("/")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert b"https://" not in answer.data
