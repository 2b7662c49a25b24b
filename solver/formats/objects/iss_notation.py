"""The constraint strings of Interactive Sudoku Solver.

Read as in its `js/sudoku_constraint.js` and `js/sudoku_parser.js` (MIT licence,
https://github.com/sigh/Interactive-Sudoku-Solver), and turned into an object for
`solver.formats.objects.puzzle_object`.
"""

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import Any
from urllib.parse import unquote

from solver.formats.objects.addresses import split_address
from solver.formats.objects.iss_board import Board, Made, Refused
from solver.formats.objects.iss_codes import bits_of
from solver.formats.objects.iss_rules import READERS

_START = re.compile(r"\s*\.+(~[rR][1-9a-gA-G][cC][1-9a-gA-G]_\d|[XV]~|[A-Z][A-Za-z]+(?=[.~\s]|$))")
_MOST_DEEP = 20  # composites in one another

# What the others stand on comes first.
_FIRST = {
    kind: place
    for place, kind in enumerate(
        (
            "Shape",
            "RegionSize",
            "NoBoxes",
            "Jigsaw",
            "Var",
            "Doppelganger",
            "ChaosConstruction",
            "FullRankTies",
        )
    )
}
_COMPOSITES = ("And", "Or", "Replicate")


# A constraint as it is written: its kind, its arguments, what stands in it if it is a composite.
_Part = tuple[str, list[str], list[Any]]
_KIND = itemgetter(0)
_NONE: list[Any] = []  # what stands in most constraints


class _Unknown(Exception):
    """A constraint is not known; its text is its name."""


def _tree(items: Sequence[str]) -> list[_Part]:
    """Return the constraints, those up to an End inside of the composite before them."""
    inside: list[_Part] = []
    around: list[list[_Part]] = []
    for item in items:
        kind, *args = item.split("~")
        if "%" in item:
            args = [*map(unquote, args)]
        if kind in READERS:
            inside.append((kind, args, _NONE))
        elif kind in _COMPOSITES:
            part: _Part = (kind, args, [])
            inside.append(part)
            around.append(inside)
            inside = part[2]
            if len(around) >= _MOST_DEEP:
                raise Refused("there are too many composites in one another")
        elif kind != "End":
            raise _Unknown(kind)
        elif around:
            inside = around.pop()
        else:
            raise Refused("there is nothing to end")
    return around[0] if around else inside


def _read(part: _Part, board: Board) -> None:
    kind, args, inside = part
    if kind in READERS:
        READERS[kind](board, args)
    elif kind == "And":
        for each in inside:
            _read(each, board)
    elif kind == "Or":
        options = [board.inside(_read, [each]) for each in inside]
        if options:
            board.constraints.append({"type": "or", "options": options})
    else:
        board.constraints += _replicated(args, inside, board)


def _replicated(args: Sequence[str], inside: Sequence[_Part], board: Board) -> list[Made]:
    """Return the constraints of a template, once for each cell that the bits count out."""
    origin = board.place(args[1] if len(args) > 1 else "R1C1")
    group, row, column = origin
    columns = board.groups[group][1] if group else board.columns
    start = (row - 1) * columns + column - 1
    constraints: list[Made] = []
    for offset, bit in enumerate(bits_of(args[0])):
        if bit:
            _, down, right = board.place_in(group, start + offset)
            constraints += board.inside(_read, inside, (group, down - row, right - column))
    return constraints


def iss_object(text: str) -> dict[str, object] | str:
    """Return the object of a constraint string, or of an address with one; or what is wrong."""
    body = text.strip()
    if body.startswith("http"):
        body = split_address(body)[1].get("q", "")
    items = "".join(body.split()).split(".")[1:]
    board, kind = Board(), "composite"
    try:
        parts = _tree([*filter(None, items)])
        for part in _in_order(parts):
            kind = part[0]
            _read(part, board)
    except _Unknown as error:
        return f"the constraint {str(error)[:40]!r} is not known here"
    except (Refused, IndexError) as error:
        reason = str(error) if isinstance(error, Refused) else "an argument is missing"
        return f"in the constraint {kind or 'given'!r}: {reason}"
    return board.as_object()


def _in_order(parts: list[_Part]) -> list[_Part]:
    """Return constraints, those first that the others stand on."""
    if _FIRST.keys().isdisjoint(map(_KIND, parts)):
        return parts
    return sorted(parts, key=lambda part: _FIRST.get(part[0], len(_FIRST)))


def is_iss(text: str) -> bool:
    """Return whether a text begins like a constraint string, or is an address with one."""
    address = text.lstrip().startswith("http") and "?q=." in text
    return address or _START.match(text) is not None
