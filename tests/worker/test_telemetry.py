"""OpenTelemetry spans from a request through its job to its chunks, as exported.

They contain no secrets.
"""

from dataclasses import replace

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from web.app import create_app
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.settings import Settings
from worker.telemetry import Telemetry, start_telemetry

pytestmark = pytest.mark.redis

TINY = "12.4...2....4..1\n"
OURS = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def traced(service: Service, exporter: InMemorySpanExporter) -> Service:
    """Return the queue with tracing that uses the exporter."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return replace(service, telemetry=Telemetry(provider.get_tracer("test")))


def above(span: ReadableSpan) -> int:
    assert span.parent is not None
    return span.parent.span_id


def test_a_chunks_span_is_below_that_of_its_upload(
    traced: Service, exporter: InMemorySpanExporter
) -> None:
    http = create_app(service=traced).test_client()
    headers = {"traceparent": OURS}
    job_id = http.post("/api/v1/jobs", data=TINY, headers=headers).get_json()["id"]
    ChunkRunner(traced, worker="here").run(job_id, 0)
    spans = {span.name: span for span in exporter.get_finished_spans()}
    request, job, chunk = (spans[name] for name in ("POST /api/v1/jobs", "job", "chunk"))
    assert above(request) == 0xB7AD6B7169203331
    assert above(job) == request.context.span_id
    assert above(chunk) == job.context.span_id
    assert {f"{span.context.trace_id:032x}" for span in (request, job, chunk)} == {OURS[3:35]}
    assert dict(chunk.attributes or {}) == {"job": job_id[:6] + "…", "chunk": 0, "tries": 1}
    assert (request.attributes or {})["http.response.status_code"] == 202


def test_spans_contain_no_secrets(traced: Service, exporter: InMemorySpanExporter) -> None:
    http = create_app(service=traced).test_client()
    job_id = http.post("/api/v1/jobs?name=mine.txt", data=TINY).get_json()["id"]
    ChunkRunner(traced, worker="here").run(job_id, 0)
    for path in (f"/api/v1/jobs/{job_id}", f"/api/v1/jobs/{job_id}/results", f"/jobs/{job_id}"):
        assert http.get(path).data
    told = " ".join(span.to_json() for span in exporter.get_finished_spans())
    assert "GET /api/v1/jobs/<job_id>" in told
    for secret in (job_id, TINY.strip(), "mine.txt", "127.0.0.1"):
        assert secret not in told


def test_spans_of_rejected_requests_have_the_reason(
    traced: Service, exporter: InMemorySpanExporter
) -> None:
    few = replace(traced, settings=replace(traced.settings, max_puzzles_per_client=1))
    http = create_app(service=few).test_client()
    assert http.post("/api/v1/jobs", data=TINY).status_code == 202
    assert http.post("/api/v1/jobs", data=TINY).status_code == 429
    spans = {span.name: dict(span.attributes or {}) for span in exporter.get_finished_spans()}
    assert spans["job"]["refused"] == "too many jobs"
    assert spans["POST /api/v1/jobs"]["http.response.status_code"] == 429


def test_nothing_is_traced_without_an_endpoint(service: Service) -> None:
    assert start_telemetry(Settings()).tracer is None
    with service.telemetry.span("job") as span:
        span.note("chunk", 1)
    assert span.parent == ""
    assert start_telemetry(Settings(telemetry_endpoint="http://127.0.0.1:9")).tracer is not None
