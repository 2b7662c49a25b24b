"""The settings, from the fields of `Settings`."""

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from typing import Any, get_args

import msgspec

from docs_build.markdown import code, joined, sentence
from worker.settings import Settings

# Larger units that make values legible, largest first.
_LARGER = {
    "bytes": (("GiB", 1 << 30), ("KiB", 1 << 10)),
    "s": (("years", 365 * 86_400), ("days", 86_400), ("hours", 3_600)),
}


# The first setting of each section, in the order of `Settings`, and the section's title.
_SECTIONS = {
    "redis_url": "Addresses and files",
    "api_key": "API keys and access",
    "webhook_hosts": "Webhooks",
    "retention": "Uploads and jobs",
    "max_limit": "Options of jobs",
    "max_jobs_per_client": "Limits for each client",
    "max_jobs": "Limits for the whole service",
    "chunk_seconds": "Timing of workers and connections",
    "log_format": "Logs and traces",
}


def write() -> str:
    """Return an entry per environment variable, in sections."""
    defaults = {field.name: field.default for field in fields(Settings)}
    return joined(*_blocks(defaults))


def _blocks(defaults: dict[str, Any]) -> Iterator[str]:
    for name, (variable, type_) in Settings.declared().items():
        if name in _SECTIONS:
            yield f"## {_SECTIONS[name]}"
        yield f"### {variable.name} {{ .setting }}"
        yield sentence(variable.meaning)
        facts = [f"Default: {_shown(defaults[name], variable.unit)}"]
        if limits := _range(type_, variable.unit):
            facts.append(f"Range: {limits}")
        yield " · ".join(facts) + "\n{ .facts }"


def _range(type_: Any, unit: str) -> str:
    """Return the bounds of a setting's type with their unit, or "" if it has none."""
    bounds = [note for note in type_.__metadata__ if isinstance(note, msgspec.Meta)]
    # The bounds of an optional number are inside its union.
    for part in get_args(get_args(type_)[0]):
        bounds += getattr(part, "__metadata__", ())
    for bound in bounds:
        if bound.le is not None and bound.le >= 1 << 53:
            return f"at least {bound.ge}"
        return f"{bound.ge:.10g} to {_shown(bound.le, unit)}"
    return ""


def _shown(value: Any, unit: str) -> str:
    if value is None or value == ():
        return "none"
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, tuple):
        value = ",".join(value)
    if isinstance(value, bool):
        return code(str(value).lower())
    if isinstance(value, int | float):
        larger = next(
            (each for each in _LARGER.get(unit, ()) if value > each[1] and value % each[1] == 0),
            None,
        )
        more = f" ({value / larger[1]:.10g} {larger[0]})" if larger else ""
        return f"{value:.10g} {unit}".strip() + more
    return code(str(value))
