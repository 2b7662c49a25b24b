"""Check the texts of steps from several rules and houses together.

The engines solve a board that has nothing but these rules and houses.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import cast

from sentence_checker.results import Result
from sentence_checker.rule_boards import (
    SIGHT,
    bit_of,
    excluded_by,
    is_impossible,
    stated_domains,
    wording_of,
)
from sentence_checker.step import Step
from sentence_checker.trial_claims import trial_complaints
from solver.board.layout import Layout
from solver.board.primitive_constraints import House, Links, Part, by_field
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.logic.deduction import Candidate, Deduction, LineKind, ProofLine
from solver.logic.sentences.links import links_without_constraint, peers_of_cells
from solver.logic.sentences.rule_names import demand_of, place_of
from solver.logic.sentences.wording import paragraph
from solver.rules.auxiliary_cells import renumber_auxiliary
from solver.rules.rule import Constraint
from solver.solving import solve

_ENUMERATION = re.compile(
    r"(?:All (?P<number>\d+) ways|There is only (?P<one>one) way"
    r"|(?:None|Each) of the more than (?P<least>\d+) ways|(?:No|Each) way) to "
    r"(?:fill (?P<houses>.*?))?(?: and )?(?:satisfy (?P<rules>.*?))?"
    r"(?: give this result| leads to the following result, as a search shows"
    r"| has any of the following candidates, as a search shows"
    r"| has (?P<excluded>\S+ in \S+), as a search shows)?\."
)


def together_complaints(step: Step, result: Result) -> Iterator[str]:
    """Yield complaints about rules and houses that exclude candidates together."""
    if "\nSuppose " in f"\n{step.text}":
        yield from _together_by_trials(step)
        return
    *others, last = result.reason
    deduction = step.deduction
    match = _ENUMERATION.fullmatch(last)
    if match is None:
        yield f"no house or rule is named in {last!r}"
        return
    named = {(house.kind, house.number) for house in step.names.houses(match["houses"] or "")}
    base = [step.layout.houses[index] for index in deduction.base]
    if named != {(house.kind, house.number) for house in base}:
        yield f"names other houses in {last!r}"
    if _names_in(match["rules"] or "") != _names_in(" and ".join(_places(step, deduction.rules))):
        yield f"names other rules in {last!r}"
    yield from _misnamed(step, match)
    yield from _miscounted(step, match)
    links = {*links_without_constraint(step.layout)}  # Only the first step states them.
    if SIGHT in others:
        peers = peers_of_cells(step.layout)
        pairs = ((one, other) for one in range(step.layout.cells) for other in peers[one])
        links.add(Links("sight", tuple(pair for pair in pairs if pair[0] < pair[1])))
    facts = " ".join(others)
    for demand in {paragraph(demand_of(index, wording_of(step))) for index in deduction.rules}:
        facts = facts.replace(demand, "")
    domains, complaints = stated_domains(facts, step)
    yield from complaints
    board = _board_together(step.layout, deduction.rules, deduction.base, frozenset(links))
    for cell, mask in excluded_by(step):
        if not is_impossible(board, [*domains[:cell], mask, *domains[cell + 1 :]]):
            yield f"the rules don't exclude {mask:b} from {step.layout.cell_name(cell)}"


def _misnamed(step: Step, match: re.Match[str]) -> Iterator[str]:
    """Yield a complaint if a text states that no way has another candidate than the removed one."""
    value, _, cell = (match["excluded"] or "").partition(" in ")
    if value:
        candidate = Candidate(*step.names.cells(cell), *step.names.values(value))
        if [candidate] != [*step.deduction.eliminations] or step.deduction.placements:
            yield f"excludes {match['excluded']}, which isn't the step's result"


def _miscounted(step: Step, match: re.Match[str]) -> Iterator[str]:
    """Yield a complaint if a text states a wrong number of ways to satisfy rules and houses.

    Boards with variables and texts without a number aren't checked.
    """
    layout, deduction, peers = step.layout, step.deduction, peers_of_cells(step.layout)
    least = int(match["least"] or 0)
    stated = int(match["number"] or (1 if match["one"] else least + 1 if least else 0))
    if not stated or layout.variables:  # solutions also differ in variables
        return
    constraints = [cast("Constraint", layout.constraints[index]) for index in deduction.rules]
    cells = {cell for index in deduction.base for cell in layout.houses[index].cells}
    cells.update(*(one.cells or range(layout.cells) for one in constraints))
    pairs = [pair for pair in combinations(sorted(cells), 2) if pair[1] in peers[pair[0]]]
    sight = frozenset({Links("sight", tuple(pairs))} if pairs else ())
    board = _board_together(layout, deduction.rules, deduction.base, sight)
    domains = tuple(mask if cell in cells else 1 for cell, mask in enumerate(step.domains))
    puzzle = Puzzle(board, (0,) * board.cells, Symbols.usual(board.size), domains)
    found = solve(puzzle, limit=stated + 1 - bool(least)).solutions
    if found != stated:
        yield f"there are {found} ways or more"


def _together_by_trials(step: Step) -> Iterator[str]:
    """Yield complaints about a text with a trial of each candidate that its step removes."""
    values = range(1, step.layout.size + 1)
    removed = {
        (cell, value)
        for cell, mask in excluded_by(step)
        for value in values
        if mask & bit_of(value)
    }
    before, *trials = re.split(r"^(?=Suppose )", step.text, flags=re.MULTILINE)
    demands = {
        paragraph(demand_of(index, wording_of(step)))
        for index in range(len(step.layout.constraints))
    }
    for demand in demands:
        before = before.replace(demand, "")
    if before.strip():
        yield f"states {before!r}, which isn't a rule"
    rules = range(len(step.layout.constraints))
    lines = tuple(ProofLine(LineKind.BY_RULE, rule) for rule in rules)
    for trial in trials:
        match = re.match(r"Suppose (\S+) is (\S+)\.$", trial, flags=re.MULTILINE)
        if match is None:
            yield f"has an unknown assumption in {trial!r}"
            return
        candidate = Candidate(*step.names.cells(match[1]), *step.names.values(match[2]))
        removed.discard((candidate.cell, candidate.value))
        own = Deduction("4004", eliminations=(candidate,), lines=lines)
        argument = re.split(r"\. (?:Place|Remove) ", trial.strip().removesuffix("."))[0]
        text = f"{argument}. Remove it."
        yield from trial_complaints(replace(step, deduction=own, text=text))
    if removed:
        yield f"has no trials of {removed}"


def _places(step: Step, rules: Iterable[int]) -> list[str]:
    return [place_of(index, wording_of(step)) for index in rules]


def _names_in(text: str) -> set[str]:
    """Return the kinds and the places of all rules that a text names, and quotations, in one set.

    For example, "the arrows r1c1–r1c3 and r2c1–r2c3" has the kind "arrow". A place is a cell, an
    end of a row or column, or two cells: the ends of a line, or those that a rule is between.
    """
    pairs = re.findall(r"(?<=between )r\d+c\d+ and r\d+c\d+|r\d+c\d+–r\d+c\d+", text)
    cells = re.findall(r"r\d+c\d+|(?:(?:top|bottom|left|right) of )?(?:row|column) \d+", text)
    kinds = re.findall(
        r"the ((?:(?! the )[^“])+?)s? (?:(?:at|between|for|by)(?= )|(?=r\d+c\d+–))", text
    )
    return {*pairs, *cells, *kinds, *re.findall(r"“[^”]*”", text)}


@lru_cache(maxsize=512)
def _board_together(
    layout: Layout, rules: tuple[int, ...], houses: tuple[int, ...], pairs: frozenset[Links]
) -> Layout:
    """Return a board with some constraints, houses, and not-equal pairs, and nothing else."""
    parts: list[Part] = []
    auxiliary = 0
    for index in rules:
        made = cast("Constraint", layout.constraints[index]).parts(layout)
        assert not isinstance(made, str)
        own, count = renumber_auxiliary(made, layout.solution_size + auxiliary)
        auxiliary += count
        parts += own
    every = [*(layout.houses[house] for house in houses), *parts]
    own_houses = [part for part in every if isinstance(part, House)]
    links = [part for part in parts if isinstance(part, Links)]
    return layout.changed(
        houses=tuple(house for house in own_houses if max(house.cells) < layout.cells),
        links=(*pairs, *links),
        constraints=(),
        auxiliary_count=auxiliary,
        auxiliary_houses=tuple(h for h in own_houses if max(h.cells) >= layout.cells),
        **by_field(parts),
    )
