"""The constraint strings of Interactive Sudoku Solver.

Read as in its `js/sudoku_constraint.js` and `js/sudoku_parser.js` (MIT licence,
https://github.com/sigh/Interactive-Sudoku-Solver), and turned into an object for
`solver.formats.objects.puzzle_object`.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple
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


class _Part(NamedTuple):
    """A constraint as it is written, and what stands in it if it is a composite."""

    kind: str
    args: list[str]
    inside: list["_Part"]


def _tree(items: Sequence[str]) -> list[_Part]:
    """Return the constraints, those up to an End inside of the composite before them."""
    root = _Part("And", [], [])
    stack = [root]
    for item in items:
        kind, *args = item.split("~")
        if "%" in item:
            args = [*map(unquote, args)]
        if kind == "End":
            if len(stack) == 1:
                raise Refused("there is nothing to end")
            stack.pop()
            continue
        part = _Part(kind, args, [])
        stack[-1].inside.append(part)
        if kind in _COMPOSITES:
            stack.append(part)
        if len(stack) > _MOST_DEEP:
            raise Refused("there are too many composites in one another")
    return root.inside


def _read(part: _Part, board: Board) -> None:
    reader = READERS.get(part.kind)
    if reader is not None:
        reader(board, part.args)
    elif part.kind == "And":
        for each in part.inside:
            _read(each, board)
    elif part.kind == "Or":
        options = []
        for each in part.inside:
            with board.inside() as made:
                _read(each, board)
            options.append(made)
        if options:
            board.constraints.append({"type": "or", "options": options})
    else:
        board.constraints += _replicated(part, board)


def _replicated(part: _Part, board: Board) -> list[Made]:
    """Return the constraints of a template, once for each cell that the bits count out."""
    origin = board.cell(part.args[1] if len(part.args) > 1 else "R1C1")
    group, row, column = origin
    columns = board.groups[group][1] if group else board.columns
    start = (row - 1) * columns + column - 1
    constraints: list[Made] = []
    for offset, bit in enumerate(bits_of(part.args[0])):
        if bit:
            _, down, right = board.place_in(group, start + offset)
            with board.inside((group, down - row, right - column)) as made:
                for each in part.inside:
                    _read(each, board)
            constraints += made
    return constraints


def _unknown(parts: Sequence[_Part]) -> str | None:
    """Return the first name that is not known."""
    for part in parts:
        if part.kind not in READERS and part.kind not in _COMPOSITES:
            return part.kind
        if part.inside and (inside := _unknown(part.inside)) is not None:
            return inside
    return None


def iss_object(text: str) -> dict[str, object] | str:
    """Return the object of a constraint string, or of an address with one; or what is wrong."""
    body = text.strip()
    if body.startswith("http"):
        body = split_address(body)[1].get("q", "")
    items = "".join(body.split()).split(".")[1:]
    board, part = Board(), _Part("composite", [], [])
    try:
        parts = _tree([item for item in items if item])
        unknown = _unknown(parts)
        if unknown is not None:
            return f"the constraint {unknown[:40]!r} is not known here"
        for part in sorted(parts, key=_order):
            _read(part, board)
    except (Refused, IndexError) as error:
        reason = str(error) if isinstance(error, Refused) else "an argument is missing"
        return f"in the constraint {part.kind or 'given'!r}: {reason}"
    return board.as_object()


def _order(part: _Part) -> int:
    return _FIRST.get(part.kind, len(_FIRST))


def is_iss(text: str) -> bool:
    """Return whether a text begins like a constraint string, or is an address with one."""
    address = text.lstrip().startswith("http") and "?q=." in text
    return address or _START.match(text) is not None
