"""Proofs: how an assumption leads to its consequences, one reason per line.

Each line follows from the grid and from earlier lines. It can state that a candidate is true,
because a cell or a house has no other candidate left. Or it states that a candidate is false,
because an earlier true one sees it or because a pattern removes it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, repeat
from typing import NamedTuple

from solver.logic.deduction import Candidate, Node
from solver.logic.sentences.links import (
    common_houses,
    peers_of_cells,
    seen_through,
)
from solver.logic.sentences.net_patterns import is_complete, pattern_that_removes, without
from solver.logic.sentences.places import last_place, located
from solver.logic.sentences.wording import Wording, connected, lines_named, listed


class Fact(NamedTuple):
    """The statement that one of the cells has the value (`is_true`), or that none of them does."""

    value: int
    cells: tuple[int, ...]
    is_true: bool

    @property
    def opposite(self) -> "Fact":
        """The statement that this one is wrong."""
        return self._replace(is_true=not self.is_true)


class Reason(NamedTuple):
    """Why a fact holds: a text, and the candidates whose removal it depends on.

    If a single earlier fact removes the candidate directly, that fact is `source`, and `removed` is
    empty.
    """

    text: str
    removed: tuple[Candidate, ...] = ()
    source: Fact | None = None


_UNKNOWN = Reason("further steps")


class Line(NamedTuple):
    """A line of a proof: facts with their common reason, `text`.

    `after` are the earlier facts that they depend on. Several facts share a line only if one
    pattern removes them. If `is_brief`, the reason is only a few words, such as the house.
    """

    facts: tuple[Fact, ...]
    text: str
    after: tuple[Fact, ...]
    is_brief: bool


@dataclass(slots=True)
class Proof:
    """The consequences of an assumption, in order, with all reasons that are possible for each.

    `facts` doesn't contain the assumption, `assumed`. `removed_by` contains the facts that remove
    each candidate, earliest first, including the assumption.
    """

    words: Wording
    assumed: Fact
    facts: list[Fact] = field(default_factory=list)
    reasons: dict[Fact, list[Reason]] = field(default_factory=dict)
    removed_by: dict[Candidate, list[Fact]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Record the candidates that the assumption removes."""
        self._apply(self.assumed)

    def is_removed(self, fact: Fact) -> bool:
        """Return whether the facts so far show that no cell of a fact can have its value."""
        return all(Candidate(cell, fact.value) in self.removed_by for cell in fact.cells)

    def add(self, fact: Fact, parents: Iterable[Fact] = ()) -> None:
        """Append a fact to the proof, with all reasons that the earlier facts give for it.

        Also records the candidates that it removes. `parents` are needed only if a pattern removes
        the fact's candidate: they are the facts that create the pattern.
        """
        self.reasons[fact] = list(self._find_reasons(fact, tuple(parents))) or [_UNKNOWN]
        self.facts.append(fact)
        self._apply(fact)

    def lines(self, ends: Iterable[Fact], gone: Iterable[Candidate] = ()) -> list[Line]:
        """Return the lines that lead to the facts `ends` and remove the candidates `gone`.

        They are in the order of the proof. Facts that aren't needed for this get no line. Of
        several reasons, the one that needs the fewest further facts is used.
        """
        needed = dict.fromkeys(ends)
        needed |= dict.fromkeys(self.sources(gone, needed))
        lines: list[Line] = []
        for fact in reversed(self.facts):
            if fact not in needed:
                continue
            line = min(
                (self._line(fact, reason, needed) for reason in self.reasons[fact]),
                key=lambda line: (
                    len([one for one in line.after if one not in needed]),
                    len(line.after),
                ),
            )
            needed |= dict.fromkeys(line.after)
            lines.append(line)
        return _merged(lines[::-1])

    def _line(self, fact: Fact, reason: Reason, known: Iterable[Fact]) -> Line:
        """Return the line for a fact with one of its reasons. Facts in `known` are preferred."""
        if reason.source is not None:
            return Line((fact,), reason.text, (reason.source,), is_brief=True)
        after = self.sources(reason.removed, known, before=fact)
        is_pattern = not fact.is_true and bool(reason.text)
        is_brief = not is_pattern and reason is not _UNKNOWN
        return Line((fact,), reason.text, after, is_brief=is_brief)

    def sources(
        self, gone: Iterable[Candidate], known: Iterable[Fact] = (), *, before: Fact | None = None
    ) -> tuple[Fact, ...]:
        """Return facts that together remove the candidates `gone`, in the order of the proof.

        Facts that are `known` are preferred. Only facts that precede the fact `before` are used, if
        it is given.
        """
        known = {*known, self.assumed}
        order = {fact: number for number, fact in enumerate((self.assumed, *self.facts))}
        end = len(order) if before is None else order[before]
        choices = [
            [one for one in self.removed_by[candidate] if order.get(one, end) < end]
            for candidate in gone
        ]
        chosen: dict[Fact, None] = {}
        for options in sorted(choices, key=len):
            if not any(one in chosen for one in options):
                chosen[next((one for one in options if one in known), options[0])] = None
        return tuple(sorted(chosen, key=order.__getitem__))

    def _apply(self, fact: Fact) -> None:
        """Record that a fact removes candidates, so that later facts can depend on this."""
        for candidate in _removed_candidates(fact, self.words):
            self.removed_by.setdefault(candidate, []).append(fact)

    def _find_reasons(self, fact: Fact, parents: tuple[Fact, ...]) -> Iterator[Reason]:
        """Yield the possible reasons for a fact.

        If a pattern removes the fact's candidate, `parents` are the facts that create the pattern.
        """
        if fact.is_true:
            for text, others in _alternatives(fact, self.words):
                if all(one in self.removed_by for one in others):
                    yield Reason(text, others)
            return
        candidates = [Candidate(cell, fact.value) for cell in fact.cells]
        if self.is_removed(fact):
            sources = set.intersection(*(set(self.removed_by[one]) for one in candidates))
            for source in (self.assumed, *self.facts):
                if source in sources:
                    yield Reason(_sight(source, fact, self.words), source=source)
            if not sources:
                yield Reason("", tuple(candidates))
            return
        gone = tuple(Candidate(one.cells[0], one.value) for one in parents if not one.is_true)
        pattern = pattern_that_removes(candidates[0], gone, self.words)
        yield Reason(pattern or refutation(candidates[0], gone, self.words), gone)


