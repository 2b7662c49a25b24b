"""Equations about sums of cells, and the numbers that they allow, which sum claims state."""

import re
from collections.abc import Iterator

from sentence_checker.context import Context
from sentence_checker.step import Step
from sentence_checker.sub_puzzle import Fact, Total, peers_of

Cells = tuple[int, ...]


def use_equation(context: Context, equation: str, ways: str) -> Iterator[str]:
    """Yield complaints about an equation over the unsolved cells of the step's sum.

    Also checks `ways`, the text that lists the possible numbers for its cells. Adds the equation to
    the puzzle of the context, so that later claims may rely on it.
    """
    step, deduction = context.step, context.step.deduction
    equation, _, rest = equation.partition(", so ")
    terms, total = read_equation(step, equation)
    opposite = {cell: -factor for cell, factor in terms.items()}, -total
    if rest and read_equation(step, rest) not in ((terms, total), opposite):
        yield "the open cells have another sum"
    known = 0
    signs = [
        sign
        for sign in (1, -1)
        if all((cell, sign * factor) in deduction.terms for cell, factor in terms.items())
    ]
    if not signs:
        yield "the cells have other factors"
        return
    for cell, factor in deduction.terms:
        if cell not in terms:
            if step.domains[cell].bit_count() != 1:
                yield f"{step.layout.cell_name(cell)} is missing"
            known += factor * (step.domains[cell].bit_length() + step.layout.lowest - 1)
    if total not in [sign * ((deduction.total or 0) - known) for sign in signs]:
        yield "the total is another"
    minus = re.search(r"\((-?\d+)([−+])(\d+)\)", equation)
    if minus and (int(minus[1]), int(minus[3]) * (1 if minus[2] == "−" else -1)) != (
        deduction.total,
        known,
    ):
        yield "the difference is another"
    yield from wrong_numbers(step, equation)
    context.puzzle.add_total(Total(tuple(terms.items()), total))
    if ways:
        yield from wrong_ways(context, ways, equation, tuple(terms))


def wrong_numbers(step: Step, equation: str) -> Iterator[str]:
    """Complain unless each cell with a number, as in "r1c2 (7)", is known to have that number.

    It must also be in the step's sum.
    """
    terms = dict(step.deduction.terms)
    for name, number in re.findall(r"(r\d+c\d+) \((\d+)\)", equation):
        cell = step.layout.cell_named(name) or 0
        is_known = step.domains[cell] == 1 << (int(number) - step.layout.lowest)
        if cell not in terms or not is_known:
            yield f"{name} is not a known cell of the sum"


def wrong_ways(context: Context, ways: str, equation: str, cells: Cells) -> Iterator[str]:
    """Complain unless a list of the possible numbers for the cells of the step's sum is right.

    It has sets of numbers, or arrangements in the order of the cells, or a number for each cell, or
    equations. Sets are noted in `context.has_sets`.
    """
    step = context.step
    listing = ways.removeprefix("in this order, ").removeprefix("only ")
    if listing.endswith(" fit"):
        values = dict(re.findall(r"(r\d+c\d+) = (\d+)", listing))
        named = {step.layout.cell_named(name) or 0: int(number) for name, number in values.items()}
        if [*named] != sorted(cells):
            yield "these are other cells"
        elif arrangements(context, tuple(named)) != {tuple(named.values())}:
            yield "other numbers are possible"
    elif "=" in listing:
        yield from wrong_equations(context, listing, equation, cells)
    elif not re.fullmatch(r"\d+(?:\+\d+)*(?:,? (?:or )?\d+(?:\+\d+)*)*", listing):
        yield "the list is not understood"
    else:
        found = {tuple(map(int, way.split("+"))) for way in re.findall(r"\d+(?:\+\d+)*", listing)}
        is_ordered = ways.startswith("in")
        context.has_sets = not is_ordered
        if is_ordered and list(cells) != sorted(cells):
            yield "the cells have another order"
        possible = arrangements(context, cells)
        if found != (possible if is_ordered else {tuple(sorted(one)) for one in possible}):
            yield "the combinations are others"


