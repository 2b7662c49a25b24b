"""Bits of a word in compiled code."""

from typing import Any

import numpy as np

from solver.compiling.jit import inlined
from solver.compiling.words import highest

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = ~ZERO


@inlined
def count(word: Any) -> Any:
    """Count the bits of a word by adding neighbours: pairs, nibbles, bytes, then all bytes."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inlined
def is_single(word: Any) -> Any:
    """Return whether a word has one bit, or none."""
    return word & (word - ONE) == ZERO


@inlined
def first_bit(word: Any) -> Any:
    """Return the lowest bit alone."""
    return word & (~word + ONE)


@inlined
def first(word: Any) -> Any:
    """Return the place of the lowest bit."""
    return count((word & (~word + ONE)) - ONE)


@inlined
def last(word: Any) -> Any:
    """Return the place of the highest bit."""
    return highest(word)


@inlined
def has_gaps(word: Any) -> Any:
    """Return whether bits are missing between the lowest and the highest one."""
    return word & (word + first_bit(word)) != ZERO


@inlined
def turned(word: Any) -> Any:
    """Return the bits in the opposite order: the lowest one becomes the highest one."""
    by_one = np.uint64(0x5555555555555555)
    word = ((word >> ONE) & by_one) | ((word & by_one) << ONE)
    by_two = np.uint64(0x3333333333333333)
    word = ((word >> np.uint64(2)) & by_two) | ((word & by_two) << np.uint64(2))
    by_four = np.uint64(0x0F0F0F0F0F0F0F0F)
    word = ((word >> np.uint64(4)) & by_four) | ((word & by_four) << np.uint64(4))
    by_eight = np.uint64(0x00FF00FF00FF00FF)
    word = ((word >> np.uint64(8)) & by_eight) | ((word & by_eight) << np.uint64(8))
    by_sixteen = np.uint64(0x0000FFFF0000FFFF)
    word = ((word >> np.uint64(16)) & by_sixteen) | ((word & by_sixteen) << np.uint64(16))
    return (word >> np.uint64(32)) | (word << np.uint64(32))
