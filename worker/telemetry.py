"""Create OpenTelemetry spans for requests, uploads of jobs, and each time slice of a chunk.

    request ──► job: its upload ──► chunk: a time slice in a worker, on any machine
                                └─► chunk …

A span refers to its parent through a W3C `traceparent`, which is stored with the job. Without an
endpoint in the settings, or without the extra `telemetry`, nothing is traced and no OpenTelemetry
module is loaded.
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
    """A traced period of time.

    `parent` is the span's own `traceparent`. Pass it as the `parent` of another span to make that
    one a child of this span. `attributes` is None if the span isn't traced.
    """

    parent: str = ""
    attributes: dict[str, str | int] | None = None

    def note(self, name: str, value: str | int) -> None:
        """Add an attribute to the span. Does nothing if the span isn't traced.

        It must be called before the span ends.
        """
        if self.attributes is not None:
            self.attributes[name] = value


@dataclass(frozen=True, slots=True)
class Telemetry:
    """Creates spans. Without a tracer, they aren't traced."""

    tracer: "Tracer | None" = None

    @contextmanager
    def span(self, name: str, *, parent: str = "", **attributes: str | int) -> Iterator[Span]:
        """Trace a `with` block as a span with the given attributes.

        `parent` is the `traceparent` of the parent span. If it is "", the current span of this
        thread becomes the parent. Attributes that the block adds to the span are recorded at its
        end. Without tracing, the block gets an empty span that isn't sent.
        """
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
    """Return a `Telemetry` that sends spans to the endpoint in the settings.

    Without an endpoint, or if a package is missing (which logs a warning), nothing is traced.
    OpenTelemetry reads all other options from its own OTEL_… variables.
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
        logger.warning(
            "tracing is off, because a package is missing; install the extra `telemetry` (%s)",
            error,
        )
        return Telemetry()
    resource = Resource({"service.name": "sudokuq"}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Telemetry(provider.get_tracer("sudokuq"))
