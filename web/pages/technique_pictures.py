"""Draw one step of each technique, in the example puzzle that needs it.

The web server doesn't compute steps, so `samples/technique_steps.txt` in `web.api` contains them.
It has a line per technique with four fields: its code, the values of the grid before the step (`.`
for an open cell), the candidates of the open cells, and the rows of the deduction. Candidates are
three octal digits per cell, bit 0 = value 1. Rows are little-endian int16 in Base64 (see
`solver.logic.deduction.unpack`). `python -m docs_build.technique_steps` writes the file.
"""

from base64 import b64decode, b64encode
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from solver.logic.deduction import unpack
from solver.logic.examples import EXAMPLES
from solver.logic.explanation import Position
from web.boards.deduction_drawing import draw_deduction
from web.boards.svg import Picture
from web.pages.rule_pictures import read_puzzle

FILE = ("samples", "technique_steps.txt")
_DIGITS = 3  # of the candidates of a cell
_NAKED_SINGLE = "0003"


@lru_cache(maxsize=1)
def technique_pictures() -> dict[str, Picture]:
    """Return a drawing of a step of each technique that has an example, by code."""
    lines = files("web.api").joinpath(*FILE).read_text("ascii").splitlines()
    return {code: _picture(code, step) for code, _, step in (line.partition(" ") for line in lines)}


def written_step(position: Position, rows: bytes) -> str:
    """Return what a line of the file contains after the code: a position, and the step's rows."""
    values = "".join(str(value) if value else "." for value in position.values)
    open_cells = [bits for bits in position.candidates if bits]
    candidates = "".join(f"{bits:0{_DIGITS}o}" for bits in open_cells)
    return f"{values} {candidates} {b64encode(rows).decode()}"


def read_step(step: str) -> tuple[Position, bytes]:
    """Return the position and the rows from the output of `written_step`."""
    written, candidates, rows = step.split(" ")
    values = tuple(0 if value == "." else int(value) for value in written)
    octal = iter(
        candidates[start : start + _DIGITS] for start in range(0, len(candidates), _DIGITS)
    )
    bits = tuple(0 if value else int(next(octal), 8) for value in values)
    return Position(values, bits), b64decode(rows)


def _picture(code: str, step: str) -> Picture:
    puzzle = read_puzzle(EXAMPLES[code])
    position, rows = read_step(step)
    (deduction,) = unpack(rows)
    if code == _NAKED_SINGLE:
        # The reason is in the houses of the cell, which the step doesn't name.
        [(cell, _)] = deduction.placements
        houses = enumerate(puzzle.layout.houses)
        deduction = replace(deduction, base=tuple(n for n, house in houses if cell in house.cells))
    return draw_deduction(
        puzzle.layout, puzzle.symbols, puzzle.givens, position, deduction, only_marked=True
    )
