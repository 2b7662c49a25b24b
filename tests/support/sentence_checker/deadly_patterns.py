"""Patterns that cannot occur in a puzzle with exactly one solution."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from sentence_checker.names import Candidate
from sentence_checker.step import Step
from sentence_checker.sub_puzzle import Fact

# The regular expression of the end of a sentence that begins with "Without 3 in r1c2".
GRAVE = (
    r", every empty cell would have exactly two candidates, and each candidate exactly two places "
    r"in its row, column, and box\."
)


def is_deadly(step: Step, cells: Collection[int], values: Collection[int]) -> bool:
    """Return whether swapping two values in the cells of a solution gives another solution.

    The caller ensures that each cell has one of the values. Returns False unless there are two
    different values. Also returns False if a cell is a given or is restricted by a link, a
    relation, a sum, or a domain, if a house contains a number of the cells other than 0 or 2, or if
    a house of the board has fewer cells than there are values. Other rules aren't tested, because
    techniques that rely on uniqueness aren't used on their boards.
    """
    layout = step.layout
    restricted = {
        cell
        for rules in (layout.links, layout.relations)
        for rule in rules
        for pair in rule.pairs
        for cell in pair
    }
    restricted.update(cell for total in layout.sums for cell in total.cells)
    restricted.update(domain.cell for domain in layout.domains)
    return (
        len(set(values)) == 2
        and not any(step.givens[cell] for cell in cells)
        and restricted.isdisjoint(cells)
        and all(
            sum(cell in cells for cell in house.cells) in (0, 2) and len(house.cells) == layout.size
            for house in layout.houses
        )
    )


def is_grave(step: Step, removed: Iterable[Candidate]) -> bool:
    """Return whether the grid without some candidates is a bivalue universal grave.

    In such a grid, every empty cell has two candidates, and each candidate has two places in each
    of its houses. It has no solution, or more than one. Returns False on boards with sums or
    not-equal pairs.
    """
    domains = list(step.domains)
    for cell, value in removed:
        domains[cell] &= ~(1 << (value - 1))
    empty = [cell for cell, mask in enumerate(step.domains) if mask.bit_count() > 1]
    if any(domains[cell].bit_count() != 2 for cell in empty):
        return False
    for house in step.layout.houses:
        places = Counter(
            value
            for cell in house.cells
            if cell in empty
            for value in range(1, step.layout.size + 1)
            if domains[cell] >> (value - 1) & 1
        )
        if set(places.values()) - {2}:
            return False
    return not (step.layout.links or step.layout.sums)


def clauses_of_uniqueness(step: Step, reason: Sequence[str]) -> Iterator[list[Fact]]:
    """Yield what follows from the patterns that a text describes if there is only one solution.

    At least one cell of a deadly pattern must have another value, and at least one of the
    candidates that prevent a bivalue universal grave must be true. Patterns that aren't what the
    text says they are yield nothing.
    """
    named = {*step.names.cells(" ".join(reason))}
    for before, sentence in pairwise(("", *reason)):
        swapped = re.search(rf"swapping ({step.names.patterns['values']}) would", sentence)
        cells = step.deduction.cells
        if swapped is not None:
            values = step.names.values(swapped[1])
            if is_deadly(step, cells, values) and named.issuperset(cells):
                yield [
                    Fact(cell, value)
                    for cell in cells
                    for value in range(1, step.layout.size + 1)
                    if value not in values
                ]
        elif (grave := re.fullmatch(rf"Without (.+){GRAVE}", sentence)) is not None:
            extra = extra_candidates(step, grave[1], before)
            if is_grave(step, extra):
                yield [Fact(*candidate) for candidate in extra]


def extra_candidates(step: Step, text: str, before: str) -> list[Candidate]:
    """Return the candidates in "3 in r1c2 and 4 in r5c6", or in "3 there" after another sentence.

    "There" is the first cell that the sentence before names.
    """
    if text.endswith(" there"):
        return [
            Candidate(cell, value)
            for cell in step.names.cells(before)[:1]
            for value in step.names.values(text)
        ]
    return list(step.names.candidates(text))
