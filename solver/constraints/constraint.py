"""What a constraint is: a rule, the cells it is about, and what it compiles to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solver.layout import Domain, Links, Relation, Sum

Cells = tuple[int, ...]
Part = Domain | Links | Relation | Sum


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A kind of constraint.

    `example` is how JSON writes one. `least` and `most` bound the number of its cells, and
    `value` is the key of the number that it needs, if any. `parts` compiles (cells, number,
    size of the grid) for the engine. `holds` tells of the values of the cells, in their order,
    and the number whether the rule is kept; it shares nothing with `parts`.
    """

    name: str
    description: str
    example: str
    parts: Callable[[Cells, int, int], tuple[Part, ...]]
    holds: Callable[[Sequence[int], int], bool]
    least: int = 2
    most: int = 64 * 64
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Constraint:
    """A rule for some cells; `value` is 0 where the rule needs none."""

    rule: Rule
    cells: Cells
    value: int = 0

    def parts(self, size: int) -> tuple[Part, ...]:
        """Return what the engine has to know, on a grid with values 1…size."""
        return self.rule.parts(self.cells, self.value, size)

    def holds(self, grid: Sequence[int]) -> bool:
        """Return whether a full grid keeps the rule."""
        return self.rule.holds([int(grid[cell]) for cell in self.cells], self.value)
