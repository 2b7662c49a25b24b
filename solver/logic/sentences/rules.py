"""Sentences about steps from rules: the rule, the facts that it needs, and the result."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import cast

from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.alternatives import required_value
from solver.logic.sentences.cell_lists import in_runs
from solver.logic.sentences.circles import reasons_of_circles
from solver.logic.sentences.links import common_houses
from solver.logic.sentences.or_reasons import excluding_facts, values_either_way
from solver.logic.sentences.places import distance_of, located
from solver.logic.sentences.rule_facts import (
    facts_of,
    forced_twice,
    is_whole,
    narrowed,
    possible_sets,
)
from solver.logic.sentences.rule_names import (
    demand_of,
    is_either_or,
    is_line,
    place_of,
    reminder_of,
    rule_key,
)
from solver.logic.sentences.sequences import allowed as allowed_sequences
from solver.logic.sentences.sight import cells_that_differ
from solver.logic.sentences.sums import sum_text
from solver.logic.sentences.wording import Sentence, Wording, joined, listed, paragraph
from solver.rules.rule import Constraint

_FEW = 3  # values that are listed
_MANY_CELLS = 4  # of a rule that are called "its 4 cells"
_WITH_HOUSES = "4001"
_STATING = ("4000", "4001", "4002")  # steps whose texts state their rule
_TOGETHER = "4006"
_DIFFERENCES = re.compile(r"Cells [^.]+ must differ(?=\.)")
_BY_TITLE = "the rule “"
SIGHT = "cells that see each other differ"
# Clues that exclude more if one house contains all of their cells.
_READ_IN_ALL_HOUSES = ("regionsamevalues",)
_IN_SQUARES = ("globalentropy", "globalmodular")
_BY_DISTANCE = "antitaxicab"
_LINES = ("row", "column")  # whose cells need no mention that they differ
_READ_IN_HOUSES = ("sandwich", "xsum", "skyscraper", "hiddenskyscraper")


def facts_in_words(absent: Iterable[Candidate], words: Wording) -> list[str]:
    """Return clauses about the cells of absent candidates, such as "r1c1 is at least 4".

    Cells about which the same is true share a clause.
    """
    by_cell: dict[int, set[int]] = {}
    for cell, value in absent:
        by_cell.setdefault(cell, set()).add(value)
    by_fact: dict[str, list[int]] = {}
    for cell, gone in by_cell.items():
        by_fact.setdefault(_fact(cell, gone, words), []).append(cell)
    return [
        f"{words.cells(in_runs(words.layout, cells))} {fact if len(cells) == 1 else _plural(fact)}"
        for fact, cells in by_fact.items()
    ]


def _plural(fact: str) -> str:
    return f"are {fact.removeprefix('is ')}" if fact.startswith("is ") else fact


def _fact(cell: int, gone: set[int], words: Wording) -> str:
    """Return what is known of a cell that has none of the values `gone`, without the cell's name.

    For example "cannot be 3 or 4", "can only be 1 or 2", "is at least 5", or "is 5". The cell's
    candidates are used, too, if they make it shorter or stronger.
    """
    size = words.layout.size
    left = [value for value in range(1, size + 1) if value not in gone]
    own = [value for value in words.candidates_of(cell) if value not in gone]
    if len(own) == 1 or len(left) == 1:
        return f"is {words.value((own if len(own) == 1 else left)[0])}"
    for kept in filter(None, (own, left)):
        if max(gone) < kept[0]:
            return f"is at least {words.value(kept[0])}"
        if min(gone) > kept[-1]:
            return f"is at most {words.value(kept[-1])}"
    are_few = 0 < len(own) <= _FEW
    if len(gone) <= len(left) > _FEW and not (are_few and len(own) < len(gone)):
        return f"cannot be {words.ranges(sorted(gone), last='or')}"
    return f"can only be {words.ranges(own if are_few else left, last='or')}"


def _reason(deduction: Deduction, words: Wording) -> list[str]:
    """Return a list with the facts of a step in words, or [] if it needs none."""
    facts = facts_in_words(facts_of(deduction, words), words)
    return [joined(facts)] if facts else []


def rules_stated(deduction: Deduction, words: Wording) -> set[str]:
    """Return the keys of the rules that the text of a step states in full.

    `rule_names.rule_key` makes the keys. `SIGHT` is among them if the text states that cells in
    sight differ, and "Or 3" if it states the options of constraint 3. Most techniques state none.
    """
    if deduction.code == _TOGETHER:
        return {rule_key(index, words) for index in titled_rules(deduction, words)}
    if deduction.rule is None or deduction.code not in _STATING:
        return set()
    stated = {rule_key(deduction.rule, words)}
    constraint = cast("Constraint", words.layout.constraints[deduction.rule])
    if constraint.options:
        stated.add(f"Or {deduction.rule}")
    return stated | ({SIGHT} if constraint.name in _READ_IN_ALL_HOUSES else set())


def _sight(deduction: Deduction, words: Wording) -> list[str]:
    """Return a list with the clause that cells of a rule differ because of their houses.

    The list is empty if the step doesn't need this, or if its text has an example instead.
    """
    uses_houses = deduction.code == _WITH_HOUSES or bool(deduction.base)
    if not uses_houses or _example(deduction, words):
        return []
    return cells_that_differ(deduction, words)


def differences_stated(text: str) -> set[str]:
    """Return the clauses in the text of a step such as "Cells in a cage must differ"."""
    return {*_DIFFERENCES.findall(text)}


def titled_rules(deduction: Deduction, words: Wording) -> list[int]:
    """Return the index of one constraint for each rule that a step names by its title.

    Only steps from several rules have such names. Constraints for which the same rule would be
    stated count as one rule.
    """
    by_key = {
        rule_key(index, words): index
        for index in deduction.rules
        if place_of(index, words).startswith(_BY_TITLE)
    }
    return [*by_key.values()]


def _demand(deduction: Deduction, words: Wording) -> str:
    """Return the step's rule in full, or only its name if an earlier step stated it."""
    index = _index(deduction)
    is_known = rule_key(index, words) in words.stated
    return (reminder_of if is_known else demand_of)(index, words)


