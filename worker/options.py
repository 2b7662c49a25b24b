"""From the option fields of a form, a query, a JSON body or a command line to `JobOptions`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from solver.board.layout import MAX_SIZE
from solver.formats.format import ReadOptions
from solver.formats.reading.options import read_box, read_symbols
from worker.job import JobOptions
from worker.settings import Settings

_NOT_BUILT = ("rate", "explain")
_TEXTS = ("format", "box", "symbols", "blank", "variant")
_OFF = (False, None, "", "false", "0", "off", "no")


@dataclass(frozen=True, slots=True)
class OptionFault:
    """Which option cannot be used, and why."""

    field: str
    detail: str


class _Refused(Exception):
    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail)
        self.fault = OptionFault(field, detail)


def parse_options(fields: Mapping[str, object], *, settings: Settings) -> JobOptions | OptionFault:
    """Check names, types and bounds; empty values count as not given.

    `name` is not an option in this sense: whoever opens a job takes it out before.
    """
    for field, value in fields.items():
        if field in _NOT_BUILT and (value.lower() if isinstance(value, str) else value) in _OFF:
            continue
        if field in _NOT_BUILT:
            return OptionFault(field, f"the option {field!r} is not built yet")
        if field not in (*_TEXTS, "limit", "step_limit"):
            return OptionFault(field, f"there is no option {field!r}")
    try:
        texts = {field: _text(fields, field) for field in _TEXTS}
        _check_box(texts["box"])
        return JobOptions(
            format=texts["format"] or "auto",
            limit=_whole(fields, "limit", default=2, least=1, most=settings.max_limit),
            step_limit=_whole(
                fields, "step_limit", default=1_000_000, least=0, most=settings.max_step_limit
            ),
            box=texts["box"],
            symbols=texts["symbols"],
            blank=texts["blank"],
            variant=texts["variant"],
        )
    except _Refused as refused:
        return refused.fault


def read_options(options: JobOptions) -> ReadOptions:
    """Return the part of the options that says how to read the text."""
    return ReadOptions(
        format=options.format,
        box=read_box(options.box) if options.box else None,
        symbols=read_symbols(options.symbols) if options.symbols else None,
        blank=options.blank,
        variant=tuple(filter(None, re.split(r"[,\s]+", options.variant or ""))),
    )


def _text(fields: Mapping[str, object], field: str) -> str | None:
    value = fields.get(field)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = ",".join(value)
    if value is not None and not isinstance(value, str):
        raise _Refused(field, f"{field} must be text")
    if value and len(value) > 1_000:
        raise _Refused(field, f"{field} has {len(value):,} characters; at most 1,000 are read")
    return value or None


def _whole(fields: Mapping[str, object], field: str, *, default: int, least: int, most: int) -> int:
    value = fields.get(field)
    if value is None or value == "":
        return default
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,20}\s*", value, re.ASCII):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Refused(field, f"{field} must be a whole number, not {str(value)[:50]!r}")
    if not least <= value <= most:
        raise _Refused(field, f"{field} is {value:,}; it may be {least:,} to {most:,}")
    return value


def _check_box(text: str | None) -> None:
    if text is None:
        return
    box = read_box(text)
    if box is None:
        raise _Refused("box", f"box must be rows x columns, such as 3x3 or 2x3, not {text!r}")
    if not 1 <= box[0] * box[1] <= MAX_SIZE:
        raise _Refused("box", f"a box of {text} has no size of 1 to {MAX_SIZE}")
