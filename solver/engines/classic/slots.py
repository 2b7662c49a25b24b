"""The state of the puzzles that a search has started and not finished.

Each of these puzzles occupies a slot until it's finished. There are twice as many slots as lanes.
The state is one uint32 array, with a row for each of these:

    DEPTHS        number of pending branches on the slot's stack
    FEW           whether its puzzle has few givens (see `choice`)
    WAS_LOOSE     whether its puzzle was loose before it waited
    PUZZLES       the index of its puzzle
    SLOT_OF_LANE  the slot of the puzzle in each lane
    QUEUE         a list: slots of solved boards that wait to be checked
    READY         a list: slots of puzzles that have waited and can continue
    SPARE         a list: free slots
    COUNTERS      see below
    LANE_SETS     see below

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
