"""All settings. Only this module reads the environment variables that define them."""

import ipaddress
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from worker.api_keys import BadKey, read_keys
from worker.logs import LogFormat
from worker.urls import DEFAULT_PORT, is_loopback, service_url

MIB = 1 << 20
GIB = 1 << 30
DAY = 86_400.0
YEAR = 365 * DAY

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# Types include bounds. A time span without an upper bound could be infinite.
Port = Annotated[int, Meta(ge=0, le=65_535)]
Count = Annotated[int, Meta(ge=1, le=1 << 53)]
Share = Annotated[float, Meta(ge=0, le=1)]
Moment = Annotated[float, Meta(ge=0.01, le=DAY)]
Silence = Annotated[float, Meta(ge=0.5, le=DAY)]
Patience = Annotated[float, Meta(ge=1, le=DAY)]
Retention = Annotated[float, Meta(ge=1, le=100 * YEAR)]
WholeSeconds = Annotated[int, Meta(ge=1, le=int(DAY))]


class BadSetting(Exception):
    """An environment variable has an invalid value."""


@dataclass(frozen=True, slots=True)
class Variable:
    """The environment variable of a setting, with its meaning and unit."""

    name: str
    meaning: str
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings: for each its type with bounds, environment variable, and default."""

    redis_url: Annotated[
        str | None,
        Variable("REDIS_URL", "the Redis to use; without it `sudokuq up` starts a private one"),
    ] = None
    host: Annotated[str, Variable("SUDOKUQ_HOST", "where the web listens")] = "127.0.0.1"
    port: Annotated[Port, Variable("PORT", "likewise; 0: a port that is free")] = DEFAULT_PORT
    data: Annotated[
        Path,
        Variable("SUDOKUQ_DATA", "folder of the private server and the logs, for these alone"),
    ] = Path("~/.local/state/sudokuq")
    service_url: Annotated[
        str,
        Variable(
            "SUDOKUQ_URL",
            "where `submit`, `status`, `results` and `cancel` look, on this machine by no proxy; "
            "the port is `PORT`'s",
        ),
    ] = "http://127.0.0.1:8000"
    api_keys: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_API_KEYS",
            "keys, separated by commas; if set, everything asks for one; KEY:read, KEY:write, "
            "KEY:jobs=50, KEY:waiting=100000, KEY:requests=600, sha256=DIGEST",
        ),
    ] = ()
    open_to_all: Annotated[
        bool,
        Variable("SUDOKUQ_OPEN", "`true`: no keys although other machines reach the web"),
    ] = False
    cors_origins: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_CORS_ORIGINS",
            "sites whose pages may use the API, separated by commas: `https://a.example`, or `*`",
        ),
    ] = ()
    hosts: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_HOSTS",
            "names under which the web server may be reached, separated by commas: "
            "`sudoku.example`, `*.example`; loopback always may, and without keys nothing else",
        ),
    ] = ()
    trusted_proxies: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_TRUSTED_PROXIES",
            "addresses and networks of proxies whose `X-Forwarded-*` or `Forwarded` headers are "
            "believed, separated by commas",
        ),
    ] = ("127.0.0.0/8", "::1")
    published: Annotated[
        str | None,
        Variable("SUDOKUQ_PUBLISHED", "where a container's port is published, if not `HOST`"),
    ] = None
    retention: Annotated[
        Retention, Variable("SUDOKUQ_RETENTION", "how long a job is kept", unit="s")
    ] = 7 * DAY
    max_upload_bytes: Annotated[
        Count, Variable("SUDOKUQ_MAX_UPLOAD_BYTES", "an upload, unpacked", unit="bytes")
    ] = 4 * GIB
    upload_seconds: Annotated[
        Moment,
        Variable(
            "SUDOKUQ_UPLOAD_SECONDS",
            "processor time of the web for an upload, and 1 s more for each MiB sent",
            unit="s",
        ),
    ] = 10.0
    max_record_bytes: Annotated[
        Count, Variable("SUDOKUQ_MAX_RECORD_BYTES", "one puzzle as written", unit="bytes")
    ] = MIB
    max_puzzles: Annotated[Count, Variable("SUDOKUQ_MAX_PUZZLES", "puzzles in a job")] = 20_000_000
    max_limit: Annotated[Count, Variable("SUDOKUQ_MAX_LIMIT", "the option `limit`")] = 10_000
    max_step_limit: Annotated[
        Count, Variable("SUDOKUQ_MAX_STEP_LIMIT", "the option `step_limit`")
    ] = 100_000_000
    worker_memory_bytes: Annotated[
        Count,
        Variable(
            "SUDOKUQ_WORKER_MEMORY_BYTES",
            "memory that one process of a worker may allocate (Linux)",
            unit="bytes",
        ),
    ] = 2 * GIB
    max_jobs_per_client: Annotated[
        Count, Variable("SUDOKUQ_MAX_JOBS", "unfinished jobs of one client")
    ] = 1_000
    max_puzzles_per_client: Annotated[
        Count | None,
        Variable("SUDOKUQ_MAX_WAITING", "puzzles of one client that are not done yet"),
    ] = None
    max_explanations_per_client: Annotated[
        Count,
        Variable(
            "SUDOKUQ_MAX_EXPLANATIONS",
            "explanations that one client has requested and that are not done yet",
        ),
    ] = 4
    max_requests_per_client: Annotated[
        Count | None,
        Variable("SUDOKUQ_MAX_REQUESTS", "requests of one client in a minute"),
    ] = None
    max_failed_keys: Annotated[
        Count,
        Variable(
            "SUDOKUQ_MAX_FAILED_KEYS",
            "wrong API keys, sign-ins included, from one address in a minute",
        ),
    ] = 20
    max_jobs: Annotated[
        Count, Variable("SUDOKUQ_MAX_ALL_JOBS", "unfinished jobs of all clients together")
    ] = 100_000
    memory_watermark: Annotated[
        Share,
        Variable(
            "SUDOKUQ_MEMORY_WATERMARK", "part of Redis's memory beyond which uploads are refused"
        ),
    ] = 0.9
    chunk_seconds: Annotated[
        Moment,
        Variable(
            "SUDOKUQ_CHUNK_SECONDS",
            "time after which a chunk hands back what is left of it",
            unit="s",
        ),
    ] = 0.3
    lease_seconds: Annotated[
        Silence,
        Variable(
            "SUDOKUQ_LEASE_SECONDS",
            "silence after which a worker's chunk goes to another",
            unit="s",
        ),
    ] = 5.0
    grace_seconds: Annotated[
        Moment,
        Variable(
            "SUDOKUQ_GRACE_SECONDS",
            "time that a puzzle under way gets when a worker is told to stop",
            unit="s",
        ),
    ] = 10.0
    upload_patience: Annotated[
        Patience,
        Variable(
            "SUDOKUQ_UPLOAD_PATIENCE",
            "silence after which an upload counts as broken off",
            unit="s",
        ),
    ] = 60.0
    client_patience: Annotated[
        Patience,
        Variable(
            "SUDOKUQ_CLIENT_PATIENCE",
            "after which a connection slower than 1 KiB/s is closed",
            unit="s",
        ),
    ] = 20.0
    log_format: Annotated[
        LogFormat,
        Variable("SUDOKUQ_LOG_FORMAT", "`text`, or `json`: a JSON object a line"),
    ] = LogFormat.TEXT
    access_log: Annotated[
        bool, Variable("SUDOKUQ_ACCESS_LOG", "`true`: the log has a line for each request")
    ] = False
    telemetry_endpoint: Annotated[
        str | None,
        Variable(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "where spans of OpenTelemetry go, if the extra `telemetry` is installed",
        ),
    ] = None
    visibility_timeout: Annotated[
        WholeSeconds,
        Variable(
            "SUDOKUQ_VISIBILITY_TIMEOUT", "after which Celery delivers a message again", unit="s"
        ),
    ] = 60

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Read the environment. Raises BadSetting, which names the invalid variable.

        Empty variables count as not set.
        """
        values: dict[str, Any] = {}
        for name, (variable, type_) in cls.declared().items():
            text = environ.get(variable.name, "").strip()
            if text:
                values[name] = _read(variable, text, type_)
        # Two defaults depend on other variables.
        state = Path(environ.get("XDG_STATE_HOME") or "~/.local/state")
        values["data"] = values.get("data", state / "sudokuq")
        with suppress(RuntimeError):  # The user has no home directory, but may not need the folder.
            values["data"] = values["data"].expanduser()
        values["service_url"] = service_url(environ)
        return cls(**values)

    def named_redis(self) -> str:
        """Return the Redis URL. Raises BadSetting if it isn't set or invalid."""
        # Local solving reads settings too, but must not depend on redis-py.
        from worker.connection import BadAddress, connect  # noqa: PLC0415

        if self.redis_url is None:
            raise BadSetting("REDIS_URL is not set; `sudokuq up` starts a server of its own")
        try:
            connect(self.redis_url).close()  # nothing is sent before the first use
        except BadAddress as error:
            raise BadSetting(f"REDIS_URL: {error}") from None
        return self.redis_url

    @property
    def is_protected(self) -> bool:
        """Whether the operator has decided who can use the service.

        Only owners of a key, or everyone.
        """
        return bool(self.api_keys) or self.open_to_all

    def proxy_networks(self) -> tuple[Network, ...]:
        """Return the networks of the trusted proxies. Raises BadSetting."""
        networks = []
        for text in self.trusted_proxies:
            try:
                networks.append(ipaddress.ip_network(text, strict=False))
            except ValueError:
                raise BadSetting(
                    f"SUDOKUQ_TRUSTED_PROXIES: {text!r} is neither an IP address nor a network "
                    "such as 10.0.0.0/8"
                ) from None
        return tuple(networks)

    def check_access(self, host: str) -> None:
        """Raise BadSetting if other machines could use a server on this host without a key.

        Also raises it if the keys or the trusted proxies are invalid.
        """
        self.proxy_networks()
        try:
            read_keys(self.api_keys)
        except BadKey as error:
            raise BadSetting(f"SUDOKUQ_API_KEYS: {error}") from None
        reached = self.published or host
        if self.is_protected or is_loopback(reached):
            return
        raise BadSetting(
            f"other machines reach {reached}: set SUDOKUQ_API_KEYS to one long random key or "
            "several, or SUDOKUQ_OPEN=true if anybody may use the service"
        )

    @classmethod
    def declared(cls) -> dict[str, tuple[Variable, Any]]:
        """Return the environment variable and the type, including bounds, of every setting."""
        hints = get_type_hints(cls, include_extras=True)
        return {
            name: (next(note for note in hint.__metadata__ if isinstance(note, Variable)), hint)
            for name, hint in hints.items()
        }


def _read(variable: Variable, text: str, type_: Any) -> Any:
    """Convert the value of an environment variable. Raises BadSetting."""
    is_list = get_origin(get_args(type_)[0]) is tuple
    try:
        return msgspec.convert(
            text.replace(",", " ").split() if is_list else text,
            type_,
            strict=False,
            dec_hook=lambda path, value: path(value),
        )
    except msgspec.ValidationError as error:
        expected = str(error).partition(", got")[0].removeprefix("Expected ")
        for word, plain in (("`int`", "a whole number"), ("`float`", "a number")):
            expected = expected.replace(word, plain)
        raise BadSetting(f"{variable.name} is {text!r}; it must be {expected}") from None
