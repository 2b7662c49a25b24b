"""A step of an explanation, as the checker sees it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sentence_checker.names import Names
from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.logic.deduction import Deduction
from solver.logic.explanation import Explanation


@dataclass(frozen=True, slots=True)
class Step:
    """The text of a step, its result, and the grid before it.

    `givens` are the puzzle's givens (0 = none), and `domains` the values that each cell can have
    before the step (bit 0 = value 1, a single bit for a filled cell).
    """

    names: Names
    givens: tuple[int, ...]
    domains: tuple[int, ...]
    deduction: Deduction
    text: str

    @property
    def layout(self) -> Layout:
        """The board of the puzzle."""
        return self.names.layout

    def can_be(self, cell: int, value: int) -> bool:
        """Return whether a cell can have a value before the step."""
        return bool(self.domains[cell] >> (value - 1) & 1)

    def is_decided(self, cell: int) -> bool:
        """Return whether a cell has only one candidate, which the step doesn't place."""
        is_placed = any(cell == one for one, _ in self.deduction.placements)
        return self.domains[cell].bit_count() == 1 and not is_placed


@lru_cache(maxsize=64)
def names_of(layout: Layout, symbols: Symbols) -> Names:
    """Return the names in puzzles with this layout and these symbols."""
    return Names(layout, symbols)


def steps_of(explanation: Explanation) -> Iterator[Step]:
    """Yield the steps of an explanation."""
    names = names_of(explanation.layout, explanation.symbols)
    steps = zip(explanation.deductions, explanation.sentences, explanation.positions, strict=False)
    for deduction, text, position in steps:
        yield Step(names, explanation.start.values, position.domains, deduction, text)
