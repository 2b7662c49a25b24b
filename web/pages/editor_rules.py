"""List the rules that the grid editor offers, in groups, each with a picture and its parameter."""

import json
from dataclasses import dataclass, replace
from functools import lru_cache

from flask import Blueprint, render_template

from solver.rules.rule import Rule
from solver.rules.variants import Variant
from web.boards.renderers.lines import LINE_RENDERERS
from web.boards.renderers.outside import OUTSIDE_RENDERERS
from web.boards.svg import Picture
from web.pages.rule_pictures import rule_groups, rule_picture
from web.pages.variant_pictures import variant_pictures

# The labels of parameters by rule, and for all other rules by the parameter's JSON key.
_LABELS = {
    "whisper": "Minimum difference", "lockout": "Minimum difference", "difference": "Difference",
    "ratio": "Ratio", "index": "Digit", "pillarrow": "Cells in the pill", "regex": "Pattern",
    "samevalues": "Number of sets", "or": "Alternatives", "chaosconstruction": "Region size",
    "sum": "Sum", "sums": "Sums", "value": "Clue", "values": "Digits", "lengths": "Lengths",
}  # fmt: skip
# The rules for which the order of the cells matters, except for lines and clues outside the grid.
_ORDERED = {
    "allpairs", "chaosarrow", "clone", "equalsum", "greater", "lunchbox", "samevalues",
    "weightedsum",
}  # fmt: skip
# The rules of the first group.
_COMMON = (
    "killer", "thermo", "arrow", "whisper", "white", "diagonal", "black", "x", "v", "renban",
    "palindrome", "sandwich",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EditorRule:
    """A rule that the editor offers, and its parameter, if any.

    In JSON, the parameter is the member of the rule's object in addition to its cells.

    name         the rule's name in JSON
    title        the display name
    description  the rule in words
    words        the names by which people search for it, in lowercase
    place        where it applies: "cells", "outside" the grid, or to the "whole" grid
    picture      the rule's example on a part of the board
    key          the parameter's member name, or "" if the rule has no parameter
    kind         how the parameter is typed: "number", "numbers", "text", or "json"
    label        the label of the parameter's field
    example      the parameter in the rule's example, as it is typed
    usual        the parameter's default, as it is typed, or "" if it has none
    required     whether the rule needs the parameter
    least, most  minimum and maximum number of cells
    is_line      whether it is drawn as a line through its cells
    is_ordered   whether the order of its cells matters
    """

    name: str
    title: str
    description: str
    words: str
    picture: Picture
    place: str
    key: str = ""
    kind: str = ""
    label: str = ""
    example: str = ""
    usual: str = ""
    required: bool = False
    least: int = 0
    most: int = 0
    is_line: bool = False
    is_ordered: bool = False

    @classmethod
    def of(cls, rule: Rule) -> "EditorRule":
        """Return the description of a rule that applies to selected cells."""
        plain = cls(
            name=rule.name,
            title=rule.title,
            description=rule.wording.with_note,
            words=_words(rule),
            picture=rule_picture(rule.name),
            place="outside" if rule.name in OUTSIDE_RENDERERS else "cells",
            least=rule.least,
            most=rule.most,
            is_line=rule.name in LINE_RENDERERS,
            is_ordered=rule.name in {*_ORDERED, *LINE_RENDERERS, *OUTSIDE_RENDERERS},
        )
        key = "options" if rule.chooses else rule.value
        if key is None:
            return plain
        value = json.loads(rule.example).get(key, rule.usual)
        kinds = {"json": rule.chooses, "text": rule.text, "numbers": rule.many}
        kind = next((kind for kind, holds in kinds.items() if holds), "number")
        typed = " ".join(map(str, value)) if kind == "numbers" else value
        return replace(
            plain,
            key=key,
            kind=kind,
            label=_LABELS.get(rule.name, _LABELS.get(key, key.capitalize())),
            example=json.dumps(value) if kind == "json" else str(typed),
            usual="" if rule.usual in (None, -1) else str(rule.usual),
            required=rule.chooses or rule.usual is None,
        )


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/editor/rules")(editor_rules)


def editor_rules() -> str:
    """Show the list of rules, which the editor loads on demand."""
    return _rules_html()


@lru_cache(maxsize=1)
def _rules_html() -> str:
    return render_template("editor_rules.html", groups=_grouped())


def _grouped() -> dict[str, list[EditorRule]]:
    """Return the rules by the title of their group.

    The first group contains the most common rules, and the last one, "Whole grid", the variants.
    The others are sorted by title.
    """
    groups = {
        title: [EditorRule.of(rule) for rule in sorted(rules, key=_by_title)]
        for title, rules in rule_groups().items()
    }
    groups["Whole grid"] = [
        EditorRule(
            name=variant.name,
            title=variant.title,
            description=variant.description,
            words=_words(variant),
            picture=picture,
            place="whole",
        )
        for variant, picture in variant_pictures().values()
    ]
    by_name = {rule.name: rule for rules in groups.values() for rule in rules}
    others = {
        title: [rule for rule in rules if rule.name not in _COMMON]
        for title, rules in groups.items()
    }
    return {"Common rules": [by_name[name] for name in _COMMON], **others}


def _by_title(rule: Rule) -> str:
    return rule.title.casefold()


def _words(rule: Rule | Variant) -> str:
    names = (rule.name, rule.title, *rule.wording.other_names)
    return " ".join(dict.fromkeys(name.lower() for name in names))
