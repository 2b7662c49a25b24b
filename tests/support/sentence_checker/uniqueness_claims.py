"""Claims about unique rectangles and loops, and about bivalue universal graves (BUGs).

That the pattern must not be complete is established before (see `deadly_patterns`), so that claims
about its extra candidates can be proven from it. That the pattern would be complete is proven
without it.
"""

from collections.abc import Iterator, Sequence

from sentence_checker.chain_claims import remove_from_seers
from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.deadly_patterns import GRAVE, is_deadly, is_grave
from sentence_checker.names import Candidate, CellSet
from sentence_checker.pattern_claims import Cells, Values, has_candidates, places
from sentence_checker.sub_puzzle import Fact
from solver.board.primitive_constraints import House

_DEADLY = r"would form a deadly pattern: swapping {swapped:values} would give a second solution\."
_ONLY_PAIR = (
    r"then {pattern:cells} could only be {pair:values}: a deadly pattern, since swapping "
    r"{swapped:values} would give a second solution\."
)
_QUANTITIES = {"both": 2, "all three": 3, "all four": 4}
_SUBSETS = {"pair": 2, "triple": 3, "quadruple": 4}


@claim(rf"If (?:neither|none of) {{cells}} were {{values}}, {_ONLY_PAIR}")
def only_pair_if_none_were(
    context: Context,
    *,
    cells: Cells,
    values: Values,
    pattern: Cells,
    pair: Values,
    swapped: Values,
) -> Iterator[str]:
    context.announced = [Fact(cell, value) for cell in cells for value in values]
    yield from only_pair_otherwise(context, pattern, pair, swapped)


@claim(rf"If both {{cells}} were {{values}}, {_ONLY_PAIR}")
def only_pair_if_both_were(
    context: Context,
    *,
    cells: Cells,
    values: Values,
    pattern: Cells,
    pair: Values,
    swapped: Values,
) -> Iterator[str]:
    if {*values} != {*swapped} or len(cells) != 2:
        yield "these are other values or cells"
    every = range(1, context.step.layout.size + 1)
    others = [value for value in every if value not in values]
    context.announced = [Fact(cell, value) for cell in cells for value in others]
    yield from only_pair_otherwise(context, pattern, pair, swapped)


def only_pair_otherwise(
    context: Context, pattern: Cells, pair: Values, swapped: Values
) -> Iterator[str]:
    """Complain unless the cells of the step would be a deadly pattern with the values of `pair`.

    That must be so if none of the facts in `context.announced` holds. `pattern` and `swapped` are
    the cells and the values as the text names them again.
    """
    if {*pattern} != {*context.step.deduction.cells}:
        yield "these are other cells"
    if {*pair} != {*swapped}:
        yield "these are other values"
    yield from would_be_deadly(context, [[fact.opposite for fact in context.announced]], swapped)


@claim(
    r"So {cells} is {value}, and no other cell that sees (?P<every>both|all three|all four|all of "
    r"them) can be {value}\."
)
def one_is(context: Context, *, cells: Cells, value: int, every: str) -> Iterator[str]:
    yield from one_of_them_is(context, cells=cells, values=(value,))
    if len(cells) != _QUANTITIES.get(every, len(cells)):
        yield "this is not the number of cells"
    yield from remove_from_seers(context, cells, value)


@claim(r"So {cells} is {values}\.")
def one_of_them_is(context: Context, *, cells: Cells, values: Values) -> Iterator[str]:
    context.seen = cells
    facts = [Fact(cell, value) for cell in cells for value in values]
    expected = {fact for case in context.cases for fact in case} or {*context.announced}
    if {*facts} != expected and not context.chain:
        yield "these are other candidates"
    if not context.implies(facts):
        yield "none of them must be true"


@claim(r"So {cells} is neither {one:value} nor {other:value}\.")
def one_is_neither(context: Context, *, cells: Cells, one: int, other: int) -> Iterator[str]:
    values = range(1, context.step.layout.size + 1)
    facts = [Fact(cell, value) for cell in cells for value in values if value not in (one, other)]
    if {*facts} != {*context.announced}:
        yield "these are other candidates"
    if not context.implies(facts):
        yield "none of them must be true"


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


