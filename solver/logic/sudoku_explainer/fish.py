"""X-Wing, Swordfish, and Jellyfish.

`kind` is the kind of the base lines, ROW or COLUMN. Sets of lines are bits (0–8). Values count
from 0.
"""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import begin, note
from solver.logic.deduction_rows import BASE, CELL, COVER, REMOVE, VALUE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.houses import COLUMN, COLUMNS, HOUSE_CELLS, ROW, ROWS
from solver.logic.sudoku_explainer.state import SETS, SETS_FROM, State
from solver.logic.sudoku_explainer.techniques import RATINGS


@kernel
def lines_with_few(state: State, kind: int, value: int, degree: int) -> int:
    """Return the lines in which a value (0–8) has two to `degree` places, as bits.

    `kind` is the kind of the lines, ROW or COLUMN. Bit n stands for line n (0–8).
    """
    lines = 0
    for line in range(9):
        if 2 <= popcount(state.places[9 * kind + line, value]) <= degree:
            lines |= 1 << line
    return lines


@kernel
def cover_of(state: State, kind: int, lines: int, value: int) -> int:
    """Return the crossing lines that contain any place of a value (0–8) in the given lines.

    `kind` is the kind of the given lines, ROW or COLUMN. The result and `lines` are sets of lines
    (0–8) as bits.
    """
    cover = 0
    while lines:
        cover |= state.places[9 * kind + ctz(lines), value]
        lines &= lines - 1
    return cover


@kernel
def is_removing(state: State, kind: int, lines: int, cover: int, value: int) -> bool:
    """Return whether a fish removes candidates from its cover lines.

    That is the case if the value (0–8) has places in the lines `cover` outside the base `lines`.
    Both are sets of lines (0–8) as bits. `kind` is the kind of the base lines, ROW or COLUMN, and
    the cover lines cross them.
    """
    other = ROWS if kind == COLUMN else COLUMNS
    while cover:
        if state.places[other + ctz(cover), value] & ~lines:
            return True
        cover &= cover - 1
    return False


@kernel
def find_fish(state: State, buffer: Ints, degree: int) -> float:
    """Search for `degree` lines whose places for a value are in `degree` crossing lines.

    Writes the first such fish in Sudoku Explainer's order that removes candidates. Returns its
    rating, or 0.0 if there is none.
    """
    for kind in (COLUMN, ROW):
        first = SETS_FROM[degree + 1]
        chosen = -1
        for value in range(9):
            if state.placed[value] + 2 * degree > 9:
                continue
            few = lines_with_few(state, kind, value, degree)
            if popcount(few) < degree:
                continue
            for number in range(SETS_FROM[degree], first):
                lines = SETS[number]
                if lines & ~few == 0:
                    cover = cover_of(state, kind, lines, value)
                    if popcount(cover) == degree and is_removing(state, kind, lines, cover, value):
                        first, chosen = number, value
                        break
        if chosen >= 0:
            lines = SETS[first]
            _note(state, buffer, kind, lines, cover_of(state, kind, lines, chosen), chosen)
            return float(RATINGS[techniques.X_WING + degree - 2])
    return 0.0


@kernel
def _note(state: State, buffer: Ints, kind: int, lines: int, cover: int, value: int) -> None:
    """Write a fish with its eliminations to the buffer. `lines` and `cover` are lines as bits."""
    begin(buffer, techniques.X_WING + popcount(lines) - 2)
    note(buffer, VALUE, value + 1, 0)
    other = ROWS if kind == COLUMN else COLUMNS
    for line in range(9):
        if lines >> line & 1:
            note(buffer, BASE, 9 * kind + line, 0)
    for line in range(9):
        if cover >> line & 1:
            note(buffer, COVER, other + line, 0)
            for place in range(9):
                if state.places[other + line, value] >> place & 1:
                    cell = HOUSE_CELLS[other + line, place]
                    if lines >> place & 1:
                        note(buffer, CELL, cell, 0)
                    else:
                        note(buffer, REMOVE, cell, value + 1)
