"""The settings, from the fields of `Settings`."""

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from typing import Any

from docs_build.markdown import code, sentence, table
from worker.settings import Settings


def write() -> str:
    """Return the table of all environment variables."""
    return table(("variable", "default", "meaning"), _rows())


def _rows() -> Iterator[tuple[str, str, str]]:
    defaults = {field.name: field.default for field in fields(Settings)}
    for name, (variable, _) in Settings.declared().items():
        yield code(variable.name), _shown(defaults[name], variable.unit), sentence(variable.meaning)


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
        return f"{value:.10g} {unit}".strip()
    return code(str(value))
