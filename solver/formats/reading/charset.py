"""Text that is not UTF-8, but what Western programs for Windows save."""

from solver.formats.reading.lines import BOM

WESTERN = "cp1252"
READ_AS_WESTERN = "read as Windows-1252, because the text is not UTF-8"

# Bytes that stand for nothing in Windows-1252, control characters that no text has, and 0xFF, which
# is more often a mark of something else than a y with two dots.
_NEVER = bytes([0x81, 0x8D, 0x8F, 0x90, 0x9D, 0xFF, *range(9), 11, *range(14, 26), *range(27, 32)])
_HIGH = bytes(range(0x80, 0x100))
# Beyond so large a share of letters with accents it is another charset, or no text at all.
_MOST_HIGH = 0.2


def is_western(data: bytes) -> bool:
    """Return whether data is Windows-1252 rather than UTF-8 with a few broken bytes."""
    if data.startswith(BOM) or len(data.translate(None, _NEVER)) < len(data):
        return False
    high = len(data) - len(data.translate(None, _HIGH))
    if high > _MOST_HIGH * len(data):
        return False
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(character > "\x7f" for character in text) - broken
    return broken > whole


def decode_upload(data: bytes) -> bytes:
    """Return a whole upload as UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode(WESTERN).encode() if is_western(data) else data
    return data
