"""Text as some Windows programs save it, UTF-16 with a mark at its beginning, becomes UTF-8."""

import codecs
from collections.abc import Iterable, Iterator

_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_MARK_BYTES = 2


def to_utf8(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pass text on, as UTF-8 if it begins with the mark of UTF-16; what is none becomes U+FFFD."""
    iterator = iter(pieces)
    first = b""
    for piece in iterator:
        first += piece
        if len(first) >= _MARK_BYTES:
            break
    encoding = _MARKS.get(first[:_MARK_BYTES])
    if encoding is None:
        if first:
            yield first
        yield from iterator
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    yield decoder.decode(first[_MARK_BYTES:]).encode()
    for piece in iterator:
        yield decoder.decode(piece).encode()
    yield decoder.decode(b"", final=True).encode()
