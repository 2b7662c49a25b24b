"""Claims about the least and the greatest numbers that the cells of a sum can have together."""

import re
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.step import Step
from sentence_checker.sub_puzzle import peers_of
from sentence_checker.sum_cases import open_terms, open_total
from sentence_checker.sum_equations import is_possible, read_equation

Cells = tuple[int, ...]
Given = Mapping[int, int]  # numbers of cells
NOTHING: Given = MappingProxyType({})
_MOST_SUMMED = 5  # cells for which an exact extreme is required
_NUMBER = r"(?:\d+×)?\d+"
_COMPUTED = rf"{_NUMBER}(?:[+−]{_NUMBER})*(?: = \d+)?"
_END = rf"at (?:least|most) {_COMPUTED}"
_TERM = r"(?:(?:\d+ × )?r\d+c\d+|\d+)"
_SIDE = rf"{_TERM}(?: ?\+ ?{_TERM})*"


@claim(rf"So (?P<limits>(?:each of )?(?:\d+ × )?r[^.]* is {_END}(?: and {_END})?)\.")
def have_computed_limits(context: Context, *, limits: str) -> Iterator[str]:
    cells = context.step.names.patterns["cells"]
    form = rf"(?:(\d+) × )?({cells}) is ((?:{_END}(?: and )?)+)"
    found = re.findall(form, limits)
    if not found:
        yield "no limit is given"
    for factor, named, ends in found:
        for cell in context.step.names.cells(named):
            for kind, text in re.findall(rf"at (least|most) ({_COMPUTED})", ends):
                yield from _wrong_limit(context, cell, int(factor or 1), kind, text)


def _wrong_limit(context: Context, cell: int, factor: int, kind: str, text: str) -> Iterator[str]:
    terms, name = open_terms(context), context.step.layout.cell_name(cell)
    if cell not in terms or abs(terms[cell]) != factor:
        yield f"{name} has another factor"
        return
    bound = result_of_computation(text)
    if bound is None:
        yield f"{text!r} is computed wrongly"
        return
    lowest = context.step.layout.lowest
    for number in context.step.layout.numbers:
        outside = factor * number < bound if kind == "least" else factor * number > bound
        if outside and is_possible(context, {cell: number - lowest + 1}):
            yield f"{number} is possible in {name}"
    sign = 1 if terms[cell] > 0 else -1
    others = {one: own for one, own in terms.items() if one != cell}
    same = {one: abs(own) for one, own in others.items() if own * sign > 0}
    opposite = {one: abs(own) for one, own in others.items() if own * sign < 0}
    exact = [one for one in (same, opposite) if len(one) <= _MOST_SUMMED]
    is_low = kind == "least"
    ends = {True: extreme(context.step, same, is_most=is_low)} if same in exact else {}
    if len(exact) == 2:
        expected = sign * open_total(context) - ends[True]
        expected += extreme(context.step, opposite, is_most=not is_low)
        if expected != bound:
            yield f"the limit of {name} is {expected}"


def result_of_computation(text: str) -> int | None:
    """Return the result of "20−9−8 = 3" or of "2×9+8", or None if the stated result is wrong.

    The minus is "−" (U+2212).
    """
    computation, _, result = text.partition(" = ")
    total = 0
    for sign, factor, number in re.findall(r"([+−]?)(?:(\d+)×)?(\d+)", computation):
        total += (-1 if sign == "−" else 1) * int(factor or 1) * int(number)
    return total if not result or total == int(result) else None


