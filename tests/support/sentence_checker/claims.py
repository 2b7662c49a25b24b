"""The registry of the claims that sentences make, and the functions that check them."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from sentence_checker.context import Context
from sentence_checker.names import Names

Claim = Callable[..., Iterable[str]]
_CLAIMS: list[tuple[str, Claim]] = []
_JOINING = {"and", "or", "nor"}
_PLACEHOLDER = re.compile(r"\{(?:(\w+):)?([a-z]+)\}")


def claim(*templates: str) -> Callable[[Claim], Claim]:
    """Register a function that checks sentences of the given forms and yields what is wrong.

    A template is a regular expression with placeholders, such as "{cells} can only be {values}".
    A placeholder has the name of its kind unless it has its own name, as in "{fins:cells}". If a
    name occurs twice, its text must be the same. Groups with names are allowed, too. The function
    gets the context, and each value (see `read`) as a keyword argument. Placeholders and groups
    that match nothing are left out.
    """

    def register(function: Claim) -> Claim:
        _CLAIMS.extend((template, function) for template in templates)
        return function

    return register


def check_claim(context: Context, sentence: str) -> list[str] | None:
    """Return what is wrong with a sentence, or None if it matches no known claim.

    Only the first claim that matches is checked. A list that repeats a cell or value is wrong.
    """
    names = context.step.names
    for pattern, kinds, function in _compiled(names):
        match = pattern.fullmatch(sentence)
        if match is not None:
            texts = {name: text for name, text in match.groupdict().items() if text is not None}
            arguments = {name: read(names, kinds.get(name), text) for name, text in texts.items()}
            repeated = [f"{text} repeats a name" for text in texts.values() if repeats(names, text)]
            return [*repeated, *function(context, **arguments)]
    return None


@lru_cache(maxsize=64)
def _compiled(names: Names) -> list[tuple[re.Pattern[str], dict[str, str], Claim]]:
    return [(*compiled(names, template), function) for template, function in _CLAIMS]


def compiled(names: Names, template: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the regular expression of a template, and the kind of each of its placeholders."""
    kinds: dict[str, str] = {}

    def group(found: re.Match[str]) -> str:
        name, kind = found[1] or found[2], found[2]
        if name in kinds:
            return f"(?P={name})"
        kinds[name] = kind
        return f"(?P<{name}>{names.patterns[kind]})"

    return re.compile(_PLACEHOLDER.sub(group, template)), kinds


def repeats(names: Names, text: str) -> bool:
    """Return whether a text is a list of cells or values that contains one of them twice."""
    listed = re.fullmatch(names.patterns["cells"], text) or re.fullmatch(
        names.patterns["values"], text
    )
    words = re.findall(r"[^\s,]+", text)
    return listed is not None and len(set(words) - _JOINING) < len(
        [word for word in words if word not in _JOINING]
    )


def read(names: Names, kind: str | None, text: str) -> Any:
    """Convert a part of a sentence according to its kind.

    A cell becomes its index, for example, and a list of values a tuple of integers. Statements and
    parts of other kinds remain texts.
    """
    match kind:
        case "cell" | "value" | "house":
            return getattr(names, f"{kind}s")(text)[0]
        case "cells" | "values" | "houses" | "candidates" | "sets" | "described":
            return getattr(names, kind)(text)
        case "plural":
            return names.values(text.removesuffix("s"))[0]
        case "number":
            return int(text)
        case _:
            return text
