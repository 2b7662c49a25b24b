"""How a compiled search ends."""

EXHAUSTED = 0  # all solutions are found
LIMIT_REACHED = 1
STEP_LIMIT_REACHED = 2
STOPPED = 3
TOO_HARD = 4  # for this kind of search
