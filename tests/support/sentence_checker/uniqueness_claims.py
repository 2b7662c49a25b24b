"""Claims about unique rectangles and loops, and about bivalue universal graves (BUGs).

That the pattern must not be complete is established before (see `deadly_patterns`), so that claims
about its extra candidates can be proven from it. That the pattern would be complete is proven
without it.
"""

from collections.abc import Iterator, Sequence

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.deadly_patterns import is_deadly, is_grave
from sentence_checker.names import Candidate
from sentence_checker.pattern_claims import Cells, Houses, Values, places
from sentence_checker.sub_puzzle import Fact
from solver.board.parts import House

_DEADLY = r"would form a deadly pattern: swapping {swapped:values} would give a second solution\."


@claim(r"{cells} must be {values}\.")
def must_be(context: Context, *, cells: Cells, values: Values) -> Iterator[str]:
    yield from announce(context, [Fact(cell, value) for cell in cells for value in values])


@claim(r"One of {cells} is neither {one:value} nor {other:value}\.")
def one_is_neither(context: Context, *, cells: Cells, one: int, other: int) -> Iterator[str]:
    values = range(1, context.step.layout.size + 1)
    yield from announce(
        context,
        [Fact(cell, value) for cell in cells for value in values if value not in (one, other)],
    )


@claim(r"One of these must be true: {candidates}\.")
def one_must_be_true(context: Context, *, candidates: Sequence[Candidate]) -> Iterator[str]:
    yield from announce(context, [Fact(*candidate) for candidate in candidates])


def announce(context: Context, facts: list[Fact]) -> Iterator[str]:
    """Remember that one of the facts must be true, and complain if that isn't implied."""
    context.announced = facts
    context.cases = [[fact.opposite for fact in facts]]
    if not context.implies(facts):
        yield "none of them must be true"


@claim(rf"Otherwise, these cells {_DEADLY}", rf"They {_DEADLY}")
def these_would_be_deadly(context: Context, *, swapped: Values) -> Iterator[str]:
    yield from would_be_deadly(context, context.cases, swapped)


@claim(rf"Otherwise, {{cells}} {_DEADLY}")
def otherwise_deadly(context: Context, *, cells: Cells, swapped: Values) -> Iterator[str]:
    if {*cells} != {*context.step.deduction.cells}:
        yield "these are other cells"
    yield from would_be_deadly(context, context.cases, swapped)


@claim(rf"If {{cell}} were {{values}} as well, these cells {_DEADLY}")
def last_corner_would_be_deadly(
    context: Context, *, cell: int, values: Values, swapped: Values
) -> Iterator[str]:
    if {*values} != {*swapped}:
        yield "these are other values"
    yield from would_be_deadly(context, [[Fact(cell, value)] for value in values], swapped)


@claim(r"In {house}, only {cells} can be {value}, so one of them is {value}\.")
def one_of_two_is(context: Context, *, house: House, cells: Cells, value: int) -> Iterator[str]:
    if places(context, house, value) != set(cells):
        yield "not exactly these cells can have the value"
    context.announced = [Fact(cell, value) for cell in cells]


@claim(rf"If the other were {{value}}, {{cells}} {_DEADLY}")
def other_would_be_deadly(
    context: Context, *, value: int, cells: Cells, swapped: Values
) -> Iterator[str]:
    if len(context.announced) != 2:
        yield "the other cell is unknown"
        return
    one, other = context.announced
    cases = [
        [one, Fact(other.cell, value)],
        [other, Fact(one.cell, value)],
    ]
    if {*cells} != {*context.step.deduction.cells}:
        yield "these are other cells"
    yield from would_be_deadly(context, cases, swapped)


@claim(r"In their rows and columns, only {cells} can be {value}\.")
def are_only_places_in_lines(context: Context, *, cells: Cells, value: int) -> Iterator[str]:
    for house in context.step.names.lines(cells):
        if not places(context, house, value) <= set(cells):
            yield f"{house.name} has other places"


@claim(
    rf"If {{cells}} were {{value}}, the opposite corner would be {{value}}, too, and these cells "
    rf"{_DEADLY}"
)
def crossed_would_be_deadly(
    context: Context, *, cells: Cells, value: int, swapped: Values
) -> Iterator[str]:
    if not set(cells) < set(context.step.deduction.cells):
        yield "the cells are not part of the pattern"
    yield from would_be_deadly(context, [[Fact(cell, value)] for cell in cells], swapped)


