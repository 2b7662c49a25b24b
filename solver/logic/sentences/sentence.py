"""The sentence of each technique."""

from solver.logic.deduction import Deduction
from solver.logic.sentences.almost_locked_sets import ALMOST_LOCKED
from solver.logic.sentences.chains import CHAINS
from solver.logic.sentences.coloring import COLORING
from solver.logic.sentences.exclusion import EXCLUSION
from solver.logic.sentences.loops import LOOPS
from solver.logic.sentences.nets import NETS
from solver.logic.sentences.patterns import PATTERNS
from solver.logic.sentences.rules import RULES
from solver.logic.sentences.sums import SUMS
from solver.logic.sentences.together import TOGETHER
from solver.logic.sentences.trials import TRIALS
from solver.logic.sentences.uniqueness import UNIQUENESS
from solver.logic.sentences.wings import WINGS
from solver.logic.sentences.wording import Sentence, Wording, paragraph

SENTENCES: dict[str, Sentence] = (
    PATTERNS
    | UNIQUENESS
    | EXCLUSION
    | WINGS
    | COLORING
    | ALMOST_LOCKED
    | CHAINS
    | LOOPS
    | NETS
    | SUMS
    | RULES
    | TRIALS
    | TOGETHER
)


def sentence(deduction: Deduction, words: Wording) -> str:
    """Return the sentences for a step, without the name of its technique."""
    return paragraph(SENTENCES[deduction.code](deduction, words))