def _merged(lines: list[Line]) -> list[Line]:
    """Join lines with the same pattern and the same reasons into the first one of them."""
    merged: dict[object, Line] = {}
    for line in lines:
        key = line.facts if line.is_brief else (line.text, line.after)
        known = merged.get(key)
        merged[key] = line if known is None else known._replace(facts=known.facts + line.facts)
    return list(merged.values())


def _removed_candidates(fact: Fact, words: Wording) -> Iterator[Candidate]:
    """Yield the candidates that a fact removes without any further fact.

    A true fact removes the other candidates of a single cell, and its value from all cells that see
    its cells and have it as a candidate. A false fact removes its value from its cells.
    """
    if not fact.is_true:
        yield from (Candidate(cell, fact.value) for cell in fact.cells)
        return
    if len(fact.cells) == 1:
        (cell,) = fact.cells
        for value in range(1, words.layout.size + 1):
            if value != fact.value and words.can_be(cell, value):
                yield Candidate(cell, value)
    peers = peers_of_cells(words.layout)
    for cell in frozenset.intersection(*(peers[cell] for cell in fact.cells)):
        if words.can_be(cell, fact.value):
            yield Candidate(cell, fact.value)


def _alternatives(fact: Fact, words: Wording) -> Iterator[tuple[str, tuple[Candidate, ...]]]:
    """Yield the possible reasons for a true fact, each with candidates to be removed.

    A reason is a cell or a house in which all other candidates are removed. Each result is a text,
    such as "last candidate" or "last place in row 1", and these other candidates.
    """
    layout, value = words.layout, fact.value
    if len(fact.cells) == 1:
        (cell,) = fact.cells
        others = [
            Candidate(cell, other)
            for other in range(1, layout.size + 1)
            if other != value and words.can_be(cell, other)
        ]
        yield "last candidate", tuple(others)
    for house in common_houses(layout, fact.cells):
        cells = layout.houses[house].cells
        if len(cells) == layout.size:
            places = [
                Candidate(cell, value)
                for cell in cells
                if cell not in fact.cells and words.can_be(cell, value)
            ]
            yield last_place(words.house(house), fact.cells), tuple(places)


def _sight(source: Fact, fact: Fact, words: Wording) -> str:
    """Return how one fact removes the candidates of another one, such as "row 1".

    `source` is the fact that removes them, and `fact` states that they are false. Returns "" if
    `source` places another value in the same cell.
    """
    if source.cells == fact.cells:
        return ""
    return seen_through(words.layout, source.cells, fact.cells) or "seen"


def refutation(candidate: Candidate, gone: Iterable[Candidate], words: Wording) -> str:
    """Return how a candidate leads to a contradiction once the candidates `gone` are removed.

    For example, "otherwise r4c5 is 7 (last candidate), and r3c5 has no candidate left". If singles
    don't lead to one, the result is just "further steps".
    """
    inner = without(gone, words)
    proof = Proof(inner, Fact(candidate.value, (candidate.cell,), is_true=True))
    units = list(_units(inner))
    while True:
        open_units = [[one for one in unit if one not in proof.removed_by] for unit in units]
        for unit, remaining in zip(units, open_units, strict=True):
            if not remaining:
                steps = map(_brief_text, proof.lines((), unit), repeat(inner))
                return f"otherwise {listed((*steps, empty_text(unit, inner)))}"
        singles = {unit[0] for unit in open_units if len(unit) == 1}
        facts = [Fact(value, (cell,), is_true=True) for cell, value in sorted(singles)]
        new = [fact for fact in facts if fact not in proof.reasons and fact != proof.assumed]
        if not new:
            return _UNKNOWN.text
        for fact in new:
            proof.add(fact)
        pairs = [pair for pair in combinations(new, 2) if clash_text(*pair, words)]
        if pairs:
            pair = min(pairs, key=lambda pair: len(proof.lines(pair)))
            steps = map(_brief_text, proof.lines(pair), repeat(inner))
            return f"otherwise {listed((*steps, clash_text(*pair, words)))}"


