"""Clauses about numbered variables, and what is said by several of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isqrt

from solver.board.branching import Layers

Clause = list[int]

# Of so few variables each pair is told apart. Of more, they stand in a rectangle, and its rows and
# columns are told apart: 2n + 4√n clauses about (Chen's product encoding), where pairs are n²/2.
_FEW = 6


@dataclass(slots=True)
class Clauses:
    """What is asked of the variables, which are numbers from 1 on; −n says that n does not hold.

    It is `broken` where something has no possibility left.
    """

    variables: int
    clauses: list[Clause] = field(default_factory=list)
    broken: bool = False

    def new(self) -> int:
        """Return one more variable."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add that one of the literals holds."""
        self.clauses.append(list(literals))

    def one_of(self, literals: Sequence[int]) -> None:
        """Add that one of the literals holds, of which there may be none."""
        self.clauses.append(list(literals))
        self.broken |= not literals

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Add that no two of the literals hold."""
        if len(literals) <= _FEW:
            self.clauses += [[-one, -other] for one, other in combinations(literals, 2)]
            return
        wide = isqrt(len(literals) - 1) + 1
        rows = [self.new() for _ in range(-(-len(literals) // wide))]
        columns = [self.new() for _ in range(wide)]
        for place, literal in enumerate(literals):
            self.add(-literal, rows[place // wide])
            self.add(-literal, columns[place % wide])
        self.at_most_one(rows)
        self.at_most_one(columns)

    def both(self, one: int, other: int) -> int:
        """Return a variable that holds where both literals do."""
        made = self.new()
        self.clauses += [[-made, one], [-made, other], [made, -one, -other]]
        return made

    def word(self, letters: Sequence[Sequence[int]], layers: Layers) -> None:
        """Add that letters, of which each place has one, are a word: a way through layers.

        `letters` are the literals (places, values), 0 for values that cannot be. A variable says
        of each state whether the word comes through it:

            letters     x       y       s ∧ x → t for each edge, none where there is no edge;
            states   s ───► t ───► u    t → some state before it, s → some letter that leads on
        """
        held = {0: self.new()}
        self.add(held[0])
        for literals, layer in zip(letters, layers, strict=True):
            edges = [edge for edge in layer if edge[0] in held and literals[edge[1]]]
            after = {state: self.new() for state in sorted({there for _, _, there in edges})}
            leading: dict[int, dict[int, list[int]]] = {state: {} for state in held}
            sources: dict[int, set[int]] = {state: set() for state in after}
            for here, value, there in edges:
                leading[here].setdefault(literals[value], []).append(after[there])
                sources[there].add(here)
            for here, onwards in leading.items():
                self.add(-held[here], *onwards)
                for literal, reached in onwards.items():
                    self.add(-held[here], -literal, *reached)
            for there, before in sources.items():
                self.add(-after[there], *(held[here] for here in sorted(before)))
            held = after
        self.broken |= not held
