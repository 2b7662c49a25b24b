"""Clauses over numbered variables, and encodings of conditions that need several clauses."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isqrt

from solver.board.branching import Layers

Clause = list[int]

# Literals of a puzzle, including the ends of clauses. The solver takes some 20 bytes for each. An
# empty board of 100×100 has half as many.
MOST_LITERALS = 60_000_000

# Up to this many variables, each pair gets a clause. More of them are arranged in a rectangle whose
# rows and columns are exclusive: about 2n + 4√n clauses (Chen's product encoding) instead of n²/2.
_FEW = 6


class TooManyLiterals(Exception):
    """Raised if the clauses of a puzzle would need too much memory."""


class ClauseList:
    """Clauses concatenated in one array, which takes a tenth of the memory of lists."""

    def __init__(self) -> None:
        self._literals = array("i")  # 0 after each clause

    def append(self, clause: Iterable[int]) -> None:
        """Add a clause, given as its literals. Raises TooManyLiterals if there are too many now."""
        self._literals.extend(clause)
        self._literals.append(0)
        if len(self._literals) > MOST_LITERALS:
            raise TooManyLiterals

    def __iadd__(self, clauses: Iterable[Iterable[int]]) -> "ClauseList":
        for clause in clauses:
            self.append(clause)
        return self

    def __iter__(self) -> Iterator[Clause]:
        start = 0
        literals = self._literals
        while start < len(literals):
            end = literals.index(0, start)
            yield literals[start:end].tolist()
            start = end + 1


@dataclass(slots=True)
class Clauses:
    """A formula in conjunctive normal form: a list of clauses over numbered variables.

    `variables` is the number of variables so far. They are numbered from 1, and −n is the negation
    of n. The formula is `broken` if some constraint is found to have no solution while it is
    encoded.
    """

    variables: int
    clauses: ClauseList = field(default_factory=ClauseList)
    broken: bool = False

    def new(self) -> int:
        """Add a new variable, and return its number."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add the clause that at least one of the literals is true."""
        self.clauses.append(literals)

    def one_of(self, literals: Sequence[int]) -> None:
        """Add the clause that at least one of the literals is true. They needn't be exclusive.

        Without literals, the formula becomes `broken`.
        """
        self.clauses.append(literals)
        self.broken |= not literals

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Add clauses so that at most one of the literals is true. This may add new variables."""
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
        """Return a new variable that is true exactly if both literals are, and add its clauses."""
        made = self.new()
        self.clauses += [[-made, one], [-made, other], [made, -one, -other]]
        return made

    def word(self, letters: Sequence[Sequence[int]], layers: Layers) -> None:
        """Add clauses so that the values of some cells form a word that an automaton accepts.

        An accepted word is a path through layers of edges. `letters` has, for each place and value,
        the literal that the place has the value, 0 for values that are impossible. `layers` has the
        edges of each place as tuples (state, value, next state). Paths start in state 0, and there
        are only edges from which acceptance can be reached. If no path is left, the formula becomes
        `broken`. A new variable per place and state states whether the path goes through the state:

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
