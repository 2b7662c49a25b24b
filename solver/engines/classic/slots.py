"""The state of the puzzles that a search has started and not finished.

A lane is a position in all vectors of the search, where one puzzle is processed. Each unfinished
puzzle occupies a slot, also while it isn't in a lane. There are twice as many slots as lanes. The
state is one uint32 array (ROW_COUNT, slots), with a row for each of these:

DEPTHS        per slot: the number of pending branches on its stack
FEW           per slot: whether guesses are about cells only (few givens, or many guesses so far)
WAS_LOOSE     per slot: whether its puzzle was loose before it waited (see `search`)
PUZZLES       per slot: the index of its puzzle
SLOT_OF_LANE  per lane: the slot of its puzzle
QUEUE         a list: slots of solved boards that wait to be checked
READY         a list: slots of puzzles that have waited and can continue
SPARE         a list: free slots
COUNTERS      five numbers: STARTED (puzzles), ROWS_FOUND (rows of solutions), and WAITING,
              RESUMED, and SPARES (the lengths of QUEUE, READY, and SPARE)
LANE_SETS     five sets of lanes as bits (bit 0 = lane 0): LIVE (with a puzzle), AT_FIXPOINT
              (must guess), SOLVED (all cells are solved), NEW (no guess yet), and LOOSE

If the output arrays are full, the search stores its counters and lane sets, and resumes with them
after the caller has enlarged the arrays. A record with named fields would be easier to read, but
the search of hard puzzles took 10% longer with one.
"""

(
    DEPTHS, FEW, WAS_LOOSE, PUZZLES, SLOT_OF_LANE, QUEUE, READY, SPARE, COUNTERS, LANE_SETS
) = range(10)  # fmt: skip
ROW_COUNT = 10

# The items of COUNTERS.
STARTED = 0  # puzzles
ROWS_FOUND = 1  # rows of solutions
WAITING = 2  # length of QUEUE
RESUMED = 3  # length of READY
SPARES = 4  # length of SPARE

# The items of LANE_SETS, which are sets of lanes as bits (bit 0 = lane 0).
LIVE = 0  # lanes with a puzzle
AT_FIXPOINT = 1  # lanes that have to guess
SOLVED = 2  # lanes whose cells are all solved
NEW = 3  # lanes whose puzzle hasn't guessed yet
LOOSE = 4  # lanes whose puzzle may have several solutions
