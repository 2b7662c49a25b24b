"""What the environment says: the only place that reads it."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MIB = 1 << 20
GIB = 1 << 30
DAY = 86_400.0


class BadSetting(Exception):
    """A variable of the environment has a value that cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every setting with its default; README.md lists the variable and unit of each."""

    redis_url: str | None = None
    data: Path = Path("~/.local/state/sudokuq")
    host: str = "127.0.0.1"
    port: int = 8000
    service_url: str = "http://127.0.0.1:8000"
    api_keys: tuple[str, ...] = ()
    retention: float = 7 * DAY
    max_upload_bytes: int = 4 * GIB
    max_record_bytes: int = MIB
    max_puzzles: int = 20_000_000
    max_limit: int = 10_000
    max_step_limit: int = 100_000_000
    max_jobs_per_client: int = 1_000
    memory_watermark: float = 0.9
    chunk_seconds: float = 0.5
    lease_seconds: float = 5.0
    upload_patience: float = 60.0
    visibility_timeout: int = 60

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """Read the environment; raises BadSetting naming the variable that cannot be used."""
        usual = cls()
        state = environ.get("XDG_STATE_HOME") or "~/.local/state"
        read = _Reader(environ)
        port = read.integer("PORT", usual.port, least=0)
        return cls(
            redis_url=environ.get("REDIS_URL") or None,
            data=Path(environ.get("SUDOKUQ_DATA") or f"{state}/sudokuq").expanduser(),
            host=environ.get("SUDOKUQ_HOST") or usual.host,
            port=port,
            service_url=environ.get("SUDOKUQ_URL") or f"http://127.0.0.1:{port}",
            api_keys=tuple(environ.get("SUDOKUQ_API_KEYS", "").replace(",", " ").split()),
            retention=read.number("SUDOKUQ_RETENTION", usual.retention, least=1),
            max_upload_bytes=read.integer("SUDOKUQ_MAX_UPLOAD_BYTES", usual.max_upload_bytes),
            max_record_bytes=read.integer("SUDOKUQ_MAX_RECORD_BYTES", usual.max_record_bytes),
            max_puzzles=read.integer("SUDOKUQ_MAX_PUZZLES", usual.max_puzzles),
            max_limit=read.integer("SUDOKUQ_MAX_LIMIT", usual.max_limit),
            max_step_limit=read.integer("SUDOKUQ_MAX_STEP_LIMIT", usual.max_step_limit),
            max_jobs_per_client=read.integer("SUDOKUQ_MAX_JOBS", usual.max_jobs_per_client),
            memory_watermark=read.number("SUDOKUQ_MEMORY_WATERMARK", usual.memory_watermark),
            chunk_seconds=read.number("SUDOKUQ_CHUNK_SECONDS", usual.chunk_seconds, least=0.01),
            lease_seconds=read.number("SUDOKUQ_LEASE_SECONDS", usual.lease_seconds, least=0.5),
            upload_patience=read.number("SUDOKUQ_UPLOAD_PATIENCE", usual.upload_patience, least=1),
            visibility_timeout=read.integer("SUDOKUQ_VISIBILITY_TIMEOUT", usual.visibility_timeout),
        )


class _Reader:
    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def number(self, name: str, default: float, *, least: float = 0.0) -> float:
        text = self._environ.get(name)
        if not text:
            return default
        try:
            value = float(text)
        except ValueError:
            raise BadSetting(f"{name} is {text!r}, which is not a number") from None
        if not least <= value < float("inf"):
            raise BadSetting(f"{name} is {text}; the least value is {least:g}")
        return value

    def integer(self, name: str, default: int, *, least: int = 1) -> int:
        value = self.number(name, default, least=least)
        if value != int(value):
            raise BadSetting(f"{name} is {value:g}, which is not a whole number")
        return int(value)
