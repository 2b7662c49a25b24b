"""XY-Wing and XYZ-Wing."""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import begin, note, note_cells, note_mask
from solver.logic.deduction_rows import CELL, REMOVE, VALUE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.state import State, is_pair
from solver.logic.sudoku_explainer.techniques import RATINGS


@kernel
def find_wing(state: State, buffer: Ints, candidates: int) -> float:
    """Search for an XY-Wing (2 `candidates` in the hinge) or an XYZ-Wing (3), and write it.

    The hinge sees two pincers with two candidates each. Returns the rating of the first wing that
    removes candidates, or 0.0 if there is none.
    """
    rules = state.rules
    sees = rules.peer_sets
    for hinge in range(81):
        values = state.cells[hinge]
        if popcount(values) != candidates:
            continue
        for first in range(rules.peer_count[hinge]):
            one = int(rules.peers[hinge, first])
            if not is_pair(state.cells[one]) or popcount(values & ~state.cells[one]) != 1:
                continue
            for second in range(rules.peer_count[hinge]):
                other = int(rules.peers[hinge, second])
                pair = state.cells[other]
                common = pair & state.cells[one]
                if not is_pair(pair) or popcount(common) != 1:
                    continue
                is_wing = popcount(values | pair | state.cells[one]) == 3
                if not is_wing or (values & common == 0) != (candidates == 2):
                    continue
                value = ctz(common)
                low = sees[one, 0] & sees[other, 0] & state.sets[value, 0]
                high = sees[one, 1] & sees[other, 1] & state.sets[value, 1]
                if candidates == 3:
                    low &= sees[hinge, 0]
                    high &= sees[hinge, 1]
                if low | high:
                    code = techniques.XY_WING if candidates == 2 else techniques.XYZ_WING
                    begin(buffer, code)
                    note(buffer, CELL, hinge, 0)
                    note(buffer, CELL, one, 0)
                    note(buffer, CELL, other, 0)
                    note_mask(buffer, VALUE, values | pair)
                    note_cells(buffer, REMOVE, low, high, value + 1)
                    return float(RATINGS[code])
    return 0.0