def extreme(
    step: Step, factors: Mapping[int, int], *, is_most: bool, given: Given = NOTHING
) -> int:
    """Return the greatest or the least sum that the candidates of some cells allow.

    The number of each cell is multiplied by its positive factor in `factors`. Cells that see each
    other differ. `given` are numbers that cells have and their peers can't have. The search is
    exhaustive. If no numbers fit, returns −10⁹ as the greatest sum, or 10⁹ as the least.
    """
    peers, lowest, layout = peers_of(step.layout), step.layout.lowest, step.layout
    order = sorted(factors, key=lambda cell: step.domains[cell].bit_count())
    best: int | None = None
    sign = 1 if is_most else -1
    own: dict[int, list[int]] = {}
    for cell in order:
        numbers = [n for n in layout.numbers if step.can_be(cell, n - lowest + 1)]
        numbers = [
            n for n in numbers if all(c not in peers[cell] or n != g for c, g in given.items())
        ]
        own[cell] = sorted([given[cell]] if cell in given else numbers, reverse=is_most)
    if not all(own.values()):
        return -sign * 10**9
    ends = [factors[cell] * own[cell][0] for cell in order]
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        chosen = waiting.pop()
        total = sum(factors[cell] * n for cell, n in zip(order, chosen, strict=False))
        if best is not None and sign * (total + sum(ends[len(chosen) :])) <= sign * best:
            continue
        if len(chosen) == len(order):
            best = total
            continue
        cell = order[len(chosen)]
        used = {n for c, n in zip(order, chosen, strict=False) if c in peers[cell]}
        waiting += [(*chosen, n) for n in reversed(own[cell]) if n not in used]
    return -sign * 10**9 if best is None else best


@claim(
    r"These cells hold at (?P<kind>least|most) (?P<parts>.*), so they sum to at "
    r"(?P=kind) (?P<total>\d+)\."
)
def hold_in_parts(context: Context, *, kind: str, parts: str, total: str) -> Iterator[str]:
    step, names, terms = context.step, context.step.names, open_terms(context)
    cells = names.patterns["cells"]
    found = re.findall(rf"({_NUMBER}(?:\+{_NUMBER})*) in ({cells})", parts)
    divided = [names.cells(named) for _, named in found]
    every = [cell for part in divided for cell in part]
    signs = {terms[cell] > 0 for cell in every if cell in terms}
    same = {cell for cell, factor in terms.items() if {factor > 0} == signs}
    if len(signs) != 1 or sorted(every) != sorted(same):
        yield "the parts aren't one side of the sum"
        return
    ends = 0
    for (numbers, _), part in zip(found, divided, strict=True):
        end = result_of_computation(numbers)
        factors = {cell: abs(terms[cell]) for cell in part}
        if end != extreme(step, factors, is_most=kind == "most"):
            yield f"{numbers} isn't the end of a part"
        ends += end or 0
    if ends != int(total):
        yield "the parts have another total"
    context.parts = (kind, int(total), divided)


@claim(
    rf"(?:They sum to at (?P<kind>least|most) (?P<end>{_COMPUTED})|Their sum is (?P<exact>\d+)), "
    r"so (?:no part can be (?P<none>larger|smaller)"
    r"|(?:each part|it) can be at most (?P<room>\d+) (?P<change>larger|smaller))\."
)
def leave_little_room(
    context: Context,
    *,
    kind: str = "",
    end: str = "",
    exact: str = "",
    none: str = "",
    room: str = "0",
    change: str = "",
) -> Iterator[str]:
    side, total, divided = context.parts
    is_most = side == "most"
    if kind == side or (none or change) != ("smaller" if is_most else "larger"):
        yield "this is no bound in the other direction"
    limit = result_of_computation(end or exact)
    if limit is None or (total - limit if is_most else limit - total) != int(room):
        yield "the room is another"
        return
    if limit != _other_side(context, divided, is_most=is_most):
        yield "the other side has another limit"
    for cell, number in _removed(context.step):
        given = {cell: number}
        terms = open_terms(context)
        part = next((part for part in divided if cell in part), None)
        if part is None:
            own = _other_side(context, divided, is_most=is_most, given=given)
            is_excluded = own > total if is_most else own < total
        else:
            factors = {one: abs(terms[one]) for one in part}
            usual = extreme(context.step, factors, is_most=is_most)
            changed = extreme(context.step, factors, is_most=is_most, given=given)
            is_excluded = abs(changed - usual) > int(room)
        if not is_excluded:
            yield f"{number} is not excluded from {context.step.layout.cell_name(cell)}"
        context.proven.add((cell, number - context.step.layout.lowest + 1))


def _other_side(
    context: Context, divided: Collection[Cells], *, is_most: bool, given: Given = NOTHING
) -> int:
    """Return the least or greatest total that the other cells allow for the divided cells.

    It's the least one if `is_most`, which says that the divided cells were given a greatest total.
    """
    terms = open_terms(context)
    sign = 1 if terms[next(iter(divided))[0]] > 0 else -1
    others = {cell: -sign * factor for cell, factor in terms.items() if factor * sign < 0}
    return sign * open_total(context) + extreme(
        context.step, others, is_most=not is_most, given=given
    )