def _rule(deduction: Deduction, words: Wording) -> str:
    short = _by_circles_or_sum(deduction, words)
    if short:
        return short
    return paragraph(
        *_demand_with_facts(deduction, words),
        *_narrowed(deduction, words),
        words.result(deduction),
    )


def _demand_with_facts(deduction: Deduction, words: Wording) -> list[str]:
    """Return clauses: the step's rule, the cells that must differ, and the facts about other cells.

    If the facts leave one option of an Or, this conclusion follows the facts that it needs, and an
    Or that an earlier step stated isn't repeated.
    """
    index, facts = _index(deduction), facts_of(deduction, words)
    differing = [*_differing(index, words), *_sight(deduction, words)]
    if not is_either_or(index, words):
        return [_demand(deduction, words), *differing, *_reasons(deduction, facts, words)]
    found = excluding_facts(deduction, facts, words)
    if found is None:
        own = [joined(facts_in_words(facts, words))] if facts else []
        return [_demand(deduction, words), *differing, *own, *values_either_way(deduction, words)]
    needed, conclusion = found
    cells = {cell for cell, _ in needed}
    others = facts_in_words((one for one in facts if one.cell not in cells), words)
    return [
        *([] if f"Or {index}" in words.stated else [_demand(deduction, words)]),
        *differing,
        f"{joined(facts_in_words(needed, words))}, so {conclusion}",
        *([joined(others)] if others else []),
    ]


