"""Redundant givens and constraints as they are stored in a chunk's results."""

import msgspec

from solver.board.minimality import Minimality


class StoredMinimality(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """The stored form of one record's minimality.

    givens, constraints                      the redundant givens, as cells, and the redundant
                                             constraints, as indices in those of the board
    undecided_givens, undecided_constraints  those for which it is undecided, in the same form
    reduced                                  the minimal puzzle as text, "" if it can't be written
                                             as text, None if it wasn't requested
    """

    givens: tuple[int, ...] = ()
    constraints: tuple[int, ...] = ()
    undecided_givens: tuple[int, ...] = ()
    undecided_constraints: tuple[int, ...] = ()
    reduced: str | None = None

    @classmethod
    def of(cls, found: Minimality, reduced: str | None) -> "StoredMinimality":
        """Convert the minimality of a puzzle for storage. `reduced` is the minimal puzzle."""
        return cls(
            found.redundant.givens,
            found.redundant.constraints,
            found.undecided.givens,
            found.undecided.constraints,
            reduced,
        )

    @property
    def minimal(self) -> bool | None:
        """Whether all givens and constraints are needed, or None if that is undecided."""
        if self.givens or self.constraints:
            return False
        return None if self.undecided_givens or self.undecided_constraints else True
