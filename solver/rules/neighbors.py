"""Rules about all adjacent cells, all cells at a distance, or all 2×2 squares, for variants."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.primitive_constraints import Part, Regular
from solver.rules.grid_rules import GRID_RULES
from solver.rules.pairs import third
from solver.rules.relations import Allows, relate, side_by_side
from solver.rules.rule import Constraint, Machine, Rule, fault_in, one_phase, unrolled
from solver.rules.wording import Wording

_MOST_CELLS = 36**2  # of a board whose pairs are all enumerated, 840,000 at this size


def _everywhere(name: str, wording: Wording, allows: Allows, marks: Sequence[str] = ()) -> Rule:
    """Return a rule about all adjacent pairs of cells.

    allows(first number, second number, None) returns whether two adjacent numbers are valid. Pairs
    are exempt if the layout has a constraint on them with one of the names `marks`.
    """

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
        del constraint
        return relate(_unmarked(layout, marks), allows, None, layout)

    return Rule(name, wording, f'{{"type": "{name}"}}', parts)


def _unmarked(layout: Layout, marks: Sequence[str]) -> list[tuple[int, int]]:
    """Return the adjacent pairs of cells without a constraint that has one of the names `marks`."""
    marked = {tuple(sorted(mark.cells)) for mark in layout.constraints if mark.name in marks}
    return [pair for pair in side_by_side(layout) if pair not in marked]


_NONCONSECUTIVE = _everywhere(
    "nonconsecutive",
    Wording(
        "Nonconsecutive",
        "Orthogonally adjacent digits aren't consecutive.",
        other_names=("Anti-consecutive",),
    ),
    lambda a, b, _: abs(a - b) != 1,
)
_KROPKI_NEGATIVE = _everywhere(
    "kropkinegative",
    Wording(
        "Kropki, all given",
        "All white and black dots are given: unmarked adjacent digits "
        "aren't consecutive, and neither is twice the other.",
        other_names=("Strict Kropki",),
    ),
    lambda a, b, _: abs(a - b) != 1 and a != 2 * b and b != 2 * a,
    ("white", "black"),
)
_DOTS = ("white", "difference", "black", "ratio")
_DIFFERENCE_NEGATIVE = _everywhere(
    "differencenegative",
    Wording(
        "Difference dots, all given",
        "All difference dots are given: adjacent digits without any dot aren't consecutive.",
    ),
    lambda a, b, _: abs(a - b) != 1,
    _DOTS,
)


def _ratio_negative(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    del constraint
    ratios = {2 for mark in layout.constraints if mark.name == "black"}
    ratios |= {
        mark.value
        for mark in layout.constraints
        if mark.name == "ratio" and isinstance(mark.value, int)
    }
    pairs = _unmarked(layout, _DOTS)
    return relate(pairs, _is_in_none, frozenset(ratios or {2}), layout)


def _is_in_none(a: int, b: int, ratios: frozenset[int]) -> bool:
    """Return whether neither number is the other one times one of the ratios."""
    return all(a != ratio * b and b != ratio * a for ratio in ratios)


_XV_NEGATIVE = _everywhere(
    "xvnegative",
    Wording(
        "XV, all given",
        "All Xs and Vs are given: unmarked adjacent cells sum to neither 10 nor 5.",
        other_names=("Strict XV",),
    ),
    lambda a, b, _: a + b not in (5, 10),
    ("x", "v"),
)


def _by_distance(layout: Layout) -> dict[int, list[tuple[int, int]]]:
    """Return all pairs of cells, except holes, by their distance (in rows plus in columns)."""
    return _pairs_by_distance(layout.rows, layout.columns, layout.holes)


@kept_table
def _pairs_by_distance(
    rows: int, columns: int, holes: frozenset[int]
) -> dict[int, list[tuple[int, int]]]:
    """Return all pairs of cells that aren't holes, by distance.

    The distance is the number of rows plus the number of columns between them. Holes don't block
    the way.
    """
    pairs: dict[int, list[tuple[int, int]]] = {}
    for pair in combinations(sorted(set(range(rows * columns)) - holes), 2):
        (top, left), (row, column) = (divmod(cell, columns) for cell in pair)
        pairs.setdefault(abs(top - row) + abs(left - column), []).append(pair)
    return pairs


def _anti_taxicab(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    if layout.cells > _MOST_CELLS:
        fault = f"needs a board of at most {_MOST_CELLS:,} cells, not {layout.cells:,}"
        return fault_in(constraint, fault, layout)
    charge(layout.cells**2)
    pairs = _by_distance(layout)
    return tuple(
        relation
        for number in layout.numbers
        for relation in relate(pairs.get(number, ()), _are_not_both, number, layout)
    )


def _are_not_both(a: int, b: int, number: int) -> bool:
    return not a == b == number


def _squares(layout: Layout) -> Iterator[tuple[int, ...]]:
    """Yield the four cells of each 2×2 square without holes."""
    columns = layout.columns
    for row in range(layout.rows - 1):
        for cell in range(row * columns, (row + 1) * columns - 1):
            square = (cell, cell + 1, cell + columns, cell + columns + 1)
            if layout.holes.isdisjoint(square):
                yield square


def _in_every_square(name: str, wording: Wording, kind: Callable[[int, range], int]) -> Rule:
    """Return the rule that each 2×2 square contains numbers of all three kinds.

    kind(number, numbers) returns the kind of a number, 0, 1, or 2, on a board with the given
    numbers.
    """

    def machine_for(length: int, value: object, numbers: range) -> Machine:
        """Return the automaton of one square. State: the set of kinds so far.

        `length` and `value` are unused.
        """
        del length, value

        def follow(kinds: frozenset[int], number: int, place: int) -> frozenset[int]:
            del place
            return kinds | {kind(number, numbers)}

        return Machine(
            frozenset(),
            follow,
            lambda kinds: len(kinds) == 3,
            one_phase,
            lambda number: kind(number, numbers),
        )

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        automaton = unrolled(machine_for, 4, 0, layout.numbers)
        if isinstance(automaton, str):
            return fault_in(constraint, automaton, layout)
        return tuple(Regular(cells, automaton) for cells in _squares(layout))

    return Rule(name, wording, f'{{"type": "{name}"}}', parts)


EVERYWHERE_RULES = (
    Rule(
        "antitaxicab",
        Wording(
            "Anti-taxicab",
            "Two cells with the digit N aren't exactly N orthogonal steps apart.",
            other_names=("Self taxi",),
        ),
        '{"type": "antitaxicab"}',
        _anti_taxicab,
    ),
    _in_every_square(
        "globalentropy",
        Wording(
            "Global entropy",
            "Each 2×2 square contains a low, a middle, and a high digit ({thirds}).",
        ),
        third,
    ),
    _in_every_square(
        "globalmodular",
        Wording(
            "Global modular",
            "Each 2×2 square contains digits with all three remainders when divided by 3.",
            other_names=("Global mod",),
        ),
        lambda number, _: number % 3,
    ),
    _NONCONSECUTIVE,
    _KROPKI_NEGATIVE,
    _DIFFERENCE_NEGATIVE,
    Rule(
        "rationegative",
        Wording(
            "Ratio dots, all given",
            "All ratio dots are given: adjacent digits without any dot don't have the ratio "
            "of a given dot, or 2 if no dot is given.",
        ),
        '{"type": "rationegative"}',
        _ratio_negative,
    ),
    _XV_NEGATIVE,
    *GRID_RULES,
)