def _reasons(deduction: Deduction, facts: Iterable[Candidate], words: Wording) -> list[str]:
    """Return the sequences that a line allows, or the facts that a step needs, with their place.

    The place is the square of cells or the distance of two cells that a rule for the whole grid is
    applied to.
    """
    index = _index(deduction)
    sequences = allowed_sequences(index, words)
    if sequences:
        return [f"its candidates allow only {sequences}"]
    in_words = facts_in_words(facts, words)
    own = joined(in_words) if in_words else ""
    name = words.layout.constraints[index].name
    if name in _IN_SQUARES and own:
        own = f"in the 2×2 square at {words.cells([min(deduction.cells)])}, {own}"
    distance = []
    if name == _BY_DISTANCE and len(deduction.cells) == 2:
        steps = distance_of(words.layout, *deduction.cells)
        plural = "" if steps == 1 else "s"
        distance = [f"{words.cells(deduction.cells)} are {steps} step{plural} apart"]
    return [*distance, *([own] if own else [])]


def _either_way(deduction: Deduction, words: Wording) -> list[str]:
    """Return a list with a clause about the values of cells, whichever option of an Or holds.

    The list is empty if the step isn't from an Or, if the facts leave a single option, or if the
    clause would be long.
    """
    if not is_either_or(_index(deduction), words):
        return []
    if excluding_facts(deduction, facts_of(deduction, words), words) is not None:
        return []
    return values_either_way(deduction, words)


def _by_circles_or_sum(deduction: Deduction, words: Wording) -> str:
    """Return the text of a step from counting circles or from a sum, or "" without a short one."""
    constraint = cast("Constraint", words.layout.constraints[_index(deduction)])
    if constraint.name != "countingcircles":
        return sum_text(deduction, _index(deduction), words)
    reasons = reasons_of_circles(deduction, constraint.cells, words)
    if reasons is None:
        return ""
    return paragraph(_demand(deduction, words), *reasons, words.outcome(deduction))


def _narrowed(deduction: Deduction, words: Wording) -> list[str]:
    """Return a list with a clause about the placements that need more than the rule and the facts.

    These alone would leave several values in the cell. The clause states that only one of the
    cell's candidates fits, and lists the candidates if there is just one such placement and they
    are few. The list is empty if there are no such placements.
    """
    is_clear = _either_way(deduction, words) or allowed_sequences(_index(deduction), words)
    found = [] if is_clear else narrowed(deduction, words)
    cells = [cell for cell, _ in found]
    if len(cells) > 1:
        names = words.cells(in_runs(words.layout, cells))
        return [f"of the candidates in each of {names}, only one fits"]
    return [
        f"of {_candidates(cell, words)} in {words.cells([cell])}, only {words.value(value)} fits"
        for cell, value in found
    ]


def _candidates(cell: int, words: Wording) -> str:
    """Return the candidates of a cell if they are few, otherwise "the candidates"."""
    candidates = words.candidates_of(cell)
    return words.ranges(candidates) if len(candidates) <= _FEW else "the candidates"


def _differing(index: int, words: Wording) -> list[str]:
    """Return the clauses that the cells of a clue differ, if they aren't a row or a column.

    Without them, the rule wouldn't exclude the values. Most rules need none, and get [].
    """
    constraint = cast("Constraint", words.layout.constraints[index])
    if constraint.name in _READ_IN_ALL_HOUSES:
        return [] if SIGHT in words.stated else [SIGHT]
    clues = [
        one for one in (constraint, *chain(*constraint.options)) if one.name in _READ_IN_HOUSES
    ]
    houses = [house for clue in clues for house in common_houses(words.layout, clue.cells)[:1]]
    return [
        f"the {words.noun} in {words.house(house)} differ"
        for house in dict.fromkeys(houses)
        if words.layout.houses[house].kind not in _LINES
    ]


def _rule_and_houses(deduction: Deduction, words: Wording) -> str:
    short = _by_circles_or_sum(deduction, words)
    if short:
        return short
    return paragraph(
        *_demand_with_facts(deduction, words),
        *_example(deduction, words),
        *_narrowed(deduction, words),
        words.outcome(deduction),
    )


