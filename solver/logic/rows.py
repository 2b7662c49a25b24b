"""How deductions are written down: rows of three numbers.

    tag, a, b,  tag, a, b, …   each deduction opens with (TECHNIQUE, code, 0)

A node of a chain is a row (FIRST, cell, value), then (STRONG …) or (WEAK …) for the link that
leads to it; rows (MORE, cell, 0) after it are the other cells of a group or set.

Compiled techniques write them to a buffer (`solver.logic.record`); results keep them as they are.
"""

TECHNIQUE = 0  # (code, 0)
PLACE = 1  # (cell, value)
REMOVE = 2  # (cell, value)
CELL = 3  # (cell, 0): a cell that makes the pattern
VALUE = 4  # (value, 0): a value that makes the pattern
BASE = 5  # (house, 0): where the pattern is looked for
COVER = 6  # (house, 0): where it removes candidates
FIN = 7  # (cell, value)
ENDO_FIN = 8  # (cell, value): in two base houses
COLOUR = 9  # (cell, value + 64 × colour)
SET = 10  # (0, 0): opens a set of cells and values: SET_CELL, SET_VALUE
SET_CELL = 11  # (cell, 0)
SET_VALUE = 12  # (value, 0)
RESTRICTED = 13  # (value, 0): links one set with the next
CHAIN = 14  # (0, 0): opens a chain
FIRST = 15  # (cell, value): the node that a chain starts from, if it is only assumed
STRONG = 16  # (cell, value): a node that is true if the one before is false
WEAK = 17  # (cell, value): a node that is false if the one before is true
MORE = 18  # (cell, 0): another cell of the node before
CONTRADICTION = 19  # (cell or house, kind): where a chain leads to nothing
RATING = 20  # (tenths, 0): by Sudoku Explainer, in its order
TERM = 21  # (cell, factor): of a sum
TOTAL = 22  # (total, 0): what the terms add up to
