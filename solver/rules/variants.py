"""Variants: rules for whole grids, such as additional houses and not-equal pairs."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from solver.board.budget import kept_table
from solver.board.closest import unknown
from solver.board.layout import Layout
from solver.board.primitive_constraints import House, Links
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.registry import compile_constraints
from solver.rules.rule import Constraint, Rule
from solver.rules.wording import Wording


@dataclass(frozen=True, slots=True)
class Variant:
    """A rule for a whole grid.

    name           the name in options and JSON
    wording        the title and description for people
    example_cells  some cells of a classic board that the rule concerns, such as "r1c1 and r1c2"
    build          returns the houses, not-equal pairs, and constraints that the rule adds to a
                   layout, or an error message if the layout doesn't support it
    """

    name: str
    wording: Wording
    example_cells: str
    build: Callable[[Layout], tuple[House | Links | Constraint, ...] | str]

    @property
    def title(self) -> str:
        """The display name."""
        return self.wording.title

    @property
    def description(self) -> str:
        """The sentence that states the rule for a classic board."""
        return self.wording.general


def known_variant(name: str) -> Variant | None:
    """Return the variant with a name, title, or other name, or None if there is none.

    Only the letters a–z count, in either case.
    """
    return _BY_NAME.get(_letters(name))


def _letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def with_variants(
    layout: Layout, names: tuple[str, ...], also: tuple[Constraint, ...] = ()
) -> Layout | str:
    """Return a layout with the rules of the named variants, or an error message.

    A name can be any that `known_variant` accepts. The constraints in `also` are added and compiled
    together with the variants. The result is cached, so that equal arguments give the same layout.
    """
    return _with_all(layout, names, also)


@kept_table
def _with_all(layout: Layout, names: tuple[str, ...], also: tuple[Constraint, ...]) -> Layout | str:
    """Do the same as `with_variants`, which passes all arguments, so that results are cached."""
    if not names and not also:
        return layout
    houses, links = [*layout.houses], [*layout.links]
    constraints = [*also]
    for variant in dict.fromkeys(map(known_variant, names)):
        if variant is None:
            strange = next(name for name in names if known_variant(name) is None)
            return unknown("variant", strange, VARIANTS)
        rules = variant.build(layout)
        if isinstance(rules, str):
            return f"the variant {variant.name!r} {rules}"
        houses += [rule for rule in rules if isinstance(rule, House)]
        links += [rule for rule in rules if isinstance(rule, Links)]
        constraints += [rule for rule in rules if isinstance(rule, Constraint)]
    layout = layout.changed(houses=tuple(houses), links=tuple(links))
    return compile_constraints(layout, tuple(constraints)) if constraints else layout


def _diagonals(layout: Layout) -> tuple[House, ...] | str:
    size = layout.rows
    if layout.columns != size:
        return f"needs a square grid, not {layout.rows}x{layout.columns} cells"
    if layout.size < size:
        return f"needs at least as many values as rows ({size}), not {layout.size}"
    falling = (row * size + row for row in range(size))
    rising = (row * size + size - 1 - row for row in range(size))
    present = [tuple(c for c in cells if c not in layout.holes) for cells in (falling, rising)]
    return tuple(House("diagonal", n, cells) for n, cells in enumerate(present, 1) if cells)


def _windows(layout: Layout) -> tuple[House, ...] | str:
    rows, columns = layout.box
    if layout.shape is not None:
        return "needs a square grid with square boxes, without holes or overlapping grids"
    if rows != columns or rows < 2:
        return f"needs square boxes of 2x2 cells or more, not {rows}x{columns}"
    starts = [1 + (rows + 1) * number for number in range(rows - 1)]
    corners = [(top, left) for top in starts for left in starts]
    return tuple(
        House(
            "window",
            number,
            tuple(
                (top + row) * layout.size + left + column
                for row in range(rows)
                for column in range(rows)
            ),
        )
        for number, (top, left) in enumerate(corners, 1)
    )


def _groups(layout: Layout) -> tuple[House, ...] | str:
    """Return a house for each position within a box, or an error message.

    The house contains the cells at this position in all boxes. If the layout has regions instead of
    boxes, positions count in reading order.
    """
    regions = [house.cells for house in layout.houses if house.kind == "region"]
    boxes = [house.cells for house in layout.houses if house.kind == "box"] or regions
    if not boxes or (layout.box[0] == 1 and not regions):
        return "needs a grid with boxes or regions"
    if len(set(map(len, boxes))) > 1:
        return "needs regions that all have the same number of cells"
    return tuple(
        House("group", number, cells) for number, cells in enumerate(zip(*boxes, strict=True), 1)
    )


def _figure(kind: str, places: str) -> Callable[[Layout], tuple[House, ...] | str]:
    """Return a function that builds one additional house of a 9×9 grid.

    `kind` is the kind of the house. `places` are its cells, each written as row and column from 1,
    such as "25 33". The function returns an error message for other grids.
    """

    def build(layout: Layout) -> tuple[House, ...] | str:
        if layout.size != 9 or layout.shape is not None:
            return "needs a 9×9 grid"
        cells = tuple(9 * (int(place) // 10 - 1) + int(place) % 10 - 1 for place in places.split())
        return (House(kind, 1, cells),)

    return build


def _argyle(layout: Layout) -> tuple[House, ...] | str:
    """Return the diagonals of an argyle pattern as houses, or an error message.

    Four of them have eight cells and are next to the main diagonals. The other four have five
    cells.
    """
    if layout.size != 9 or layout.shape is not None:
        return "needs a 9×9 grid"
    # falling diagonals. The rising ones mirror them.
    starts = (((0, 1), 8), ((1, 0), 8), ((0, 4), 5), ((4, 0), 5))
    falling = [[(row + k, column + k) for k in range(length)] for (row, column), length in starts]
    rising = [[(row, 8 - column) for row, column in places] for places in falling]
    return tuple(
        House("diagonal", number, tuple(9 * row + column for row, column in places))
        for number, places in enumerate([*falling, *rising], 1)
    )


def _apart(
    kind: str, moves: Iterable[tuple[int, int]], *, wraps: bool = False
) -> Callable[[Layout], tuple[Links, ...]]:
    """Return a function that builds the not-equal pairs of cells that are one of the moves apart.

    Moves are (rows down, columns to the right). With `wraps`, they continue at the opposite edge.
    Otherwise, moves that leave the grid are skipped. Holes are in no pair. `kind` is the kind of
    the `Links`, such as "a knight's move".
    """
    moves = tuple(moves)

    def build(layout: Layout) -> tuple[Links, ...]:
        rows, columns, holes = layout.rows, layout.columns, layout.holes
        pairs = [
            (row * columns + column, (row + down) % rows * columns + (column + right) % columns)
            for row in range(rows)
            for column in range(columns)
            for down, right in moves
            if wraps or (0 <= row + down < rows and 0 <= column + right < columns)
        ]
        if wraps or holes:
            pairs = [pair for pair in pairs if pair[0] != pair[1] and holes.isdisjoint(pair)]
        return (Links(kind, tuple(pairs)),)

    return build


def _everywhere(rule: Rule) -> Variant:
    def build(layout: Layout) -> tuple[Constraint, ...]:
        return (Constraint(rule, tuple(range(layout.cells))),)

    return Variant(rule.name, rule.wording, "r1c1 and r1c2", build)


_NINE = "Only for 9×9 grids."
_KNIGHT = ((1, -2), (1, 2), (2, -1), (2, 1))
_KING = ((1, -1), (1, 1))


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant(
            "diagonal",
            Wording(
                "Diagonals",
                "Digits don't repeat on either main diagonal.",
                other_names=("Sudoku X", "X", "Diagonal"),
                note="Only for square grids.",
            ),
            "r1c1 … r9c9",
            _diagonals,
        ),
        Variant(
            "windoku",
            Wording(
                "Windoku (hyper sudoku)",
                "Each of the {windows} contains every digit once.",
                other_names=("Hyper sudoku", "Hyper", "Windows"),
                note="Only for grids with square boxes.",
            ),
            "r2c2 … r4c4",
            _windows,
        ),
        Variant(
            "disjointgroups",
            Wording(
                "Disjoint groups",
                "Cells at the same position in different boxes contain different digits.",
                other_names=("Disjoint sets",),
            ),
            "r1c1, r1c4, r1c7, r4c1 …",
            _groups,
        ),
        Variant(
            "asterisk",
            Wording(
                "Asterisk", "The nine cells of the asterisk contain every digit once.", note=_NINE
            ),
            "r2c5, r3c3, r3c7, r5c2 …",
            _figure("asterisk", "25 33 37 52 55 58 73 77 85"),
        ),
        Variant(
            "centerdot",
            Wording(
                "Center dot",
                "The centers of the nine boxes contain every digit once.",
                other_names=("Centre dot",),
                note=_NINE,
            ),
            "r2c2, r2c5, r2c8, r5c2 …",
            _figure("centre dot", "22 25 28 52 55 58 82 85 88"),
        ),
        Variant(
            "girandola",
            Wording(
                "Girandola", "The nine cells of the girandola contain every digit once.", note=_NINE
            ),
            "r1c1, r1c9, r2c5, r5c2 …",
            _figure("girandola", "11 19 25 52 55 58 85 91 99"),
        ),
        Variant(
            "argyle",
            Wording(
                "Argyle", "Digits don't repeat on any of the eight marked diagonals.", note=_NINE
            ),
            "r1c2 … r8c9, r1c5 … r5c1 …",
            _argyle,
        ),
        Variant(
            "antiknight",
            Wording(
                "Anti-knight",
                "Cells a knight's move apart contain different digits.",
                other_names=("Knight",),
            ),
            "r1c1 and r2c3",
            _apart("a knight's move", _KNIGHT),
        ),
        Variant(
            "antiking",
            Wording(
                "Anti-king",
                "Cells that touch at a corner contain different digits.",
                other_names=("King",),
            ),
            "r1c1 and r2c2",
            _apart("a king's move", _KING),
        ),
        Variant(
            "toroidalantiknight",
            Wording(
                "Toroidal anti-knight",
                "Cells a knight's move apart contain different digits; moves wrap "
                "around the edges of the grid.",
            ),
            "r1c1 and r9c3",
            _apart("a knight's move", _KNIGHT, wraps=True),
        ),
        Variant(
            "toroidalantiking",
            Wording(
                "Toroidal anti-king",
                "Cells that touch at a corner contain different digits; the grid "
                "wraps around its edges.",
            ),
            "r1c1 and r9c9",
            _apart("a king's move", _KING, wraps=True),
        ),
        *map(_everywhere, EVERYWHERE_RULES),
    )
}

_BY_NAME = {
    _letters(name): variant
    for variant in VARIANTS.values()
    for name in (variant.name, variant.title, *variant.wording.other_names)
}
