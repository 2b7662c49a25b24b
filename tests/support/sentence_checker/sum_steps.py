"""Steps from rules and complete searches whose texts argue with a sum."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sentence_checker.rule_boards import wording_of
from sentence_checker.step import Step
from solver.board.primitive_constraints import Sum
from solver.logic.sentences.rule_names import place_of

_CODES = ("4000", "4001", "4005")
_SUM = re.compile(r"(?:[OI]n|By) the [^,]*, (?:[^.]* = |[^.]* sum to \d)|The [^.]* sums to \d")


def as_sum(step: Step) -> Step:
    """Return a step whose text argues with a sum as a step from this sum, others unchanged.

    If no constraint with the place that the text names is a sum, the step is unchanged, too.
    """
    if step.deduction.code not in _CODES or not _SUM.match(step.text):
        return step
    for index, part in _sums(step):
        place = place_of(index, wording_of(step)).removeprefix("the ")
        if place in step.text:
            terms = tuple(zip(part.cells, part.factors, strict=True))
            own = replace(step.deduction, code="3000", terms=terms, total=part.target)
            return replace(step, deduction=own)
    return step


def _sums(step: Step) -> Iterator[tuple[int, Sum]]:
    for index, constraint in enumerate(step.layout.constraints):
        parts = constraint.parts(step.layout)
        sums = [part for part in parts if isinstance(part, Sum)]
        if len(sums) == 1:
            yield index, sums[0]
