"""Export links: URLs that open a puzzle in other programs, if they support all of its rules.

The formats in `solver.formats.objects` can read all of these URLs.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from solver.board.layout import Kept, Layout, usual_box
from solver.formats.objects.lzstring import compress
from solver.rules.pairs import side_by_side
from solver.rules.rule import Constraint
from web.boards.renderers.houses import plain_kind
from web.boards.renderers.registry import rules_in_words

_MOST_SIZE = 16
_LABELS = "123456789ABCDEFG"
# Browsers or servers truncate longer URLs.
_LONGEST_ADDRESS = 8_000

# Their names by our rule names. Lines have cells and no other values.
_FPUZZLES_SWITCHES = {
    "antiknight": "antiknight",
    "antiking": "antiking",
    "nonconsecutive": "nonconsecutive",
    # In f-puzzles, `nonconsecutive` exempts pairs with a dot.
    "differencenegative": "nonconsecutive",
    "disjointgroups": "disjointgroups",
}
_FPUZZLES_LINES = {
    "thermo": "thermometer",
    "palindrome": "palindrome",
    "renban": "renban",
    "between": "betweenline",
    "regionsum": "regionsumline",
}
_FPUZZLES_DOTS = {"white": "difference", "black": "ratio"}
_ISS_SWITCHES = {
    "antiknight": "AntiKnight",
    "antiking": "AntiKing",
    "nonconsecutive": "AntiConsecutive",
    "differencenegative": "AntiConsecutive",  # equivalent if there are no dots
    "disjointgroups": "DisjointSets",
    "windoku": "Windoku",
}
_ISS_CELLS = {
    "thermo": "Thermo",
    "palindrome": "Palindrome",
    "renban": "Renban",
    "between": "Between",
    "regionsum": "RegionSumLine",
    "white": "WhiteDot",
    "black": "BlackDot",
}


@dataclass(frozen=True, slots=True)
class Address:
    """The URL that opens the puzzle in a program."""

    program: str
    url: str


def addresses(
    layout: Layout, givens: tuple[int, ...], candidates: Sequence[int] | None = None
) -> list[Address]:
    """Return the URLs that open a puzzle elsewhere, if its board is a square of up to 16×16.

    `candidates` contains the remaining candidates of each cell (bit mask, bit 0 = value 1), or None
    if there are no pencil marks.
    """
    if layout.rows != layout.columns or layout.columns != layout.size or layout.absent:
        return []
    if layout.size > _MOST_SIZE or layout.lowest != 1:
        return []
    lines = [house for house in layout.houses if plain_kind(house) in ("row", "column")]
    regions, marks = _regions(layout), _marks(layout, givens, candidates)
    if len(lines) != 2 * layout.size or regions is None or marks is None:
        return []
    puzzle = _Puzzle(layout, givens, regions, marks)
    found = []
    fpuzzles = puzzle.fpuzzles()
    if fpuzzles is not None:
        packed = compress(json.dumps(fpuzzles, separators=(",", ":")))
        packed = quote(packed, safe="")
        found += [
            Address("SudokuPad", f"https://sudokupad.app/fpuzzles{packed}"),
            Address("f-puzzles", f"https://www.f-puzzles.com/?load={packed}"),
        ]
    iss = puzzle.iss()
    if iss is not None:
        url = f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={quote(iss, safe='~.')}"
        found.append(Address("Interactive Sudoku Solver", url))
    return [address for address in found if len(address.url) <= _LONGEST_ADDRESS]


def _regions(layout: Layout) -> list[int] | None:
    """Return each cell's box or region, or None unless every cell is in one of the right size."""
    regions = [house.cells for house in layout.houses if plain_kind(house) in ("box", "region")]
    whole = [cells for cells in regions if len(cells) == layout.size]
    region_of = {cell: number for number, cells in enumerate(whole) for cell in cells}
    cells = range(layout.cells)
    return [region_of[cell] for cell in cells] if len(region_of) == layout.cells else None


def _marks(
    layout: Layout, givens: tuple[int, ...], candidates: Sequence[int] | None
) -> dict[int, list[int]] | None:
    """Return the remaining candidates of restricted empty cells.

    Returns None if a cell has no candidates, or a given that isn't among them.
    """
    marks: dict[int, list[int]] = {}
    for cell, mask in enumerate(candidates or ()):
        values = [value for value in range(1, layout.size + 1) if mask >> (value - 1) & 1]
        if not values or (givens[cell] and givens[cell] not in values):
            return None
        if not givens[cell] and len(values) < layout.size:
            marks[cell] = values
    return marks


