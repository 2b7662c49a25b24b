"""Sentences about trials: numbered lines from an assumption to a contradiction.

A line states its reason after a colon, or in parentheses if that is only a cell or a house. If a
rule leaves a cell only one candidate, one numbered line states both.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from solver.logic.deduction import Candidate, Deduction, LineKind, ProofLine, houses_of_sum
from solver.logic.sentences.places import last_place, located
from solver.logic.sentences.rule_names import place_of
from solver.logic.sentences.rules import facts_in_words, removed_in_words
from solver.logic.sentences.wording import Sentence, Wording, joined, lines_named, listed, paragraph

_BY_RULES = (LineKind.BY_RULE, LineKind.BY_SUM)


def _trial(deduction: Deduction, words: Wording) -> str:
    first, *inner, end = _shared(_with_rules(deduction.lines))
    ((cell, value),) = first.placements
    numbered = [f"{number}. {_line(line, words)}." for number, line in enumerate(inner, 1)]
    return "\n".join(
        (
            f"Suppose {words.layout.cell_name(cell)} is {words.value(value)}.",
            *numbered,
            paragraph(_contradiction(end, words), words.outcome(deduction)),
        )
    )


def _with_rules(lines: Sequence[ProofLine]) -> list[ProofLine]:
    """Join each line about a cell's last candidate with the rule that leaves it, where possible.

    That is where a single line by a rule removes candidates of the cell, and no other line follows
    from it. The joined line places the value and names the rule.
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
            removals=(),
            premises=tuple(sorted(premises)),
        )
    return _renumbered(result, into)


def _removes_from(line: ProofLine, last: ProofLine) -> bool:
    """Return whether a line by a rule removes candidates of the cell that `last` fills."""
    return line.kind in _BY_RULES and line.removals[0].cell == last.placements[0].cell


def _shared(lines: Sequence[ProofLine]) -> list[ProofLine]:
    """Join consecutive lines that follow from the same rule for the same reason."""
    result = list(lines)
    into: dict[int, int] = {}
    for number, (one, other) in enumerate(pairwise(lines)):
        if one.kind in _BY_RULES and _reason(one) == _reason(other):
            into[number] = number + 1
            before = result[number]
            result[number + 1] = replace(
                other,
                placements=before.placements + other.placements,
                removals=before.removals + other.removals,
            )
    return _renumbered(result, into)


def _reason(line: ProofLine) -> object:
    return line.kind, line.source, line.absent, line.premises


def _renumbered(lines: Sequence[ProofLine], into: Mapping[int, int]) -> list[ProofLine]:
    """Return the lines without those that are joined `into` later ones, with matching premises."""
    left = [number for number in range(len(lines)) if number not in into]
    places = {number: place for place, number in enumerate(left)}
    for number in sorted(into, reverse=True):
        places[number] = places[into[number]]
    return [
        replace(
            lines[number],
            premises=tuple(sorted({places[each] for each in lines[number].premises})),
        )
        for number in left
    ]


def _line(line: ProofLine, words: Wording) -> str:
    placed = [f"{words.layout.cell_name(cell)} is {words.value(v)}" for cell, v in line.placements]
    text = listed([*placed, *removed_in_words(line.removals, words)])
    if line.kind in _BY_RULES:
        facts = _facts(line.absent, words)
        colon = f": {facts}" if facts else ""
        return f"{text}{colon} ({_source(_rule(line, words), line)})"
    if line.kind is LineKind.LAST_CANDIDATE:
        return f"{text} ({_source('last candidate', line)})"
    ((cell, _),) = line.placements
    return f"{text} ({_source(last_place(words.house(line.source), [cell]), line)})"


def _contradiction(line: ProofLine, words: Wording) -> str:
    if line.kind is LineKind.NO_CANDIDATE:
        return f"{words.layout.cell_name(line.source)} has no candidate left ({_after(line)})"
    if line.kind is LineKind.NO_PLACE:
        ((_, value),) = line.placements
        place = located(words.house(line.source))
        return f"there is no place left for {words.value(value)} {place} ({_after(line)})"
    cell = words.layout.cell_name(line.removals[0].cell)
    left = [value for _, value in line.removals]
    facts = _facts(line.absent, words)
    because = f", because {facts}" if facts else ""
    source = _source(_rule(line, words), line)
    if line.placements:
        only = words.value(line.placements[0].value)
        end = f"is {words.value(left[0])}" if len(left) == 1 else f"cannot be {only}"
        return f"{cell} would have to be {only}{because} ({source}), but it {end}"
    values = words.ranges(left, last="or")
    if len(left) == 1:
        return f"{cell} cannot be {values}{because} ({source}), but it has no other candidate left"
    return f"{cell} has no candidate left: it cannot be {values}{because} ({source})"


def _facts(absent: Iterable[Candidate], words: Wording) -> str:
    facts = facts_in_words(absent, words)
    return joined(facts) if facts else ""


def _rule(line: ProofLine, words: Wording) -> str:
    """Return the name of the rule, or of the house whose sum the line uses."""
    if line.kind in (LineKind.BY_SUM, LineKind.BROKEN_SUM):
        return f"the sum of {words.houses(houses_of_sum(line.source))}"
    return place_of(line.source, words)


def _source(reason: str, line: ProofLine) -> str:
    """Return a reason and the lines that a line follows from, separated by a semicolon."""
    return f"{reason}; {_after(line)}" if line.premises else reason


def _after(line: ProofLine) -> str:
    """Return the lines that a line follows from, such as "the assumption and lines 1 and 3"."""
    numbers = [number for number in line.premises if number]
    named = [lines_named(numbers)] if numbers else []
    return listed([*(["the assumption"] if 0 in line.premises else []), *named])


TRIALS: dict[str, Sentence] = {"4004": _trial}
