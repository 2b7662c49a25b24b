"""The OpenAPI description of the API, compared with routes and responses."""

import json
import re
from typing import Any

import jsonschema
from http_jobs import post, results, work

from web.api.openapi import describe
from worker.service import Service

GOOD = "12.4...2....4..1"


def test_description_covers_exactly_the_api(http: Any, service: Service) -> None:
    document = describe(service.settings)
    described = {
        (re.sub(r"{.*?}", "{}", path), method.upper())
        for path, item in document["paths"].items()
        for method in item
    }
    served = {
        (re.sub(r"<.*?>", "{}", str(rule)), method)
        for rule in http.application.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if str(rule).startswith("/api/")
    }
    assert described == served
    # Paths that differ only in the names of their variables are the same path.
    paths = document["paths"]
    assert len({re.sub(r"{.*?}", "{}", path) for path in paths}) == len(paths)
    served_document = describe(service.settings, url="http://localhost")
    assert http.get("/api/openapi.json").json == json.loads(json.dumps(served_document))
    assert b"/api/v1/jobs" in http.get("/api/docs").data


def test_responses_match_their_schemas(http: Any, service: Service) -> None:
    job = post(http, f"{GOOD}\nxx\n", limit="3").json
    url = f"/api/v1/jobs/{job['id']}"
    work(service)
    schemas = json.loads(json.dumps(describe(service.settings)["components"]["schemas"]))
    responses = [
        ("Job", job),
        ("Job", http.get(url).json),
        ("Row", results(http, job)[0]),
        ("Puzzle", http.get(f"{url}/puzzles/1?wait=0").json),
        ("Puzzle", http.get(f"{url}/puzzles/2").json),
        ("Report", http.get(f"{url}/report").json),
        ("Techniques", http.get("/api/v1/techniques").json),
        ("Problem", post(http, GOOD, limit="0").json),
        ("Problem", http.get("/api/v1/jobs/x").json),
        ("Formats", http.get("/api/v1/formats").json),
        ("Variants", http.get("/api/v1/variants").json),
        ("Workers", http.get("/api/v1/workers").json),
        ("Limits", http.get("/api/v1/limits").json),
        ("Jobs", http.get("/api/v1/jobs").json),
        (
            "Preview",
            http.post("/api/v1/look", data=f"{GOOD}\nxx\n", content_type="text/plain").json,
        ),
    ]
    for name, answer in responses:
        jsonschema.validate(
            answer, {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
        )
    assert {name for name, _ in responses} == set(schemas) - {
        "JobOptions", "Links", "Described", "DescribedRule", "Worker", "WorkerTask", "JobState",
        "Technique", "RatedRow", "Explanation", "Difficulty", "Deduction", "Candidate", "Link",
        "Node", "FirstPuzzle", "EditablePuzzle", "RecordProblem", "Quota", "Maximums", "Batch",
            "SinglePuzzle",
        "UploadForm", "UploadOptions", "Webhook", "WebhookState", "WebhookTest", "JobSource",
        "Source", "Selection", "Where", "GenerationBody", "TechniqueNames", "Redundant",
        "Book", "BookLevel", "Claims", "ClaimedLevel", "Counted", "Defect", "Disagreement",
        "Distribution", "Duplicates", "Listing", "PuzzleReference", "Repeated", "Selected",
        "Shared", "SharedPuzzle", "AvailableSteps", "Conflict",
            "OwnRating",
    }  # fmt: skip
