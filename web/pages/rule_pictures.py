"""Draw a small picture of each rule on cells, and group the rules for the pages that list them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from solver.board.puzzle import Invalid, Puzzle
from solver.formats import parse
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from solver.rules.variants import Variant
from web.boards.drawing import draw
from web.boards.geometry import CELL
from web.boards.renderers.cages import CAGE_RENDERERS
from web.boards.renderers.cells import CELL_RENDERERS
from web.boards.renderers.dots import DOT_RENDERERS
from web.boards.renderers.lines import LINE_RENDERERS
from web.boards.renderers.outside import OUTSIDE_RENDERERS
from web.boards.renderers.renderer import Renderer
from web.boards.svg import Picture, make_picture

_SIZE = 9  # rows and columns of a classic grid
# The groups, by how their rules are drawn.
_GROUPS: dict[str, Mapping[str, Renderer]] = {
    "Lines and arrows": LINE_RENDERERS,
    "Dots and signs": DOT_RENDERERS,
    "Cages and groups": CAGE_RENDERERS,
    "Marked cells": CELL_RENDERERS,
    "Clues outside the grid": OUTSIDE_RENDERERS,
}
# Solutions, for rules that can't be drawn on an empty classic grid.
_SOLVED = {
    "chaosconstruction": '{"puzzle": "1234241331424321", "regions": "AAABCABBCCDBCDDD"}',
    "doppelganger": '{"shape": "4x4", "box": "2x2", "size": 5, "lowest": 0, "blank": ".", '
    '"symbols": "01234", "puzzle": "3240401324010132", "variant": "doppelganger"}',
}


def rule_groups() -> dict[str, list[Rule]]:
    """Return the rules on cells by the title of their group.

    The last group contains the rules that are in no other one.
    """
    groups = {title: [RULES[name] for name in names] for title, names in _GROUPS.items()}
    known = {rule.name for group in groups.values() for rule in group}
    groups["Other rules"] = [rule for rule in RULES.values() if rule.name not in known]
    return groups


def has_solved_picture(rule: Rule | Variant) -> bool:
    """Return whether the picture of a rule shows a solution, and not the rule itself."""
    return rule.name in _SOLVED


def example_of(rule: Rule | Variant) -> str:
    """Return a puzzle in JSON with a rule's example and no givens.

    It is a solution instead if the rule can't be drawn on an empty classic grid.
    """
    if rule.name in _SOLVED:
        return _SOLVED[rule.name]
    if isinstance(rule, Variant):
        return json.dumps({"puzzle": "." * 81, "variant": rule.name})
    return json.dumps({"puzzle": "." * 81, "constraints": [json.loads(rule.example)]})


@lru_cache(maxsize=128)
def rule_picture(name: str) -> Picture:
    """Return the picture of a rule's example, or of a whole solved grid if the rule isn't drawn.

    The picture of an example is cropped to its cells and those around them. At the edge of the
    grid, it includes the clues outside.
    """
    if name in _SOLVED:
        return picture_of(_SOLVED[name])
    puzzle = read_puzzle(example_of(RULES[name]))
    picture = _picture(puzzle)
    cells = [cell for each in puzzle.layout.constraints for cell in each.cells]
    top, height = _part([cell // _SIZE for cell in cells], picture.top, picture.height)
    left, width = _part([cell % _SIZE for cell in cells], picture.left, picture.width)
    return replace(picture, left=left, top=top, width=width, height=height)


def picture_of(text: str) -> Picture:
    """Return the picture of a puzzle in any text format. Raises ValueError if it is invalid."""
    return _picture(read_puzzle(text))


def _part(places: Sequence[int], begin: int, length: int) -> tuple[int, int]:
    """Return the beginning and the length of the part of a picture that shows some cells.

    This is for one direction: `places` are the rows or the columns of the cells, from 0. `begin`
    and `length` are those of the picture. They and the returned values are in the picture's units.
    """
    first, last = min(places) - 1, max(places) + 2
    start = first * CELL if first > 0 else begin
    stop = last * CELL if last < _SIZE else begin + length
    return start, stop - start


def read_puzzle(text: str) -> Puzzle:
    """Parse the text of a bundled puzzle. Raises ValueError if it is invalid."""
    (puzzle,) = parse(text)
    if isinstance(puzzle, Invalid):
        raise ValueError(f"{text}: {puzzle.detail}")
    return puzzle


def _picture(puzzle: Puzzle) -> Picture:
    return make_picture(draw(puzzle.layout, puzzle.symbols, puzzle.givens))
