"""Helpers that create jobs over HTTP or with the form, run them, and fetch results and metrics.

They call the application directly, without a network.
"""

import json
from typing import Any

import httpx
import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from web.client import Client
from web.commands import remote
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service


def work(service: Service) -> None:
    """Act as a worker: run each chunk of the active jobs once, in this process."""
    runner = ChunkRunner(service, worker="here")
    for job_id in service.active_jobs.ids():
        job = service.jobs.get(job_id)
        for chunk in range(job.chunks if job else 0):
            runner.run(job_id, chunk)


def post(http: Any, data: bytes | str, **query: str) -> Any:
    return http.post("/api/v1/jobs", data=data, query_string=query, content_type="text/plain")


def part(head: str, content: bytes) -> bytes:
    """Return a part of a form, for `send_form`.

    `head` are the parameters of its Content-Disposition header, such as `name="file"`. The part has
    no other headers.
    """
    return f"--x\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + content + b"\r\n"


def send_form(http: Any, *parts: bytes, **headers: str) -> Any:
    return http.post(
        "/api/v1/jobs",
        data=b"".join(parts) + b"--x--\r\n",
        content_type="multipart/form-data; boundary=x",
        headers=headers,
    )


def results(http: Any, job: dict[str, Any], **query: str) -> list[dict[str, Any]]:
    answer = http.get(f"/api/v1/jobs/{job['id']}/results", query_string=query)
    assert answer.status_code == 200, answer.data
    return [json.loads(line) for line in answer.data.splitlines()]


def submit_form(http: FlaskClient, text: str, **options: str) -> str:
    """Submit pasted text with the form, and return the path of the new job's page."""
    answer = http.post("/jobs", data={**options, "text": text}, content_type="multipart/form-data")
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def finished(http: FlaskClient, service: Service, text: str, **options: str) -> str:
    path = submit_form(http, text, **options)
    work(service)
    return path


def client_of(http: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a client that calls the web application directly and doesn't retry.

    Until the end of the test, remote commands use it, too. Of the request headers, only the content
    type is passed on.
    """

    def answer(request: httpx.Request) -> httpx.Response:
        found = http.open(
            request.url.raw_path.decode(), method=request.method, data=request.read(),
            content_type=request.headers.get("Content-Type"),
        )  # fmt: skip
        return httpx.Response(found.status_code, headers=dict(found.headers), content=found.data)

    client = Client("http://localhost", patience=0.0)
    client.close()
    inside = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://localhost")
    monkeypatch.setattr(client, "_http", inside)
    monkeypatch.setattr(remote, "connect", lambda *_: client)
    return client


def measures(http: Any) -> dict[str, float]:
    answer = http.get("/metrics")
    assert answer.status_code == 200
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }
