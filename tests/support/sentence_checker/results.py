"""The result that a text states, and its other sentences, which are the reason."""

import re
from typing import NamedTuple

from sentence_checker.names import Candidate, Names

_EITHER_WAY = "Either way, "


class Result(NamedTuple):
    """The candidates that a text places and removes, and the sentences of its reason."""

    placements: tuple[Candidate, ...]
    eliminations: tuple[Candidate, ...]
    reason: tuple[str, ...]


def result_of(text: str, names: Names) -> Result:
    """Return the result that a text states in sentences with "Place" and "Remove".

    A result that follows "either way" also is a part of the reason.
    """
    placed: list[Candidate] = []
    removed: list[Candidate] = []
    reason: list[str] = []
    for sentence in sentences(text):
        verb, _, rest = sentence.removeprefix(_EITHER_WAY).partition(" ")
        if verb == "Place":
            placed += names.candidates(rest)
        elif verb.capitalize() == "Remove":
            removed += names.candidates(rest)
        if verb not in ("Place", "Remove"):
            reason.append(sentence)
    return Result(tuple(placed), tuple(removed), tuple(reason))


def sentences(text: str) -> list[str]:
    """Split a text into its sentences and numbered lines."""
    found: list[str] = []
    for line in text.splitlines():
        if re.match(r"\d+\. ", line):
            found.append(line)
        else:
            found += re.split(r"(?<=\.) +", line)
    return found
