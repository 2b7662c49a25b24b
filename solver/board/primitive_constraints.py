"""Primitive constraints: the form in which engines receive the rules of a layout."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from solver.board.automaton import Automaton
from solver.board.branching import Branching


class House(NamedTuple):
    """A set of cells that must all differ.

    It has at most as many cells as there are values. With exactly as many, each value occurs once.
    `kind` is "row", "column", "box", or a name from a variant or constraint. `number` counts the
    houses of a kind from 1. It is 0 if there is only one.
    """

    kind: str
    number: int
    cells: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name in messages, such as ``row 3``."""
        return f"{self.kind} {self.number}" if self.number else self.kind


class Links(NamedTuple):
    """Pairs of cells that must differ, all for the same reason.

    `kind` is the reason as a phrase, such as "a knight's move" or "in a cage".
    """

    kind: str
    pairs: tuple[tuple[int, int], ...]

    @property
    def place(self) -> str:
        """Where the two cells are, such as "a knight's move apart" or "in a cage"."""
        return self.kind if self.kind.startswith("in ") else f"{self.kind} apart"

    def pairs_in_grid(self, cells: int) -> list[tuple[int, int]]:
        """Return the pairs in a grid of `cells` cells, without variables and auxiliary cells.

        These have higher numbers than the cells.
        """
        return [pair for pair in self.pairs if max(pair) < cells]


class Relation(NamedTuple):
    """A binary relation that each of the `pairs` of cells must satisfy.

    allowed[v] are the values that the second cell can have if the first one has the value v + 1, as
    a bit mask (bit 0 = value 1).
    """

    pairs: tuple[tuple[int, int], ...]
    allowed: tuple[int, ...]


class Sum(NamedTuple):
    """Cells whose numbers, multiplied by their factors, add up to the target.

    The number of value v is lowest + v − 1, with `lowest` from the layout.
    """

    cells: tuple[int, ...]
    factors: tuple[int, ...]
    target: int


class Regular(NamedTuple):
    """Cells whose values, in order, form a word that the automaton accepts.

    The automaton counts values from 0.
    """

    cells: tuple[int, ...]
    automaton: Automaton


class Combination(NamedTuple):
    """Cells whose set of values, ignoring repeats, is one of `sets` (bit masks, bit 0 = value 1).

    If there are more sets than the board has values, the layout's other constraints must imply this
    one, because clause learning then ignores it.
    """

    cells: tuple[int, ...]
    sets: tuple[int, ...]


class Filling(NamedTuple):
    """One way to fill a sandwich, as bit masks (bit 0 = value 1).

    `low` and `high` are the two crusts, `inside` are the values between them, and `outside` are the
    values allowed elsewhere in the line.
    """

    low: int
    high: int
    inside: int
    outside: int


class Sandwich(NamedTuple):
    """Cells of a line that all differ and contain a sandwich with one of the `fillings`.

    Of the two crusts, either can come first. Between them are exactly the values `inside` of the
    filling, in any order. The fillings are sorted by the number of values inside.
    """

    cells: tuple[int, ...]
    fillings: tuple[Filling, ...]


class Domain(NamedTuple):
    """The set of values that one cell can have, as bits (bit 0 = value 1)."""

    cell: int
    allowed: int


class Partition(NamedTuple):
    """A division of the grid into connected regions of `size` cells, none of which repeats a value.

    `labels` are named variables of the layout, one per cell of the grid in reading order. Their
    values are the region numbers. If `numbered` is set, no other constraint depends on the numbers.
    Then an engine can number the regions in any order that reduces the search.

    `pairs` are pairs of cells of the grid (lower cell first, adjacent pairs first). `answers` are
    auxiliary cells, one per pair, in the same order. Their value is 1 if the two cells are in
    different regions, and 2 if they are in the same region.
    """

    labels: tuple[int, ...]
    size: int
    numbered: bool
    pairs: tuple[tuple[int, int], ...]
    answers: tuple[int, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """The labels, then the answers: all variables of the constraint."""
        return (*self.labels, *self.answers)


class FullRank(NamedTuple):
    """A full rank clue: the rank of one line among all lines of a square grid.

    The lines are the rows and columns, each read from both of its ends. They are read as numbers
    and ranked by size. On each of the four sides of the grid, one line starts with a given value.

    line     the cells of the ranked line, in the order in which they are read
    answers  three auxiliary variables, one for each side on which the ranked line doesn't start, in
             the order left, top, right, bottom
    begins   the first value of the ranked line, counted from 0
    less     how many of the lines that start with this value on the other three sides are lower
             than the ranked line

    A clue with rank R has begins = (R − 1) // 4 and less = (R − 1) % 4. Each auxiliary variable
    compares the line of its side that starts with `begins` with the ranked line. Its value is 1 if
    that line is lower, 2 if it is higher, and 3 if both are equal.
    """

    line: tuple[int, ...]
    answers: tuple[int, ...]
    begins: int
    less: int

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of the line, then the answers."""
        return (*self.line, *self.answers)


class Branched(NamedTuple):
    """Cells whose values, in order, form a word that a nondeterministic automaton accepts.

    The automaton counts values from 0.
    """

    cells: tuple[int, ...]
    automaton: Branching


class Connected(NamedTuple):
    """The cells whose value is in `values` form one orthogonally connected region.

    `values` is a bit mask, bit 0 = value 1. Only `cells` can belong to the region, which has at
    least one and at most `most` cells. `places` are the positions of the cells in a grid, as
    indices in reading order, and `columns` is the width of this grid.
    """

    cells: tuple[int, ...]
    places: tuple[int, ...]
    columns: int
    values: int
    most: int


class SatDisjunction(NamedTuple):
    """A disjunction for the SAT engine: all constraints of at least one of the `options` hold."""

    options: "tuple[tuple[Part, ...], ...]"


# Constraints that backtracking search can try; they have no auxiliary cells.
Searchable = House | Domain | Links | Relation | Sum | Regular | Combination | Sandwich


class Disjunction(NamedTuple):
    """A disjunction of constraints that backtracking search can try.

    All constraints of at least one of the `options` must hold. Clause learning uses reified
    constraints instead, which `reify` returns. Its argument is the number of the first auxiliary
    cell. It returns the constraints (domains, relations, and automata) and the number of auxiliary
    cells, or None if the constraints would be too large.
    """

    options: tuple[tuple[Searchable, ...], ...]
    reify: "Callable[[int], tuple[Sequence[Part], int] | None]"


SatOnly = Branched | Connected | SatDisjunction  # constraints that only the SAT engine supports
Part = (
    House
    | Domain
    | Links
    | Relation
    | Sum
    | Regular
    | Combination
    | Sandwich
    | Partition
    | FullRank
    | Disjunction
    | SatOnly
)

# The fields of a layout that hold primitive constraints other than houses and pairs.
FIELDS: dict[str, tuple[type[Part], ...]] = {
    "relations": (Relation,),
    "sums": (Sum,),
    "regulars": (Regular,),
    "combinations": (Combination,),
    "sandwiches": (Sandwich,),
    "domains": (Domain,),
    "partitions": (Partition,),
    "full_ranks": (FullRank,),
    "disjunctions": (Disjunction,),
    "sat_only": (Branched, Connected, SatDisjunction),
}


def by_field(parts: Iterable[Part]) -> dict[str, tuple[Part, ...]]:
    """Return primitive constraints grouped by the field of `Layout` that holds their type.

    Fields without constraints get (). Houses and not-equal pairs are left out.
    """
    every = tuple(parts)
    return {
        name: tuple([part for part in every if isinstance(part, kinds)])
        for name, kinds in FIELDS.items()
    }
