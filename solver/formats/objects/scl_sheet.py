"""Read the basic contents of a SudokuPad puzzle: metadata, solution, givens, and regions."""

from collections.abc import Iterable
from typing import Any

from solver.formats.objects.scl_values import Place, metadata_in, places, solution_in


class Unreadable(Exception):
    """Raised with the reason when a puzzle can't be read."""


class Sheet:
    """The basic contents of a SudokuPad puzzle.

    value          the puzzle's JSON object
    rows, columns  the size of the grid
    words          the metadata: title, rules, and switches such as antiknight
    solution       the symbols of the solution, separated by spaces (a dot if unknown), or None
    solved         the known symbols of the solution by cell, a (row, column) from 0
    notes          remarks on what isn't read
    """

    def __init__(self, value: dict[str, Any], notes: list[str]) -> None:
        self.value = value
        self.notes = notes
        self.rows = len(value["cells"])
        self.columns = max(len(row) for row in value["cells"])
        self.words = metadata_in(value)
        self.solution = solution_in(
            self.words.get("solution"), rows=self.rows, columns=self.columns
        )
        symbols = (self.solution or "").split()
        self.solved = {
            p: symbol for p, symbol in zip(self.all(), symbols, strict=False) if symbol != "."
        }

    def all(self) -> list[Place]:
        """Return all cells in reading order."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    def inside(self, written: object, what: str) -> tuple[Place, ...]:
        """Return the cells listed in JSON, without duplicates.

        `what` names them in the error message. Raises Unreadable if a cell is outside the grid.
        """
        cells = tuple(dict.fromkeys(places(written)))
        if any(not (0 <= r < self.rows and 0 <= c < self.columns) for r, c in cells):
            raise Unreadable(f"{what} has a cell outside the grid of {self.rows}x{self.columns}")
        return cells

    def givens(self) -> dict[Place, str]:
        """Return the givens by cell, as they are written. Adds a note if there are pencil marks."""
        givens: dict[Place, str] = {}
        marked = False
        for row, cells in enumerate(self.value["cells"]):
            for column, cell in enumerate(cells):
                written = (cell or {}).get("value")
                if written not in (None, ""):
                    givens[row, column] = str(written)
                marked |= bool(cell) and any(cell.get(k) for k in ("centremarks", "pencilMarks"))
        if marked:
            self.notes.append("ignored pencil marks")
        return givens

    def regions(self) -> list[tuple[Place, ...]]:
        """Return the cells of each region, except regions in which the solution repeats a value.

        Adds a note if there are such regions. Empty regions are skipped. Raises Unreadable if a
        region has a cell outside the grid.
        """
        regions = [self.inside(region, "a region") for region in self.value.get("regions") or []]
        kept = [region for region in regions if region and not self.is_broken(region)]
        if any(map(self.is_broken, regions)):
            self.notes.append("ignored regions that the solution violates")
        return kept

    def is_broken(self, cells: Iterable[Place]) -> bool:
        """Return whether the solution repeats a value in these cells.

        Unknown symbols of the solution don't count.
        """
        symbols = [self.solved[place] for place in cells if place in self.solved]
        return len(set(symbols)) < len(symbols)
