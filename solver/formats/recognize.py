"""Recognize the format of an upload from its first kilobytes."""

import logging
import re
from collections.abc import Sequence

from solver.board.closest import unknown
from solver.board.display import as_sentence, shorten
from solver.board.layout import MAX_SIZE
from solver.formats.format import Context, Format, ReadOptions, Recognized, Segments, Unreadable
from solver.formats.reading.isolate import parse_isolated
from solver.formats.reading.lines import BOM, segment_lines
from solver.formats.reading.text import decode
from solver.formats.registry import BEFORE_GRIDS, FORMATS, GRID, format_named
from solver.formats.splitter import block_records
from solver.rules.variants import VARIANTS, known_variant

HEAD_BYTES = 1 << 16

_LOG = logging.getLogger(__name__)

# Control characters and invalid UTF-8. If their share is at least `_STRANGE_SHARE`, the upload is
# binary data.
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffd]")
_NUL = "\0"
_STRANGE_SHARE = 0.2
# Documents in which puzzles are printed or published, by their first bytes.
_DOCUMENTS = {
    b"%pdf-": "this is a PDF; copy the puzzles out of it as text",
    b"{\\rtf": "this is an RTF document; save it as text",
}
_HTML = "this is HTML; copy the puzzles out of the page as text"
_TAG = rb"<!doctype html|</?(?:html|head|body|meta|style|div|span|p|pre|br|table|tbody|tr|td)\b"
_DOCUMENT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(%s|%s)" % (b"|".join(map(re.escape, _DOCUMENTS)), _TAG), re.IGNORECASE
)
# A text of one line that ends like the name of a file.
_FILE_NAME = re.compile(r"[^\n\"'<>|]{1,250}\.[A-Za-z][A-Za-z0-9]{1,7}")
NO_FORMAT = "No puzzle format matches."
COMPARE = "Compare it with the examples of the formats, at /api/v1/formats or in the documentation."
_RECORDS_TRIED = 20
_RECORDS_JUDGED = 4  # parsed together


def recognize(
    head: bytes, *, final: bool, options: ReadOptions | None = None
) -> Recognized | Unreadable:
    """Recognize the format of an upload from `head`, its first bytes.

    `final` means that `head` is the whole upload. Only the first `HEAD_BYTES` bytes are examined.
    If the options name a format, only that format is tried. Returns Unreadable if no format fits,
    an option is invalid, or a whole upload contains no record.
    """
    options = options or ReadOptions()
    final = final and len(head) <= HEAD_BYTES
    head = head[:HEAD_BYTES]
    choice = find_format(head, final=final, options=options)
    if isinstance(choice, Unreadable):
        return choice
    format_, context = choice
    records = format_.segment(head, line=1, final=True, context=context)
    if final and len(records) == 0:
        nothing = f"the input contains no puzzle in the format {format_.name!r}"
        return Unreadable(records.fault or nothing)
    return Recognized(format_, context, _block_records(format_, context, head, records, options))


def find_format(
    head: bytes, *, final: bool, options: ReadOptions
) -> tuple[Format, Context] | Unreadable:
    """Return the format of a text and its context, or the reason why it can't be read.

    `head` is the beginning of the text, or all of it if `final`. If the options name a format, only
    that one is tried. Otherwise, these are tried: the formats in `BEFORE_GRIDS`, a complete grid at
    the beginning, and the remaining formats in the order of `FORMATS`. The first that recognizes
    the text, or refuses it with a reason, decides.
    """
    refused = _refuse(head, options)
    if refused is not None:
        return refused
    named = format_named(options.format)
    if named is None and options.format != "auto":
        names = ["auto", *(format_.name for format_ in FORMATS)]
        return Unreadable(unknown("format", options.format, names), option="format")
    particular = BEFORE_GRIDS if named is None else (named,)
    found = _first_of(particular, head, final=final, options=options)
    if found is None and named is None:
        whole = _whole_grid(head, final=final)
        if whole is not None:
            return GRID, whole
        rest = [format_ for format_ in FORMATS if format_ not in BEFORE_GRIDS]
        found = _first_of(rest, head, final=final, options=options)
    return found or _unrecognized(head, final=final, format=options.format)


def _first_of(
    formats: Sequence[Format], head: bytes, *, final: bool, options: ReadOptions
) -> tuple[Format, Context] | Unreadable | None:
    """Return the first of the formats that recognizes the beginning of an upload, and its context.

    Returns None if no format does, or an error if one finds the upload to be unreadable.
    """
    for format_ in formats:
        context = _recognize(format_, head, final=final, options=options)
        if isinstance(context, Unreadable):
            return context
        if context is not None:
            return format_, context
    return None


