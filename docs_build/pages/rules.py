"""The rules: variants for whole grids, and constraints on cells, with a picture and JSON."""

import json

from docs_build.boards import drawn_picture
from docs_build.markdown import code, joined, json_block, table
from solver.rules.rule import Rule
from solver.rules.variants import VARIANTS, Variant
from web.pages.rule_pictures import has_solved_picture, rule_groups, rule_picture
from web.pages.variant_pictures import FORBIDDEN, variant_pictures


def write() -> str:
    """Return an index, an entry per variant, and an entry per constraint."""
    groups = rule_groups()
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
    pictures = variant_pictures()
    if name in pictures:
        label = f"{title}: an example that breaks it" if name in FORBIDDEN else title
        picture = drawn_picture(pictures[name][1], label)
    else:
        picture = drawn_picture(rule_picture(name), f"{title}: a solution")
    return joined(
        _introduced(variant, picture), variant.wording.with_note, json_block({"type": name})
    )


def _constraint(rule: Rule) -> str:
    example = json.loads(rule.example)
    label = f"{rule.title}: a solution" if has_solved_picture(rule) else rule.title
    picture = drawn_picture(rule_picture(rule.name), label)
    default = (
        f"`{rule.value}` is {rule.usual} by default."
        if rule.value and rule.usual is not None and rule.usual >= 0
        else ""
    )
    text = f"{rule.wording.with_note} {default}"
    return joined(_introduced(rule, picture), text, json_block(example))
