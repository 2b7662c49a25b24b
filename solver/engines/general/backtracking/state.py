"""The state of a search with its working memory."""

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
    """The lengths of the queues of singles, houses, changed cells, and propagators."""

    singles: int
    houses: int
    changed: int
    # both ends of the ring buffer of propagators, as ever-increasing numbers
    queue_start: int
    queue_end: int


COUNTERS = record_dtype(Counters)


class Runs(NamedTuple):
    """Working memory for a sum, mostly one item per run.

    A run consists of cells that all differ and have the same factor, see `run_sums`.
    """

    unions: Words  # the union of the open cells' domains
    opens: NDArray[np.int64]  # the number of open cells
    sums: Words  # the sums that the run can contribute, as bits
    before: Words  # the sums that the preceding runs can reach
    spans: NDArray[np.int64]  # the difference between the run's greatest and least sum
    rows: NDArray[np.int64]  # the run's first row in `reach`
    reach: Words  # [row of the n-th candidate, c]: the sums of c of the preceding candidates
    rest: Words  # [c]: the remainders after c candidates were chosen
    cells: Words  # per cell: the sums that the preceding cells can reach
    steps: Words  # per cell: its contributions, as bits


class OpenCells(NamedTuple):
    """Working memory for the cells of a sum that have several candidates."""

    cells: Places
    factors: NDArray[np.int64]
    words: Words  # their domains
    kept: Words  # their remaining values, or these reversed


class SandwichMemory(NamedTuple):
    """Working memory for a sandwich sum."""

    words: Words  # the domains of the cells
    before: Words  # the union of the domains of the preceding cells
    kept: Words  # the values that occur in some filling


class ValueSetMemory(NamedTuple):
    """Working memory for a value-set constraint."""

    words: Words  # the domains of the cells
    own: Words  # the values of one set that each cell can take
    kept: Words  # the union over all sets


class Trial(NamedTuple):
    """Working memory for trying the options of a disjunction, and the queue of disjunctions."""

    grid: Words  # the grid before the trial
    places: Words  # (values, words): the places before the trial
    kept: Words  # the union of the options' domains
    in_queue: NDArray[np.bool_]  # per disjunction: whether it is queued
    idle: Ints  # per disjunction: the option that restricted nothing the last time


class Work(NamedTuple):
    """The grid, and the queues of houses, cells, and propagators."""

    grid: Words
    places: Words  # (values, words): the cells that can have each value, as bits
    singles: Ints
    houses: Ints
    # per house: the values that lost a place since its last visit; 0 if it isn't queued
    lost: Words
    changed: Ints
    is_changed: NDArray[np.bool_]  # per cell: whether it is queued
    queue: Ints
    in_queue: NDArray[np.bool_]  # per propagator: whether it is queued
    counters: NDArray[np.void]  # (1,), COUNTERS


class State(NamedTuple):
    """The grid, the conflict weights, and the working memory of all propagators."""

    work: Work
    # per cell: the weight of the conflicts that it took part in
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
    """Allocate the state of a search, with an empty grid, for the tables of a layout."""
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
    """Return the largest number of cells in any sum, and the largest number of runs."""
    most_cells, most_runs = 1, 1
    for i in range(sums.targets.shape[0]):
        runs = 0
        for k in range(sums.ranges[i], sums.ranges[i + 1]):
            runs += sums.run_starts[k] == k
        most_cells = max(most_cells, sums.ranges[i + 1] - sums.ranges[i])
        most_runs = max(most_runs, runs)
    return most_cells, most_runs
