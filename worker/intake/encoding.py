"""Text as some Windows programs save it, or in another charset that is named, becomes UTF-8."""

import codecs
from collections.abc import Iterable, Iterator

# UTF-8 with a mark stays as it is.
_MARKS = {
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    codecs.BOM_UTF8: None,
}
_LONGEST_MARK = 3
_CHARSETS = {
    "utf-16": "utf-16-be",  # as RFC 2781 has it
    "utf-16be": "utf-16-be",
    "utf-16le": "utf-16-le",
    "iso-8859-1": "cp1252",  # whoever says so may send what Windows has beyond it
    "windows-1252": "cp1252",
}


def to_utf8(pieces: Iterable[bytes], *, charset: str = "") -> Iterator[bytes]:
    """Pass text on, as UTF-8 if it begins with the mark of UTF-16; what is none becomes U+FFFD.

    Where there is no mark, `charset` says what the text is, if it is known.
    """
    iterator = iter(pieces)
    first = b""
    for piece in iterator:
        first += piece
        if len(first) >= _LONGEST_MARK:
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
    """Return the encoding of a charset; some programs mean the other UTF-16, and begin so."""
    is_little = charset == "utf-16" and first[1:2] == b"\0"
    return "utf-16-le" if is_little else _CHARSETS.get(charset)
