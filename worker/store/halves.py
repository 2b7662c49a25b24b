"""Half a byte for each number below 16, and for each character of usual puzzles.

Two numbers a byte, the first in the higher bits, without a gap:

    numbers  5 3 4 6 7      bytes  53 46 70
"""

import numpy as np
from numpy.typing import NDArray

_ZERO, _DOT = np.uint8(ord("0")), np.uint8(ord("."))
_LOW = np.uint8(15)


def halved(numbers: NDArray[np.uint8]) -> bytes:
    """Return numbers below 16 of an array of any shape, in its order."""
    even = np.zeros(numbers.size + numbers.size % 2, np.uint8)
    even[: numbers.size] = numbers.reshape(-1)
    pairs = even.view("<u2")  # the first of each pair in the lower byte
    return (pairs << 4 | pairs >> 8).astype(np.uint8).tobytes()


def whole(halves: bytes) -> NDArray[np.uint8]:
    """Return the numbers, and a zero behind an odd one."""
    packed = np.frombuffer(halves, np.uint8)
    numbers = np.empty(2 * len(packed), np.uint8)
    numbers[0::2] = packed >> 4
    numbers[1::2] = packed & _LOW
    return numbers


def halve_text(text: bytes) -> bytes | None:
    """Return text of digits, dots and line breaks; None for any other.

    The lower half of its code tells each of these from the others.
    """
    codes = np.frombuffer(text, np.uint8)
    low = codes & _LOW
    return halved(low) if np.array_equal(_characters(low), codes) else None


def whole_text(halves: bytes, *, length: int) -> bytes:
    """Return the text that was halved, which had so many characters."""
    return _characters(whole(halves)[:length]).tobytes()


def _characters(low: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the character of each lower half: digits, a dot for 14, and else control characters.

    Of those, 10 and 13 are line feed and return.
    """
    upper: NDArray[np.uint8] = (low < 10) * _ZERO + (low == (_DOT & _LOW)) * (_DOT & ~_LOW)
    return low + upper
