"""Check the conclusions from an Or: which option must hold, and what holds either way."""

import re
from collections.abc import Iterator, Sequence

from sentence_checker.rule_boards import (
    bit_of,
    board_of_rule,
    facts_in,
    is_impossible,
    wording_of,
)
from sentence_checker.step import Step
from solver.logic.sentences.rule_names import condition_of
from solver.logic.sentences.wording import listed
from solver.rules.rule import Constraint

CONCLUSION = re.compile(r"(?P<facts>r\d+c\d+[^.]*?), so (?P<option>[^.]*)\.")
_EITHER_WAY = re.compile(r"(?:Either way|In every case), ([^.]*)\.")


def wrong_conclusions(step: Step, constraint: Constraint, text: str) -> Iterator[str]:
    """Complain about wrong conclusions in a text from an Or.

    If the text names an option that must hold, the facts before it must exclude all others. If it
    names values that a cell must have either way, each option must exclude all others.
    """
    if not constraint.options:
        return
    words = wording_of(step)
    match = CONCLUSION.search(text)
    if match is not None:
        named = [
            option
            for option in constraint.options
            if listed(condition_of(one, words) for one in option) == match["option"]
        ]
        if not named:
            yield f"{match['option']!r} is no option"
        domains = _domains(step, match["facts"])
        for option in constraint.options:
            if option not in named and not _is_impossible(step, option, domains):
                yield "another option is possible"
    for cell, mask in cells_either_way(step, text):
        (values,) = (own for other, own in _stated(step, text) if other == cell)
        domains = _domains(step, text)
        domains[cell] = mask & ~sum(map(bit_of, values))
        for option in constraint.options:
            if not _is_impossible(step, option, domains):
                yield f"{step.layout.cell_name(cell)} can have another value"


def cells_either_way(step: Step, text: str) -> Iterator[tuple[int, int]]:
    """Yield the cells of which a text states what holds either way, with their candidates."""
    for cell, _ in _stated(step, text):
        yield cell, step.domains[cell]


def _stated(step: Step, text: str) -> Iterator[tuple[int, tuple[int, ...]]]:
    cell, values = step.names.patterns["cell"], step.names.patterns["values"]
    for match in _EITHER_WAY.finditer(text):
        for name, own in re.findall(rf"({cell}) must be ({values})", match[1]):
            yield step.names.cells(name)[0], tuple(step.names.values(own))


def _domains(step: Step, text: str) -> list[int]:
    domains = [(1 << step.layout.size) - 1] * step.layout.cells
    for cell, mask in facts_in(text, step.names, step.layout.size):
        domains[cell] &= mask
    return domains


def _is_impossible(step: Step, option: Sequence[Constraint], domains: list[int]) -> bool:
    """Return whether an option can't hold, because one of its constraints can't."""
    own = step.layout.changed(constraints=tuple(option))
    return any(
        is_impossible(board_of_rule(own, index, with_sight=True), domains)
        for index in range(len(option))
    )
