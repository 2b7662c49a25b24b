"""Find out whether a puzzle is equivalent to another one, which means equal up to symmetry.

A puzzle is represented by the digest of its canonical form, the least of all equivalent puzzles. In
the improbable case that two forms have the same digest, one puzzle is replaced needlessly.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.canonical.minlex import has_minlex, minlex
from solver.canonical.small_boards import least_variant
from solver.generation.board_request import box_of
from solver.generation.full_grids import Grids

_LISTED = 0  # stands for the number of a listed puzzle, because it is before all others
_DIGEST_BYTES = 8


class Seen:
    """The digests of the puzzles of a request that exist so far, with their numbers.

    The number is that of the puzzle in the request. Generators in the same process can share one
    object.
    """

    def __init__(self, listed: tuple[Puzzle, ...] = ()) -> None:
        """Start with listed puzzles, to which no puzzle may be equivalent."""
        self._numbers = dict.fromkeys(_digests_of_listed(listed), _LISTED)

    def is_new(self, digest: int, *, number: int) -> bool:
        """Return whether puzzle `number`, which has this digest, isn't equivalent to another one.

        Only listed puzzles and added puzzles with lower numbers count.
        """
        return self._numbers.get(digest, number) >= number

    def add(self, digest: int, *, number: int) -> None:
        """Add puzzle `number`, which has this digest."""
        self._numbers[digest] = number


def digests_of(layout: Layout, puzzles: Grids) -> list[int]:
    """Return the digests of puzzles (n, cells) on a board with canonical forms."""
    return [_digest(form) for form in _forms(layout, puzzles)]


@lru_cache(maxsize=4)  # A process makes many blocks of the same request.
def _digests_of_listed(listed: tuple[Puzzle, ...]) -> frozenset[int]:
    givens: dict[Layout, list[tuple[int, ...]]] = {}
    for puzzle in filter(_is_consistent, listed):
        givens.setdefault(puzzle.layout, []).append(puzzle.givens)
    return frozenset(
        digest
        for layout, some in givens.items()
        for digest in digests_of(layout, np.array(some, np.uint8))
    )


def _is_consistent(puzzle: Puzzle) -> bool:
    """Return whether no value occurs twice in a house. Other puzzles have no canonical form."""
    for house in puzzle.layout.houses:
        values = [puzzle.givens[cell] for cell in house.cells if puzzle.givens[cell]]
        if len(set(values)) < len(values):
            return False
    return True


def _forms(layout: Layout, puzzles: Grids) -> Sequence[bytes]:
    if has_minlex(layout):
        return [form.tobytes() for form in minlex(puzzles)]
    box = box_of(layout)
    return [least_variant(puzzle.tobytes(), box) for puzzle in puzzles]


def _digest(form: bytes) -> int:
    return int.from_bytes(blake2b(form, digest_size=_DIGEST_BYTES).digest())
