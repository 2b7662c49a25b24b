"""Claims about cells that must differ because of a special rule, such as a knight's move."""

from collections.abc import Iterator

from sentence_checker.claims import claim
from sentence_checker.context import Context
from solver.board.parts import House

Cells = tuple[int, ...]
_MORE = ", and so are {%s:cells}"
_PAIRS = ["".join(_MORE % f"p{number}" for number in range(count)) for count in range(4)]


@claim(*(rf"{{cells}} are (?:in|on) {{house}}{more}\." for more in _PAIRS))
def are_in_house(context: Context, *, house: House, **pairs: Cells) -> Iterator[str]:
    del context
    if any(len(pair) != 2 or not set(pair) <= set(house.cells) for pair in pairs.values()):
        yield "a cell is not there"


@claim(*(rf"{{cells}} are a knight's move apart{more}\." for more in _PAIRS))
def are_knights(context: Context, **pairs: Cells) -> Iterator[str]:
    yield from _moves(context, pairs, {(1, 2), (2, 1)})


@claim(*(rf"{{cells}} are a king's move apart{more}\." for more in _PAIRS))
def are_kings(context: Context, **pairs: Cells) -> Iterator[str]:
    yield from _moves(context, pairs, {(1, 1)})


def _moves(context: Context, pairs: dict[str, Cells], moves: set[tuple[int, int]]) -> Iterator[str]:
    columns = context.step.layout.columns
    for pair in pairs.values():
        (row, column), (other_row, other_column) = (divmod(cell, columns) for cell in pair)
        if (abs(row - other_row), abs(column - other_column)) not in moves:
            yield "two cells are not this move apart"


@claim(*(r"{cells} are in the (?:cage|extra region) at r\d+c\d+" + rf"{more}\." for more in _PAIRS))
def are_in_cage(context: Context, **pairs: Cells) -> Iterator[str]:
    linked = {frozenset(pair) for links in context.step.layout.links for pair in links.pairs}
    if any(frozenset(pair) not in linked for pair in pairs.values()):
        yield "two cells may be equal"
