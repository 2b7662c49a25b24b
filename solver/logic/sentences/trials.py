"""Sentences about trials: numbered lines from an assumption to a contradiction."""

from solver.logic.deduction import Deduction, LineKind, ProofLine, houses_of_sum
from solver.logic.sentences.places import located
from solver.logic.sentences.rule_names import place_of
from solver.logic.sentences.rules import removed_in_words
from solver.logic.sentences.wording import Sentence, Wording, lines_named, listed, paragraph


def _trial(deduction: Deduction, words: Wording) -> str:
    first, *lines, end = deduction.lines
    ((cell, value),) = first.placements
    numbered = [f"{number}. {_line(line, words)}." for number, line in enumerate(lines, 1)]
    return "\n".join(
        (
            f"Suppose {words.layout.cell_name(cell)} is {words.value(value)}.",
            *numbered,
            paragraph(f"{_contradiction(end, words)} ({_after(end)})", words.outcome(deduction)),
        )
    )


def _line(line: ProofLine, words: Wording) -> str:
    if line.kind in (LineKind.BY_RULE, LineKind.BY_SUM):
        reason = _rule(line, words)
        text = removed_in_words(line.removals, words)
    else:
        ((cell, value),) = line.placements
        text = f"{words.layout.cell_name(cell)} is {words.value(value)}"
        is_last = line.kind is LineKind.LAST_CANDIDATE
        reason = "last candidate" if is_last else words.house(line.source)
    after = f"; {_after(line)}" if line.premises else ""
    return f"{text} ({reason}{after})"


def _contradiction(line: ProofLine, words: Wording) -> str:
    if line.kind is LineKind.NO_CANDIDATE:
        return f"{words.layout.cell_name(line.source)} has no candidate left"
    if line.kind is LineKind.NO_PLACE:
        ((_, value),) = line.placements
        return (
            f"there is no place left for {words.value(value)} {located(words.house(line.source))}"
        )
    return f"{_rule(line, words)} cannot be satisfied"


def _rule(line: ProofLine, words: Wording) -> str:
    """Return the name of the rule, or of the house whose sum the line uses."""
    if line.kind in (LineKind.BY_SUM, LineKind.BROKEN_SUM):
        return f"the sum of {words.houses(houses_of_sum(line.source))}"
    return place_of(line.source, words)


def _after(line: ProofLine) -> str:
    """Return the lines that a line follows from, such as "the assumption and lines 1 and 3"."""
    numbers = [number for number in line.premises if number]
    named = [lines_named(numbers)] if numbers else []
    return listed([*(["the assumption"] if 0 in line.premises else []), *named])


TRIALS: dict[str, Sentence] = {"4004": _trial}
