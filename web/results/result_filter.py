"""Selects results by outcome, rating, technique, name or number, and by being duplicates."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.board.bounds import Bounds
from solver.board.result import Outcome
from web.results.rating_range import RatingRange
from worker.records.chunk_result import ChunkResult

# The number of a chunk's first record in the job (from 1), and results of the chunk.
Part = tuple[int, ChunkResult]


# Arrays can't be compared as the other members are.
@dataclass(frozen=True, slots=True, eq=False)
class Filter:
    """Selects records. Empty members and None match all records.

    outcomes    the outcomes
    ratings     the range of the Sudoku Explainer rating
    own_ratings  the range of the sudokuq rating
    techniques  HoDoKu's codes of techniques, of which the record needs one or more
    search      a part of the record's name, in lower case, or its number
    numbers     the only numbers of records in the job that match, ascending
    excluded    numbers of records in the job that don't match, ascending
    """

    outcomes: frozenset[str] = frozenset()
    ratings: RatingRange | None = None
    own_ratings: Bounds | None = None
    techniques: frozenset[int] = frozenset()
    search: str = ""
    numbers: NDArray[np.int64] | None = None
    excluded: NDArray[np.int64] | None = None

    def __bool__(self) -> bool:
        return bool(self.outcomes) or self.ratings is not None or not self.is_counted

    @property
    def is_counted(self) -> bool:
        """Whether the job's statistics contain the number of matches.

        Otherwise, the results must be read to count them.
        """
        is_plain = not self.search and self.numbers is None and self.excluded is None
        return is_plain and not self.techniques and self.own_ratings is None

    def only_rated(self) -> "Filter":
        """Return a filter that also requires a Sudoku Explainer rating."""
        return self if self.ratings is not None else replace(self, ratings=RatingRange())

    def only_with_own_rating(self) -> "Filter":
        """Return a filter that also requires a sudokuq rating."""
        return self if self.own_ratings is not None else replace(self, own_ratings=Bounds(0))

    def places_in(self, part: Part) -> NDArray[np.intp]:
        """Return the positions, from 0, of the records in a part that pass the filter."""
        first, result = part
        wanted = np.ones(len(result), bool)
        if self.outcomes:
            codes = [outcome for outcome in Outcome if outcome.label in self.outcomes]
            wanted &= np.isin(np.frombuffer(result.outcomes, np.uint8), codes)
        if self.ratings is not None:
            wanted &= self.ratings.includes(result.ratings())
        if self.own_ratings is not None:
            known = result.sudokuq_ratings()
            wanted &= known >= max(0, self.own_ratings.least or 0)
            if self.own_ratings.most is not None:
                wanted &= known <= self.own_ratings.most
        if self.techniques:
            wanted &= self._need_technique(result)
        numbers = np.arange(first, first + len(result))
        if self.search:
            wanted &= self._found(numbers, result)
        if self.numbers is not None:
            wanted &= _are_among(numbers, self.numbers)
        if self.excluded is not None:
            wanted &= ~_are_among(numbers, self.excluded)
        return np.flatnonzero(wanted)

    def _need_technique(self, result: ChunkResult) -> NDArray[np.bool_]:
        need = np.zeros(len(result), bool)
        for place, known in result.difficulties.items():
            need[place] = not self.techniques.isdisjoint(known.counts)
        return need

    def _found(self, numbers: NDArray[np.int64], result: ChunkResult) -> NDArray[np.bool_]:
        found = np.zeros(len(result), bool)
        if self.search.isdecimal():
            found |= numbers == int(self.search)
        for place, name in result.names.items():
            if self.search in name.casefold():
                found[place] = True
        return found


def _are_among(numbers: NDArray[np.int64], listed: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return a Boolean array that is True for the consecutive `numbers` that are in `listed`.

    `listed` is ascending. Only its part in the range of `numbers` is compared, because it can
    contain a million numbers.
    """
    if len(numbers) == 0:
        return np.zeros(0, bool)
    start, stop = np.searchsorted(listed, (numbers[0], numbers[-1] + 1))
    return np.isin(numbers, listed[start:stop])
