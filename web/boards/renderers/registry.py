"""All renderers by rule name, and the texts of a board's rules."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from solver.board.layout import ConstraintLike, Layout
from solver.board.symbols import Symbols
from solver.rules.disjunction import DISJUNCTION_RULES
from solver.rules.layout_rules import plain_kind, variants_of
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.rule import Constraint, Rule, Value
from solver.rules.variants import VARIANTS, Variant
from web.boards.canvas import Canvas
from web.boards.renderers.cages import CAGE_RENDERERS, draw_unknown
from web.boards.renderers.cells import CELL_RENDERERS
from web.boards.renderers.dots import DOT_RENDERERS
from web.boards.renderers.houses import draw_grid, draw_houses, parts
from web.boards.renderers.lines import LINE_RENDERERS
from web.boards.renderers.outside import OUTSIDE_RENDERERS
from web.boards.renderers.renderer import Renderer, draw_nothing

RENDERERS: dict[str, Renderer] = {
    **CAGE_RENDERERS,
    **LINE_RENDERERS,
    **DOT_RENDERERS,
    **CELL_RENDERERS,
    **OUTSIDE_RENDERERS,
    **{rule.name: draw_nothing for rule in (*EVERYWHERE_RULES, *DISJUNCTION_RULES)},
}


class RuleText(NamedTuple):
    """The texts about a rule of a board: its name in JSON, its display name, and a sentence."""

    name: str
    title: str
    sentence: str


@lru_cache(maxsize=64)
def render_board(layout: Layout, symbols: Symbols) -> Canvas:
    """Return the drawing of a board: its grid, houses, and constraints, without values.

    Constraints on cells outside the grid, such as auxiliary ones, aren't drawn. Callers share the
    returned canvas, so they must not change it.
    """
    canvas = Canvas(layout, symbols)
    draw_grid(canvas)
    draw_houses(canvas)
    for constraint in layout.constraints:
        if isinstance(constraint, Constraint) and max(constraint.cells, default=0) < layout.cells:
            RENDERERS.get(constraint.rule.name, draw_unknown)(constraint, canvas)
    return canvas


@lru_cache(maxsize=64)
def describe_rules(layout: Layout, symbols: Symbols) -> tuple[RuleText, ...]:
    """Return the texts of a board's rules beyond rows, columns, and boxes, one per rule.

    The sentences contain the parameters of the board's constraints, and use its symbols.
    All-different constraints on main diagonals share one text, which has the name of the variant.
    """
    texts = [
        *_layout_texts(layout),
        *(_text(VARIANTS[name], layout, symbols) for name in variants_of(layout)),
    ]
    constraints: defaultdict[Rule, list[Constraint]] = defaultdict(list)
    diagonals = 0
    for constraint in _with_options(layout.constraints):
        if constraint.name == "different" and _is_main_diagonal(constraint.cells, layout):
            diagonals += 1
        else:
            constraints[constraint.rule].append(constraint)
    if diagonals:
        which = "the marked" if diagonals == 1 else "either main"
        sentence = f"Digits don't repeat on {which} diagonal."
        texts.append(RuleText("diagonal", VARIANTS["diagonal"].title, sentence))
    for rule, alike in constraints.items():
        values = {each.value for each in alike} if rule.value else ()
        texts.append(_text(rule, layout, symbols, values))
    return tuple({text.name: text for text in texts}.values())


def _text(
    rule: Rule | Variant, layout: Layout, symbols: Symbols, values: Collection[Value] = ()
) -> RuleText:
    """Return the names of a rule or variant, and the sentence that explains it on this board.

    `values` are the parameters of its constraints.
    """
    sentence = rule.wording.on_board(layout.numbers, symbols.values, values)
    return RuleText(rule.name, rule.title, sentence)


def _is_main_diagonal(cells: Collection[int], layout: Layout) -> bool:
    """Return whether the cells are those of a main diagonal of a square grid."""
    side = layout.columns
    falling, rising = range(0, side * side, side + 1), range(side - 1, side * side - 1, side - 1)
    return layout.rows == side > 1 and sorted(cells) in ([*falling], [*rising])


def _layout_texts(layout: Layout) -> Iterator[RuleText]:
    """Yield texts about unusual rows, columns, boxes, and regions, and about overlapping grids.

    Yields nothing for a grid with the usual boxes.
    """
    kinds = {house.kind for house in layout.houses}
    plain = {plain_kind(house) for house in layout.houses}
    if kinds != plain:
        sentence = "Each grid is a separate Sudoku; the grids share cells."
        yield RuleText("overlapping grids", "Overlapping grids", sentence)
    if "region" in plain:
        sentence = "Thick lines separate the regions; digits don't repeat in a region."
        yield RuleText("jigsaw", "Jigsaw", sentence)
    if "row" not in plain:
        sentence = "Digits can repeat in rows and columns."
        yield RuleText("free lines", "Free rows and columns", sentence)
    elif not parts(layout):
        sentence = "There are no boxes; digits don't repeat in rows and columns."
        yield RuleText("no boxes", "No boxes", sentence)
    if "house" in plain:
        sentence = "Cells of the same color contain different digits."
        yield RuleText("colours", "Colors", sentence)


def _with_options(constraints: Iterable[ConstraintLike]) -> Iterator[Constraint]:
    """Yield each constraint, followed by those in the options of a disjunction, at any depth."""
    for constraint in constraints:
        if isinstance(constraint, Constraint):
            yield constraint
            for option in constraint.options:
                yield from _with_options(option)