def wrong_equations(context: Context, listing: str, equation: str, cells: Cells) -> Iterator[str]:
    """Complain unless a list has all ways for an equation, such as "9 = 4 + 5 or 8 = 3 + 5".

    Their terms have the order of the equation's.
    """
    pattern = re.compile(r"(?:(\d+) × )?(r\d+c\d+|\d+)(?: \((\d+)\))?|(=)")
    wanted = pattern.findall(equation)
    found: set[tuple[int, ...]] = set()
    for way in re.split(r",? or |, ", listing):
        stated, own = pattern.findall(way), dict[int | None, int]()
        if len(stated) != len(wanted):
            yield f"{way!r} has other terms"
            continue
        sides, side = [0, 0], 0
        for (factor, name, known, mark), (own_factor, number, _, own_mark) in zip(
            wanted, stated, strict=True
        ):
            if (factor, mark) != (own_factor, own_mark):
                yield f"{way!r} has other factors"
            elif mark:
                side = 1
            else:
                sides[side] += int(factor or 1) * int(number)
                if name.isdigit() or known:
                    if number != (known or name):
                        yield f"{number} is another number"
                else:
                    own[context.step.layout.cell_named(name)] = int(number)
        if sides[0] != sides[1]:
            yield f"{way!r} is wrong"
        found.add(tuple(own[cell] for cell in cells))
    if found != arrangements(context, cells):
        yield "other numbers are possible"


def arrangements(context: Context, cells: Cells) -> set[tuple[int, ...]]:
    """Return the possible numbers of the cells in their order, given the sum."""
    step, lowest = context.step, context.step.layout.lowest
    chosen: list[dict[int, int]] = [{}]
    for cell in cells:
        chosen = [
            more
            for one in chosen
            for value in range(1, step.layout.size + 1)
            if step.can_be(cell, value) and is_possible(context, more := {**one, cell: value})
        ]
    return {tuple(one[cell] + lowest - 1 for cell in cells) for one in chosen}


def read_equation(step: Step, text: str) -> tuple[dict[int, int], int]:
    """Return the factors of the cells in an equation, and their total.

    The equation is like "r1c1, r1c2 sum to 9" or "r1c1 + 2 × r1c2 = r2c1 (4) + 3". Numbers and
    filled cells are moved into the total. Cells on the right side get negative factors.
    """
    if match := re.search(r" (?:sum to|must be) (-?\d+)", text):
        return dict.fromkeys(step.names.cells(text), 1), int(match[1])
    terms: dict[int, int] = {}
    total = 0
    for sign, side in zip((1, -1), text.split(" = "), strict=True):
        if "(filled)" in side or "the sum of" in side:
            numbers = re.findall(r"^\d+(?= \(filled\))|(?<= \+ )\d+$", side)
            total -= sign * sum(map(int, numbers))
            terms |= dict.fromkeys(step.names.cells(side), sign)
            continue
        for factor, name, known, number in re.findall(
            r"(?:(\d+) × )?(r\d+c\d+)(?: \((\d+)\))?|(\d+)", side
        ):
            if known or number:
                total -= sign * int(factor or 1) * int(known or number)
            else:
                terms[step.layout.cell_named(name) or 0] = sign * int(factor or 1)
    return terms, total


def sets_with_sum(step: Step, cells: Cells, total: int) -> set[tuple[int, ...]]:
    """Return the possible sets of numbers for cells with a sum, each in ascending order.

    They are tuples, which can repeat a number in cells that don't see each other.
    """
    peers, lowest = peers_of(step.layout), step.layout.lowest
    found: set[tuple[int, ...]] = set()

    def fill(chosen: tuple[int, ...]) -> None:
        if len(chosen) == len(cells):
            if sum(chosen) == total:
                found.add(tuple(sorted(chosen)))
            return
        cell = cells[len(chosen)]
        for number in step.layout.numbers:
            used = any(
                one in peers[cell] and number == other
                for one, other in zip(cells, chosen, strict=False)
            )
            if step.can_be(cell, number - lowest + 1) and not used and sum(chosen) < total + 1:
                fill((*chosen, number))

    fill(())
    return found


def is_possible(context: Context, chosen: dict[int, int]) -> bool:
    """Return whether cells can have values at the same time, given the sum."""
    return not context.implies([Fact(cell, value, is_true=False) for cell, value in chosen.items()])