@claim(r"If {cell} were {value}, only {cells} could be {other:value} in {houses}\.")
def only_these_could_be(
    context: Context, *, cell: int, value: int, cells: Cells, other: int, houses: Houses
) -> Iterator[str]:
    context.cases = [[Fact(cell, value)]]
    for house in houses:
        if not places(context, house, other) <= {cell, *cells}:
            yield f"{house.name} has other places"


@claim(rf"Together with {{cells}}, they {_DEADLY}")
def together_would_be_deadly(context: Context, *, cells: Cells, swapped: Values) -> Iterator[str]:
    if not set(cells) < set(context.step.deduction.cells):
        yield "the cells are not part of the pattern"
    yield from would_be_deadly(context, context.cases, swapped)


@claim(r"(?:None of|Neither) {cells} is a given\.")
def are_no_givens(context: Context, *, cells: Cells) -> Iterator[str]:
    if any(context.step.givens[cell] for cell in cells):
        yield "a cell is a given"
    if {*cells} != {*context.step.deduction.cells}:
        yield "these are other cells"


@claim(rf"If {{cell}} were {{value}}, they {_DEADLY}")
def they_would_be_deadly(
    context: Context, *, cell: int, value: int, swapped: Values
) -> Iterator[str]:
    yield from would_be_deadly(context, [[Fact(cell, value)]], swapped)


def would_be_deadly(
    context: Context, cases: Sequence[Sequence[Fact]], values: Values
) -> Iterator[str]:
    """Complain if the cells of the step wouldn't be a deadly pattern in each case."""
    cells = context.step.deduction.cells
    if not is_deadly(context.step, cells, values):
        yield "swapping the values would not give a second solution"
    possible = [
        all(context.step.can_be(*fact[:2]) for fact in case if fact.is_true) for case in cases
    ]
    if not any(possible):
        yield "the assumption is impossible anyway"
    for case in cases:
        for cell in cells:
            pair = [Fact(cell, value) for value in values]
            if not context.implies(pair, given=case, unique=False):
                yield f"{context.step.layout.cell_name(cell)} could have another value"


@claim(
    r"Otherwise, every empty cell would have two candidates, and each candidate two places in its "
    r"row, column, and box\."
)
def would_be_grave(context: Context) -> Iterator[str]:
    if not is_grave(context.step, [Candidate(fact.cell, fact.value) for fact in context.announced]):
        yield "the grid would not be a bivalue universal grave"


@claim(r"Such a grid never has exactly one solution\.")
def has_other_solutions(_: Context) -> Iterator[str]:
    """A theorem about bivalue universal graves; `would_be_grave` checks that it applies."""
    yield from ()


@claim(r"That cell{further} use up {values} in {house}\.")
def use_up(context: Context, *, further: Cells, values: Values, house: House) -> Iterator[str]:
    members = {*further, *(fact.cell for fact in context.announced)}
    if not members <= set(house.cells):
        yield "the cells are not in this house"
    for value in values:
        if not context.implies([Fact(one, value) for one in members]):
            yield "the values are not used up"


@claim(
    r"In {house}, the (?:digits|values) {values} fit only in these two cells and {cells}, so "
    r"{cells} must hold (?:one|some) of them\."
)
def fit_only_in_these(
    context: Context, *, house: House, values: Values, cells: Cells
) -> Iterator[str]:
    known = {*cells, *(fact.cell for fact in context.announced)}
    if not all(places(context, house, value) <= known for value in values):
        yield "the values fit elsewhere"
    if not context.implies([Fact(cell, value) for cell in cells for value in values]):
        yield "these cells can have other values"


@claim(r"In {house}, only these two cells can be {value}, so the other one is {value}\.")
def other_one_is(context: Context, *, house: House, value: int) -> Iterator[str]:
    cells = {fact.cell for fact in context.announced}
    if places(context, house, value) != cells or len(cells) != 2:
        yield "not exactly these cells can have the value"
    for fact in context.announced:
        (other,) = cells - {fact.cell}
        if not context.implies([Fact(other, value)], given=[fact]):
            yield "the other cell can have another value"
