"""Claims about cells in a house, and cells that must differ because of another rule.

The rules are a knight's or king's move, cages and other groups of cells, and renban lines.
"""

from collections.abc import Iterator
from itertools import combinations

from sentence_checker.claims import claim
from sentence_checker.context import Context
from solver.board.primitive_constraints import House

Cells = tuple[int, ...]
_MOVES = {"knight": {(1, 2), (2, 1)}, "king": {(1, 1)}}


@claim(r"{cells} are (?:in|on) {house}\.")
def are_in_house(context: Context, *, cells: Cells, house: House) -> Iterator[str]:
    del context
    if len(cells) < 2 or not set(cells) <= set(house.cells):
        yield "a cell is not there"


@claim(r"{first:cell} is a (?P<piece>knight|king)'s move from {others:cells}\.")
def are_moves_apart(context: Context, *, first: int, piece: str, others: Cells) -> Iterator[str]:
    columns = context.step.layout.columns
    row, column = divmod(first, columns)
    for cell in others:
        other_row, other_column = divmod(cell, columns)
        if (abs(row - other_row), abs(column - other_column)) not in _MOVES[piece]:
            yield "two cells are not this move apart"


@claim(
    r"{cells} are in the (?:(?:equality |rellik )?cage|extra region|lunchbox) at "
    r"(?P<corner>r\d+c\d+)\."
)
def are_in_cage(context: Context, *, cells: Cells, corner: str) -> Iterator[str]:
    yield from must_differ(context, cells)
    at = context.step.layout.cell_named(corner)
    if not any(
        {*cells} <= {*constraint.cells} and at == min(constraint.cells)
        for constraint in context.step.layout.constraints
    ):
        yield "a cell is not there"


@claim(r"{cells} are on the renban line from (?P<first>r\d+c\d+) to (?P<last>r\d+c\d+)\.")
def are_on_renban(context: Context, *, cells: Cells, first: str, last: str) -> Iterator[str]:
    yield from must_differ(context, cells)
    ends = context.step.layout.cell_named(first), context.step.layout.cell_named(last)
    if not any(
        {*cells} <= {*line.cells} and ends == (line.cells[0], line.cells[-1])
        for line in context.step.layout.constraints
        if line.name == "renban"
    ):
        yield "a cell is not there"


def must_differ(context: Context, cells: Cells) -> Iterator[str]:
    linked = {frozenset(pair) for links in context.step.layout.links for pair in links.pairs}
    if any(frozenset(pair) not in linked for pair in combinations(cells, 2)):
        yield "two cells may be equal"
