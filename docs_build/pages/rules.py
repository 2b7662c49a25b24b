"""The rules: variants for whole grids, and constraints on cells, with a picture and JSON."""

import json

from docs_build.boards import drawn_constraint, drawn_picture
from docs_build.markdown import code, joined, json_block
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS
from web.pages.variant_pictures import FORBIDDEN, variant_pictures


def write() -> str:
    """Return an entry per variant, then an entry per constraint."""
    return joined(
        "## Variants",
        "A variant applies to the whole grid. Pass its name as the option `variant`, or list it "
        "in a JSON record. Pictures show its houses, the cells that one cell differs from, or "
        "values that break it (red).",
        *map(_variant, VARIANTS),
        "## Constraints",
        "A constraint applies to the cells that it lists. Cells are named by row and column, from "
        "`r1c1` at the top left.",
        *map(_constraint, RULES.values()),
    )


def _variant(name: str) -> str:
    text = VARIANTS[name].description
    pictures = variant_pictures()
    label = f"{name}: an example that breaks it" if name in FORBIDDEN else f"{name} on a grid"
    return joined(
        f"### {code(name)}",
        text,
        drawn_picture(pictures[name][1], label) if name in pictures else "",
        json_block({"puzzle": "…", "variant": [name]}),
    )


def _constraint(rule: Rule) -> str:
    example = json.loads(rule.example)
    default = (
        f"`{rule.value}` is {rule.usual} by default."
        if rule.value and rule.usual is not None and rule.usual >= 0
        else ""
    )
    return joined(
        f"### {code(rule.name)}",
        f"{rule.description} {default}",
        drawn_constraint(example),
        json_block(example),
    )
