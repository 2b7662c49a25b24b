"""Spans of OpenTelemetry: a request, the job that it makes, each turn that a chunk has.

    request ──► job: its upload ──► chunk: a turn in a worker, on whatever machine
                                └─► chunk …

A span knows the one above it by a `traceparent` (W3C), which the facts of a job keep. Without an
endpoint in the settings, or the extra `telemetry`, nothing is traced and nothing of it loaded.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from worker.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

logger = logging.getLogger(__name__)

_PARENT = "traceparent"


@dataclass(slots=True)
class Span:
    """Something that takes time; `parent` is what a span below it has to be told."""

    parent: str = ""
    attributes: dict[str, str | int] | None = None

    def note(self, name: str, value: str | int) -> None:
        """Say more of it before it ends, where it is traced."""
        if self.attributes is not None:
            self.attributes[name] = value


@dataclass(frozen=True, slots=True)
class Telemetry:
    """Makes spans with a tracer; without one it makes none."""

    tracer: "Tracer | None" = None

    @contextmanager
    def span(self, name: str, *, parent: str = "", **attributes: str | int) -> Iterator[Span]:
        """Trace the block of a `with`; it lies below `parent`, or what this thread is in."""
        if self.tracer is None:
            yield Span()
            return
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
            TraceContextTextMapPropagator,
        )

        propagator = TraceContextTextMapPropagator()
        above = propagator.extract({_PARENT: parent}) if parent else None
        with self.tracer.start_as_current_span(name, context=above) as traced:
            carrier: dict[str, str] = {}
            propagator.inject(carrier)
            span = Span(carrier.get(_PARENT, ""), {**attributes})
            try:
                yield span
            finally:
                traced.set_attributes(span.attributes or {})


def start_telemetry(settings: Settings) -> Telemetry:
    """Return what makes spans and sends them to the endpoint in the settings, if there is one.

    What else there is to set, OpenTelemetry reads from its own variables, OTEL_….
    """
    if settings.telemetry_endpoint is None:
        return Telemetry()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError as error:
        logger.warning("nothing is traced: install the extra `telemetry` (%s)", error)
        return Telemetry()
    resource = Resource({"service.name": "sudokuq"}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Telemetry(provider.get_tracer("sudokuq"))
