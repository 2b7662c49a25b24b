"""Detects and decodes Windows-1252, which older Windows programs save instead of UTF-8."""

from solver.formats.reading.lines import BOM

WESTERN = "cp1252"
READ_AS_WESTERN = "read as Windows-1252, because the text is not UTF-8"

# Bytes that are undefined in Windows-1252, control characters that don't occur in text, and 0xFF,
# which is more often part of a marker than the letter ÿ.
_NEVER = bytes([0x81, 0x8D, 0x8F, 0x90, 0x9D, 0xFF, *range(9), 11, *range(14, 26), *range(27, 32)])
_HIGH = bytes(range(0x80, 0x100))
# With a larger share of accented letters, the data is in another charset or isn't text.
_MOST_HIGH = 0.2


def is_western(data: bytes) -> bool:
    """Return whether bytes are probably Windows-1252 rather than UTF-8 with a few broken bytes.

    Read as UTF-8, they must have more invalid sequences than valid characters outside ASCII. At
    most 20% of them may be outside ASCII. They must have no byte order mark, and no bytes that
    don't occur in Windows-1252 text.
    """
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
    """Return a whole upload as UTF-8, converted if it is Windows-1252, otherwise unchanged."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode(WESTERN).encode() if is_western(data) else data
    return data
