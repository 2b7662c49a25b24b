"""Represent a conflict: givens and constraints of a puzzle that contradict each other."""

from dataclasses import dataclass

_MOST_HELPFUL = 10


@dataclass(frozen=True, slots=True)
class Conflict:
    """Some givens and constraints of a puzzle that can't all hold on its board.

    The houses and the not-equal pairs of the board always apply and aren't listed. Usually no part
    of the conflict is a conflict itself, but that isn't guaranteed.

    givens       the cells with these givens
    constraints  indices of these constraints in the constraints of the puzzle's layout
    detail       the conflict in words, such as "the 5 in r1c1 and the cage at r1c1 contradict each
                 other"
    """

    givens: tuple[int, ...]
    constraints: tuple[int, ...]
    detail: str

    def __len__(self) -> int:
        return len(self.givens) + len(self.constraints)

    @property
    def is_small(self) -> bool:
        """Whether the conflict is small enough to help a person find the mistake."""
        return len(self) <= _MOST_HELPFUL
