"""Describe a square board in the terms of the programs to which it is exported."""

from dataclasses import dataclass

from solver.board.layout import ConstraintLike, Layout, usual_box
from solver.board.puzzle import Puzzle
from solver.rules.layout_rules import plain_kind, variants_of
from solver.rules.registry import RULES
from solver.rules.relations import side_by_side
from solver.rules.rule import Constraint
from solver.rules.variants import VARIANTS

_MAX_SIZE = 16
_LINES = ("row", "column")
_REGIONS = ("box", "region")
DOTS = frozenset(("white", "black", "difference", "ratio", "greater", "x", "v"))
_KROPKI_DOTS = frozenset(("white", "black", "difference", "ratio"))


@dataclass(frozen=True, slots=True)
class SquareBoard:
    """A square board of up to 16×16, all of whose cells are in a region of the right size.

    size         number of rows
    givens       value of each cell, 0 if it is empty
    regions      the number of each cell's region, from 0
    is_jigsaw    whether the regions differ from the usual boxes
    marks        by cell, the remaining candidates (from 1) of empty cells that lack some
    variants     the names of the variants, except `diagonal`
    diagonals    the diagonals without repeated values: False for falling, True for rising
    constraints  all constraints except those of the diagonals and variants
    """

    size: int
    givens: tuple[int, ...]
    regions: list[int]
    is_jigsaw: bool
    marks: dict[int, list[int]]
    variants: frozenset[str]
    diagonals: frozenset[bool]
    constraints: list[Constraint]

    @classmethod
    def of(cls, puzzle: Puzzle) -> "SquareBoard | None":
        """Return a puzzle as a SquareBoard, or None if its board has another shape or structure.

        Also returns None for cages with the sum 0, which other programs treat as cages without a
        sum, for dots between cells that aren't adjacent, and for candidates that leave a cell
        without a value.
        """
        layout = puzzle.layout
        regions, marks = _regions(layout), _marks(puzzle)
        if not _is_plain_square(layout) or regions is None or marks is None:
            return None
        variants = variants_of(layout)
        own = [each for each in layout.constraints if each.name not in VARIANTS]
        diagonals = [house.cells for house in layout.houses if plain_kind(house) == "diagonal"]
        diagonals += [each.cells for each in own if _diagonal(each, layout) is not None]
        constraints = [
            each for each in own if isinstance(each, Constraint) and _diagonal(each, layout) is None
        ]
        if any(_is_special(each, layout) for each in constraints):
            return None
        box = usual_box(layout.size)
        usual = None if box is None else _regions(Layout.boxed(*box))
        return cls(
            size=layout.size,
            givens=puzzle.givens,
            regions=regions,
            is_jigsaw=regions != usual,
            marks=marks,
            variants=frozenset(variants) - {"diagonal"},
            diagonals=frozenset(layout.size - 1 in cells for cells in diagonals),
            constraints=constraints,
        )

    @property
    def rules(self) -> frozenset[str]:
        """The names of the variants and of the constraints' rules."""
        return self.variants | {each.name for each in self.constraints}

    @property
    def has_dots(self) -> bool:
        """Whether there are Kropki dots. Some programs exempt their cells from negative rules."""
        return not self.rules.isdisjoint(_KROPKI_DOTS)


def _is_plain_square(layout: Layout) -> bool:
    if not layout.rows == layout.columns == layout.size <= _MAX_SIZE:
        return False
    if layout.holes or layout.variables or layout.lowest != 1:
        return False
    lines = {house.cells for house in layout.houses if plain_kind(house) in _LINES}
    own = {house.cells for house in layout.houses if plain_kind(house) in _REGIONS}
    return (
        len(lines) == 2 * layout.size
        and not own <= lines
        and all(plain_kind(house) != "house" for house in layout.houses)
        and all(isinstance(each, Constraint) for each in layout.constraints)
    )


def _regions(layout: Layout) -> list[int] | None:
    """Return the number of each cell's box or region, from 0.

    Returns None unless every cell is in a box or region with as many cells as the board has values.
    """
    regions = [house.cells for house in layout.houses if plain_kind(house) in _REGIONS]
    whole = [cells for cells in regions if len(cells) == layout.size]
    region_of = {cell: number for number, cells in enumerate(whole) for cell in cells}
    cells = range(layout.cells)
    return [region_of[cell] for cell in cells] if len(region_of) == layout.cells else None


def _marks(puzzle: Puzzle) -> dict[int, list[int]] | None:
    """Return the remaining candidates (from 1) of the empty cells that lack some, by cell.

    Returns None if a cell has no candidates, or a given that isn't among them.
    """
    marks: dict[int, list[int]] = {}
    givens, size = puzzle.givens, puzzle.layout.size
    for cell, mask in enumerate(puzzle.candidates or ()):
        values = [value for value in range(1, size + 1) if mask >> (value - 1) & 1]
        if not values or (givens[cell] and givens[cell] not in values):
            return None
        if not givens[cell] and len(values) < size:
            marks[cell] = values
    return marks


def _diagonal(constraint: ConstraintLike, layout: Layout) -> bool | None:
    """Return which diagonal a constraint makes distinct: True for rising, False for falling.

    Returns None for any other constraint.
    """
    if constraint.name != "different":
        return None
    cells, size = {*constraint.cells}, layout.size
    if cells == {row * size + row for row in range(size)}:
        return False
    return True if cells == {row * size + size - 1 - row for row in range(size)} else None


def _is_special(constraint: Constraint, layout: Layout) -> bool:
    if constraint.rule is RULES["killer"]:
        return constraint.value == 0
    neighbors = side_by_side(layout)
    return constraint.name in DOTS and tuple(sorted(constraint.cells)) not in neighbors