def _removed(step: Step) -> Iterator[tuple[int, int]]:
    """Yield (cell, number) for the numbers that the step removes from cells of its sum.

    Placements remove the cell's other numbers. Cells that were decided before the step are left
    out.
    """
    lowest, members = step.layout.lowest, {cell for cell, _ in step.deduction.terms}
    for cell, value in step.deduction.eliminations:
        if cell in members and not step.is_decided(cell):
            yield cell, value + lowest - 1
    for cell, value in step.deduction.placements:
        for other in range(1, step.layout.size + 1):
            if other != value and step.can_be(cell, other):
                yield cell, other + lowest - 1


@claim(
    rf"If (?:one of )?{{cells}} were (?P<number>\d+), (?P<low>{_SIDE}) would be at most "
    rf"(?P<most>{_COMPUTED}), but (?P<high>{_SIDE}) at least (?P<least>{_COMPUTED})\."
)
def sides_are_apart(
    context: Context, *, cells: Cells, number: str, low: str, most: str, high: str, least: str
) -> Iterator[str]:
    step, terms = context.step, open_terms(context)
    stated, total = read_equation(step, f"{low} = {high}")
    opposite = {cell: -factor for cell, factor in stated.items()}
    if (terms, open_total(context)) not in ((stated, total), (opposite, -total)):
        yield "this is another equation"
    ends = result_of_computation(most), result_of_computation(least)
    if None in ends or (ends[0] or 0) >= (ends[1] or 0):
        yield "the sides can be equal"
    for cell in cells:
        for text, end, is_most in ((low, ends[0], True), (high, ends[1], False)):
            factors, constant = read_equation(step, f"{text} = 0")
            own = extreme(step, factors, is_most=is_most, given={cell: int(number)})
            if own - constant != end:
                yield f"the extreme of {text} is {own - constant}"


@claim(
    r"If (?:one of )?{some:cells} were (?P<numbers>\d+(?:(?:, \d+)*,? or \d+)?), "
    r"(?:{cells}|the other two cells) would need two other numbers with that sum, but none have "
    r"it\."
)
def no_pair_has_the_sum(
    context: Context, *, some: Cells, numbers: str, cells: Cells = ()
) -> Iterator[str]:
    terms, layout, peers = open_terms(context), context.step.layout, peers_of(context.step.layout)
    for cell in some:
        others = cells or tuple(other for other in terms if other != cell)
        if {*terms} != {cell, *others} or len(others) != 2 or len({terms[c] for c in others}) > 1:
            yield "these are not the open cells"
            return
        if not peers[cell].issuperset(others) or others[1] not in peers[others[0]]:
            yield "the cells can be equal"
        for number in map(int, re.findall(r"\d+", numbers)):
            rest = open_total(context) - terms[cell] * number
            for one in layout.numbers:
                other = rest * terms[others[0]] - one
                if other in layout.numbers and len({one, other, number}) == 3:
                    yield f"{one} and {other} have the sum"


@claim(
    r"If (?:one of )?{cells} were (?P<numbers>\d+(?:(?:, \d+)*,? or \d+)?), these cells would "
    rf"sum to at (?P<kind>least|most) (?P<end>{_COMPUTED})\."
)
def all_cells_would_sum_to(
    context: Context, *, cells: Cells, numbers: str, kind: str, end: str
) -> Iterator[str]:
    factors, is_most = open_terms(context), kind == "most"
    if not {*cells} <= {*factors} or {*factors.values()} != {1}:
        yield "these are not the open cells"
        return
    stated, total = result_of_computation(end), open_total(context)
    if stated is None or (stated >= total if is_most else stated <= total):
        yield "the sum is possible"
    lowest = context.step.layout.lowest
    for cell in cells:
        own = [*map(int, re.findall(r"\d+", numbers))]
        if not all(context.step.can_be(cell, number - lowest + 1) for number in own):
            yield "a number isn't a candidate"
        given = ({cell: number} for number in own)
        ends = [extreme(context.step, factors, is_most=is_most, given=one) for one in given]
        if stated != (max if is_most else min)(ends):
            yield "the end is another"
