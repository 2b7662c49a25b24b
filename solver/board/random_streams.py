"""Make random numbers for many puzzles at once, with one independent stream per puzzle.

A stream is determined by its keys, for example a seed, a puzzle's number, and an attempt. All
streams of a `RandomStreams` object are read together, so each puzzle gets the same numbers whatever
other puzzles are in the batch.

The generator is SplitMix64: Steele, Lea, and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014. Output i of a stream is a hash of its state plus i times a constant.
"""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

_INCREMENT = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ divided by the golden ratio, made odd


class RandomStreams:
    """One stream of random 64-bit words per row of a batch."""

    def __init__(self, *keys: int | Sequence[int] | NDArray[np.integer]) -> None:
        """Start the streams with these keys.

        Each key is an integer, or one integer per row. At least one of them must be a sequence.
        Streams are different if any of their keys are. A key must fit in 64 bits, signed or
        unsigned. Keys that differ by 2⁶⁴ are equal.
        """
        state = np.zeros(1, np.uint64)
        for key in keys:
            words = np.atleast_1d(np.asarray(key)).astype(np.uint64)
            state = _hash(state + _INCREMENT ^ words)
        self._state = state
        self._count = 0

    def __len__(self) -> int:
        return len(self._state)

    def spawn(self, key: int) -> "RandomStreams":
        """Return new streams, one per stream, that depend on its keys and on `key`.

        They don't depend on how many words have been read from these streams.
        """
        return RandomStreams(self._state, key)

    def subset(self, rows: NDArray[np.integer]) -> "RandomStreams":
        """Return new streams that continue the streams of the given rows.

        Reading from them doesn't advance these streams.
        """
        subset = copy(self)
        subset._state = self._state[rows]
        return subset

    def words(self, count: int) -> Words:
        """Return the next `count` words of each stream (rows, count)."""
        words = random_words(self._state, count, skip=self._count)
        self._count += count
        return words

    def below(self, bounds: int | NDArray[np.integer], count: int = 1) -> NDArray[np.int64]:
        """Return `count` integers from 0 to bound − 1 for each row (rows, count).

        `bounds` is one bound for all rows, or one per row, at most 2³². The bias of the result is
        below bound / 2³².
        """
        limit = np.atleast_1d(np.asarray(bounds, np.uint64))[:, None]
        high = self.words(count) >> np.uint64(32)
        return (high * limit >> np.uint64(32)).astype(np.int64)

    def permutations(self, size: int) -> NDArray[np.int64]:
        """Return a random order of 0…size − 1 for each row (rows, size)."""
        # Sorting random words with the indexes as their last bits is faster than argsort.
        last_bits = np.uint64((1 << size.bit_length()) - 1)
        words = self.words(size) & ~last_bits | np.arange(size, dtype=np.uint64)
        words.sort(axis=1)
        return (words & last_bits).astype(np.int64)


def random_words(states: Words, count: int, *, skip: int = 0) -> Words:
    """Return `count` words (n, count) of the streams that start in the given states (n,).

    The first `skip` words of each stream are left out.
    """
    steps = np.arange(skip + 1, skip + 1 + count, dtype=np.uint64) * _INCREMENT
    return _hash(states[:, None] + steps)


def _hash(words: Words) -> Words:
    """Return SplitMix64's output function of each word."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
