"""The examples in the OpenAPI document run on a live service, with the responses shown there.

Every operation has an example.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from notified import ALLOWED
from receiver import SECRET, Receiver, receiver
from running import running_on
from services import wait_until

from web.api.examples import Example, read_examples
from web.api.openapi import describe
from worker.service import Service
from worker.settings import Settings

pytestmark = pytest.mark.redis

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SENT = {"state": "delivered"}
# The id of every job, and the URL of every webhook, in the examples.
JOB_ID = "T2veuCNrLQ1DPc9Ti--pVQ"
WEBHOOK = "https://hooks.example/sudoku"
# What differs between two responses to the same request, and its value in the examples.
VARYING = (
    (r"http://127\.0\.0\.1:\d+/hook", WEBHOOK),
    (r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:8000"),
    (r'(?<=["/])[\w-]{22}(?=["/])', JOB_ID),
    (r"(?<=msg_)[\w-]{22}", "PZsDXxpmgClBcJ42m2RUbw"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "2026-01-31T12:00:00.000Z"),
    (r'(?<="puzzles_per_second":)[\d.]+', "1000.0"),
    (r'(?<="lately":)\[[\d.,]*\]', "[0.0]"),
    (r'(?<="request_id":")[^"]+', "5f0c4cd0a1a84d0e"),
    (r'(?<="name":")[^"]+(?=","slots")', "worker@host"),
    (r"(?<=id: )[0-9a-f]{24}", "3b8f2f6f0c9d4f6e8a1b2c3d"),
    (r'(?<="drawing":")<svg.*?</svg>', "<svg>…</svg>"),
)
# These describe the service itself. Their responses are too long for examples.
TOO_LONG = {"get_puzzle_schema", "get_openapi_document", "show_api_page", "get_svg", "get_png"}


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield method, path, operation


def create_finished_job(http: httpx.Client, hooks: Receiver) -> str:
    options = {"rate": True, "minlex": True, "webhook": hooks.url, "webhook_secret": SECRET}
    body = {"puzzles": [PUZZLE], "options": options}
    return finished(http, http.post("/api/v1/jobs", json=body).json()["id"])


def finished(http: httpx.Client, job_id: str) -> str:
    while http.get(f"/api/v1/jobs/{job_id}", params={"wait": 20}).json()["state"] != "finished":
        pass
    return job_id


def await_notification(http: httpx.Client, job_id: str) -> None:
    """Wait until the notification of a job, if it has a webhook, is delivered."""
    url = f"/api/v1/jobs/{job_id}"
    wait_until(lambda: (http.get(url).json()["webhook"] or SENT)["state"] == "delivered")


def send(
    http: httpx.Client, method: str, path: str, job_id: str, hooks: Receiver, **request: Any
) -> httpx.Response:
    """Send a request about a job, with the webhook of this test instead of that in the examples.

    The path gets the job's id and the puzzle number 1. The path of a PUT request gets a file name
    instead of the id.
    """
    if isinstance(content := request.get("content"), str):
        request["content"] = content.replace(JOB_ID, job_id).replace(WEBHOOK, hooks.url)
    name = "puzzles.txt" if method == "put" else job_id
    return http.request(method, path.format(job_id=name, number=1), **request)


def with_body(media_type: str, body: Any) -> dict[str, Any]:
    """Return the arguments for httpx that send a body.

    JSON is encoded, and the members of a form become its fields. An empty list of files in a form
    becomes a file without a name or content.
    """
    if media_type == "multipart/form-data":
        # An empty list of files is sent as browsers do: as one file without a name or content.
        return {
            "files": {
                name: ("", b"") if value == [] else (None, str(value).lower())
                for name, value in body.items()
            }
        }
    text = json.dumps(body) if media_type == "application/json" else body
    return {"content": text, "headers": {"Content-Type": media_type}}


def requests_of(document: dict[str, Any], operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a request for each example of a body, then for each example of a parameter.

    Without examples of bodies, the first request has none. Examples of parameters are sent with the
    first body. Path parameters are skipped.
    """
    bodies = [
        with_body(media_type, body)
        for media_type, content in operation.get("requestBody", {}).get("content", {}).items()
        for body in (
            *(each["value"] for each in content.get("examples", {}).values()),
            *content["schema"].get("examples", []),
        )
    ]
    plain = bodies[0] if bodies else {}
    yield from bodies or [plain]
    for entry in operation.get("parameters", []):
        name = entry.get("$ref", "").rpartition("/")[2]
        parameter = document["components"]["parameters"][name] if name else entry
        place = "params" if parameter["in"] == "query" else "headers"
        values = [] if parameter["in"] == "path" else parameter["schema"].get("examples", [])
        for value in values:
            pairs = {parameter["name"]: value}
            if parameter["name"] == "Idempotency-Key":  # Each is for one upload only.
                pairs = {"Idempotency-Key": f"{value}-{operation['operationId']}"}
            if isinstance(value, dict):
                pairs = {f"{parameter['name']}[{key}]": text for key, text in value.items()}
            yield plain | {place: plain.get(place, {}) | pairs}


