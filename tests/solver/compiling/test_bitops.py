"""Bit operations agree with Python's integers, for signed and unsigned words."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.compiling import bitops
from solver.compiling.jit import compiled_without_cache

_BITS = 64
_MASK = 2**_BITS - 1


@compiled_without_cache
def _all_of(word):  # type: ignore[no-untyped-def]
    return (
        bitops.popcount(word),
        bitops.ctz(word),
        bitops.msb(word),
        bitops.lowest_bit(word),
        bitops.reverse_bits(word),
    )


@compiled_without_cache
def _unsigned_only(word):  # type: ignore[no-untyped-def]
    return bitops.at_most_one_bit(word), bitops.has_gaps(word)


def _expected(word: int) -> tuple[int, int, int, int, int]:
    return (
        word.bit_count(),
        (word & -word).bit_length() - 1 if word else _BITS,
        word.bit_length() - 1,
        word & -word,
        int(f"{word:064b}"[::-1], 2),
    )


@pytest.mark.parametrize("kind", [np.uint64, np.int64])
@settings(deadline=None)
@example(word=0)
@example(word=1 << 63)
@example(word=_MASK)
@given(word=st.integers(0, _MASK))
def test_operations_agree_with_python(kind: Any, word: int) -> None:
    results = _all_of(np.uint64(word).astype(kind))
    assert tuple(int(result) & _MASK for result in results) == tuple(
        result & _MASK for result in _expected(word)
    )


@settings(deadline=None)
@example(word=0)
@example(word=_MASK)
@given(word=st.integers(0, _MASK))
def test_predicates_agree_with_python(word: int) -> None:
    assert _unsigned_only(np.uint64(word)) == (
        word.bit_count() < 2,
        "01" in f"{word:b}".rstrip("0"),
    )
