"""The row format of deductions: three numbers per row.

    tag, a, b,  tag, a, b, …   each deduction begins with (TECHNIQUE, code, 0)

A node of a chain is a row (FIRST, cell, value), or (STRONG …) or (WEAK …) for the link that leads
to it. Rows (MORE, cell, 0) after it contain the other cells of a group or set.

Compiled techniques write these rows to a buffer (`solver.logic.deduction_buffer`). Results store
them unchanged.
"""

TECHNIQUE = 0  # (code, 0)
PLACE = 1  # (cell, value)
REMOVE = 2  # (cell, value)
CELL = 3  # (cell, 0): a cell of the pattern
VALUE = 4  # (value, 0): a value of the pattern
BASE = 5  # (house, 0): a house that contains the pattern
COVER = 6  # (house, 0): a house in which candidates are removed
FIN = 7  # (cell, value)
ENDO_FIN = 8  # (cell, value): a fin in two base houses
COLOR = 9  # (cell, value + 64 × color)
SET = 10  # (0, 0): begins a set, followed by SET_CELL and SET_VALUE
SET_CELL = 11  # (cell, 0)
SET_VALUE = 12  # (value, 0)
RESTRICTED = 13  # (value, 0): restricted common with the next set, or with the stem of a blossom
CHAIN = 14  # (0, 0): begins a chain
FIRST = 15  # (cell, value): the first node of a chain, an assumption
STRONG = 16  # (cell, value): a node that is true if the previous one is false
WEAK = 17  # (cell, value): a node that is false if the previous one is true
MORE = 18  # (cell, 0): another cell of the previous node
RATING = 20  # (tenths, 0): Sudoku Explainer's rating, in its order
TERM = 21  # (cell, factor): a term of a sum
TOTAL = 22  # (total, 0): required total of the terms
RULE = 23  # (constraint, 0): index of the constraint that a step uses
ABSENT = 24  # (cell, value): a candidate whose absence the step needs
LINE = 25  # (kind, source): begins a line of a trial, followed by the tags below
LINE_PLACE = 26  # (cell, value): a value that the line places
LINE_REMOVE = 27  # (cell, value): a candidate that the line removes
PREMISE = 28  # (line, 0): an earlier line that the line follows from, counted from 0
LINE_ABSENT = 29  # (cell, value): a candidate whose absence the line needs
