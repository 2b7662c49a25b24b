"""False texts: those of real steps, with one cell, house, or value replaced."""

import re
from collections.abc import Iterator
from dataclasses import replace

from sentence_checker.step import Step

_NUMBER = re.compile(r"\d+")


def mutations(step: Step) -> Iterator[Step]:
    """Yield a step with each number of its text increased by one, for each number.

    A number can be a row or column of a cell, the number of a house, a digit, or a sum. The largest
    possible number is followed by 1.
    """
    size = step.layout.size
    for found in _NUMBER.finditer(step.text):
        number = int(found[0]) % size + 1 if int(found[0]) <= size else int(found[0]) + 1
        yield replace(step, text=f"{step.text[: found.start()]}{number}{step.text[found.end() :]}")
