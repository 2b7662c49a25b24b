"""The lines of a trial as its text shows them: joined, with strong facts, and only those needed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from solver.logic.deduction import Candidate, LineKind, ProofLine
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.wording import Wording

BY_RULES = (LineKind.BY_RULE, LineKind.BY_SUM)
_JOINED = (*BY_RULES, LineKind.LAST_CANDIDATE, LineKind.LAST_PLACE)
_WITH_FACTS = (*BY_RULES, LineKind.BROKEN_RULE, LineKind.BROKEN_SUM)


def shown_lines(lines: Sequence[ProofLine], words: Wording) -> list[ProofLine]:
    """Return the lines that the text of a trial shows.

    They differ from the given lines. A line whose rule leaves a cell only one candidate places it.
    Its removals are then only those by the rule itself. If a premise is about a cell that is
    already filled, the line depends on the placement there. Lines that are no longer needed for
    the contradiction are left out.
    """
    return _shared(_needed(_once(_with_strong_facts(_with_rules(lines), words))))


def known_after(premises: Iterable[ProofLine], words: Wording) -> list[int]:
    """Return the candidates of each cell, as bits, that the premises of a line leave.

    These are the candidates before the trial, without those that the premises remove and those that
    their placements exclude from the same cell and its peers.
    """
    every = (1 << words.layout.size) - 1
    known = [*words.domains] if words.domains else [every] * words.layout.cells
    for line in premises:
        for cell, value in _refuted(line, words):
            known[cell] &= ~(1 << (value - 1))
    return known


def _refuted(line: ProofLine, words: Wording) -> list[Candidate]:
    """Return all candidates that a line refutes, also those that its placements remove."""
    values = range(1, words.layout.size + 1)
    peers = peers_of_cells(words.layout)
    refuted = [*line.removals]
    for cell, value in line.placements:
        refuted += [Candidate(cell, other) for other in values if other != value]
        refuted += [Candidate(peer, value) for peer in peers[cell]]
    return refuted


def _with_rules(lines: Sequence[ProofLine]) -> list[ProofLine]:
    """Join each line about a cell's last candidate with the rule that leaves it, where possible.

    That is where a single line by a rule or a sum removes candidates of the cell, and no other line
    follows from it.
    """
    into: dict[int, int] = {}  # the line about the last candidate by the rule's line
    for number, line in enumerate(lines):
        if line.kind is LineKind.LAST_CANDIDATE:
            own = [each for each in line.premises if _removes_from(lines[each], line)]
            if len(own) == 1 and sum(own[0] in other.premises for other in lines) == 1:
                into[own[0]] = number
    result = list(lines)
    for rule, number in into.items():
        premises = {*lines[rule].premises, *result[number].premises} - {rule}
        result[number] = replace(
            lines[rule],
            placements=lines[number].placements,
            premises=tuple(sorted(premises)),
        )
    return _renumbered(result, into)


def _removes_from(line: ProofLine, last: ProofLine) -> bool:
    """Return whether a line by a rule or a sum removes candidates of the cell that `last` fills."""
    return line.kind in BY_RULES and line.removals[0].cell == last.placements[0].cell


def _with_strong_facts(lines: Sequence[ProofLine], words: Wording) -> list[ProofLine]:
    """Return the lines of a trial with stronger facts, and with more placements.

    If earlier lines leave a cell one candidate, the facts about this cell in a line by a rule or a
    sum state its value. Otherwise, they only exclude the values that the line needs excluded. A
    line by a rule or a sum that leaves its cell one candidate also places it, unless the trial ends
    because this cell has no candidate. The premises change with the facts and placements.
    """
    replay = _Replay(words)
    result: list[ProofLine] = []
    end = lines[-1]
    left_empty = end.source if end.kind is LineKind.NO_CANDIDATE else None
    for line in lines:
        strong = replay.with_strong_facts(line) if line.kind in _WITH_FACTS else line
        can_decide = line.kind in BY_RULES and line.removals[0].cell != left_empty
        result.append(replay.with_placement(strong) if can_decide else strong)
        replay.add(result[-1])
    return result


class _Replay:
    """The candidates after the lines so far, and the lines that removed or placed them."""

    def __init__(self, words: Wording) -> None:
        self._words = words
        self._known = known_after((), words)
        self._removed_by: dict[Candidate, int] = {}
        self._placed_by: dict[int, int] = {}
        self._count = 0

    def add(self, line: ProofLine) -> None:
        """Apply the placements and removals of the next line to the known candidates."""
        for cell, value in _refuted(line, self._words):
            if self._known[cell] >> (value - 1) & 1:
                self._known[cell] &= ~(1 << (value - 1))
                self._removed_by[Candidate(cell, value)] = self._count
        self._placed_by |= dict.fromkeys((cell for cell, _ in line.placements), self._count)
        self._count += 1

    def with_strong_facts(self, line: ProofLine) -> ProofLine:
        """Return the next line, with facts that state the values of decided cells.

        Its premises are those of the new facts.
        """
        facts: dict[int, list[int]] = {}
        for cell, value in line.absent:
            facts.setdefault(cell, []).append(value)
        premises: set[int] = set()
        for cell in list(facts):
            is_decided = self._known[cell].bit_count() == 1
            if is_decided:
                facts[cell] = [value for value in self._values if not self._can_be(cell, value)]
            own = self._placed_by.get(cell) if is_decided else None
            premises |= self._sources(cell, facts[cell]) if own is None else {own}
        if line.kind not in BY_RULES or line.placements:
            # These lines are about all candidates of a cell.
            target = line.removals[0].cell
            excluded = {value for cell, value in line.removals if cell == target}
            premises |= self._sources(target, (v for v in self._values if v not in excluded))
        absent = (Candidate(cell, value) for cell, values in facts.items() for value in values)
        return replace(line, absent=tuple(absent), premises=tuple(sorted(premises)))

    def with_placement(self, line: ProofLine) -> ProofLine:
        """Return the next line with a placement if it leaves its cell only one candidate."""
        target = line.removals[0].cell
        excluded = {value for _, value in line.removals}
        left = [v for v in self._values if self._can_be(target, v) and v not in excluded]
        if line.placements or len(left) != 1:
            return line
        others = (value for value in self._values if value not in excluded)
        premises = {*line.premises, *self._sources(target, others)}
        placements = (Candidate(target, left[0]),)
        return replace(line, placements=placements, premises=tuple(sorted(premises)))

    @property
    def _values(self) -> range:
        return range(1, self._words.layout.size + 1)

    def _can_be(self, cell: int, value: int) -> bool:
        return bool(self._known[cell] >> (value - 1) & 1)

    def _sources(self, cell: int, values: Iterable[int]) -> set[int]:
        """Return the indices of the lines that removed any of the values from a cell.

        Values that no line has removed are skipped.
        """
        removed = (Candidate(cell, value) for value in values)
        return {self._removed_by[one] for one in removed if one in self._removed_by}


def _once(lines: Sequence[ProofLine]) -> list[ProofLine]:
    """Leave out lines that place what an earlier line has placed, except the contradiction.

    Premises then refer to the earlier line.
    """
    first: dict[Candidate, int] = {}
    into: dict[int, int] = {}
    for number, line in enumerate(lines[:-1]):
        for candidate in line.placements:
            if candidate in first:
                into[number] = first[candidate]
            else:
                first[candidate] = number
    return _renumbered(lines, into)


def _needed(lines: Sequence[ProofLine]) -> list[ProofLine]:
    """Return the assumption, the contradiction, and the lines between them that it needs."""
    needed = {0, len(lines) - 1}
    for number in reversed(range(len(lines))):
        if number in needed:
            needed.update(lines[number].premises)
    unneeded = {number: number for number in range(len(lines)) if number not in needed}
    return _renumbered(lines, unneeded)


def _shared(lines: Sequence[ProofLine]) -> list[ProofLine]:
    """Join consecutive lines of the same kind with the same reason to one line.

    It has the placements and removals of all of them, and premises refer to it instead.
    """
    result = list(lines)
    into: dict[int, int] = {}
    for number, (one, other) in enumerate(pairwise(lines)):
        if one.kind in _JOINED and _reason(one) == _reason(other):
            into[number] = number + 1
            before = result[number]
            result[number + 1] = replace(
                other,
                placements=before.placements + other.placements,
                removals=before.removals + other.removals,
            )
    return _renumbered(result, into)


def _reason(line: ProofLine) -> object:
    """Return a key that is the same for lines whose text would give the same reason."""
    source = None if line.kind is LineKind.LAST_CANDIDATE else line.source
    return line.kind, source, line.absent, line.premises


def _renumbered(lines: Sequence[ProofLine], into: Mapping[int, int]) -> list[ProofLine]:
    """Return the lines without those in `into`, with premises that refer to the new numbers.

    `into` maps the number of each omitted line to that of the line that replaces it in premises, or
    to its own number if no line refers to it.
    """
    left = [number for number in range(len(lines)) if number not in into]
    places = {number: place for place, number in enumerate(left)}
    for number in sorted(into, reverse=True):
        if into[number] != number:
            places[number] = places[into[number]]
    return [
        replace(
            lines[number],
            premises=tuple(sorted({places[each] for each in lines[number].premises})),
        )
        for number in left
    ]
