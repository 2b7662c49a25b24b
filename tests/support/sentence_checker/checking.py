"""Check the text of a step: its result, its reason, and the claims of its sentences."""

from dataclasses import dataclass, replace

from sentence_checker import (  # noqa: F401  # These modules register claims.
    chain_claims,
    exclusion_claims,
    pattern_claims,
    rule_claims,
    set_claims,
    special_claims,
    sum_bounds,
    sum_cases,
    sum_claims,
    uniqueness_claims,
    wing_claims,
)
from sentence_checker.chain_steps import as_sentence
from sentence_checker.claims import check_claim
from sentence_checker.context import Context
from sentence_checker.introductions import without_introductions
from sentence_checker.results import result_of
from sentence_checker.step import Step
from sentence_checker.sum_steps import as_sum


@dataclass(frozen=True, slots=True)
class Report:
    """What the checker found in the text of a step.

    `sentences` counts those of the reason, and the result as one more. It is 1 for steps from
    rules, whose text is checked as a whole. `false` are complaints about claims that are false,
    about a result that the reason doesn't imply, and about one that isn't the step's. `unparsed`
    are sentences that make no known claim.
    """

    sentences: int
    false: tuple[str, ...] = ()
    unparsed: tuple[str, ...] = ()


def check(step: Step) -> Report:
    """Check the text of a step, sentence by sentence, and return what is wrong with it."""
    text, wrong = without_introductions(step)
    step = as_sentence(as_sum(replace(step, text=text)))
    if step.deduction.code in rule_claims.CODES:
        return Report(1, (*wrong, *rule_claims.complaints_about(step)))
    result = result_of(step.text, step.names)
    context = Context(step, result)
    false = list(wrong)
    unparsed: list[str] = []
    for sentence in result.reason:
        complaints = check_claim(context, sentence)
        if complaints is None:
            unparsed.append(sentence)
        else:
            false += [f"{sentence!r}: {complaint}" for complaint in complaints]
        context.cells = step.names.cells(sentence)
    false += context.unexplained()
    false += context.differences()
    false += context.wrong_sight()
    false += context.unproven()
    sentences = len(result.reason) + bool(result.placements) + bool(result.eliminations)
    return Report(sentences, tuple(false), tuple(unparsed))
