"""Pages report why a job waits: no worker is running, or code is being compiled."""

import json
from typing import Any

from http_jobs import finished, submit_form
from msgspec.structs import replace

from worker.service import Service
from worker.store import keys
from worker.store.live_workers import WorkerInfo

GOOD = "12.4...2....4..1"
CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


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
    assert "The service is still getting ready to explain puzzles." in waiting
    unrated = http.get(submit_form(http, GOOD)).text
    assert "Only puzzles that need this code wait for it." in unrated
    service.registry.beat(replace(worker, preparing=""))
    assert (
        "Hints and the difficulty will appear here. This page refreshes"
        in http.get(f"{plain}/puzzles/1").text
    )


def test_report_of_an_older_worker_is_shown(http: Any, service: Service) -> None:
    path = submit_form(http, GOOD, rate="true")
    service.registry.beat(WorkerInfo(name="w", slots=2, started_at=1.0))
    report = {"name": "w", "slots": 2, "started_at": 1.0, "preparing": "ratings and explanations"}
    service.redis.set(keys.worker("w"), json.dumps(report), ex=60)
    page = http.get(path).text
    assert "The workers are still compiling ratings and explanations." in page
    assert "Only puzzles that need this code wait for it." in page
