"""All renderers by rule name, and descriptions of a board's rules."""

from functools import lru_cache

from solver.board.layout import ConstraintLike, Layout
from solver.board.symbols import Symbols
from solver.rules.disjunction import DISJUNCTION_RULES
from solver.rules.layout_rules import plain_kind, variants_of
from solver.rules.neighbours import EVERYWHERE_RULES
from solver.rules.rule import Constraint
from solver.rules.variants import VARIANTS
from web.boards.canvas import Canvas
from web.boards.renderers.cages import CAGE_RENDERERS, draw_unknown
from web.boards.renderers.cells import CELL_RENDERERS
from web.boards.renderers.dots import DOT_RENDERERS
from web.boards.renderers.houses import draw_grid, draw_houses, parts
from web.boards.renderers.lines import LINE_RENDERERS
from web.boards.renderers.outside import OUTSIDE_RENDERERS
from web.boards.renderers.renderer import Renderer, written

RENDERERS: dict[str, Renderer] = {
    **CAGE_RENDERERS,
    **LINE_RENDERERS,
    **DOT_RENDERERS,
    **CELL_RENDERERS,
    **OUTSIDE_RENDERERS,
    **{rule.name: written for rule in (*EVERYWHERE_RULES, *DISJUNCTION_RULES)},
}


@lru_cache(maxsize=64)
def render_board(layout: Layout, symbols: Symbols) -> Canvas:
    """Return the drawing of a board without its values."""
    canvas = Canvas(layout, symbols)
    draw_grid(canvas)
    draw_houses(canvas)
    for constraint in layout.constraints:
        if isinstance(constraint, Constraint) and max(constraint.cells, default=0) < layout.cells:
            RENDERERS.get(constraint.rule.name, draw_unknown)(constraint, canvas)
    return canvas


@lru_cache(maxsize=64)
def describe_rules(layout: Layout) -> dict[str, str]:
    """Return the names and descriptions of a board's rules beyond rows, columns, and boxes."""
    words: dict[str, str] = {}
    kinds = {house.kind for house in layout.houses}
    plain = {plain_kind(house) for house in layout.houses}
    if kinds != plain:
        words["overlapping grids"] = "Each grid is a separate Sudoku; the grids share cells."
    if "region" in plain:
        words["jigsaw"] = "Each value once in each region. Thick lines separate the regions."
    if not parts(layout):
        words["no boxes"] = "Each value once in each row and in each column."
    if "house" in plain:
        words["colours"] = "No value twice among cells of the same color."
    words |= {name: VARIANTS[name].description for name in variants_of(layout)}
    for constraint in layout.constraints:
        words |= _describe_rule(constraint)
    return words


def _describe_rule(constraint: ConstraintLike) -> dict[str, str]:
    """Return the names and descriptions of a constraint's rule and of its options' rules."""
    if not isinstance(constraint, Constraint):
        return {}
    words = {constraint.rule.name: constraint.rule.description}
    for option in constraint.options:
        for each in option:
            words |= _describe_rule(each)
    return words