def _recognize(
    format_: Format, head: bytes, *, final: bool, options: ReadOptions
) -> Context | Unreadable | None:
    """Call a format's `recognize`. If it raises, log the exception and return None.

    That way, a bug in one format doesn't keep others from reading the upload.
    """
    try:
        return format_.recognize(head, final=final, options=options)
    except Exception:
        _LOG.exception("the format %s failed to recognize an upload", format_.name)
        return None


def _whole_grid(head: bytes, *, final: bool) -> Context | None:
    try:
        return GRID.recognize_whole(head, final=final)
    except Exception:
        _LOG.exception("recognizing a grid at the beginning of an upload failed")
        return None


def _refuse(head: bytes, options: ReadOptions) -> Unreadable | None:
    """Return the reason why no format can read an upload, or None if one might.

    The reason is an unknown variant in the options, or a `head` that is empty, a PDF, RTF, or HTML
    document, UTF-16, binary data, or text whose lines end with carriage returns only.
    """
    for name in options.variant:
        if known_variant(name) is None:
            return Unreadable(unknown("variant", name, VARIANTS), option="variant")
    if not head.removeprefix(BOM).strip():
        return Unreadable("the input is empty; expected at least one puzzle")
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Unreadable("this is UTF-16; save it as UTF-8", 1, 1)
    if b"\r" in head.strip() and b"\n" not in head:
        column = head.index(b"\r") + 1
        detail = "the lines end with carriage returns only; save the text with line feeds"
        return Unreadable(detail, 1, column)
    document = _DOCUMENT.match(head)
    if document is not None:
        before = decode(head[: document.start(1)])
        column = len(before) - before.rfind("\n")
        return Unreadable(
            _DOCUMENTS.get(document[1].lower(), _HTML), before.count("\n") + 1, column
        )
    strange = [match.start() for match in _NO_TEXT.finditer(decode(head))]
    if strange and len(strange) >= _STRANGE_SHARE * len(decode(head)):
        before = decode(head)[: strange[0]]
        line, column = before.count("\n") + 1, strange[0] - before.rfind("\n")
        return Unreadable(_what_it_is(head), line, column)
    return None


def _what_it_is(head: bytes) -> str:
    """Return the error message for a `head` that is binary data or isn't encoded as UTF-8."""
    pairs = head[: len(head) // 2 * 2]
    if any(set(pairs[side::2]) == {0} and b"\0" not in pairs[1 - side :: 2] for side in (0, 1)):
        return "this is UTF-16; save it as UTF-8"
    signs = _NO_TEXT.findall(decode(head))
    if set(signs) == {"\ufffd"}:
        return "this text isn't in UTF-8; save it as UTF-8"
    found = "a zero byte" if signs[0] == _NUL else "binary data"
    return f"this isn't text, because it contains {found}; send text, JSON, or CSV"


def _unrecognized(head: bytes, *, final: bool, format: str) -> Unreadable:
    """Return the error message for an upload that no format recognizes, with a position.

    `head` is its beginning, or all of it if `final`. `format` is the format that the options name,
    or "auto".
    """
    segments = segment_lines(head, line=1, final=True)
    if final and len(segments) == 0:
        return Unreadable("the input contains only blank lines and comments; expected a puzzle")
    start, end = (
        (int(segments.starts[0]), int(segments.ends[0])) if len(segments) else (0, len(head))
    )
    line = int(segments.lines[0]) if len(segments) else 1
    text = decode(head[start:end])
    column = len(text) - len(text.lstrip()) + 1
    begins = f"the input begins with {shorten(text.strip(), 60)!r}"
    if format != "auto":
        return Unreadable(f"this isn't in the format {format!r}; {begins}", line, column)
    advice = COMPARE
    if final and _FILE_NAME.fullmatch(text.strip()) and head.strip() == head[start:end].strip():
        file = shorten(text.strip(), 60)
        advice = (
            "If this is the name of a file, send the file's content instead; in Python, pass "
            f"pathlib.Path({file!r})."
        )
    return Unreadable(f"{NO_FORMAT} {as_sentence(begins)} {advice}", line, column)


def _block_records(
    format_: Format, context: Context, head: bytes, records: Segments, options: ReadOptions
) -> int:
    """Return the number of records per block that suits the first puzzles in `head`.

    `records` are the positions of the records in `head`. Up to 20 of them are parsed, four at a
    time, until at least one of the four is valid. The layout of these four that needs the smallest
    blocks determines the number. If all are invalid, the length of the longest record in `head`
    determines it.
    """
    for first in range(0, min(len(records), _RECORDS_TRIED), _RECORDS_JUDGED):
        few = records.part(first, min(first + _RECORDS_JUDGED, len(records)))
        groups = parse_isolated(format_, head, few, context=context, options=options).groups
        if groups:
            layouts = [group.layout for group in groups]
            return min(block_records(it.cells, with_rules=it.has_parts) for it in layouts)
    lengths = records.ends - records.starts
    return block_records(int(lengths.max()) if len(records) else MAX_SIZE**2)
