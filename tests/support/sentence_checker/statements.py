"""Statements about cells in chains and nets, and whether they follow from others."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sentence_checker.names import Names
from sentence_checker.step import Step
from sentence_checker.sub_puzzle import Fact, SubPuzzle, peers_of

_ENDS = r"line r\d+c\d+–r\d+c\d+|cage at r\d+c\d+"  # name a group, not a fact


class Statement(NamedTuple):
    """The statement that one of the cells has the value (`is_true`), or that none does."""

    cells: tuple[int, ...]
    value: int
    is_true: bool

    @property
    def opposite(self) -> "Statement":
        """The statement that this one is wrong."""
        return self._replace(is_true=not self.is_true)

    @property
    def facts(self) -> list[Fact]:
        """One fact per cell. At least one must hold if `is_true`, and otherwise all of them."""
        return [Fact(cell, self.value, self.is_true) for cell in self.cells]


def statements_in(text: str, names: Names, subject: tuple[int, ...] = ()) -> list[Statement]:
    """Read statements such as "neither r1c1 nor r1c2 is 5" or "r1c1 and r2c1 are not 5 or 6".

    The second form gives one statement per cell and value. Also reads "one of r1c1 and r1c2 is 5",
    "5 is in r1c1 or r1c2", and "it is not 5". `subject` are the cells that "it" stands for. Returns
    [] for other texts.
    """
    cells, value, values = (names.patterns[kind] for kind in ("cells", "value", "values"))
    if match := re.fullmatch(rf"(?:[Nn]either|[Nn]one of) ({cells}) is ({value})", text):
        return [Statement(names.cells(match[1]), names.values(match[2])[0], is_true=False)]
    if match := re.fullmatch(rf"(?:[Oo]ne of )?({cells}) is ({value})", text):
        return [Statement(names.cells(match[1]), names.values(match[2])[0], is_true=True)]
    if match := re.fullmatch(rf"({value}) is in ({cells})", text):
        return [Statement(names.cells(match[2]), names.values(match[1])[0], is_true=True)]
    if match := re.fullmatch(rf"it is (not )?({value})", text):
        return [Statement(subject, names.values(match[2])[0], is_true=not match[1])]
    return [
        Statement((cell,), value, is_true=False)
        for found in re.finditer(rf"({cells}) (?:is|are) not ({values})", text)
        for cell in names.cells(found[1])
        for value in names.values(found[2])
    ]


def follows(
    step: Step, statement: Statement, before: Iterable[Statement], *, reason: str = ""
) -> bool:
    """Return whether a statement follows from others, and from what the reason names."""
    return is_impossible(step, [*before, statement.opposite], reason=reason)


def is_impossible(step: Step, statements: Iterable[Statement], *, reason: str = "") -> bool:
    """Return whether statements can't hold together, given the cells and houses of a reason."""
    statements = list(statements)
    cells = {cell for one in statements for cell in one.cells}
    cells.update(step.names.cells(re.sub(_ENDS, "", reason)))
    with SubPuzzle(
        step.layout, step.domains, cells=cells, houses=step.names.houses(reason)
    ) as puzzle:
        for one in statements:
            for clause in [one.facts] if one.is_true else [[fact] for fact in one.facts]:
                puzzle.add(clause)
        return not puzzle.is_possible()


def removed_by(step: Step, statements: Iterable[Statement]) -> set[tuple[int, int]]:
    """Return the candidates (cell, value) that statements remove directly.

    A value in a cell removes its other candidates, and the value from all cells that the cell sees.
    A value in one of several cells removes it from the cells that see all of them.
    """
    peers, removed = peers_of(step.layout), set[tuple[int, int]]()
    for cells, value, is_true in statements:
        seen = frozenset.intersection(*(peers[cell] for cell in cells)) if is_true else cells
        removed.update((cell, value) for cell in seen)
        if is_true and len(cells) == 1:
            others = set(range(1, step.layout.size + 1)) - {value}
            removed.update((cells[0], other) for other in others)
    return removed


def wrong_houses(
    step: Step, statement: Statement, before: Iterable[Statement], reason: str
) -> Iterator[str]:
    """Complain if the house that a brief reason names doesn't fit the statement.

    It must contain the statement's cells. If the statement is false, it must also contain the cells
    of a statement in `before`. Reasons of true statements, and only those, must be "last place" or
    "last places", according to the number of cells. Reasons that combine several houses or rules
    aren't checked here.
    """
    if " and " in reason:
        return
    for house in step.names.houses(reason):
        members = set(house.cells)
        is_link = any(members.issuperset(one.cells) for one in before)
        if not members.issuperset(statement.cells) or not (statement.is_true or is_link):
            yield f"the cells are not in {house.name}"
        if statement.is_true != reason.startswith("last place"):
            yield f"{reason!r} is another kind of reason"
        if statement.is_true and (len(statement.cells) == 1) != reason.startswith("last place "):
            yield "one or more places are left"
