"""Apply techniques to many grids in one compiled call, without guesses."""

from solver.compiling.jit import compiled
from solver.engines.engine import ABANDON
from solver.logic.grid import fill
from solver.logic.solving_order import apply_all


@compiled
def apply_to_many(board, grid, buffer, search_table, counts, stop, givens, codes, results):  # type: ignore[no-untyped-def]
    """Solve puzzles (n, cells) one after the other, as far as the techniques get.

    givens        (n, cells): the given values, 0 for empty cells
    search_table  the techniques as a `SearchTable`
    codes         the codes of the techniques to report
    results       two arrays, which must be zero: whether each puzzle was solved (n,), and how often
                  it needed each of the `codes` (n, codes), which stays 0 if it wasn't solved

    The grid, the buffer, and the counts are memory that is used for one puzzle after the other. If
    `stop` becomes ABANDON, the other puzzles count as not solved.
    """
    are_solved, needed = results
    for puzzle in range(len(givens)):
        if stop[0] == ABANDON:
            break
        fill(board, grid, givens[puzzle])
        counts[:] = 0
        if apply_all(board, grid, buffer, search_table, counts, stop):
            are_solved[puzzle] = True
            for place in range(len(codes)):
                needed[puzzle, place] = counts[codes[place]]
