"""Implement lz-string's base64 format, after https://github.com/pieroxy/lz-string (MIT).

The algorithm is LZ78 over UTF-16 units. Codes are as wide as the phrase table requires, lowest bit
first. The codes 0 and 1 announce a new unit of 8 or 16 bits, and 2 ends the text.
"""

import re
from string import ascii_lowercase, ascii_uppercase, digits

_LETTERS = ascii_uppercase + ascii_lowercase + digits + "+/"
_BITS_OF = {letter: f"{value:06b}" for value, letter in enumerate(_LETTERS)}
_BITS_OF |= {" ": _BITS_OF["+"], "-": _BITS_OF["+"], "_": _BITS_OF["/"]}  # how URLs encode + and /
_KNOWN_LETTERS = re.compile(r"[A-Za-z0-9+/ _-]*")
_UNIT_BITS = {0: 8, 1: 16}
_END = 2


def decompress(text: str, *, most: int) -> str | None:
    """Return the decompressed text, or None if it is malformed or exceeds `most` characters.

    The compressed text ends before the first character that isn't a base64 digit.
    """
    known = _KNOWN_LETTERS.match(text)  # the text may end before the first unknown one
    bits = "".join(map(_BITS_OF.__getitem__, known[0])) if known else ""
    try:
        units = _read(bits, most)
    except (IndexError, ValueError):
        return None
    return units and units.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _read(bits: str, most: int) -> str | None:
    """Return the text that a string of 0s and 1s encodes, or None if it is malformed or too long.

    The text may have `most` characters. In each number, the lowest bit comes first. Raises
    ValueError if the bits end before a unit, and IndexError if the first code is that of no phrase.
    """
    phrases: list[str] = ["", "", ""]
    width = 2
    before = ""
    length = place = 0
    parts: list[str] = []
    while place + width <= len(bits):
        code = int(bits[place : place + width][::-1], 2)
        place += width
        if code == _END:
            return "".join(parts)
        if code in _UNIT_BITS:
            wide = _UNIT_BITS[code]
            phrases.append(chr(int(bits[place : place + wide][::-1], 2)))
            place += wide
            code = len(phrases) - 1
        # A phrase that is still being added begins and ends with the same unit.
        phrase = phrases[code] if code < len(phrases) else before + before[0]
        if code > len(phrases):
            return None
        parts.append(phrase)
        length += len(phrase)
        if length > most:
            return None
        if before:
            phrases.append(before + phrase[0])
        before = phrase
        # The table will have one more phrase when the next code is read.
        width = max(3, len(phrases).bit_length())
    return None


def compress(text: str) -> str:
    """Return a text compressed as base64 without padding, so that `decompress` restores it."""
    units = text.encode("utf-16-be")
    text = "".join(chr(256 * high + low) for high, low in zip(units[::2], units[1::2], strict=True))
    bits: list[int] = []
    codes: dict[str, int] = {}
    count, width, start, before = 3, 2, 0, ""

    def put(number: int, wide: int) -> None:
        bits.extend(number >> place & 1 for place in range(wide))

    while start < len(text):
        phrase = text[start]
        if phrase in codes:
            while (
                start + len(phrase) < len(text) and text[start : start + len(phrase) + 1] in codes
            ):
                phrase = text[start : start + len(phrase) + 1]
            put(codes[phrase], width)
        else:
            kind = int(ord(phrase) > 0xFF)
            put(kind, width)
            put(ord(phrase), _UNIT_BITS[kind])
            codes[phrase] = count
            count += 1
        if before:
            codes.setdefault(before + phrase[0], count)
            count += 1
        before = phrase
        start += len(phrase)
        width = max(3, count.bit_length())
    put(_END, width)
    bits += [0] * (-len(bits) % 6)
    sextets = ("".join(map(str, bits[place : place + 6])) for place in range(0, len(bits), 6))
    return "".join(_LETTERS[int(sextet, 2)] for sextet in sextets)
