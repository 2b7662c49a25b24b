"""The rules: variants for whole grids, and constraints on cells, with a picture and JSON."""

import json
from collections.abc import Mapping

from docs_build.boards import drawn_constraint, drawn_picture, drawn_text
from docs_build.markdown import code, joined, json_block, table
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant
from web.boards.renderers.cages import CAGE_RENDERERS
from web.boards.renderers.cells import CELL_RENDERERS
from web.boards.renderers.dots import DOT_RENDERERS
from web.boards.renderers.lines import LINE_RENDERERS
from web.boards.renderers.outside import OUTSIDE_RENDERERS
from web.boards.renderers.renderer import Renderer
from web.pages.variant_pictures import FORBIDDEN, variant_pictures

# The groups of constraints on the page, by how they are drawn.
_GROUPS: dict[str, Mapping[str, Renderer]] = {
    "Lines and arrows": LINE_RENDERERS,
    "Dots and signs": DOT_RENDERERS,
    "Cages and groups": CAGE_RENDERERS,
    "Marked cells": CELL_RENDERERS,
    "Clues outside the grid": OUTSIDE_RENDERERS,
}

# Solutions, for rules whose constraints can't be drawn on an empty grid.
_SOLVED = {
    "chaosconstruction": '{"puzzle": "1234241331424321", "regions": "AAABCABBCCDBCDDD"}',
    "doppelganger": '{"shape": "4x4", "box": "2x2", "size": 5, "lowest": 0, "blank": ".", '
    '"symbols": "01234", "puzzle": "3240401324010132", "variant": "doppelganger"}',
}


def write() -> str:
    """Return an index, an entry per variant, and an entry per constraint."""
    groups = {title: [RULES[name] for name in names] for title, names in _GROUPS.items()}
    known = {rule.name for group in groups.values() for rule in group}
    groups["Other rules"] = [rule for rule in RULES.values() if rule.name not in known]
    return joined(
        "## All rules",
        table(
            ("group", "rules"),
            [
                ("[Variants](#variants)", _links([*VARIANTS.values()])),
                *((title, _links(group)) for title, group in groups.items()),
            ],
        ),
        "## Variants",
        "A variant applies to the whole grid. Pass its name in JSON as the option `variant`, or "
        "list it in `constraints` as shown here. Pictures show its houses, the cells that one cell "
        "differs from, or digits that break it (red).",
        *map(_variant, VARIANTS.values()),
        "## Constraints",
        "A constraint applies to the cells that it lists. Cells are named by row and column, from "
        "`r1c1` at the top left. Sentences in which `N` occurs show the puzzle's own number on "
        "pages.",
        *(_constraint(rule) for group in groups.values() for rule in group),
    )


def _links(rules: list[Variant] | list[Rule]) -> str:
    return ", ".join(f"[{rule.title}](#{rule.name})" for rule in rules)


def _introduced(rule: Variant | Rule, picture: str) -> str:
    """Return the beginning of an entry. The anchor of its heading is the name in JSON."""
    others = rule.wording.other_names
    also = f" · also called {', '.join(others)}" if others else ""
    return joined(f"### {rule.title} {{ #{rule.name} }}", picture, f"{code(rule.name)}{also}")


def _variant(variant: Variant) -> str:
    name, title = variant.name, variant.title
    label = f"{title}: an example that breaks it" if name in FORBIDDEN else title
    pictures = variant_pictures()
    picture = drawn_picture(pictures[name][1], label) if name in pictures else _solved(variant)
    return joined(
        _introduced(variant, picture), variant.wording.with_note, json_block({"type": name})
    )


def _constraint(rule: Rule) -> str:
    example = json.loads(rule.example)
    picture = _solved(rule) if rule.name in _SOLVED else drawn_constraint(example, rule.title)
    default = (
        f"`{rule.value}` is {rule.usual} by default."
        if rule.value and rule.usual is not None and rule.usual >= 0
        else ""
    )
    text = f"{rule.wording.with_note} {default}"
    return joined(_introduced(rule, picture), text, json_block(example))


def _solved(rule: Variant | Rule) -> str:
    return drawn_text(_SOLVED[rule.name], f"{rule.title}: a solution")