class _Puzzle:
    def __init__(
        self,
        layout: Layout,
        givens: tuple[int, ...],
        regions: list[int],
        marks: dict[int, list[int]],
    ) -> None:
        self._layout, self._givens = layout, givens
        self._regions, self._marks = regions, marks
        box = usual_box(layout.size)
        usual = None if box is None else _regions(Layout.boxed(*box))
        self._is_cut = regions != usual  # whether the regions differ from the usual boxes
        self._rules = set(rules_in_words(layout))
        own = [each for each in layout.constraints if isinstance(each, Constraint)]
        self._constraints = [
            each
            for each in own
            if each.rule.name not in _ISS_SWITCHES and not _is_diagonal(each, layout)
        ]
        if any(_is_diagonal(each, layout) for each in own):
            self._rules.add("diagonal")
        if all(each.rule.name != "different" for each in self._constraints):
            self._rules.discard("different")
        self._has_dots = not self._rules.isdisjoint(_FPUZZLES_DOTS)

    def fpuzzles(self) -> dict[str, object] | None:
        """Return the puzzle as an f-puzzles object, or None if f-puzzles doesn't support a rule."""
        known = {"jigsaw", "diagonal", "killer", *_FPUZZLES_SWITCHES, *_FPUZZLES_LINES}
        if self._rules - known - {*_FPUZZLES_DOTS} or self._is_special():
            return None
        if "nonconsecutive" in self._rules and self._has_dots:
            return None  # f-puzzles exempts pairs with a dot
        size = self._layout.size
        cells = [self._fpuzzles_cell(cell) for cell in range(size * size)]
        puzzle: dict[str, object] = {
            "size": size,
            "grid": [cells[start : start + size] for start in range(0, size * size, size)],
        }
        puzzle |= {_FPUZZLES_SWITCHES[name]: True for name in self._rules & {*_FPUZZLES_SWITCHES}}
        if "diagonal" in self._rules:
            puzzle |= dict.fromkeys(self._diagonals({False: "diagonal-", True: "diagonal+"}), True)
        entries: dict[str, list[object]] = {}
        for constraint in self._constraints:
            key, entry = self._fpuzzles_entry(constraint)
            entries.setdefault(key, []).append(entry)
        return puzzle | entries

    def _fpuzzles_entry(self, constraint: Constraint) -> tuple[str, dict[str, object]]:
        name, names = constraint.rule.name, [self._name(cell) for cell in constraint.cells]
        if name in _FPUZZLES_LINES:
            return _FPUZZLES_LINES[name], {"lines": [names]}
        if name in _FPUZZLES_DOTS:
            return _FPUZZLES_DOTS[name], {"cells": names}
        total = {"value": str(constraint.value)} if _total(constraint) else {}
        return "killercage", {"cells": names, **total}

    def iss(self) -> str | None:
        """Return the puzzle as an ISS constraint string, or None if ISS doesn't support a rule."""
        known = {"jigsaw", "diagonal", "killer", *_ISS_SWITCHES, *_ISS_CELLS}
        if self._rules - known or self._is_special():
            return None
        if "disjointgroups" in self._rules and self._is_cut:
            return None  # ISS always uses the usual boxes for these groups
        if "differencenegative" in self._rules and self._has_dots:
            return None  # in ISS, the rule also applies to pairs with a dot
        size = self._layout.size
        if not self._rules and not self._marks and size == 9:
            return "".join(map(str, self._givens)).replace("0", ".")
        words = [f"Shape~{size}x{size}"]
        words += sorted({_ISS_SWITCHES[name] for name in self._rules & {*_ISS_SWITCHES}})
        if "diagonal" in self._rules:
            words += [f"Diagonal~{name}" for name in self._diagonals({False: "-1", True: "1"})]
        if self._is_cut:
            words += ["NoBoxes", "Jigsaw~" + "".join(_LABELS[number] for number in self._regions)]
        for constraint in self._constraints:
            cells = "~".join(self._name(cell, base=17) for cell in constraint.cells)
            name = constraint.rule.name
            total = constraint.value if _total(constraint) else 0
            words.append(
                f"Cage~{total}~{cells}" if name == "killer" else f"{_ISS_CELLS[name]}~{cells}"
            )
        words += [
            f"~{self._name(cell, base=17)}_{value}"
            for cell, value in enumerate(self._givens)
            if value
        ]
        words += [
            f"~{self._name(cell, base=17)}_{'_'.join(map(str, values))}"
            for cell, values in self._marks.items()
        ]
        return "".join(f".{word}" for word in words)

    def _fpuzzles_cell(self, cell: int) -> dict[str, object]:
        value = self._givens[cell]
        written: dict[str, object] = {"value": value, "given": True} if value else {}
        if cell in self._marks:
            written["givenPencilMarks"] = self._marks[cell]
        if self._is_cut:
            written["region"] = self._regions[cell]
        return written

    def _is_special(self) -> bool:
        """Return whether a cage has the sum 0 or a dot lies between distant cells.

        The other programs can't express either.
        """
        neighbours = set(side_by_side(self._layout))
        return any(
            constraint.value == 0
            if constraint.rule.name == "killer"
            else constraint.rule.name in _FPUZZLES_DOTS
            and tuple(sorted(constraint.cells)) not in neighbours
            for constraint in self._constraints
        )

    def _diagonals(self, names: Mapping[bool, str]) -> list[str]:
        """Return the names of the diagonals that must have distinct values.

        `names` has one for the falling diagonal (False) and one for the rising one (True).
        """
        kept = [house.cells for house in self._layout.houses if plain_kind(house) == "diagonal"]
        kept += [
            each.cells for each in self._layout.constraints if _is_diagonal(each, self._layout)
        ]
        rise = {self._layout.size - 1 in cells for cells in kept}
        return [name for rises, name in names.items() if rises in rise]

    def _name(self, cell: int, *, base: int = 10) -> str:
        row, column = divmod(cell, self._layout.columns)
        if base == 17:
            return f"R{_LABELS[row]}C{_LABELS[column]}"
        return f"R{row + 1}C{column + 1}"


def _is_diagonal(constraint: Kept, layout: Layout) -> bool:
    """Return whether a constraint makes all cells of a main diagonal different."""
    steps = range(layout.size)
    falling = {row * layout.size + row for row in steps}
    rising = {row * layout.size + layout.size - 1 - row for row in steps}
    return constraint.name == "different" and {*constraint.cells} in (falling, rising)


def _total(constraint: Constraint) -> bool:
    return isinstance(constraint.value, int) and constraint.value > 0
