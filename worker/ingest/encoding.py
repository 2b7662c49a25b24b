"""Converts uploads to UTF-8 from UTF-16 or Windows-1252. Other charsets aren't supported."""

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from solver.formats.reading.charset import WESTERN, is_western

# UTF-8 with a byte order mark stays as it is.
_MARKS = {
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    codecs.BOM_UTF8: None,
}
_MAX_MARK_BYTES = 3
_CHARSETS = {
    "utf-16": "utf-16-be",  # according to RFC 2781
    "utf-16be": "utf-16-be",
    "utf-16le": "utf-16-le",
    # often declared for text that uses the additional characters of Windows-1252
    "iso-8859-1": "cp1252",
    "windows-1252": "cp1252",
}


@dataclass(slots=True)
class Charset:
    """The charset from which `or_western` has converted an upload.

    `name` is None if the upload is unchanged, or if no non-ASCII characters have been read yet.
    """

    name: str | None = None


def or_western(pieces: Iterable[bytes], charset: Charset) -> Iterator[bytes]:
    """Yield an upload as UTF-8. Text that is in Windows-1252 is converted, and UTF-8 is unchanged.

    The first non-ASCII characters decide for the whole upload, because the bytes before them are
    the same in both charsets. If they are Windows-1252, `charset.name` is set when they are read.
    If they are neither valid UTF-8 nor plausible Windows-1252, the upload is unchanged, too.
    """
    iterator = iter(pieces)
    held = b""  # the incomplete UTF-8 character at the end of the previous piece
    for piece in iterator:
        text = held + piece
        try:
            decoded, used = codecs.utf_8_decode(text, "strict", False)  # noqa: FBT003
        except UnicodeDecodeError:
            yield from _decided(text, iterator, charset)
            return
        yield text[:used]
        held = text[used:]
        if not decoded.isascii():
            yield held
            yield from iterator
            return
    if held:
        yield from _decided(held, iterator, charset)


def _decided(text: bytes, rest: Iterator[bytes], charset: Charset) -> Iterator[bytes]:
    """Yield `text` and `rest`, converted to UTF-8 if `text` looks like Windows-1252.

    `text` isn't valid UTF-8. `rest` contains the pieces that follow it. `charset.name` is set if
    the text is converted.
    """
    if not is_western(text):
        yield text
        yield from rest
        return
    charset.name = WESTERN
    for piece in chain((text,), rest):
        yield piece.decode(WESTERN, "replace").encode()


def to_utf8(pieces: Iterable[bytes], *, charset: str = "") -> Iterator[bytes]:
    """Yield an upload converted to UTF-8 from the charset that it is declared to have.

    `charset` is the declared charset, or "". A byte order mark of UTF-16 or UTF-8 takes precedence
    over it, and is removed. Only UTF-16 and Windows-1252 are converted, and ISO-8859-1 counts as
    Windows-1252. The byte order of UTF-16 without a mark is recognized from the first character.
    Text with any other charset or none is unchanged. Invalid characters become U+FFFD.
    """
    iterator = iter(pieces)
    first = b""
    for piece in iterator:
        first += piece
        if len(first) >= _MAX_MARK_BYTES:
            break
    mark = next((mark for mark in _MARKS if first.startswith(mark)), None)
    encoding = _named(charset.lower(), first) if mark is None else _MARKS[mark]
    if encoding is None:
        if first:
            yield first
        yield from iterator
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    yield decoder.decode(first.removeprefix(mark or b"")).encode()
    for piece in iterator:
        yield decoder.decode(piece).encode()
    yield decoder.decode(b"", final=True).encode()


def _named(charset: str, first: bytes) -> str | None:
    """Return Python's name of a declared charset, or None if its text isn't to be converted.

    `charset` is in lower case. UTF-16 is big-endian by default, but some programs send
    little-endian text. `first`, the beginning of the text, reveals that.
    """
    is_little = charset == "utf-16" and first[1:2] == b"\0"
    return "utf-16-le" if is_little else _CHARSETS.get(charset)