def _example(deduction: Deduction, words: Wording) -> list[str]:
    """Return a list with a sentence on why a removed candidate is impossible, if that is simple.

    It would force the same value into two cells that see each other. Otherwise, the list is empty.
    """
    found = forced_twice(deduction, words) if deduction.code == _WITH_HOUSES else None
    if found is None:
        return []
    (cell, value), pair = found
    forced = [one for one in pair if one.cell != cell]
    is_only_one = len(deduction.eliminations) == 1 and not deduction.placements
    return [
        f"{'if' if is_only_one else 'for example, if'} {words.cells([cell])} were "
        f"{words.value(value)}, {words.cells(sorted(one for one, _ in forced))} would "
        f"{'both ' if len(forced) > 1 else ''}have to be {words.value(forced[0].value)}, but they "
        "see each other"
    ]


def _required(deduction: Deduction, words: Wording) -> str:
    value, cells = words.value(deduction.fins[0].value), [cell for cell, _ in deduction.fins]
    if not is_line(_index(deduction), words):
        cells.sort()
    others = [cell for cell in deduction.cells if cell not in cells]
    sight = _sight(deduction, words)
    if {*deduction.absent} == {Candidate(cell, deduction.fins[0].value) for cell in others}:
        reasons = _always(deduction, cells, value, words)
    else:
        place = words.cells(cells) if len(cells) == 1 else f"one of {words.cells(cells)}"
        if len(cells) == len(deduction.cells) >= _MANY_CELLS and is_whole(deduction, words):
            place = f"one of its {len(cells)} cells"
        sets = _sets(deduction, words)  # They take into account which cells differ.
        sight = [] if sets else sight
        reasons = [*_reason(deduction, words), *sets, f"so {place} must be {value}"]
    return paragraph(
        _demand(deduction, words),
        *sight,
        *reasons,
        words.outcome(deduction),
    )


def _always(deduction: Deduction, cells: Sequence[int], value: str, words: Wording) -> list[str]:
    """Return the statement that a rule needs a value in its cells, without facts about them.

    `cells` are those that can have the value. The list is empty if the sentence on the rule already
    states this.
    """
    constraint = cast("Constraint", words.layout.constraints[_index(deduction)])
    count = len(deduction.cells)
    always = f"its {count} cells always contain {value}"
    is_run = constraint.name == "renban" and is_whole(deduction, words)
    if is_run:
        always = f"any {count} consecutive {words.noun} include {value}"
    if len(cells) < count:
        return [f"{always}, which fits only in {words.cells(cells)}"]
    if required_value(constraint) is not None:
        return []
    return [*([always] if is_run else []), f"so one of its {count} cells must be {value}"]


def _sets(deduction: Deduction, words: Wording) -> list[str]:
    """Return a list with a clause on the possible sets of values, or [] if it would be long."""
    sets = [f"{{{words.compact(one)}}}" for one in possible_sets(deduction, words)]
    return [f"that leaves only {listed(sets, last='or')}"] if sets else []


def _common_peers(deduction: Deduction, words: Wording) -> str:
    value, cells = deduction.fins[0].value, [cell for cell, _ in deduction.fins]
    places, house = words.places(cells), words.houses(deduction.base)
    return paragraph(
        f"{located(house)}, {words.value(value)} is in {places}",
        words.outcome_in_sight(deduction, len(cells)),
    )


def _searched(deduction: Deduction, words: Wording) -> str:
    ((cell, value),) = deduction.placements
    for index, constraint in enumerate(words.layout.constraints):
        by_sum = sum_text(deduction, index, words) if cell in constraint.cells else ""
        if by_sum:
            return by_sum
    return paragraph(
        "no technique applies here, so this step needs trial and error: every solution has "
        f"{words.value(value)} in {words.layout.cell_name(cell)}",
        words.outcome(deduction),
    )


def _index(deduction: Deduction) -> int:
    if deduction.rule is None:
        raise ValueError(f"the step {deduction.code} names no rule")
    return deduction.rule


RULES: dict[str, Sentence] = {
    "4000": _rule,
    "4001": _rule_and_houses,
    "4002": _required,
    "4003": _common_peers,
    "4005": _searched,
}
