"""Parse job options from forms, query parameters, and JSON, as declared by `JobOptions`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

import msgspec

from solver.board.closest import unknown
from solver.board.display import shown
from solver.board.layout import MAX_SIZE
from solver.formats.format import ReadOptions
from solver.formats.reading.options import read_box, read_symbols, read_variant
from worker.job import JobOptions
from worker.job_details import DETAILS
from worker.rejection import Rejection, RejectionKind
from worker.settings import Settings
from worker.whole_numbers import parse_whole

_LONGEST_TEXT = 1_000
_WORDS = {"true": True, "1": True, "on": True, "yes": True,
          "false": False, "0": False, "off": False, "no": False}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Option:
    """A job option: the type of its values, its default, and its metadata from `JobOptions`."""

    name: str
    kind: type[str | int | bool]
    default: str | int | bool | None
    meta: msgspec.Meta

    @property
    def label(self) -> str:
        """The option's label in forms."""
        return self.meta.title or self.name

    @property
    def help(self) -> str:
        """The option's description in one or more sentences, or "" if it has none."""
        return self.meta.description or ""

    @property
    def choices(self) -> list[str]:
        """The possible values, or an empty list if they aren't a closed list."""
        return list((self.meta.extra_json_schema or {}).get("enum", []))

    @property
    def unset(self) -> str:
        """The default value in words, for forms."""
        words = (self.meta.extra or {}).get("unset", self.default)
        return str(words)

    @property
    def is_flag(self) -> bool:
        """Whether the option is a switch."""
        return self.kind is bool

    @property
    def is_number(self) -> bool:
        """Whether the option is a whole number with bounds."""
        return self.kind is int

    def bounds(self, settings: Settings) -> tuple[int, int]:
        """Return the minimum and maximum value of this whole-number option.

        The minimum is declared with the option and is 0 by default. The maximum is a setting.
        """
        most = getattr(settings, (self.meta.extra or {})["most"])
        return self.meta.ge or 0, most  # type: ignore[return-value]

    def read(self, value: object, settings: Settings) -> str | int | bool | Rejection | None:
        """Return the option's value, None if it isn't given, or a rejection if it is invalid.

        `value` comes from a form, a query parameter, or JSON. None and "" count as not given. A
        list of strings counts as text with commas.
        """
        if value is None or value == "":
            return None
        if self.is_flag:
            return self._flag(value)
        if self.is_number:
            least, most = self.bounds(settings)
            return parse_whole(self.name, value, least=least, most=most)
        return self._text(value)

    def _flag(self, value: object) -> bool | Rejection:
        flag = value if isinstance(value, bool) else _WORDS.get(str(value).lower())
        if flag is None:
            return _reject(self.name, f"{self.name!r} must be true or false, not {shown(value)}")
        return flag

    def _text(self, value: object) -> str | Rejection | None:
        name = self.name
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            value = ",".join(value)
        if not isinstance(value, str):
            return _reject(name, f"{name!r} must be a string, not {shown(value)}")
        if len(value) > _LONGEST_TEXT:
            detail = f"{name!r} has {len(value):,} characters; the limit is {_LONGEST_TEXT:,}"
            return _reject(name, detail)
        if name == "box" and value:
            return _check_box(value)
        return value or None


def declared(options: type[msgspec.Struct]) -> dict[str, Option]:
    """Return the options that a msgspec type declares as its fields, by name.

    Each field must be annotated with a `Meta`.
    """
    table = {}
    for field in msgspec.structs.fields(options):
        type_, meta = get_args(field.type)
        kind = next((part for part in get_args(type_) if part is not type(None)), type_)
        table[field.name] = Option(field.name, kind, field.default, meta)
    return table


OPTIONS = declared(JobOptions)


def parse_options(fields: Mapping[str, object], *, settings: Settings) -> JobOptions | Rejection:
    """Return the job options in `fields`, or a rejection if one of them is invalid.

    It is invalid if its name or value is, or if two options can't be combined, such as a limit of 1
    and ratings. Empty values count as not given. Details of the job, such as its name, aren't
    options: callers must remove them first.
    """
    given: dict[str, Any] = {}
    for name, text in fields.items():
        if name not in OPTIONS:
            return _reject(name, unknown("option", name, (*DETAILS, *OPTIONS)))
        value = OPTIONS[name].read(text, settings)
        if isinstance(value, Rejection):
            return value
        if value is not None:
            given[name] = value
    options = JobOptions(**given)
    if options.limit == 1 and (options.rate or options.explain):
        detail = (
            "'limit' must be 2 or more with 'rate' or 'explain', because only puzzles with a "
            "proven unique solution are rated or explained"
        )
        return _reject("limit", detail)
    if options.limit == 1 and options.needs_minimality:
        detail = (
            "'limit' must be 2 or more with 'minimal' or 'reduce', because only puzzles with a "
            "proven unique solution are tested for redundant givens and constraints"
        )
        return _reject("limit", detail)
    return options


def read_options(options: JobOptions) -> ReadOptions:
    """Return the options that affect how an upload is parsed, in the form that the parsers need.

    The options must be valid, as `parse_options` returns them.
    """
    return ReadOptions(
        format=options.format,
        box=read_box(options.box) if options.box else None,
        symbols=read_symbols(options.symbols) if options.symbols else None,
        blank=options.blank,
        variant=read_variant(options.variant or ""),
    )


def _reject(name: str, detail: str) -> Rejection:
    return Rejection(RejectionKind.BAD_OPTION, detail, field=name)


def _check_box(text: str) -> str | Rejection:
    box = read_box(text)
    if box is None:
        return _reject(
            "box", f"'box' must be rows x columns, such as 3x3 or 2x3, not {shown(text)}"
        )
    if not 1 <= box[0] * box[1] <= MAX_SIZE:
        return _reject("box", f"'box' must have 1 to {MAX_SIZE} cells, not {box[0] * box[1]:,}")
    return text
