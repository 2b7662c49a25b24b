"""Rules about all cells that stand side by side; variants are made of them."""

from collections.abc import Callable, Iterator, Sequence

from solver.constraints.constraint import Constraint, Rule
from solver.constraints.pairs import relate
from solver.layout import Layout, Part

Allows = Callable[[int, int], bool]


def side_by_side(layout: Layout) -> Iterator[tuple[int, int]]:
    """Return the pairs of cells that are neighbours in a row or a column."""
    for row in range(layout.rows):
        for column in range(layout.columns):
            here = layout.cell_at(row, column)
            for other in (layout.cell_at(row, column + 1), layout.cell_at(row + 1, column)):
                if here is not None and other is not None:
                    yield here, other


def _everywhere(name: str, description: str, allows: Allows, marks: Sequence[str] = ()) -> Rule:
    """Return the rule for all neighbours but those that have one of the marks."""

    def pairs(layout: Layout) -> list[tuple[int, int]]:
        marked = {
            frozenset(constraint.cells)
            for constraint in layout.constraints
            if isinstance(constraint, Constraint) and constraint.rule.name in marks
        }
        return [pair for pair in side_by_side(layout) if frozenset(pair) not in marked]

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
        del constraint
        return relate(pairs(layout), allows, layout)

    def holds(numbers: Sequence[int], constraint: Constraint, layout: Layout) -> bool:
        del constraint
        return all(allows(numbers[one], numbers[other]) for one, other in pairs(layout))

    return Rule(name, description, f'{{"type": "{name}"}}', parts, holds)


_NONCONSECUTIVE = _everywhere(
    "nonconsecutive",
    "Neighbours in a row or a column do not differ by 1.",
    lambda a, b: abs(a - b) != 1,
)
_KROPKI_NEGATIVE = _everywhere(
    "kropkinegative",
    "Neighbours without a white or a black dot do not differ by 1, and none is twice the other.",
    lambda a, b: abs(a - b) != 1 and a != 2 * b and b != 2 * a,
    ("white", "black"),
)
_DIFFERENCE_NEGATIVE = _everywhere(
    "differencenegative",
    "Neighbours without a white dot do not differ by 1.",
    lambda a, b: abs(a - b) != 1,
    ("white", "difference"),
)
_RATIO_NEGATIVE = _everywhere(
    "rationegative",
    "Of neighbours without a black dot, none is twice the other.",
    lambda a, b: a != 2 * b and b != 2 * a,
    ("black", "ratio"),
)
_XV_NEGATIVE = _everywhere(
    "xvnegative",
    "Neighbours without an X or a V add up neither to 10 nor to 5.",
    lambda a, b: a + b not in (5, 10),
    ("x", "v"),
)

EVERYWHERE_RULES = (
    _NONCONSECUTIVE,
    _KROPKI_NEGATIVE,
    _DIFFERENCE_NEGATIVE,
    _RATIO_NEGATIVE,
    _XV_NEGATIVE,
)
