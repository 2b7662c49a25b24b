"""Collect the contents of a constraint string: a board with its cells and auxiliary variables."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from solver.board.display import shown
from solver.board.layout import Layout, filling_box
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.formats.objects.iss_arguments import Refused
from solver.formats.objects.iss_cells import CELLS, GridCells, Place
from solver.formats.objects.object_board import board_of, find_board_fault
from solver.formats.objects.object_rules import read_candidates, with_rules
from solver.rules.registry import RULES, constraint_of
from solver.rules.rule import Cells, Constraint

# The default board: rows, columns, values, lowest value, boxes, and whether lines are houses.
_USUAL = (9, 9, 9, 1, True, True)
_USUAL_LAYOUT = Layout.boxed(3, 3)
# The most common givens: one of ten numbers in a cell of a 9×9 grid.
USUAL_GIVENS = {
    f"{written}_{number}": (cell, (number,))
    for written, cell in CELLS[9].items()
    for number in range(10)
}


def _symbols(lowest: int, size: int) -> Symbols:
    """Return symbols for `size` consecutive numbers from `lowest` on."""
    return Symbols(tuple(map(str, range(lowest, lowest + size))))


_SYMBOLS = {(low, size): _symbols(low, size) for low in (0, 1) for size in range(1, 17)}

T = TypeVar("T")
# A finished constraint, or a JSON-style description of a disjunction or of an invalid constraint.
Made = Constraint | dict[str, object]
Value = int | str | list[int]


class Board(GridCells):
    """The contents of a constraint string that have been read so far.

    Readers set the size and the kinds of houses, and add givens, variants, and constraints.
    Finally, `puzzle` returns the puzzle.
    """

    def __init__(self) -> None:
        """Start with the default board: 9×9 with boxes."""
        super().__init__()
        self.size, self.lowest = 9, 1
        self.region_size: int | None = None
        self.boxes = True
        self.lines_differ = True  # rows and columns are houses
        self.regions: str | None = None
        self.ties = "only-unclued"  # how full-rank clues treat ties
        self.variants: list[str] = []
        self.constraints: list[Made] = []
        self._candidates: dict[int, Sequence[int]] = {}
        self._inside = self._begun = False
        self._clues: dict[tuple[object, ...], int] = {}  # index of clues from `add_once`

    def is_begun(self) -> bool:
        """Return whether there are constraints or restricted cells yet.

        After that, the board's shape and the sizes of its groups must not change.
        """
        return self._begun or bool(self.constraints or self._candidates)

    def is_usual(self) -> bool:
        """Return whether the grid is a square with the usual boxes and as many values as rows.

        Also returns False if a region size is set.
        """
        fits = filling_box(self.rows, self.columns, self.size)
        square = self.rows == self.columns == self.size
        return square and fits is not None and self.boxes and self.region_size is None

    def add_group(self, group: str, count: int, columns: int) -> None:
        """Add a group of `count` auxiliary variables, arranged in rows of `columns`.

        `group` is its name, such as VA. An existing group of this name is replaced. Raises Refused
        if that group has another `count` or `columns`, and the board already has constraints or
        restricted cells, which may use the group's variables. Without any, the group can change.
        """
        if self.groups.get(group, (count, columns)) != (count, columns) and self.is_begun():
            raise Refused(
                f"the cells {group!r} already have another size, and earlier constraints may use "
                "them"
            )
        self.set_group(group, count, columns)

    def add(self, kind: str, cells: Cells, value: Value | None = None) -> None:
        """Add a constraint of the rule `kind` on the cells with these indices.

        `value` is the rule's value, such as a sum. If the cells or the value are invalid, a
        description of the constraint as a JSON object is added instead, so that `puzzle` reports
        the error.
        """
        rule = RULES[kind]
        made: Made | None = constraint_of(rule, cells, value)
        if made is None or (self._outside and min(cells) < 0):  # the JSON reader reports the fault
            made = {"type": kind, "cells": [*map(self._name, cells)]}
            if rule.value is not None and value is not None:
                made[rule.value] = value
        self.constraints.append(made)

    def add_once(self, kind: str, cells: Cells, value: Value | None = None) -> None:
        """Add a clue, replacing any earlier clue of the same rule on the same cells.

        Clues inside .Or and .Replicate replace nothing.
        """
        self.add(kind, cells, value)
        if self._inside:
            return
        last = len(self.constraints) - 1
        place = self._clues.setdefault((kind, *cells), last)
        if place < last:
            self.constraints[place] = self.constraints.pop()

    def give_usual(self, written: Sequence[str]) -> bool:
        """Add the givens of a 9×9 grid in the fast way, and return whether that was possible.

        It requires texts such as R1C1_5 with one number from 0 to 9 for each cell, no cell twice,
        and no earlier givens. Otherwise, nothing is added.
        """
        if self._inside or self._candidates or not self.rows == self.columns == 9:
            return False
        try:
            numbers = dict([USUAL_GIVENS[each] for each in written])
        except KeyError:
            return False
        if len(numbers) < len(written):
            return False
        self._candidates.update(numbers)
        return True

    def give(self, cell: int, numbers: Sequence[int]) -> None:
        """Restrict a cell to these numbers, without those that an earlier restriction excludes.

        Inside .Or and .Replicate, and for auxiliary variables, add a constraint instead.
        """
        is_variable = cell >= self._count or (cell < 0 and self._place_of(cell)[0])
        if self._inside or is_variable:
            self.add("oneof", (cell,), [*numbers])
        else:
            before = self._candidates.get(cell)
            both = numbers if before is None else [n for n in numbers if n in before]
            self._candidates[cell] = both

    def add_variant(self, name: str) -> None:
        """Add a rule of the whole grid. Raises Refused inside .Or and .Replicate."""
        if self._inside:
            raise Refused(
                f"{name!r} is a rule for the whole grid and can't be inside .Or or .Replicate"
            )
        self.variants.append(name)

    def inside(
        self, read: Callable[[T, "Board"], None], parts: Sequence[T], shift: Place = ("", 0, 0)
    ) -> list[Made]:
        """Read the constraints inside .Or or .Replicate, and return them without adding them.

        `read` is called with each of the `parts` and this board. `shift` is a group, and the
        numbers of rows and columns by which the named cells of that group are shifted, in addition
        to an outer shift.
        """
        before = self.constraints, self._shift, self._inside
        self._begun = self.is_begun()
        self.constraints, self._inside = [], True
        _, down, right = before[1] or ("", 0, 0)
        down, right = down + shift[1], right + shift[2]
        self._shift = (shift[0], down, right) if down or right else None
        for part in parts:
            read(part, self)
        made = self.constraints
        self._begun = self.is_begun()
        self.constraints, self._shift, self._inside = before
        return made

    def puzzle(self, variants: tuple[str, ...]) -> Puzzle | str:
        """Return the puzzle with these additional variants, or the reason why it is invalid."""
        board = self._layout()
        if isinstance(board, str):
            return board
        givens = self._givens()
        if isinstance(givens, str):
            return givens
        layout = with_rules(board, self.constraints, (*variants, *self.variants))
        if isinstance(layout, str):
            return layout
        marked = self._marked()
        candidates = read_candidates(marked, layout) if marked else None
        if isinstance(candidates, str):
            return candidates
        symbols = _SYMBOLS.get((self.lowest, self.size)) or _symbols(self.lowest, self.size)
        return Puzzle(layout, givens, symbols, candidates)

    def _numbers(self) -> range:
        """Return the numbers that cells can contain."""
        return range(self.lowest, self.lowest + self.size)

    def _layout(self) -> Layout | str:
        """Return the board without variants and constraints, or the reason why it is invalid.

        If boxes are enabled, and those of the region size, or else of the longest line, fill the
        board, it has these boxes, and regions are additional houses. Otherwise, it has only the
        regions.
        """
        shape = self.rows, self.columns
        board = (*shape, self.size, self.lowest, self.boxes, self.lines_differ)
        if board == _USUAL and not (self.region_size or self.regions or self.groups):
            return _USUAL_LAYOUT
        fault = find_board_fault(shape, self.size, self.lowest)
        if fault is not None:
            return fault
        box = filling_box(*shape, self.region_size or self.longest()) if self.boxes else None
        return board_of(
            shape,
            size=self.size,
            lowest=self.lowest,
            box=box,
            free=not self.lines_differ,
            variables=self._variable_names() if self.groups else (),
            # Regions don't replace boxes. On a board with boxes, they are extra houses.
            regions=None if box else self.regions,
            houses=(self.regions,) if box and self.regions else (),
        )

    def _givens(self) -> tuple[int, ...] | str:
        """Return the value of each grid cell, 0 if it isn't a given, or an error message.

        A given is a cell with a single candidate. Values count from 1 even if the lowest number is
        0.
        """
        numbers, before = self._numbers(), self.lowest - 1
        givens = [0] * self._count
        unknown: dict[int, int] = {}
        for cell, left in self._candidates.items():
            if len(left) == 1 and cell >= 0:
                number = left[0]
                if number in numbers:
                    givens[cell] = number - before
                elif number:  # 0 means empty unless it is a value
                    unknown[cell] = number
        if unknown:
            cell = min(unknown)
            where = self._name(cell)
            fault = f"{shown(str(unknown[cell]))} in {where} isn't a value of this puzzle"
            return f"{fault}; expected {numbers[0]} to {numbers[-1]}"
        return tuple(givens)

    def _marked(self) -> dict[str, object]:
        """Return the numbers that restricted cells can contain, by cell name.

        Cells with a single number are left out, because they are givens.
        """
        return {
            self._name(cell): numbers
            for cell, numbers in self._candidates.items()
            if len(numbers) != 1
        }
