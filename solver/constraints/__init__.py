"""Rules about some cells of a puzzle; each is an entry in one of the modules here."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from solver.constraints.cells import CELL_RULES
from solver.constraints.constraint import Constraint
from solver.constraints.pairs import PAIR_RULES
from solver.constraints.sums import SUM_RULES
from solver.layout import Domain, Layout, Links, Relation, Sum

__all__ = ["RULES", "read_constraint", "with_constraints"]

RULES = {rule.name: rule for rule in (*PAIR_RULES, *SUM_RULES, *CELL_RULES)}

_CELL = re.compile(r"[rR]([1-9]\d?)[cC]([1-9]\d?)")


def read_constraint(found: Mapping[str, object], *, size: int) -> Constraint | str:
    """Read a constraint that JSON describes, or say what is wrong with it."""
    rule = RULES.get(str(found.get("type")))
    if rule is None:
        return f"the constraint {str(found.get('type'))[:40]!r} is not known here"
    unknown = [key for key in found if key not in ("type", "cells", rule.value)]
    if unknown:
        return f"the constraint {rule.name!r} takes no {unknown[0][:40]!r}"
    names = found.get("cells")
    if not isinstance(names, list) or not rule.least <= len(names) <= rule.most:
        exactly = rule.least == rule.most
        number = f"{rule.least} cells" if exactly else f"a list of {rule.least} cells or more"
        return f"the constraint {rule.name!r} needs {number}"
    cells = [_cell(name, size=size) for name in names]
    for name, cell in zip(names, cells, strict=True):
        if cell is None:
            return f"{str(name)[:20]!r} in the constraint {rule.name!r} is no cell of the grid"
    if len(set(cells)) < len(cells):
        return f"the constraint {rule.name!r} names a cell twice"
    value = 0 if rule.value is None else found.get(rule.value)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 1_000_000:
        return f"the constraint {rule.name!r} needs a whole number as {rule.value!r}"
    return Constraint(rule, tuple(cell for cell in cells if cell is not None), value)


def _cell(name: object, *, size: int) -> int | None:
    match = _CELL.fullmatch(name) if isinstance(name, str) else None
    if match is None or int(match[1]) > size or int(match[2]) > size:
        return None
    return (int(match[1]) - 1) * size + int(match[2]) - 1


@lru_cache(maxsize=256)
def with_constraints(layout: Layout, constraints: tuple[Constraint, ...]) -> Layout:
    """Return a layout whose solutions keep the constraints too."""
    parts = [part for constraint in constraints for part in constraint.parts(layout.size)]
    return replace(
        layout,
        constraints=(*layout.constraints, *constraints),
        links=(*layout.links, *(part for part in parts if isinstance(part, Links))),
        relations=(*layout.relations, *(part for part in parts if isinstance(part, Relation))),
        sums=(*layout.sums, *(part for part in parts if isinstance(part, Sum))),
        domains=(*layout.domains, *(part for part in parts if isinstance(part, Domain))),
    )
