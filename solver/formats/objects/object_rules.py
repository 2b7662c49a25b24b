"""Read an object's rules: variants, constraints, and candidates."""

from collections.abc import Iterable, Mapping

from solver.board.display import shown
from solver.board.layout import MOST_IN_A_WORD, Layout
from solver.rules.registry import RULES, read_constraint, with_constraints
from solver.rules.rule import Constraint
from solver.rules.variants import known_variant, with_variants

_OF_THE_WHOLE_GRID = "is a rule for the whole grid. It takes no cells and can't be inside 'or'."


def with_rules(
    layout: Layout, described: Iterable[object], variants: tuple[str, ...]
) -> Layout | str:
    """Return a layout with these variants and constraints, or the reason why one is invalid.

    `described` has the constraints, as objects in JSON or as finished `Constraint` objects.
    """
    constraints: list[Constraint] = []
    for each in described:
        if isinstance(each, Constraint):
            constraints.append(each)
            continue
        if not isinstance(each, dict):
            example = RULES["killer"].example
            return f"a constraint must be an object such as {example}, not {shown(each)}"
        constraint = read_constraint(each, layout=layout)
        if isinstance(constraint, str):
            whole = _variant_in(each)
            return constraint if whole is None else f"{whole!r} {_OF_THE_WHOLE_GRID}"
        constraints.append(constraint)
    if variants:
        return with_variants(layout, variants, tuple(constraints))
    return with_constraints(layout, tuple(constraints)) if constraints else layout


def _variant_in(described: object) -> str | None:
    """Return the name of a variant used as a constraint, possibly inside a disjunction, or None."""
    waiting = [described]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            name = str(one.get("type"))
            if name not in RULES and known_variant(name) is not None:
                return name
            waiting.append(one.get("options"))
        elif isinstance(one, list):
            waiting += reversed(one)
    return None


def read_candidates(marked: Mapping[str, object], layout: Layout) -> tuple[int, ...] | str:
    """Return the candidates of each cell as a bit mask, or an error message.

    `marked` has lists of candidates by cell name, as in {"r1c1": [1, 2, 5]}. Bit 0 is the lowest
    value. Cells that aren't named have all candidates.
    """
    if layout.size > MOST_IN_A_WORD:
        limit = f"a board of at most {MOST_IN_A_WORD} values, not {layout.size}"
        return f"'candidates' needs {limit}"
    masks = [(1 << layout.size) - 1] * layout.cells
    for name, numbers in marked.items():
        cell = layout.cell_named(name)
        if cell is None or cell >= layout.cells:
            return f"{shown(name)} in 'candidates' isn't a cell of the grid"
        if not isinstance(numbers, list) or not all(
            n in layout.numbers and n is not True for n in numbers
        ):
            least, most = layout.numbers[0], layout.numbers[-1]
            must_be = f"a list of whole numbers from {least} to {most}"
            return f"'candidates' of {name} must be {must_be}, not {shown(numbers)}"
        masks[cell] &= sum(1 << layout.numbers.index(number) for number in set(numbers))
    return tuple(masks)
