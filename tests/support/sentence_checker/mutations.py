"""False texts: those of real steps, with one cell, house, or value replaced."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sentence_checker.step import Step

_NUMBER = re.compile(r"\d+")


def mutations(step: Step) -> Iterator[Step]:
    """Yield copies of a step. In the text of each, a different number is increased by one.

    A number can be a row or column of a cell, the number of a house, a digit, or a sum. The size of
    the board is replaced by 1, because there is no such row or digit above it.
    """
    size = step.layout.size
    for found in _NUMBER.finditer(step.text):
        number = int(found[0]) % size + 1 if int(found[0]) <= size else int(found[0]) + 1
        yield replace(step, text=f"{step.text[: found.start()]}{number}{step.text[found.end() :]}")
