"""Read the constraint strings of Interactive Sudoku Solver.

They mean the same as in its `js/sudoku_constraint.js` and `js/sudoku_parser.js` (MIT license,
https://github.com/sigh/Interactive-Sudoku-Solver).
"""

import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import unquote

from solver.board.closest import unknown
from solver.board.puzzle import Puzzle
from solver.formats.objects.addresses import split_address
from solver.formats.objects.iss_arguments import Refused
from solver.formats.objects.iss_board import USUAL_GIVENS, Board, Made
from solver.formats.objects.iss_codes import bits_of
from solver.formats.objects.iss_rules import READERS

_START = re.compile(
    r"\s*\.+(~[rR][1-9a-gA-G][cC][1-9a-gA-G]_\d|[XV]~|[A-Z][A-Za-z]+~|([A-Z][A-Za-z]+)(?=[.\s]|$))"
)
_MOST_DEEP = 20  # levels of nested composites

# Kinds that other constraints depend on, in the order in which they are read.
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
# A parsed constraint: its kind, its reader, and its arguments. The arguments of a composite are its
# own ones and the constraints inside it.
_Part = tuple[str, Callable[[Board, Any], None], Any]


class _Unknown(Exception):
    """Raised with the name of an unknown constraint."""


def _tree(items: Iterable[str]) -> list[_Part]:
    """Parse constraints. A composite such as .Or contains the constraints up to its .End.

    `items` are the texts between the dots of a constraint string, such as Thermo~R1C1~R1C2.
    Constraints that others depend on, such as .Shape, come first in the result. Raises _Unknown or
    Refused for invalid constraints.
    """
    first: list[_Part] = []
    inside: list[_Part] = []
    around: list[list[_Part]] = []
    for item in items:
        kind, *args = item.split("~")
        if "%" in item:
            args = [*map(unquote, args)]
        read = READERS.get(kind)
        if read is not None:
            (first if kind in _FIRST and not around else inside).append((kind, read, args))
        elif kind in _COMPOSITES:
            parts: list[_Part] = []
            inside.append((kind, _COMPOSITES[kind], (args, parts)))
            around.append(inside)
            inside = parts
            if len(around) >= _MOST_DEEP:
                raise Refused(
                    f".Or, .And, and .Replicate are nested more than {_MOST_DEEP - 1} levels deep"
                )
        elif kind != "End":
            raise _Unknown(kind)
        elif around:
            inside = around.pop()
        else:
            raise Refused(".End without a matching .Or, .And, or .Replicate")
    if len(first) > 1:
        first.sort(key=lambda part: _FIRST[part[0]])
    return first + (around[0] if around else inside)


def _read(part: _Part, board: Board) -> None:
    _, read, args = part
    read(board, args)


def _and(board: Board, args: tuple[list[str], list[_Part]]) -> None:
    for part in args[1]:
        _read(part, board)


def _or(board: Board, args: tuple[list[str], list[_Part]]) -> None:
    options = [board.inside(_read, [part]) for part in args[1]]
    if options:
        board.constraints.append({"type": "or", "options": options})


def _replicate(board: Board, args: tuple[list[str], list[_Part]]) -> None:
    """Read constraints once for each cell whose bit is set, shifted to that cell.

    The arguments are the bits in base64, and the cell to which the first bit belongs (default
    R1C1). Constraints for that cell aren't shifted.
    """
    written, parts = args
    group, row, column = board.place(written[1] if len(written) > 1 else "R1C1")
    columns = board.groups[group][1] if group else board.columns
    start = (row - 1) * columns + column - 1
    constraints: list[Made] = []
    for offset, bit in enumerate(bits_of(written[0])):
        if bit:
            _, down, right = board.place_in(group, start + offset)
            constraints += board.inside(_read, parts, (group, down - row, right - column))
    board.constraints += constraints


_COMPOSITES: dict[str, Callable[[Board, Any], None]] = {
    "And": _and,
    "Or": _or,
    "Replicate": _replicate,
}
_KINDS = [*filter(None, READERS), *_COMPOSITES, "End"]


def iss_puzzle(text: str, *, variants: tuple[str, ...] = ()) -> Puzzle | str:
    """Return the puzzle in a constraint string or its URL, or the reason why it is invalid.

    `variants` are added to the rules of the puzzle.
    """
    body = text.strip()
    if body.startswith("http"):
        body = split_address(body)[1].get("q", "")
    return _puzzle("".join(body.split()).split(".")[1:], variants)


def puzzle_of_word(word: str) -> Puzzle | str | None:
    """Return the puzzle in a constraint string without white space, or why it is invalid.

    Returns None if the text doesn't begin like a constraint string.
    """
    before, *items = word.split(".")
    if before or not items:
        return None
    kind, *args = items[0].split("~")
    # Nearly all strings begin this way. The check avoids a slower regular expression.
    is_usual = args[0] in USUAL_GIVENS if args and not kind else len(kind) > 1 and kind in READERS
    return _puzzle(items, ()) if is_usual or is_iss(word) else None


def _puzzle(items: Iterable[str], variants: tuple[str, ...]) -> Puzzle | str:
    board, kind = Board(), None
    try:
        for part in _tree(filter(None, items)):
            kind, read, args = part
            read(board, args)
    except _Unknown as error:
        return unknown("constraint", str(error), _KINDS)
    except (Refused, IndexError) as error:
        reason = str(error) if isinstance(error, Refused) else "an argument after ~ is missing"
        return reason if kind is None else f"{kind or 'given'}: {reason}"
    return board.puzzle(variants)


def is_iss(text: str) -> bool:
    """Return whether a text begins like a constraint string, or is a URL that contains one.

    A string begins with a dot, and then a given such as ~R1C1_5, a capitalized name and a ~, or the
    name of a constraint without arguments.
    """
    if text.lstrip().startswith("http") and "?q=." in text:
        return True
    start = _START.match(text)
    if start is None:
        return False
    # A word without arguments that isn't a constraint could be the letters of a grid with dots.
    alone = start[2]
    return alone is None or alone in READERS or alone in _COMPOSITES
