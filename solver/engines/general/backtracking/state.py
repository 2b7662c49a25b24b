"""The state of a backtracking search in compiled code: the grid, the queues, and working memory."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import zero_rows, zeros
from solver.compiling.jit import helper
from solver.compiling.records import record_dtype
from solver.engines.general.backtracking.region_tables import Components, new_components
from solver.engines.general.backtracking.sets_by_sum import SetsByTotal, sets_of
from solver.engines.general.backtracking.table_types import Ints, Places, Words
from solver.engines.general.mdd_propagation import Supports, new_supports

FEW = 3  # open cells of a sum up to which every combination is checked
MOST_VALUES = 9  # values of a board up to which all sets of values are listed


class Counters(Protocol):
    """The lengths of the queues in `Work`.

    `singles`, `houses`, and `changed` are the numbers of items in the stacks with these names.
    `queue_start` and `queue_end` are both ends of the ring buffer `queue`. They only ever grow, and
    the index of an item is the number modulo the buffer's length.
    """

    singles: int
    houses: int
    changed: int
    queue_start: int
    queue_end: int


COUNTERS = record_dtype(Counters)


class Runs(NamedTuple):
    """Working memory for the propagation of one sum.

    A run consists of cells of the sum that all differ and have the same factor, see `run_sums`.
    Open cells have several candidates. Sets of values and of sums are bit masks, and sums are
    counted up from the least or down from the greatest possible one.

    The first six arrays have one item per run:

    unions  the values that the open cells can have, without those of the run's solved cells
    opens   the number of open cells
    sums    the sums that the open cells can have
    before  the sums that all preceding runs together can have
    spans   the largest distance of a sum of the open cells, all different, from the run's least or
            greatest sum as `look_at_runs` counts it, times the factor
    rows    the index of the run's first row in `reach`

    The other arrays:

    reach   [row, c]: the sums of c different values among the first candidates of the run. The
            run's first row is for the first 0 candidates, the next row for the first candidate,
            then for the first two, and so on.
    rest    [c]: the sums that c more values must have, given the values that are already chosen
    cells   per cell of the sum: the sums that the preceding cells can have
    steps   per cell of the sum: what it can contribute to the sum
    """

    unions: Words
    opens: NDArray[np.int64]
    sums: Words
    before: Words
    spans: NDArray[np.int64]
    rows: NDArray[np.int64]
    reach: Words
    rest: Words
    cells: Words
    steps: Words


class OpenCells(NamedTuple):
    """Working memory for one sum: an item per cell that has several candidates.

    cells    the index of the cell in `Work.grid`
    factors  the factor of the cell in the sum
    words    the domain of the cell, as bits
    kept     the values that were found possible for the cell, as bits

    In `small_sums`, `words` and `kept` have an item for each of three summands: first the padding,
    if there are fewer than three cells, then the cells. There, `words` has the domain in reverse
    bit order if the cell is subtracted, and `kept` is `words` with the 64 bits of each item
    reversed.
    """

    cells: Places
    factors: NDArray[np.int64]
    words: Words
    kept: Words


class SandwichMemory(NamedTuple):
    """Working memory for one sandwich sum: sets of values as bit masks, one item per cell.

    `words` are the domains of the line's cells. `before` are the unions of the domains of all
    preceding cells. `kept` are the values that the cells have in some possible sandwich.
    """

    words: Words
    before: Words
    kept: Words


class ValueSetMemory(NamedTuple):
    """Working memory for one value-set constraint: sets of values as bit masks, one item per cell.

    `words` are the domains of the cells. `own` are the values that the cells can have if they form
    the set that is being examined. `kept` are the unions of `own` over all possible sets.
    """

    words: Words
    own: Words
    kept: Words


class Trial(NamedTuple):
    """Working memory for trying the options of a disjunction, and the queue of disjunctions.

    grid      the domains of all cells before the trial
    places    (values, words): `Work.places` before the trial
    kept      per cell: the union of its domains in all options tried so far
    in_queue  per disjunction: whether it is queued
    idle      per disjunction: the option that restricted no cell the last time, to be tried first
    """

    grid: Words
    places: Words
    kept: Words
    in_queue: NDArray[np.bool_]
    idle: Ints


class Work(NamedTuple):
    """The grid, and the queues of cells, houses, and propagators.

    grid        per cell: its domain
    places      (values, words): the cells that can have each value, as bits in words of 64
    singles     the stack of cells whose values haven't been removed from their peers yet
    houses      the stack of queued houses
    lost        per house: the values that lost a cell since its last visit, 0 if it isn't queued
    changed     the stack of changed cells whose binary relations haven't been propagated yet
    is_changed  per cell: whether it is in `changed`
    queue       the ring buffer of queued propagators
    in_queue    per propagator: whether it is queued, or must not be scheduled
    counters    (1,): the lengths of the queues, of the type COUNTERS
    """

    grid: Words
    places: Words
    singles: Ints
    houses: Ints
    lost: Words
    changed: Ints
    is_changed: NDArray[np.bool_]
    queue: Ints
    in_queue: NDArray[np.bool_]
    counters: NDArray[np.void]


class State(NamedTuple):
    """The grid with its queues, the conflict weights, and the working memory of all propagators.

    A cell's conflict weight grows with each conflict in which the cell takes part. The cells with
    high weights are guessed first. `opened` is working memory for sums, `sets` are the sets of
    values for cage sums, and `supports` is working memory for automata.
    """

    work: Work
    conflict_weights: NDArray[np.float64]
    runs: Runs
    opened: OpenCells
    sets: SetsByTotal
    supports: Supports
    sandwich: SandwichMemory
    value_set: ValueSetMemory
    trial: Trial
    components: Components


@helper
def new_state(tables):  # type: ignore[no-untyped-def]
    """Allocate the state of a search for the tables of a layout.

    The grid is all zeros, and all queues are empty. The propagators in options of disjunctions are
    marked as queued for good, so that they are never scheduled.
    """
    _, cells, words = tables.peer_words.shape
    houses, size = tables.houses.cells.shape
    propagators = tables.propagators.kinds.shape[0]
    most_cells, most_runs = _most_of_a_sum(tables.sums)
    runs = Runs(
        unions=zeros(most_runs, np.uint64),
        opens=zeros(most_runs, np.int64),
        sums=zeros(most_runs, np.uint64),
        before=zeros(most_runs, np.uint64),
        spans=zeros(most_runs, np.int64),
        rows=zeros(most_runs, np.int64),
        reach=zero_rows(most_runs * (size + 1), size + 1, np.uint64),
        rest=zeros(size + 1, np.uint64),
        cells=zeros(most_cells, np.uint64),
        steps=zeros(most_cells, np.uint64),
    )
    most_open = max(FEW, most_cells)
    opened = OpenCells(
        cells=zeros(most_open, np.uint32),
        factors=zeros(most_open, np.int64),
        words=zeros(most_open, np.uint64),
        kept=zeros(most_open, np.uint64),
    )
    work = Work(
        grid=zeros(cells, np.uint64),
        places=zero_rows(size, words, np.uint64),
        singles=np.empty(2 * cells, np.int32),
        houses=np.empty(houses, np.int32),
        lost=zeros(houses, np.uint64),
        changed=np.empty(cells, np.int32),
        is_changed=zeros(cells, np.bool_),
        queue=np.empty(max(1, propagators), np.int32),
        in_queue=zeros(propagators, np.bool_),
        counters=np.zeros(1, COUNTERS),
    )
    for i in range(tables.disjunctions.propagators.shape[0]):
        # permanently, so that they are never scheduled
        work.in_queue[tables.disjunctions.propagators[i]] = True
    most_sandwich_cells = tables.sandwiches.cells.shape[0] + 1
    sandwich = SandwichMemory(
        words=zeros(most_sandwich_cells, np.uint64),
        before=zeros(most_sandwich_cells, np.uint64),
        kept=zeros(most_sandwich_cells, np.uint64),
    )
    most_set_cells = tables.value_sets.cells.shape[0] + 1
    value_set = ValueSetMemory(
        words=zeros(most_set_cells, np.uint64),
        own=zeros(most_set_cells, np.uint64),
        kept=zeros(most_set_cells, np.uint64),
    )
    disjunctions = tables.disjunctions.option_ranges.shape[0] - 1
    trial = Trial(
        grid=zeros(cells, np.uint64),
        places=zero_rows(size, words, np.uint64),
        kept=zeros(cells, np.uint64),
        in_queue=zeros(disjunctions, np.bool_),
        idle=zeros(disjunctions, np.int32),
    )
    return State(
        work=work,
        conflict_weights=zeros(cells, np.float64),
        runs=runs,
        opened=opened,
        sets=sets_of(size if most_cells > FEW and size <= MOST_VALUES else 0),
        supports=new_supports(tables.automata),
        sandwich=sandwich,
        value_set=value_set,
        trial=trial,
        components=new_components(tables.regions),
    )


@helper
def _most_of_a_sum(sums):  # type: ignore[no-untyped-def]
    """Return the largest number of cells in any of the sums, and the largest number of runs.

    Both are at least 1, even without sums.
    """
    most_cells, most_runs = 1, 1
    for i in range(sums.targets.shape[0]):
        runs = 0
        for k in range(sums.ranges[i], sums.ranges[i + 1]):
            runs += sums.run_starts[k] == k
        most_cells = max(most_cells, sums.ranges[i + 1] - sums.ranges[i])
        most_runs = max(most_runs, runs)
    return most_cells, most_runs
