"""Names of the techniques by code: HoDoKu's, and those that only Sudoku Explainer has."""

from solver.logic.explainer.techniques import TABLE
from solver.logic.technique_table import TECHNIQUES


def name_of(code: str) -> str:
    """Return the name of a technique. HoDoKu's name is preferred."""
    entry = TECHNIQUES.get(code)
    return TABLE[int(code)].name if entry is None else entry.name