def normalized(text: str) -> str:
    for pattern, value in VARYING:
        text = re.sub(pattern, value, text, flags=re.DOTALL)
    return text


def content_of(example: Example, response: httpx.Response) -> Any:
    """Return the normalized content of a response.

    In responses of operations that list something, lists keep only their first item.
    """
    text = normalized(response.text)
    if example.response_type not in ("application/json", "application/problem+json"):
        return text
    content = json.loads(text)
    if example.operation.startswith("list_"):
        return {
            name: member[:1] if isinstance(member, list) else member
            for name, member in content.items()
        }
    return content


def check(example: Example, response: httpx.Response) -> None:
    """Assert that a response is the one in the example.

    Of a job that was just created, only the options and the names of members are compared.
    """
    assert response.status_code == example.status, (example, response.text)
    if example.response is None:
        return
    assert response.headers["Content-Type"].partition(";")[0] == example.response_type, example
    content = content_of(example, response)
    if example.status == 202:  # The worker may already be solving the puzzles.
        assert content["options"] == example.response["options"]
        assert set(content) == set(example.response)
    else:
        assert content == example.response, example


def check_examples(http: httpx.Client, document: dict[str, Any], hooks: Receiver) -> None:
    """Send the examples. Those about a job refer to the last one that `create_job` created."""
    found = {each["operationId"]: (method, path) for method, path, each in operations(document)}
    job_id = ""
    for example in read_examples():
        method, path = found[example.operation]
        request = with_body(example.type, example.body) if example.type else {}
        query = f"?{example.query}" if example.query else ""
        response = send(http, method, path + query, job_id, hooks, **request)
        check(example, response)
        if example.operation == "create_job":
            job_id = finished(http, response.json()["id"])
            await_notification(http, job_id)


def check_parameters(http: httpx.Client, document: dict[str, Any], hooks: Receiver) -> None:
    sent = 0
    for method, path, operation in operations(document):
        for request in requests_of(document, operation):
            job_id = create_finished_job(http, hooks)
            response = send(http, method, path, job_id, hooks, **request)
            assert str(response.status_code) in operation["responses"], (operation, request)
            assert response.status_code < 400, (request, response.text)
            sent += 1
    assert sent > 50


def test_examples_run_and_have_the_responses_shown(service: Service, tmp_path: Path) -> None:
    with (
        running_on(str(service.settings.redis_url), tmp_path, **ALLOWED) as live,
        receiver() as hooks,
        httpx.Client(base_url=live.url, timeout=60) as http,
    ):
        document = http.get("/api/openapi.json").json()
        check_examples(http, document, hooks)
        check_parameters(http, document, hooks)


def test_every_operation_has_an_example() -> None:
    described = {each["operationId"] for *_, each in operations(describe(Settings()))}
    assert described - {example.operation for example in read_examples()} == TOO_LONG
