"""Streaming parser for multipart forms: it stores fields, and passes on the content of the file."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.http import parse_options_header
from werkzeug.sansio.multipart import (
    Data,
    Epilogue,
    Field,
    File,
    MultipartDecoder,
    NeedData,
)

from web.uploads.fields import joined
from worker.rejection import Rejected, RejectionKind

MIB = 1 << 20
# Fields may follow a file that is no longer than this, because this much of it is buffered.
HELD_BACK = 8 * MIB
MAX_TEXT_BYTES = 64 * MIB
_MAX_FIELD_BYTES = 64 * 1024
_MAX_PARTS = 100
# The decoder buffers what is still ambiguous: a part's header, or the end of its content.
_MAX_UNDECIDED_BYTES = MIB
_LINE_BREAK = re.compile(rb"[\r\n]")


class Form:
    """A multipart form. Iterate over it once for the content of its file, which may raise Rejected.

    Iterating also sets `fields`, `text`, `file_name`, and `charset`. `text` is the content of the
    field "text", in which puzzles can be pasted. `file_name` and `charset` are those of the file.
    If the caller sets `fields_complete`, any further field is rejected, because its option would
    come too late.

    Raises Rejected if `boundary` is empty.
    """

    def __init__(self, body: Iterable[bytes], *, boundary: str) -> None:
        if not boundary:
            raise Rejected(RejectionKind.UNREADABLE, "the form has no boundary")
        # Undecoded, because a single non-Latin character would make the string four times as long.
        self.text = bytearray()
        self.file_name: str | None = None
        self.charset = ""
        self.fields_complete = False
        self._fields: list[tuple[str, str]] = []
        self._body = body
        self._longest_boundary = len(boundary) + len("\r\n----\r\n")
        self._decoder = MultipartDecoder(
            boundary.encode(), max_form_memory_size=_MAX_UNDECIDED_BYTES, max_parts=_MAX_PARTS
        )

    @property
    def fields(self) -> dict[str, str]:
        """The fields that have been read so far, by name, except "text"."""
        return joined(self._fields)

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._content()
        except RequestEntityTooLarge:
            detail = f"it may have at most {_MAX_PARTS} parts, with short headers"
            raise Rejected(RejectionKind.TOO_LARGE, f"the form can't be read: {detail}") from None
        except ValueError as error:
            raise Rejected(RejectionKind.UNREADABLE, f"malformed form: {error}") from None

    def _content(self) -> Iterator[bytes]:
        """Yield the content of the form's file in pieces.

        Text fields are stored when they are reached, so those after the file are known only at the
        end.
        """
        part: File | Field | None = None
        value = bytearray()
        for piece in chain(self._uncut(), (None,)):
            self._decoder.receive_data(piece)
            while not isinstance(event := self._decoder.next_event(), (NeedData, Epilogue)):
                if isinstance(event, (File, Field)):
                    part, value = event, bytearray()
                    self._check(part)
                elif not isinstance(event, Data) or part is None:
                    continue
                elif isinstance(part, File):
                    if event.data:
                        yield event.data
                else:
                    self._add(part.name, value, event)

    def _uncut(self) -> Iterator[bytes]:
        """Yield the body in pieces that don't end within a boundary.

        If a piece ends after a boundary but before its line break, the decoder treats the line
        break before the boundary as content.
        """
        held = b""
        for piece in self._body:
            data = held + piece
            line_break = _LINE_BREAK.search(data, max(len(data) - self._longest_boundary, 0))
            end = line_break.start() if line_break else len(data)
            held = data[end:]
            yield data[:end]
        yield held

    def _check(self, part: File | Field) -> None:
        """Raise Rejected if a part of the form isn't expected at its place, or has a wrong name.

        The name and the charset of the file are stored.
        """
        if isinstance(part, Field):
            if part.name is None:
                detail = 'a field of the form has no name; give it one, such as name="text"'
                raise Rejected(RejectionKind.UNREADABLE, detail)
            if self.fields_complete:
                detail = "put the option fields before the file when it is larger than"
                raise Rejected(
                    RejectionKind.UNREADABLE, f"{detail} {HELD_BACK // MIB} MiB", field=part.name
                )
        elif part.filename:  # a file without a name comes from a file input that was left empty
            if part.name != "file":
                detail = "send the file with the puzzles in the field 'file'"
                raise Rejected(RejectionKind.BAD_OPTION, detail, field=part.name)
            if self.file_name is not None:
                detail = "send one file per request, or pack the files into a .zip archive"
                raise Rejected(RejectionKind.BAD_OPTION, detail, field="file")
            self.file_name = part.filename
            _, parameters = parse_options_header(part.headers.get("Content-Type"))
            self.charset = parameters.get("charset", "")

    def _add(self, name: str, value: bytearray, event: Data) -> None:
        """Add a piece of a field's content to `value`, and store the field if it is complete.

        Raises Rejected if the field is too long.
        """
        value += event.data
        limit = MAX_TEXT_BYTES if name == "text" else _MAX_FIELD_BYTES
        if len(value) > limit:
            advice = "; send a file instead" if name == "text" else ""
            detail = f"the field {name!r} is longer than {limit:,} bytes{advice}"
            raise Rejected(RejectionKind.TOO_LARGE, detail, field=name)
        if not event.more_data and name == "text":
            self.text = value
        elif not event.more_data:
            self._fields.append((name, value.decode("utf-8", "replace")))
