"""Groups of consecutive steps, for people who read an explanation."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap

from solver.logic.deduction import Deduction
from solver.logic.sentences.places import located
from solver.logic.sentences.wording import Wording
from solver.logic.technique_table import heading_of

FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE = "0000", "0002", "0003"
_SINGLES = (FULL_HOUSE, HIDDEN_SINGLE, NAKED_SINGLE)
_LINE = 100  # characters


@dataclass(frozen=True, slots=True)
class StepGroup:
    """Consecutive steps of one technique, or several singles of any kind.

    `first` is the number of the first step in the explanation, from 1.
    """

    name: str
    first: int
    deductions: tuple[Deduction, ...]

    @property
    def has_singles(self) -> bool:
        """Whether the group has several steps, all of which are singles."""
        return len(self.deductions) > 1 and self.deductions[0].code in _SINGLES

    def singles_text(self, words: Wording) -> str:
        """Return the cells that the singles of a group fill, with short reasons, in lines of text.

        The first line begins with the numbers of the steps.
        """
        numbers = f"{self.first}–{self.first + len(self.deductions) - 1}. "
        entries = (_entry(deduction, words) for deduction in self.deductions)
        # A non-breaking space keeps each entry together.
        text = ", ".join(entry.replace(" ", "\N{NO-BREAK SPACE}") for entry in entries)
        lines = wrap(text, _LINE, initial_indent="  " + numbers, subsequent_indent=" " * 6)
        return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def step_groups(deductions: Iterable[Deduction]) -> list[StepGroup]:
    """Divide the steps of an explanation into groups of consecutive steps.

    A group contains the steps of one technique. Singles of all kinds that follow each other form
    one group.
    """
    groups: list[StepGroup] = []
    for is_single, run in groupby(deductions, lambda deduction: deduction.code in _SINGLES):
        members = tuple(run)
        names = {_name(deduction) for deduction in members}
        kinds = [members] if is_single else [tuple(same) for _, same in groupby(members, _name)]
        for same in kinds:
            name = "Singles" if is_single and len(names) > 1 else _name(same[0])
            first = 1 + sum(len(group.deductions) for group in groups)
            groups.append(StepGroup(name, first, same))
    return groups


def _name(deduction: Deduction) -> str:
    return heading_of(deduction.code)


def _entry(deduction: Deduction, words: Wording) -> str:
    """Return a single with its reason, such as "r4c1 = 8 (only place in row 4)"."""
    ((cell, value),) = deduction.placements
    reason = short_reason(deduction, words)
    return f"{words.layout.cell_name(cell)} = {words.value(value)} ({reason})"


def short_reason(deduction: Deduction, words: Wording) -> str:
    """Return the reason for a single, such as "only place in row 4", or "" for other steps."""
    if deduction.code not in _SINGLES:
        return ""
    if deduction.code == NAKED_SINGLE:
        return "only candidate"
    kind = "only place" if deduction.code == HIDDEN_SINGLE else "last cell"
    return f"{kind} {located(words.house(deduction.base[0]))}"
