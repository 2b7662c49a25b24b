"""Claims about singles, locked candidates, subsets, and fish."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.names import LOCATED, CellSet, plural_of
from sentence_checker.statements import Statement, statements_in
from sentence_checker.sub_puzzle import Fact, peers_of
from solver.board.primitive_constraints import House

Cells = tuple[int, ...]
Values = tuple[int, ...]
Houses = tuple[House, ...]
_NUMBERS = {"two": 2, "three": 3, "four": 4, "both": 2, "all three": 3, "all four": 4}


def places(context: Context, house: House, value: int) -> set[int]:
    """Return the cells of a house that can have a value before the step."""
    return {cell for cell in house.cells if context.step.can_be(cell, value)}


def cells_of(houses: Iterable[House]) -> set[int]:
    """Return the cells of houses."""
    return set(chain.from_iterable(house.cells for house in houses))


@claim(LOCATED + r" {house}, only {cell} is empty, so it must be {value}\.")
def is_full_house(context: Context, *, house: House, cell: int, value: int) -> Iterator[str]:
    step = context.step
    others = [step.domains[one] for one in house.cells if one != cell]
    if cell not in house.cells or any(mask.bit_count() != 1 for mask in others):
        yield "another cell is empty"
    if 1 << (value - 1) in others:
        yield "the value is not missing"
    context.state(cell, value)


@claim(r"{cell} can only be {value}\.")
def is_naked_single(context: Context, *, cell: int, value: int) -> Iterator[str]:
    if context.step.domains[cell] != 1 << (value - 1):
        yield "the cell has other candidates"
    context.state(cell, value)


@claim(r"{cells} can only be (?!\d+ and \d+\.){values}\.")
def have_no_others(context: Context, *, cells: Cells, values: Values) -> Iterator[str]:
    allowed = sum(1 << (value - 1) for value in values)
    if any(context.step.domains[cell] & ~allowed for cell in cells):
        yield "a cell has another candidate"


@claim(LOCATED + r" {house}, only {cells} can be {value}\.")
def are_only_places(context: Context, *, house: House, cells: Cells, value: int) -> Iterator[str]:
    if places(context, house, value) != set(cells):
        yield "not exactly these cells can have the value"
    context.value = value
    context.alternatives = [Statement((cell,), value, is_true=True) for cell in cells]
    if len(cells) == 1:
        context.state(cells[0], value)


@claim(
    r"(?:Both|All) are "
    + LOCATED.lower()
    + r" {house}, so no other cell of {house} can be {value}\."
)
def are_locked(context: Context, *, house: House, value: int) -> Iterator[str]:
    if not set(context.cells) <= set(house.cells) or value != context.value:
        yield "the cells are not in this house"
    for cell in set(house.cells).difference(context.cells):
        if context.step.can_be(cell, value) and not context.implies(
            [Fact(cell, value, is_true=False)]
        ):
            yield "another cell can have the value"


@claim(
    LOCATED
    + r" {houses}, {cells} can only be {values}, so they use up (?:both|all three|all four) "
    r"(?:digits|values)\."
)
def is_naked_subset(
    context: Context, *, houses: Houses, cells: Cells, values: Values
) -> Iterator[str]:
    yield from have_no_others(context, cells=cells, values=values)
    if len(cells) != len(values) or not all(set(cells) <= set(house.cells) for house in houses):
        yield "this is not a naked subset"


@claim(r"{cells} are in both {houses} and can only be {values}\.")
def is_locked_subset(
    context: Context, *, cells: Cells, houses: Houses, values: Values
) -> Iterator[str]:
    context.base = houses
    if len(houses) != 2:
        yield "these are not two houses"
    yield from is_naked_subset(context, houses=houses, cells=cells, values=values)


@claim(r"They use up these (?:digits|values) in both\.")
def use_up_these_in_both(context: Context) -> Iterator[str]:
    if len(context.base) != 2:
        yield "these are not two houses"


@claim(
    LOCATED
    + r" {house}, (?:the (?:digits|values) )?{values} fit only in {cells}, so these cells hold "
    r"nothing else\.",
)
def is_hidden_subset(
    context: Context, *, house: House, values: Values, cells: Cells
) -> Iterator[str]:
    found = set().union(*(places(context, house, value) for value in values))
    if not found <= set(cells) or not set(cells) <= set(house.cells):
        yield "the values fit elsewhere"
    if len(cells) != len(values):
        yield "this is not a hidden subset"


@claim(r"That leaves only {cell} for {value} " + LOCATED.lower() + r" {house}\.")
def is_only_cell_left(context: Context, *, cell: int, value: int, house: House) -> Iterator[str]:
    if places(context, house, value).difference(context.cells) != {cell}:
        yield "other places are left"
    if not context.implies([Fact(cell, value)]):
        yield "this is not implied"


@claim(LOCATED + r" {house}, only {cell} is left for {value}\.")
def is_left_in_house(context: Context, *, house: House, cell: int, value: int) -> Iterator[str]:
    if cell not in house.cells or not context.implies([Fact(cell, value)]):
        yield "other places are left"


@claim(
    r"Every {value} of {base:houses} must be in {cover:houses}, so these hold no other {value}\."
)
def is_fish(context: Context, *, value: int, base: Houses, cover: Houses) -> Iterator[str]:
    yield from is_covered(context, value, base, cover, fins=())


@claim(
    r"Unless (?:the|a) fin \({fins:cells}\) is {value}, every {value} of {base:houses} must be in "
    r"{cover:houses}\."
)
def is_finned_fish(
    context: Context, *, fins: Cells, value: int, base: Houses, cover: Houses
) -> Iterator[str]:
    context.value, context.fins = value, fins
    yield from is_covered(context, value, base, cover, fins)


@claim(LOCATED + r" {base:houses}, {value} fits only in {cover:houses}\.")
def fits_only_in(context: Context, *, value: int, base: Houses, cover: Houses) -> Iterator[str]:
    context.value, context.base, context.cover = value, base, cover
    yield from is_covered(context, value, base, cover, fins=())


@claim(
    r"So these (?P<number>two|three|four) (?P<lines>\w+) use up the {plural} of "
    r"(?P<every>both|all three|all four) (?P<others>\w+), and no other cell of {cover:houses} can "
    r"be {value}\."
)
def use_up_value_of_cover(
    context: Context,
    *,
    number: str,
    lines: str,
    plural: int,
    value: int,
    every: str,
    others: str,
    cover: Houses,
) -> Iterator[str]:
    size = len(context.cover)
    if (_NUMBERS[number], _NUMBERS[every]) != (size, size):
        yield "this is not the number of houses"
    if (lines, others) != (kind_of(context.base), kind_of(cover)):
        yield "these are other kinds of houses"
    if not value == plural == context.value or cover != context.cover:
        yield "this is another fish"
    yield from no_other_cell_is(context, value)


@claim(
    r"If the fin {fins:cells} is not {value}, every {value} of {base:houses} is in {cover:houses}, "
    r"so no other cell of these (?P<others>\w+) is {value}\.",
    r"If (?:neither|none of) {fins:cells} \(the fins\) is {value}, every {value} of {base:houses} "
    r"is in {cover:houses}, so no other cell of these (?P<others>\w+) is {value}\.",
)
def are_covered_without_fins(
    context: Context, *, fins: Cells, value: int, base: Houses, cover: Houses, others: str
) -> Iterator[str]:
    context.value, context.base, context.cover, context.fins = value, base, cover, fins
    yield from is_covered(context, value, base, cover, fins)
    if others != kind_of(cover):
        yield "these are other kinds of houses"
    yield from no_other_cell_is(context, value, given=[Fact(f, value, is_true=False) for f in fins])


def no_other_cell_is(context: Context, value: int, given: Sequence[Fact] = ()) -> Iterator[str]:
    """Complain if a cell of the cover houses outside the base can have the value.

    `given` are facts that may be used to exclude it.
    """
    for cell in cells_of(context.cover) - cells_of(context.base):
        if context.step.can_be(cell, value) and not context.implies(
            [Fact(cell, value, is_true=False)], given=given
        ):
            yield f"{context.step.layout.cell_name(cell)} can have the value"


def kind_of(houses: Houses) -> str:
    """Return the plural of the houses' common kind (see `plural_of`).

    Returns "houses" if their kinds differ.
    """
    kinds = {house.kind for house in houses}
    return plural_of(kinds.pop()) if len(kinds) == 1 else "houses"


@claim(r"If (?P<article>the|a) fin is {value}, {denied:statement} \((?P<reason>[^()]*)\)\.")
def fins_exclude(
    context: Context, *, article: str, value: int, denied: str, reason: str
) -> Iterator[str]:
    statements = statements_in(denied, context.step.names)
    cells = {cell for one in statements for cell in one.cells}
    if any(one.is_true or one.value != value for one in statements):
        yield "this is another statement"
    if {(cell, value) for cell in cells} != set(context.eliminations):
        yield "these are not the eliminated candidates"
    if value != context.value or (article == "the") != (len(context.fins) == 1):
        yield "these are not the fins"
    yield from are_seen_through(context, context.fins, cells, reason)


def are_seen_through(
    context: Context, cells: Iterable[int], others: Iterable[int], reason: str
) -> Iterator[str]:
    """Complain unless each cell sees all others through a house in the reason, or by a rule.

    Rules that aren't in the reason count, too. Also complains about a house in the reason that
    isn't needed, and if there are no cells.
    """
    houses = context.step.names.houses(reason)
    linked = {frozenset(pair) for links in context.step.layout.links for pair in links.pairs}
    pairs = [frozenset(pair) for pair in product(cells, others)]
    if not pairs:
        yield "there are no cells"
    for pair in pairs:
        if not (pair in linked or any(pair <= {*house.cells} for house in houses)):
            yield "a cell does not see another one there"
    for house in houses:
        if not any(pair <= {*house.cells} for pair in pairs):
            yield f"{house.name} is not needed"


@claim(r"Either way, remove {value} from {cells}\.")
def is_removed_either_way(context: Context, *, cells: Cells, value: int) -> Iterator[str]:
    if {(cell, value) for cell in cells} != set(context.eliminations):
        yield "these are not the eliminated candidates"
    for alternative in context.alternatives:
        ends = {(c, one.value) for one in context.ends.get(alternative, ()) for c in one.cells}
        if not ends.issuperset((cell, value) for cell in cells):
            yield "a case does not lead to this"
    for cell in cells:
        if not context.implies([Fact(cell, value, is_true=False)]):
            yield "this is not implied"


def is_covered(
    context: Context, value: int, base: Houses, cover: Houses, fins: Cells
) -> Iterator[str]:
    """Complain unless all places for the value in the base houses are fins or in cover houses.

    Also complains if the numbers of base and cover houses differ.
    """
    if len(base) != len(cover):
        yield "this is not a fish"
    for house in base:
        if not places(context, house, value) <= cells_of(cover).union(fins):
            yield f"{house.name} has other places for the value"


@claim(
    r"{sets} are {count:number} cells that can only hold the {held:number} (?:digits|values) "
    r"{values}\."
)
def can_only_hold(
    context: Context, *, sets: Sequence[CellSet], count: int, held: int, values: Values
) -> Iterator[str]:
    cells = [cell for one in sets for cell in one.cells]
    if count != len(set(cells)) or count != len(cells):
        yield "the number of cells is another"
    if held != len(values):
        yield "the number of values is another"
    if {*values} != {value for one in sets for value in one.values}:
        yield "the cells have other values"
    for one in sets:
        yield from has_candidates(context, one)
    context.holding = list(sets)


@claim(
    r"Each (?:digit|value) fits only once, because the cells that can hold it see each other"
    r"(?:, but {values} fits? twice)?\."
)
def fit_once(context: Context, *, values: Values = ()) -> Iterator[str]:
    every = {value for one in context.holding for value in one.values}
    if len(every) + len(values) != sum(len(one.cells) for one in context.holding):
        yield "there are not as many values as cells"
    yield from count_places(context, context.holding, every.difference(values), values)


@claim(
    r"So each (?:digit|value) appears exactly (?:once|this often), and a cell that sees all "
    r"places of a (?:digit|value) cannot hold it\."
)
def are_as_often_as_they_fit(context: Context) -> Iterator[str]:
    cells = [cell for one in context.holding for cell in one.cells]
    peers = peers_of(context.step.layout)
    for value in {value for one in context.holding for value in one.values}:
        if not context.implies([Fact(cell, value) for cell in cells]):
            yield "a value can be elsewhere"
    for cell, value in context.eliminations:
        own = {place for place in cells if context.step.can_be(place, value)}
        if not any(
            peers[cell] >= own & {*group}
            for group in ([*cells], *(one.cells for one in context.holding))
            if own & {*group}
        ):
            yield "a cell does not see all places"


def count_places(
    context: Context, sets: Sequence[CellSet], once: Iterable[int], twice: Values
) -> Iterator[str]:
    """Complain if the cells of the sets can contain a value of `once` more than once.

    Also complains unless each value of `twice` must be in every set that lists it.
    """
    cells = [cell for one in sets for cell in one.cells]
    peers = peers_of(context.step.layout)
    for value in once:
        own = [cell for cell in cells if context.step.can_be(cell, value)]
        if any(other not in peers[one] for one, other in combinations(own, 2)):
            yield "a value can be there twice"
    for value in twice:
        for one in sets:
            if value in one.values and not context.implies([Fact(c, value) for c in one.cells]):
                yield "a value is not there twice"


def has_candidates(context: Context, one: CellSet) -> Iterator[str]:
    """Complain unless the values of the set are exactly the candidates that its cells have."""
    union = 0
    for cell in one.cells:
        union |= context.step.domains[cell]
    if union != sum(1 << (value - 1) for value in one.values):
        yield "the cells have other candidates"
