"""Name all cells of a line, cage, or group where an explanation mentions it first.

Its usual name has only two ends or the first cell, such as "the renban line r1c1–r3c3". The first
mention has all turns of a line, as in "r1c1–r1c3–r3c3", or all cells of a cage or group. For a line
with many turns, it has the number of cells.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from solver.board.layout import Layout
from solver.logic.sentences.cell_lists import in_runs
from solver.logic.sentences.places import house_name
from solver.logic.sentences.rule_names import place_of
from solver.logic.sentences.wording import Wording

_LINE = re.compile(r"the [^“]+ r\d+c\d+–r\d+c\d+")
_MOST_TURNS = 16  # including the ends of a line
_GROUP = re.compile(r"the (?:[a-z]+ )?(?:cage|group|extra region|lunchbox) at r\d+c\d+")


class Introductions:
    """The lines, cages, and groups of a board that an explanation hasn't mentioned yet.

    The texts of the explanation must be passed to `applied` in their order.
    """

    def __init__(self, words: Wording) -> None:
        self._left: dict[str, str] = {}
        seen: dict[str, frozenset[int]] = {}
        for name, cells in _shapes(words):
            same = frozenset(cells)
            if seen.setdefault(name, same) != same:
                self._left.pop(name, None)  # Two shapes share the name.
                continue
            full = with_cells(name, cells, words)
            if full != name:
                self._left[name] = full

    def applied(self, text: str) -> str:
        """Return a text in which the first mention of each shape names all its cells or turns.

        Shapes that an earlier text mentioned keep their usual names, and so do mentions in
        parentheses, which don't count.
        """
        for name in [name for name in self._left if name[4:] in text]:
            for found in re.finditer(rf"\b[Tt]{re.escape(name[1:])}(?![\d–])", text):
                before = text[: found.start()]
                if before.count("(") > before.count(")"):
                    continue  # A list of cells has parentheses, too.
                text = f"{before}{found[0][0]}{self._left.pop(name)[1:]}{text[found.end() :]}"
                break
        return text


def with_cells(name: str, cells: Sequence[int], words: Wording) -> str:
    """Return the name of a line with all of its turns, or of a group with all of its cells.

    Other names, and those of lines without turns, are returned unchanged.
    """
    if _GROUP.fullmatch(name):
        return f"{name} ({words.cells(in_runs(words.layout, sorted(cells)))})"
    turns = turns_of(words.layout, cells) if _LINE.fullmatch(name) else []
    if len(turns) < 3:
        return name
    if len(turns) > _MOST_TURNS:
        return f"{name} (a line of {len(cells)} cells)"
    kind = name.rpartition(" ")[0]
    return f"{kind} {'–'.join(map(words.layout.cell_name, turns))}"


def turns_of(layout: Layout, cells: Sequence[int]) -> list[int]:
    """Return the ends of a line and the cells between them where it changes its direction.

    Returns [] if the line has gaps.
    """
    places = [divmod(cell, layout.columns) for cell in cells]
    moves = [(row - above, column - left) for (above, left), (row, column) in pairwise(places)]
    if any(max(map(abs, move)) != 1 for move in moves):
        return []
    turns = [
        cell for cell, (one, other) in zip(cells[1:], pairwise(moves), strict=False) if one != other
    ]
    return [*cells[:1], *turns, *cells[-1:]]


def _shapes(words: Wording) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield the name and the cells of each constraint that has cells, and of each house."""
    layout = words.layout
    for index, constraint in enumerate(layout.constraints):
        cells = [cell for cell in constraint.cells if 0 <= cell < layout.cells]
        if cells:
            yield place_of(index, words), cells
    for house in layout.houses:
        yield house_name(layout, house), house.cells
