"""Sentences about rules and houses that exclude candidates only if they are taken together.

If every removed candidate leads to a contradiction within a few lines, the text shows these lines,
like a trial. Otherwise it names the rules, the houses, and the candidates that are needed, and the
number of ways to satisfy them.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, cast

import numpy as np

from solver.board.layout import Layout
from solver.logic.deduction import Candidate, Deduction, ProofLine, pack, unpack
from solver.logic.sentences.links import links_without_constraint
from solver.logic.sentences.rule_names import demand_of, places_of, rule_key
from solver.logic.sentences.rules import SIGHT, facts_in_words, titled_rules
from solver.logic.sentences.trial_lines import shown_lines
from solver.logic.sentences.trials import lines_in_words
from solver.logic.sentences.wording import Sentence, Wording, joined, listed, paragraph
from solver.rules.rule import Constraint

if TYPE_CHECKING:
    from solver.logic.rule_steps.trials import Trials

# Clues that exclude more if cells that see each other differ: the rank among all rows and columns.
_RANKS = ("fullrank", "fullranktied")
_MOST_TRIED = 60  # lines after which a trial is abandoned, including those that aren't needed
_MOST_SHOWN = 16  # lines of all trials of a step
_MOST_WAYS = 200  # that are counted
_MOST_REMOVED = 4  # candidates for each of which a trial is shown


def _together(deduction: Deduction, words: Wording) -> str:
    unknown = [
        demand_of(index, words)
        for index in titled_rules(deduction, words)
        if rule_key(index, words) not in words.stated
    ]
    trials = _trials(deduction, words)
    if trials:
        *lines, end = chain.from_iterable(lines_in_words(trial, words) for trial in trials)
        demands = [paragraph(*unknown)] if unknown else []
        return "\n".join((*demands, *lines, paragraph(end, words.result(deduction))))
    houses, rules = words.houses_by_kind(deduction.base), places_of(deduction.rules, words)
    tasks = [f"fill {_without_ambiguity(houses)}"] if houses else []
    tasks += [f"satisfy {_without_ambiguity(rules)}"] if rules else []
    names = {words.layout.constraints[index].name for index in deduction.rules}
    facts = facts_in_words(deduction.absent, words)
    return paragraph(
        *unknown,
        *([] if names.isdisjoint(_RANKS) else [SIGHT]),
        *(each for each in _differences(deduction, words) if each not in words.stated),
        *([joined(facts)] if facts else []),
        _ways(deduction, " and ".join(tasks), words),
        words.outcome(deduction),
    )


def _ways(deduction: Deduction, tasks: str, words: Wording) -> str:
    """Return a clause such as "all 5 ways to fill row 1 give this result".

    `tasks` is the phrase after "ways to". If there is only one way, the clause just states that.
    If the ways can't be counted, or if they are too many, it states what none of them has.
    """
    from solver.logic.rule_steps.ways import ways_to_fill

    number = None
    # A rank depends on the cells of all rows and columns.
    names = {words.layout.constraints[index].name for index in deduction.rules}
    if words.domains and names.isdisjoint(_RANKS):
        number = ways_to_fill(
            words.layout,
            words.domains,
            rules=deduction.rules,
            houses=deduction.base,
            most=_MOST_WAYS,
        )
    if number == 1:
        return f"there is only one way to {tasks}"
    if number and number <= _MOST_WAYS:
        return f"all {number} ways to {tasks} give this result"
    ways = f"of the more than {_MOST_WAYS} ways to {tasks}" if number else f"way to {tasks}"
    if deduction.placements:
        return f"each {ways} leads to the following result, as a search shows"
    none = "none" if number else "no"
    return f"{none} {ways} has {_excluded(deduction, words)}, as a search shows"


def _excluded(deduction: Deduction, words: Wording) -> str:
    """Return the only candidate that a step removes, such as "4 in r1c1".

    If there are several, returns "any of the following candidates".
    """
    if len(deduction.eliminations) > 1:
        return "any of the following candidates"
    ((cell, value),) = deduction.eliminations
    return f"{words.value(value)} in {words.cells([cell])}"


def _trials(deduction: Deduction, words: Wording) -> list[list[ProofLine]]:
    """Return the lines of a trial for each candidate that a step removes, or [].

    Returns [] if the candidates of the position are unknown, if there are too many candidates or
    lines, or if a trial finds no contradiction. Trials that use only the step's rules and houses
    are preferred to others of the same length.
    """
    removed = _removed(deduction, words)
    if words.domains is None or len(removed) > _MOST_REMOVED:
        return []
    boards = (
        _board_of(words.layout, deduction.rules, deduction.base),
        _board_of(words.layout, None, None),
    )
    found: list[list[ProofLine]] = []
    for candidate in removed:
        ways = [way for board in boards for way in _trial(board, candidate, words)]
        if not ways:
            return []
        found.append(min(ways, key=len))
    return found if sum(map(len, found)) <= _MOST_SHOWN else []


def _removed(deduction: Deduction, words: Wording) -> list[Candidate]:
    """Return the candidates that a step removes, sorted.

    That includes the other candidates of cells that it fills.
    """
    values = range(1, words.layout.size + 1)
    others = [
        Candidate(cell, value)
        for cell, placed in deduction.placements
        for value in values
        if value != placed and words.can_be(cell, value)
    ]
    return sorted({*deduction.eliminations, *others})


def _trial(board: "Trials", candidate: Candidate, words: Wording) -> Iterator[list[ProofLine]]:
    """Yield the list of lines to show of a trial of `candidate`.

    Yields one list, or nothing if the trial leads to no contradiction.
    """
    from solver.logic.rule_steps.trial_steps import rows_of

    cell, value = candidate
    domains = words.domains or ()
    lines = board.contradiction(domains, cell, value - 1, most_lines=_MOST_TRIED)
    if lines is not None:
        rows = np.array([*rows_of(lines, board)], np.int32)
        (deduction,) = unpack(pack(rows))
        yield shown_lines(deduction.lines, words)


@lru_cache(maxsize=64)
def _board_of(
    layout: Layout, rules: tuple[int, ...] | None, houses: tuple[int, ...] | None
) -> "Trials":
    # It loads the compiler, which classic puzzles don't need.
    from solver.logic.rule_steps.trials import Trials

    return Trials(layout, rules=rules, houses=houses)


def _differences(deduction: Deduction, words: Wording) -> list[str]:
    """Return clauses on cells that must differ for another reason than the rules of the step.

    They are about pairs of the step's cells that no house of the step contains. For example, "Cells
    a knight's move apart must differ".
    """
    layout = words.layout
    houses = [{*layout.houses[house].cells} for house in deduction.base]
    constraints = [cast("Constraint", layout.constraints[index]) for index in deduction.rules]
    cells = {*chain(*houses), *chain(*(one.cells or range(layout.cells) for one in constraints))}
    cells |= {cell for cell, _ in deduction.absent}
    return [
        f"Cells {links.place} must differ"
        for links in links_without_constraint(layout)
        if any(
            cells.issuperset(pair) and not any(house.issuperset(pair) for house in houses)
            for pair in links.pairs
        )
    ]


def _without_ambiguity(names: Sequence[str]) -> str:
    """Join names, some of which can be lists themselves, such as "row 7 and boxes 7 and 9".

    If a list among them could be misread, the names are separated as in `wording.joined`.
    """
    ambiguous = names[:1] if len(names) == 2 else names
    has_lists = any(" and " in name or "," in name for name in ambiguous)
    return joined(names) if has_lists else listed(names)


TOGETHER: dict[str, Sentence] = {"4006": _together}
