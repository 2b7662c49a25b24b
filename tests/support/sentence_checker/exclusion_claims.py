"""Claims about aligned pair and triplet exclusion."""

import re
from collections.abc import Iterator
from itertools import combinations, product

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.names import CellSet
from sentence_checker.sub_puzzle import peers_of

Cells = tuple[int, ...]


@claim(r"With {cell} = {value}, {other:cell} has no value: {reasons:text}\.")
def has_no_value(
    context: Context, *, cell: int, value: int, other: int, reasons: str
) -> Iterator[str]:
    step, peers = context.step, peers_of(context.step.layout)
    names = step.names
    excluded = set[int]()
    if (cell, value) not in context.eliminations:
        yield "this candidate is not removed"
    one, emptied = names.patterns["value"], names.patterns["cell"]
    for choice, excluder in re.findall(
        rf"({one}) (?:is used|leaves ({emptied}) without a candidate)", reasons
    ):
        (number,) = names.values(choice)
        excluded.add(number)
        if not excluder:
            if number != value or other not in peers[cell]:
                yield f"{choice} is not used"
            continue
        (seen,) = names.cells(excluder)
        if not peers[seen].issuperset((cell, other)):
            yield f"{excluder} does not see both cells"
        if step.domains[seen] & ~(1 << (value - 1) | 1 << (number - 1)):
            yield f"{choice} leaves {excluder} a candidate"
    for number in range(1, step.layout.size + 1):
        if step.can_be(other, number) and number not in excluded:
            yield f"{number} is not excluded"


@claim(
    r"With {cell} = {value}, each choice for {others:cells} repeats a value or leaves {sets} "
    r"without a candidate\."
)
def repeats_or_empties(
    context: Context, *, cell: int, value: int, others: Cells, sets: tuple[CellSet, ...]
) -> Iterator[str]:
    step, peers = context.step, peers_of(context.step.layout)
    if (cell, value) not in context.eliminations:
        yield "this candidate is not removed"
    for (seen,), values in sets:
        if step.domains[seen] != sum(1 << (one - 1) for one in values):
            yield "a cell has other candidates"
        if not peers[seen].issuperset((cell, *others)):
            yield "a cell does not see all of them"
    options = [
        [number for number in range(1, step.layout.size + 1) if step.can_be(one, number)]
        for one in others
    ]
    for numbers in product(*options):
        chosen = {cell: value, **dict(zip(others, numbers, strict=True))}
        repeats = any(
            chosen[one] == chosen[other] and other in peers[one]
            for one, other in combinations(chosen, 2)
        )
        if not repeats and not any(set(values) <= set(chosen.values()) for _, values in sets):
            yield f"{numbers} are possible"