@claim(
    r"If {cell} were {value}, {one:cell} would be {other:value} \(last place (?:in|on) {house}\), "
    r"{two:cell} would be {other:value} \(last place (?:in|on) {second:house}\), and {last:cell} "
    r"\({left:values}\) would be {value}\."
)
def would_be_there(
    context: Context,
    *,
    cell: int,
    value: int,
    other: int,
    house: House,
    one: int,
    second: House,
    two: int,
    last: int,
    left: tuple[int, ...],
) -> Iterator[str]:
    given = [Fact(cell, value)]
    context.cases = [given]
    for line, place in ((house, one), (second, two)):
        if place not in line.cells or cell not in line.cells:
            yield f"the cell is not in {line.name}"
    if context.step.domains[last] != sum(1 << (each - 1) for each in left):
        yield "the opposite cell has other candidates"
    for fact in (Fact(one, other), Fact(two, other), Fact(last, value)):
        if not context.implies([fact], given=given, unique=False):
            yield f"this doesn't imply that {context.told(fact)}"


@claim(rf"The four cells {_DEADLY}")
def four_cells_would_be_deadly(context: Context, *, swapped: Values) -> Iterator[str]:
    if {*context.cells} != {*context.step.deduction.cells} or len(context.cells) != 4:
        yield "these are other cells"
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
    """Complain unless the cells of the step would be a deadly pattern of `values` in each case.

    A case is a list of facts that are assumed. At least one case must have only facts that the
    candidates allow.
    """
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


@claim(r"{cell} is the only cell with (?P<count>three|more than two) candidates\.")
def has_most_candidates(context: Context, *, cell: int, count: str) -> Iterator[str]:
    domains = context.step.domains
    if [one for one, mask in enumerate(domains) if mask.bit_count() > 2] != [cell]:
        yield "this is not the only cell"
    if count == "three" and domains[cell].bit_count() != 3:
        yield "the cell has more candidates"


@claim(rf"Without {{values}} there{GRAVE}")
def would_be_grave_without_values(context: Context, *, values: Values) -> Iterator[str]:
    cell = context.cells[0]
    yield from would_be_grave(context, candidates=[Candidate(cell, value) for value in values])


@claim(rf"Without {{candidates}}{GRAVE}")
def would_be_grave(context: Context, *, candidates: Sequence[Candidate]) -> Iterator[str]:
    context.announced = [Fact(*candidate) for candidate in candidates]
    if not all(context.step.can_be(*candidate) for candidate in candidates):
        yield "a cell does not have this candidate"
    if not is_grave(context.step, candidates):
        yield "the grid would not be a bivalue universal grave"


@claim(r"Such a grid never has exactly one solution, so {cells} is {values}\.")
def one_is_true(context: Context, *, cells: Cells, values: Values) -> Iterator[str]:
    """Complain unless one of the values is true in the cells, by the theorem about BUGs.

    `would_be_grave` checks elsewhere that the theorem applies.
    """
    yield from one_of_them_is(context, cells=cells, values=values)


@claim(
    r"Such a grid never has exactly one solution, so {cells} is {value}, and no other cell that "
    r"sees (?P<every>both|all three|all four|all of them) can be {value}\."
)
def one_cell_is(context: Context, *, cells: Cells, value: int, every: str) -> Iterator[str]:
    """Complain unless one of the cells has the value, by the theorem about BUGs.

    Also complains unless all eliminated cells see all of these cells, and if `every`, such as
    "both", doesn't fit their number. `would_be_grave` checks elsewhere that the theorem applies.
    """
    yield from one_is(context, cells=cells, value=value, every=every)


@claim(r"Such a grid never has exactly one solution, so one of these candidates is true\.")
def one_candidate_is_true(context: Context) -> Iterator[str]:
    if not context.implies(context.announced):
        yield "none of them must be true"


@claim(
    r"(?:That|Its) cell{described} form a naked (?P<kind>pair|triple|quadruple|subset) in {house} "
    r"that uses up {values}\."
)
def form_naked_subset(
    context: Context, *, described: Sequence[CellSet], kind: str, house: House, values: Values
) -> Iterator[str]:
    others = [cell for one in described for cell in one.cells]
    members = {*others, *(fact.cell for fact in context.announced)}
    if not members <= set(house.cells):
        yield "the cells are not in this house"
    if not len(values) == 1 + len(others) == _SUBSETS.get(kind, len(values)):
        yield "this is not the number of cells or values"
    for one in described:
        yield from has_candidates(context, one)
    if not {value for one in described for value in one.values} <= set(values):
        yield "a cell can have another value"
    if not {fact.value for fact in context.announced} <= set(values):
        yield "that cell can have another value"
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