def _brief_text(line: Line, words: Wording) -> str:
    """Return a line without the lines that it depends on, such as "r4c5 is 7 (last candidate)"."""
    return f"{facts_text(line.facts, words)} ({line.text})"


def clash_text(one: Fact, other: Fact, words: Wording, *, after: str = "") -> str:
    """Return why two true facts about single cells exclude each other, or "" if they don't.

    `after` names the facts in the text.
    """
    (cell,), (seen,) = one.cells, other.cells
    if cell == seen:
        values = words.values((one.value, other.value))
        return f"{words.cells([cell])} cannot be both {values}{f' ({after})' if after else ''}"
    if one.value != other.value or seen not in peers_of_cells(words.layout)[cell]:
        return ""
    house = seen_through(words.layout, [cell], [seen]) or "seen"
    reason = "; ".join(filter(None, (house, after)))
    return f"{words.cells((cell, seen))} cannot both be {words.value(one.value)} ({reason})"


def _units(words: Wording) -> Iterator[tuple[Candidate, ...]]:
    """Yield the candidates of each cell, and the places of each value in each complete house.

    One of the candidates in each tuple must be true. A house is complete if it contains every
    value.
    """
    layout = words.layout
    values = range(1, layout.size + 1)
    for cell in range(layout.cells):
        if cell not in layout.holes:
            yield tuple(Candidate(cell, value) for value in values if words.can_be(cell, value))
    for house in layout.houses:
        if len(house.cells) == layout.size:
            for value in values:
                yield tuple(
                    Candidate(cell, value) for cell in house.cells if words.can_be(cell, value)
                )


def empty_text(gone: Sequence[Candidate], words: Wording) -> str:
    """Return the contradiction that a cell has no candidate left, or a value no place in a house.

    `gone` are these candidates: all candidates of a cell, or all places of a value in a house.
    """
    cells = {cell for cell, _ in gone}
    if len(cells) == 1 < len(gone):
        return f"{words.cells(cells)} has no candidate left"
    value = gone[0].value
    houses = (
        house
        for house in common_houses(words.layout, cells)
        if is_complete(house, words)
        and all(
            cell in cells for cell in words.layout.houses[house].cells if words.can_be(cell, value)
        )
    )
    return f"there is no place left for {words.value(value)} {located(words.house(next(houses)))}"


def facts_text(facts: Sequence[Fact], words: Wording) -> str:
    """Return facts in words, such as "r1c9 is 4" for one, or "r1c1 is not 3 or 5" for two.

    If there are several facts, each must state that a candidate is false.
    """
    if len(facts) == 1:
        return words.assertion(Node(facts[0].value, facts[0].cells), is_true=facts[0].is_true)
    by_cell: dict[int, list[int]] = {}
    for fact in facts:
        by_cell.setdefault(fact.cells[0], []).append(fact.value)
    by_values: dict[tuple[int, ...], list[int]] = {}
    for cell, values in by_cell.items():
        by_values.setdefault(tuple(sorted(values)), []).append(cell)
    return connected(
        [
            f"{words.cells(sorted(cells))} {'is' if len(cells) == 1 else 'are'} not "
            f"{words.values(values, last='or')}"
            for values, cells in by_values.items()
        ]
    )


def line_text(line: Line, numbers: dict[Fact, str], words: Wording) -> str:
    """Return a proof line in words, such as "r1c9 is 4 (last place in row 1; line 3)".

    The text contains the facts, their reason, and the earlier facts that they depend on. The reason
    of a true fact is the cell or house in which no other candidate is left. The reason of a false
    fact is the house through which an earlier fact removes it, or a pattern. A pattern follows a
    colon: "r1c9 is not 4: the 4 of box 1 is in row 1 (line 2)".

    `numbers` maps each fact in `line.after` to the number of its line, as text. It maps the
    assumption to its name, such as "the assumption".
    """
    facts, after = facts_text(line.facts, words), references(line.after, numbers)
    if line.is_brief:
        return f"{facts} ({'; '.join(filter(None, (line.text, after)))})"
    return f"{facts}: {line.text}{f' ({after})' if after else ''}"


def references(facts: Iterable[Fact], numbers: dict[Fact, str]) -> str:
    """Return references to facts, such as "the assumption and lines 1 and 3".

    `numbers` maps each fact to the number of its line, as text, or to the name of the assumption.
    Returns "" if there are no facts.
    """
    names = {numbers[fact] for fact in facts}
    lines = sorted(map(int, filter(str.isdigit, names)))
    parts = [name for name in names if not name.isdigit()]
    if lines:
        parts.append(lines_named(lines))
    return listed(parts) if parts else ""
