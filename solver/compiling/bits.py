"""Bit operations on unsigned 64-bit words in compiled code."""

from typing import Any

import numpy as np

from solver.compiling.jit import inlined
from solver.compiling.words import highest

ZERO = np.uint64(0)
ONE = np.uint64(1)
ALL = ~ZERO


@inlined
def count(word: Any) -> Any:
    """Return the population count of a word.

    It adds neighboring fields: bits to pairs, pairs to nibbles, nibbles to bytes, then all bytes.
    """
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inlined
def is_single(word: Any) -> Any:
    """Return whether a word has at most one bit set."""
    return word & (word - ONE) == ZERO


@inlined
def first_bit(word: Any) -> Any:
    """Return a word with only the lowest set bit of `word`."""
    return word & (~word + ONE)


@inlined
def first(word: Any) -> Any:
    """Return the index of the lowest set bit."""
    return count((word & (~word + ONE)) - ONE)


@inlined
def last(word: Any) -> Any:
    """Return the index of the highest set bit."""
    return highest(word)


@inlined
def has_gaps(word: Any) -> Any:
    """Return whether any bit between the lowest and the highest set bit is clear."""
    return word & (word + first_bit(word)) != ZERO


@inlined
def turned(word: Any) -> Any:
    """Return the word with its 64 bits reversed: bit 0 becomes bit 63."""
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
