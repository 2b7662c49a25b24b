"""The rules that an object asks for on a board: variants, constraints, candidates."""

from collections.abc import Iterable, Mapping

from solver.board.layout import MOST_IN_A_WORD, Layout
from solver.formats.objects.object_keys import shown
from solver.rules.registry import read_constraint, with_constraints
from solver.rules.rule import Constraint
from solver.rules.variants import with_variants


def with_rules(
    layout: Layout, described: Iterable[object], variants: tuple[str, ...]
) -> Layout | str:
    """Return a layout with the named variants and some constraints, or what is wrong with one.

    Constraints are what JSON describes, or made already.
    """
    constraints: list[Constraint] = []
    for each in described:
        if isinstance(each, Constraint):
            constraints.append(each)
            continue
        if not isinstance(each, dict):
            return f"a constraint is an object, not {shown(each)}"
        constraint = read_constraint(each, layout=layout)
        if isinstance(constraint, str):
            return constraint
        constraints.append(constraint)
    if variants:
        return with_variants(layout, variants, tuple(constraints))
    return with_constraints(layout, tuple(constraints)) if constraints else layout


def read_candidates(marked: Mapping[str, object], layout: Layout) -> tuple[int, ...] | str:
    """Read the numbers left to some cells, as {"r1c1": [1, 2, 5]}; the others may be all."""
    if layout.size > MOST_IN_A_WORD:
        return f"candidates are known up to {MOST_IN_A_WORD} values, not of {layout.size}"
    masks = [(1 << layout.size) - 1] * layout.cells
    for name, numbers in marked.items():
        cell = layout.cell_named(name)
        if cell is None or cell >= layout.cells:
            return f"{name[:20]!r} in candidates is no cell of the grid"
        if not isinstance(numbers, list) or not all(n in layout.numbers for n in numbers):
            least, most = layout.numbers[0], layout.numbers[-1]
            return f"candidates of {name} must be a list of numbers from {least} to {most}"
        masks[cell] &= sum(1 << layout.numbers.index(number) for number in set(numbers))
    return tuple(masks)
