"""The sentence of each technique."""

from solver.logic.deduction import Deduction
from solver.logic.sentences.chains import CHAINS
from solver.logic.sentences.patterns import PATTERNS, Sentence
from solver.logic.sentences.sums import SUMS
from solver.logic.sentences.wording import Wording

SENTENCES: dict[str, Sentence] = PATTERNS | CHAINS | SUMS


def sentence(deduction: Deduction, words: Wording) -> str:
    """Return the sentence for a step, without the name of its technique."""
    return SENTENCES[deduction.code](deduction, words)
