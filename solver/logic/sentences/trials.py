"""Sentences about trials: numbered lines from an assumption to a contradiction.

Each line may use the assumption and the line before it without naming them. If it also needs other
lines, it names all that it needs. It states its reason after a colon, or in parentheses if that is
only a cell or a house.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from solver.logic.deduction import Candidate, Deduction, LineKind, ProofLine
from solver.logic.sentences.cell_lists import in_runs
from solver.logic.sentences.links import peers_of_cells
from solver.logic.sentences.places import last_place, located
from solver.logic.sentences.rules import facts_in_words
from solver.logic.sentences.trial_lines import BY_RULES, known_after, shown_lines
from solver.logic.sentences.trial_reasons import leaves_one_value, rule_of
from solver.logic.sentences.wording import (
    Sentence,
    Wording,
    connected,
    joined,
    lines_named,
    paragraph,
)

_FEW = 3  # candidates that are named instead of those that a line removes


def _trial(deduction: Deduction, words: Wording) -> str:
    *lines, end = lines_in_words(shown_lines(deduction.lines, words), words)
    return "\n".join((*lines, paragraph(end, words.outcome(deduction))))


def lines_in_words(lines: Sequence[ProofLine], words: Wording) -> list[str]:
    """Return the text of each line of a trial. `lines` are those of `shown_lines`."""
    (assumed,) = lines[0].placements
    stated: set[str] = set()
    texts: list[str] = []
    for number, line in enumerate(lines[1:], 1):
        premises = [lines[premise] for premise in line.premises]
        known = replace(words, domains=tuple(known_after(premises, words)))
        placed = [candidate for each in premises for candidate in each.placements]
        shown = replace(line, premises=_named(line, number))
        if line is lines[-1]:
            end = _contradiction(shown, known, stated, placed=placed, assumed=assumed)
            texts.append(paragraph(end))
        else:
            texts.append(f"{number}. {_line(shown, known, stated, placed=placed)}.")
    name = words.layout.cell_name(assumed.cell)
    return [f"Suppose {name} is {words.value(assumed.value)}.", *texts]


def _line(
    line: ProofLine, words: Wording, stated: set[str], *, placed: Collection[Candidate]
) -> str:
    """Return the text of a line: what it places and removes, and the reason.

    `placed` are the placements in the lines that it follows from. For `stated`, see `rule_of`.
    """
    text = _conclusion(line, words)
    if line.kind in BY_RULES:
        facts = _facts(line, words, placed)
        colon = f": {facts}" if facts else ""
        return f"{text}{colon} ({_source(rule_of(line, words, stated), line)})"
    if line.kind is LineKind.LAST_CANDIDATE:
        plural = "s" if len(line.placements) > 1 else ""
        return f"{text} ({_source(f'last candidate{plural}', line)})"
    cells = [cell for cell, _ in line.placements]
    return f"{text} ({_source(last_place(words.house(line.source), cells), line)})"


def _conclusion(line: ProofLine, words: Wording) -> str:
    """Return what a line places and removes, such as "r1c1 is 5" or "r1c1 is 5, not 6".

    If the rule alone doesn't leave a cell only one value, the text names the values that the rule
    excludes.
    """
    gone: dict[int, list[int]] = {}
    for cell, value in line.removals:
        gone.setdefault(cell, []).append(value)
    clauses: list[str] = []
    by_text: dict[str, list[int]] = {}
    for cell, value in line.placements:
        excluded = gone.pop(cell, [])
        text = f"is {words.value(value)}"
        own = replace(line, placements=(Candidate(cell, value),))
        if line.kind not in BY_RULES or leaves_one_value(own, words):
            by_text.setdefault(text, []).append(cell)
        else:
            name = words.layout.cell_name(cell)
            clauses.append(f"{name} {text}, not {words.ranges(excluded, last='or')}")
    for cell, values in gone.items():
        by_text.setdefault(_removed(cell, values, words), []).append(cell)
    for text, cells in by_text.items():
        plural = text if len(cells) == 1 else text.replace("is ", "are ", 1)
        clauses.append(f"{words.cells(in_runs(words.layout, cells))} {plural}")
    return connected(clauses)


def _removed(cell: int, values: Sequence[int], words: Wording) -> str:
    """Return a clause on the values that a cell loses, such as "is not 3 or 4".

    If the cell keeps two or three values, but loses more, the clause is about these: "can only be 1
    or 2".
    """
    left = [value for value in words.candidates_of(cell) if value not in values]
    if 1 < len(left) <= _FEW and len(left) < len(values):
        return f"can only be {words.values(left, last='or')}"
    return f"is not {words.ranges(values, last='or')}"


def _contradiction(
    line: ProofLine,
    words: Wording,
    stated: set[str],
    *,
    placed: Collection[Candidate],
    assumed: Candidate,
) -> str:
    """Return the text of the last line: the contradiction that it reaches, and the reason.

    `placed` are the placements that it follows from, and `assumed` is the assumption. For `stated`,
    see `rule_of`.
    """
    if line.kind is LineKind.NO_CANDIDATE:
        return f"{words.layout.cell_name(line.source)} has no candidate left{_by_lines(line)}"
    if line.kind is LineKind.NO_PLACE:
        ((_, value),) = line.placements
        place = located(words.house(line.source))
        return f"{words.value(value)} has no place left {place}{_by_lines(line)}"
    cell = words.layout.cell_name(line.removals[0].cell)
    left = [value for _, value in line.removals]
    facts = _facts(line, words, placed)
    because = f", because {facts}" if facts else ""
    source = _source(rule_of(line, words, stated), line)
    if line.placements:
        forced = line.placements[0].value
        only = words.value(forced)
        end = f"is {words.value(left[0])}" if len(left) == 1 else "cannot"
        peers = peers_of_cells(words.layout)[line.removals[0].cell]
        same = [one for one, value in placed if one in peers and value == forced]
        if same and len(left) > 1:
            end = f"sees the {only} in {words.layout.cell_name(same[0])}"
        return f"{cell} would have to be {only}{because} ({source}), but it {end}"
    values = words.ranges(left, last="or")
    if line.removals[0] == assumed:
        return f"{cell} cannot be {values}{because} ({source}), contrary to the assumption"
    if line.removals[0] in placed:
        return f"{cell} cannot be {values}{because} ({source}), but it is {values}"
    end = "its last candidate" if len(left) == 1 else "its last candidates"
    return f"{cell} cannot be {values}, {end}{f': {facts}' if facts else ''} ({source})"


def _facts(line: ProofLine, words: Wording, placed: Collection[Candidate]) -> str:
    """Return the facts that a line uses as a clause, or "" if it uses none.

    Facts about the cells of the placements `placed` are left out.
    """
    filled = {cell for cell, _ in placed}
    facts = facts_in_words((one for one in line.absent if one.cell not in filled), words)
    return joined(facts) if facts else ""


def _source(reason: str, line: ProofLine) -> str:
    """Return a reason, followed after a semicolon by the lines that a line depends on, if any."""
    return f"{reason}; {lines_named(line.premises)}" if line.premises else reason


def _by_lines(line: ProofLine) -> str:
    """Return the lines that a contradiction depends on, such as " (lines 2 and 3)", or ""."""
    return f" ({lines_named(line.premises)})" if line.premises else ""


def _named(line: ProofLine, number: int) -> tuple[int, ...]:
    """Return the lines that a line names: its premises, without the assumption.

    If it only needs the line before it, it names none. `number` is the number of the line.
    """
    named = tuple(premise for premise in line.premises if premise)
    return () if named == (number - 1,) else named


TRIALS: dict[str, Sentence] = {"4004": _trial}
