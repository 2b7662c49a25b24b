"""All settings, which are read from environment variables.

Commands that use a running service must work without this module, so they read theirs themselves.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from worker.api_keys import BadKey, read_keys
from worker.logs import LogFormat
from worker.setting_values import (
    DAY,
    GIB,
    MIB,
    BadSetting,
    Count,
    LeaseTime,
    Network,
    Port,
    Retention,
    Share,
    ShortTime,
    Timeout,
    Variable,
    WholeSeconds,
    read_networks,
    read_value,
)
from worker.urls import DEFAULT_PORT, is_loopback, service_url
from worker.webhooks.signing import EXPECTED_SECRET, read_secret
from worker.webhooks.targets import AllowedHost


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, with their types, bounds, environment variables, and defaults."""

    redis_url: Annotated[
        str | None,
        Variable(
            "REDIS_URL",
            "Redis server of the web server and the workers. Without it, `sudokuq up` starts a "
            "private one",
        ),
    ] = None
    host: Annotated[
        str,
        Variable(
            "SUDOKUQ_HOST",
            "address that the web server listens on. `0.0.0.0` means all IPv4 addresses",
        ),
    ] = "127.0.0.1"
    port: Annotated[
        Port, Variable("PORT", "port that the web server listens on. 0 picks a free port")
    ] = DEFAULT_PORT
    data: Annotated[
        Path,
        Variable(
            "SUDOKUQ_DATA",
            "folder for the logs of `sudokuq up` and the data of its private Redis. Use it for "
            "nothing else",
        ),
    ] = Path("~/.local/state/sudokuq")
    service_url: Annotated[
        str,
        Variable(
            "SUDOKUQ_URL",
            "URL of the service that `submit`, `status`, `watch`, `results`, and `cancel` use. "
            "The default port is `PORT`. Requests to loopback addresses bypass proxies",
        ),
    ] = "http://127.0.0.1:8000"
    api_key: Annotated[
        str | None,
        Variable(
            "SUDOKUQ_API_KEY",
            "API key that the commands and `mcp` send to the service at `SUDOKUQ_URL`. The default "
            "is the first usable key of `SUDOKUQ_API_KEYS`",
        ),
    ] = None
    api_keys: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_API_KEYS",
            "API keys, separated by commas. If set, every request needs one of them. Options "
            "restrict a key: `KEY:read` or `KEY:write` to one kind of request, `KEY:jobs=50` to "
            "this many active jobs, `KEY:waiting=100000` to this many unsolved puzzles, and "
            "`KEY:requests=600` to this many requests per minute. `sha256=DIGEST` can replace KEY",
        ),
    ] = ()
    open_to_all: Annotated[
        bool,
        Variable("SUDOKUQ_OPEN", "`true` lets other machines use the service without API keys"),
    ] = False
    cors_origins: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_CORS_ORIGINS",
            "origins whose web pages may use the API (CORS), separated by commas, such as "
            "`https://a.example`, or `*` for all",
        ),
    ] = ()
    hosts: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_HOSTS",
            "host names that requests may use, separated by commas, such as `sudoku.example` or "
            "`*.example`. Loopback names are always accepted. If this is empty, other names "
            "are accepted only if API keys or `SUDOKUQ_OPEN` are set",
        ),
    ] = ()
    trusted_proxies: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_TRUSTED_PROXIES",
            "addresses and networks of the proxies whose `X-Forwarded-*` and `Forwarded` headers "
            "are trusted, separated by commas",
        ),
    ] = ("127.0.0.0/8", "::1")
    published: Annotated[
        str | None,
        Variable(
            "SUDOKUQ_PUBLISHED",
            "address on which the container's port is published, if the web server runs in a "
            "container. Replaces `SUDOKUQ_HOST` when deciding whether API keys are required",
        ),
    ] = None
    webhook_hosts: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_WEBHOOK_HOSTS",
            "hosts that webhooks may be sent to, separated by commas, such as `hooks.example`, "
            "`*.example`, or `*` for all. Ports other than 80 and 443 need `HOST:PORT`, or "
            "`HOST:*` for all ports. If this is empty, jobs can't have webhooks",
        ),
    ] = ()
    webhook_networks: Annotated[
        tuple[str, ...],
        Variable(
            "SUDOKUQ_WEBHOOK_NETWORKS",
            "addresses and networks that webhooks may be sent to although they aren't public, "
            "separated by commas, such as `10.1.2.0/24`",
        ),
    ] = ()
    webhook_secret: Annotated[
        str | None,
        Variable(
            "SUDOKUQ_WEBHOOK_SECRET",
            "secret that signs the webhooks of jobs without a `webhook_secret` of their own. "
            "Anyone who knows it can forge these webhooks",
        ),
    ] = None
    webhook_seconds: Annotated[
        Retention,
        Variable(
            "SUDOKUQ_WEBHOOK_SECONDS",
            "time after a job's end during which its webhook is sent again until it is confirmed",
            unit="s",
        ),
    ] = DAY
    retention: Annotated[
        Retention,
        Variable(
            "SUDOKUQ_RETENTION",
            "time after which jobs and their results are deleted. Clients can choose a shorter "
            "time with the option `expires_in`",
            unit="s",
        ),
    ] = 7 * DAY
    max_upload_bytes: Annotated[
        Count,
        Variable(
            "SUDOKUQ_MAX_UPLOAD_BYTES",
            "maximum size of an upload after decompression",
            unit="bytes",
        ),
    ] = 4 * GIB
    upload_seconds: Annotated[
        ShortTime,
        Variable(
            "SUDOKUQ_UPLOAD_SECONDS",
            "maximum CPU time that the web server spends on an upload, plus 1 s per MiB received",
            unit="s",
        ),
    ] = 10.0
    max_record_bytes: Annotated[
        Count,
        Variable(
            "SUDOKUQ_MAX_RECORD_BYTES",
            "maximum size of one puzzle in an upload. Longer ones are `invalid`",
            unit="bytes",
        ),
    ] = MIB
    max_puzzles: Annotated[
        Count, Variable("SUDOKUQ_MAX_PUZZLES", "maximum number of puzzles per job")
    ] = 20_000_000
    max_limit: Annotated[
        Count, Variable("SUDOKUQ_MAX_LIMIT", "highest value of the option `limit`")
    ] = 10_000
    max_step_limit: Annotated[
        Count, Variable("SUDOKUQ_MAX_STEP_LIMIT", "highest value of the option `step_limit`")
    ] = 100_000_000
    max_rate_seconds: Annotated[
        Count,
        Variable(
            "SUDOKUQ_MAX_RATE_SECONDS", "highest value of the option `rate_seconds`", unit="seconds"
        ),
    ] = 3_600
    max_jobs_per_client: Annotated[
        Count, Variable("SUDOKUQ_MAX_JOBS", "maximum number of active jobs per client")
    ] = 1_000
    max_puzzles_per_client: Annotated[
        Count | None,
        Variable("SUDOKUQ_MAX_WAITING", "maximum number of unsolved puzzles per client"),
    ] = None
    max_explanations_per_client: Annotated[
        Count,
        Variable(
            "SUDOKUQ_MAX_EXPLANATIONS",
            "maximum number of explanations per client that workers compute at the same time",
        ),
    ] = 4
    max_requests_per_client: Annotated[
        Count | None,
        Variable("SUDOKUQ_MAX_REQUESTS", "maximum number of requests per client and minute"),
    ] = None
    max_failed_keys: Annotated[
        Count,
        Variable(
            "SUDOKUQ_MAX_FAILED_KEYS",
            "maximum number of wrong API keys and failed sign-ins per IP address and minute. Then "
            "the address gets status 429",
        ),
    ] = 20
    max_jobs: Annotated[
        Count,
        Variable("SUDOKUQ_MAX_ALL_JOBS", "maximum number of active jobs of all clients together"),
    ] = 100_000
    memory_watermark: Annotated[
        Share,
        Variable(
            "SUDOKUQ_MEMORY_WATERMARK",
            "share of Redis's memory limit above which uploads are rejected",
        ),
    ] = 0.9
    worker_memory_bytes: Annotated[
        Count,
        Variable(
            "SUDOKUQ_WORKER_MEMORY_BYTES",
            "maximum memory of one worker process (Linux only)",
            unit="bytes",
        ),
    ] = 2 * GIB
    chunk_seconds: Annotated[
        ShortTime,
        Variable(
            "SUDOKUQ_CHUNK_SECONDS",
            "time slice of a chunk. After it, the worker requeues the rest of the chunk, so that "
            "other jobs get their turn",
            unit="s",
        ),
    ] = 0.3
    lease_seconds: Annotated[
        LeaseTime,
        Variable(
            "SUDOKUQ_LEASE_SECONDS",
            "time without a heartbeat after which another worker takes over a chunk",
            unit="s",
        ),
    ] = 5.0
    grace_seconds: Annotated[
        ShortTime,
        Variable(
            "SUDOKUQ_GRACE_SECONDS",
            "time that a stopping worker may still spend on its current puzzle. After it, "
            "another worker continues the puzzle",
            unit="s",
        ),
    ] = 10.0
    visibility_timeout: Annotated[
        WholeSeconds,
        Variable(
            "SUDOKUQ_VISIBILITY_TIMEOUT",
            "time after which Celery redelivers an unacknowledged message",
            unit="s",
        ),
    ] = 60
    upload_patience: Annotated[
        Timeout,
        Variable(
            "SUDOKUQ_UPLOAD_PATIENCE",
            "time without data after which an upload counts as interrupted",
            unit="s",
        ),
    ] = 60.0
    client_patience: Annotated[
        Timeout,
        Variable(
            "SUDOKUQ_CLIENT_PATIENCE",
            "time after which a connection that sends or receives less than 1 KiB/s is closed",
            unit="s",
        ),
    ] = 20.0
    log_format: Annotated[
        LogFormat,
        Variable(
            "SUDOKUQ_LOG_FORMAT",
            "format of the logs: `text`, or `json` for one JSON object per line",
        ),
    ] = LogFormat.TEXT
    access_log: Annotated[
        bool, Variable("SUDOKUQ_ACCESS_LOG", "`true` logs every request to the web server")
    ] = False
    telemetry_endpoint: Annotated[
        str | None,
        Variable(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "URL that OpenTelemetry spans are sent to. This needs the extra `telemetry`",
        ),
    ] = None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Return the settings in the environment. Empty variables count as not set.

        Raises BadSetting, whose message names the variable, if one is invalid.

        The default folder for data is in $XDG_STATE_HOME, if that is set. A ~ at its start is
        expanded, unless the user has no home directory.
        """
        values: dict[str, Any] = {}
        for name, (variable, type_) in cls.declared().items():
            text = environ.get(variable.name, "").strip()
            if text:
                values[name] = read_value(variable, text, type_)
        # Two defaults depend on other variables.
        state = Path(environ.get("XDG_STATE_HOME") or "~/.local/state")
        values["data"] = values.get("data", state / "sudokuq")
        with suppress(RuntimeError):  # The user has no home directory, but may not need the folder.
            values["data"] = values["data"].expanduser()
        values["service_url"] = service_url(environ)
        settings = cls(**values)
        settings.check_webhooks()
        return settings

    def named_redis(self) -> str:
        """Return the Redis URL. Raises BadSetting if it isn't set or is invalid."""
        # Local solving reads settings too, but must not depend on redis-py.
        from worker.connection import BadAddress, connect  # noqa: PLC0415

        if self.redis_url is None:
            raise BadSetting(
                "REDIS_URL isn't set; set it, or use `sudokuq up`, which starts a private "
                "Redis server"
            )
        try:
            connect(self.redis_url).close()  # nothing is sent before the first use
        except BadAddress as error:
            raise BadSetting(f"REDIS_URL: {error}") from None
        return self.redis_url

    @property
    def is_protected(self) -> bool:
        """Whether the operator has stated who may use the service: owners of API keys, or everyone.

        If not, only the users of this machine may.
        """
        return bool(self.api_keys) or self.open_to_all

    def proxy_networks(self) -> tuple[Network, ...]:
        """Return the networks of the trusted proxies.

        Raises BadSetting if one of them is invalid.
        """
        return read_networks("SUDOKUQ_TRUSTED_PROXIES", self.trusted_proxies)

    def networks_for_webhooks(self) -> tuple[Network, ...]:
        """Return the networks that webhooks may be sent to although they aren't public.

        Raises BadSetting if one of them is invalid.
        """
        return read_networks("SUDOKUQ_WEBHOOK_NETWORKS", self.webhook_networks)

    def hosts_for_webhooks(self) -> tuple[AllowedHost, ...]:
        """Return the hosts that webhooks may be sent to. Raises BadSetting if one is invalid."""
        hosts = []
        for text in self.webhook_hosts:
            host = AllowedHost.read(text)
            if host is None:
                raise BadSetting(
                    f"SUDOKUQ_WEBHOOK_HOSTS: {text!r} isn't a host such as hooks.example, "
                    "*.example, or hooks.example:8443"
                )
            hosts.append(host)
        return tuple(hosts)

    def check_webhooks(self) -> None:
        """Raise BadSetting if a setting for webhooks is invalid."""
        self.hosts_for_webhooks()
        self.networks_for_webhooks()
        if self.webhook_secret is not None and read_secret(self.webhook_secret) is None:
            raise BadSetting(f"SUDOKUQ_WEBHOOK_SECRET must be {EXPECTED_SECRET}")

    def check_access(self, host: str) -> None:
        """Raise BadSetting if other machines could use a server at `host` without an API key.

        `host` is the address on which the server listens. If the setting `published` names another
        address, that counts. The check passes if the operator has opened the service to everyone.
        BadSetting is also raised if the API keys or the trusted proxies are invalid.
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
            f"other machines can reach {reached}, but no API keys are set; set SUDOKUQ_API_KEYS to "
            "one or more long random keys, or SUDOKUQ_OPEN=true if anyone may use the service"
        )

    @classmethod
    def declared(cls) -> dict[str, tuple[Variable, Any]]:
        """Return the environment variable and the type of every setting, by the setting's name.

        The type includes the bounds.
        """
        hints = get_type_hints(cls, include_extras=True)
        return {
            name: (next(note for note in hint.__metadata__ if isinstance(note, Variable)), hint)
            for name, hint in hints.items()
        }
