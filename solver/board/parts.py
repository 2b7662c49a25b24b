"""What engines are told of a rule: parts, each about some cells of a layout."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from solver.board.automaton import Automaton
from solver.board.branching import Branching


class House(NamedTuple):
    """A set of cells that must all differ.

    As many cells as there are values, so that each value is in one of them, or fewer.
    """

    kind: str  # "row", "column", "box", or what a variant adds
    number: int  # counted from 1; 0 if there is no other of its kind
    cells: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name in messages, such as ``row 3``."""
        return f"{self.kind} {self.number}" if self.number else self.kind


class Links(NamedTuple):
    """Pairs of cells that must differ, all of them `kind` apart (a knight's move, say)."""

    kind: str
    pairs: tuple[tuple[int, int], ...]


class Relation(NamedTuple):
    """What the value of one cell of a pair allows in the other: bits, bit 0 for 1, by value."""

    pairs: tuple[tuple[int, int], ...]
    allowed: tuple[int, ...]


class Sum(NamedTuple):
    """Cells whose values, each times its factor, add up to the target."""

    cells: tuple[int, ...]
    factors: tuple[int, ...]
    target: int


class Regular(NamedTuple):
    """Cells whose values, in order, are a word of the automaton."""

    cells: tuple[int, ...]
    automaton: Automaton


class Combination(NamedTuple):
    """Cells whose values, no matter how often each, are one of some sets: bits, bit 0 for 1.

    Where the sets are more than the values of the board, other parts must say the same: the
    learning search leaves such combinations out.
    """

    cells: tuple[int, ...]
    sets: tuple[int, ...]


class Way(NamedTuple):
    """Values as bits: the two that enclose others, those between them, what the rest may have."""

    low: int
    high: int
    inside: int
    outside: int


class Enclosed(NamedTuple):
    """Cells that all differ, two of which enclose others in one of some ways.

    Between the two are as many cells as a way has values inside; they come rising by that number.
    """

    cells: tuple[int, ...]
    ways: tuple[Way, ...]


class Domain(NamedTuple):
    """The values that a cell may have, as bits, bit 0 for 1."""

    cell: int
    allowed: int


class Partition(NamedTuple):
    """The grid is cut into regions of `size` cells each, connected by edges, no value twice in one.

    `labels` are cells beside the grid, for each cell of it one, in reading order: their values
    number the regions. Where regions are `numbered`, nothing else asks which number one has, and an
    engine may give numbers in any order that leaves less to search. `answers` are unseen cells,
    of `pairs` of cells of the grid, lower ones first, pairs of neighbours before all others: 1
    where they are in different regions, 2 where they are in one.
    """

    labels: tuple[int, ...]
    size: int
    numbered: bool
    pairs: tuple[tuple[int, int], ...]
    answers: tuple[int, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the part is about, as other parts have them."""
        return (*self.labels, *self.answers)


class Ranking(NamedTuple):
    """The rank of a row or a column among all of them, read from both ends as numbers.

    Each value begins four lines, one on each side of the grid, which is square. So the line begins
    with the value `begins`, counted from 0, and of the lines on the other sides that begin with it
    so many are `less`. Unseen cells say of each whether it is less, equal or more (1, 2, 3).
    """

    line: tuple[int, ...]
    answers: tuple[int, ...]
    begins: int
    less: int

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the part is about, as other parts have them."""
        return (*self.line, *self.answers)


class Branched(NamedTuple):
    """Cells whose values, in order, are a word of an automaton that branches."""

    cells: tuple[int, ...]
    automaton: Branching


class Connected(NamedTuple):
    """The cells whose values are some of these, as bits, bit 0 for 1, are connected by edges.

    There are some, and `most` at most. The cells stand at `places` in rows of `columns`.
    """

    cells: tuple[int, ...]
    places: tuple[int, ...]
    columns: int
    values: int
    most: int


class Choice(NamedTuple):
    """Groups of parts: all parts of one group hold, or of some."""

    options: "tuple[tuple[Part, ...], ...]"


# Parts that plain search can try; they have no unseen cells of their own.
Tried = House | Domain | Links | Relation | Sum | Regular | Combination | Enclosed


class Either(NamedTuple):
    """Groups of parts as in a choice, all of which plain search can try.

    Learning search asks instead, by unseen cells that say which parts hold: given the number of the
    first one, `ask` returns domains, relations and automata, and how many cells there are; None
    where that would be too large.
    """

    options: tuple[tuple[Tried, ...], ...]
    ask: "Callable[[int], tuple[Sequence[Part], int] | None]"


Unruly = Branched | Connected | Choice  # parts that only an engine of clauses knows
Part = (
    House
    | Domain
    | Links
    | Relation
    | Sum
    | Regular
    | Combination
    | Enclosed
    | Partition
    | Ranking
    | Either
    | Unruly
)

# The fields of a layout that hold what rules are made of, besides houses and links.
FIELDS: dict[str, tuple[type[Part], ...]] = {
    "relations": (Relation,),
    "sums": (Sum,),
    "regulars": (Regular,),
    "combinations": (Combination,),
    "enclosed": (Enclosed,),
    "domains": (Domain,),
    "partitions": (Partition,),
    "rankings": (Ranking,),
    "choices": (Either,),
    "unruly": (Branched, Connected, Choice),
}


def by_field(parts: Iterable[Part]) -> dict[str, tuple[Part, ...]]:
    """Return parts by the fields that hold them; houses and links are in none."""
    every = tuple(parts)
    return {
        name: tuple([part for part in every if isinstance(part, kinds)])
        for name, kinds in FIELDS.items()
    }
