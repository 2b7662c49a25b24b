"""Steps with a long chain whose links are numbered lines."""

import re
from dataclasses import replace

from sentence_checker.step import Step
from solver.logic.sentences.chains import CHAINS

_LINES = re.compile(r"Suppose (?P<opening>.*)\.\n(?P<lines>(?:\d+\. .*\.\n)+)(?P<end>.*)")


def as_sentence(step: Step) -> Step:
    """Return a step whose chain is one sentence, not a list of lines. Others are unchanged.

    So are steps whose lines are misnumbered, which make no known claim.
    """
    match = _LINES.fullmatch(step.text) if step.deduction.code in CHAINS else None
    if match is None:
        return step
    numbered = [line.partition(". ") for line in match["lines"].splitlines()]
    if [number for number, _, _ in numbered] != [str(n + 1) for n in range(len(numbered))]:
        return step
    links = [*(link.removesuffix(".") for _, _, link in numbered), match["end"]]
    links = [re.sub(r"^(?:It|Neither|None)\b", lambda word: word[0].lower(), one) for one in links]
    return replace(step, text=f"If {match['opening']}, {', so '.join(links)}")
