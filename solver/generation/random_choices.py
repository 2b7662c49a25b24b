"""Make the random choices for one puzzle, all from the same random stream."""

from collections.abc import Sequence
from typing import TypeVar

from solver.board.random_streams import RandomStreams

Item = TypeVar("Item")

_WORDS = 256  # read from the stream at a time


class RandomChoices:
    """Makes random choices with the first stream of a `RandomStreams` object."""

    def __init__(self, streams: RandomStreams) -> None:
        self._streams = streams
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """Return a random integer from 0 to bound − 1."""
        if not self._words:
            self._words = self._streams.words(_WORDS)[0].tolist()
        return (self._words.pop() >> 32) * bound >> 32

    def one_of(self, items: Sequence[Item]) -> Item:
        """Return a random one of the items. There must be at least one."""
        return items[self.below(len(items))]

    def by_weight(self, weights: Sequence[int]) -> int:
        """Return a random index of `weights`, with a probability in proportion to its weight.

        Raises ValueError if all weights are 0.
        """
        place = self.below(sum(weights))
        for index, weight in enumerate(weights):
            place -= weight
            if place < 0:
                return index
        raise ValueError("all weights are 0")

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return a new list of the items in a random order."""
        left = list(items)
        for end in range(len(left) - 1, 0, -1):
            other = self.below(end + 1)
            left[end], left[other] = left[other], left[end]
        return left
