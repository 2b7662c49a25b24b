"""The tables of a layout for backtracking search.

The domain of a cell is a 64-bit word with one bit per candidate:

bit   63 … 8 7 6 5 4 3 2 1 0
value 64 … 9 8 7 6 5 4 3 2 1

Other sets of values have the same form. Lists of unequal length are concatenated to one array, and
an array of ranges has their bounds: list n is items[ranges[n]:ranges[n + 1]]. Some are rows of a
two-dimensional array instead, padded with −1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engines.general.automaton_tables import AutomatonTables
from solver.engines.general.backtracking.region_tables import Regions

Ints = NDArray[np.int32]
Places = NDArray[np.uint32]  # concatenated lists, see `solver.compiling.ragged`
Words = NDArray[np.uint64]

# The kinds of propagators, in the order in which propagators are numbered.
SUM, AUTOMATON, VALUE_SET, SANDWICH, FULL_RANK, CONNECTED_REGIONS, DISJUNCTION = range(7)


class Propagators(NamedTuple):
    """The propagators of a layout, numbered by kind: first the sums, then the automata, and so on.

    kinds          per propagator: SUM, AUTOMATON, …
    indices        per propagator: its index among the propagators of its kind
    is_idempotent  per propagator: whether it needn't run again after its own changes
    cells          cells[ranges[n]:ranges[n + 1]] share the conflict weight if propagator n fails

    Full rank and connected regions have no such cells, because these propagators find out
    themselves which cells to blame. Nor have the propagators in options of disjunctions, which fail
    only in trials. If all options fail, the cells of the disjunction share the weight.
    """

    kinds: NDArray[np.uint8]
    indices: Ints
    is_idempotent: NDArray[np.bool_]
    cells: Places
    ranges: Ints


class Dependents(NamedTuple):
    """The houses, propagators, and relations to be queued if a cell's domain changes.

    houses             (cells, most): the full houses of each cell, padded with −1
    propagators        the propagators of all cells, concatenated
    propagator_ranges  the range of each cell in `propagators`
    commons            parallel to `propagators`: values, as bits, that it doesn't distinguish
    is_related         per cell: whether the cell is the first cell of a binary relation

    If a propagator accepts one of its `commons` in a cell, it accepts all of them there. It isn't
    queued if the cell lost only some of these values and still has one of them.
    """

    houses: Ints
    propagators: Places
    propagator_ranges: Ints
    commons: Words
    is_related: NDArray[np.bool_]


class Houses(NamedTuple):
    """The full houses of a layout: those with as many cells as the board has values.

    cells  (houses, size): the cells of each house
    words  (houses, words): the same cells as bits, see `solver.engines.general.graph`
    full   the domain that contains all values
    few    locked candidates are looked for only if a value has at most this many in the house
    """

    cells: Places
    words: Words
    full: np.uint64
    few: np.int64


class Relations(NamedTuple):
    """The binary relations of a layout, each of which restricts a second cell by a first one.

    `others` and `tables` have one item per relation, sorted by first cell. The relations of cell n
    begin at index ranges[n] and end before ranges[n + 1]. `others` are their second cells.
    `tables` are their indices in `allowed`: allowed[table, value] (tables, size) are the values, as
    bits, that the second cell can have if the first one has `value` (from 0).
    """

    ranges: Ints
    others: Places
    tables: Ints
    allowed: Words


class Sums(NamedTuple):
    """The sums of a layout, including those in options of disjunctions.

    Sum n has the cells cells[ranges[n]:ranges[n + 1]], one run after the other. A run consists of
    cells that all differ and have the same factor. `factors` has the factor of each item of
    `cells`. `run_starts` and `run_ends` have the range, in `cells`, of the run to which the item
    belongs. targets[n] is the target of sum n with values counted from 0.
    """

    cells: Places
    ranges: Ints
    factors: NDArray[np.int64]
    run_starts: Ints
    run_ends: Ints
    targets: NDArray[np.int64]


class ValueSets(NamedTuple):
    """The value-set constraints of a layout: the values of some cells form one of several sets.

    Constraint n has the cells cells[ranges[n]:ranges[n + 1]]. Its allowed sets, as bit masks, are
    sets[set_ranges[n]:set_ranges[n + 1]].
    """

    cells: Places
    ranges: Ints
    sets: Words
    set_ranges: Ints


class Sandwiches(NamedTuple):
    """The sandwich sums of a layout, including those in options of disjunctions.

    Sets of values are bit masks (bit 0 = value 1). Constraint n has the cells
    cells[ranges[n]:ranges[n + 1]]. A filling is a possible set of values between the two crusts,
    together with the values of the crusts. Fillings are sorted by constraint, then by the number of
    values between the crusts. For constraint n, the fillings with k of these values (k from 0)
    begin at the index first_fillings[ranges[n] + k]. They end before the index
    first_fillings[ranges[n] + k + 1].

    crusts     per constraint: the values that a crust can have
    unchecked  per constraint: the values whose places in the line no full house checks. These are
               all values if the line has fewer cells than the board has values, otherwise none.
    lows       per filling: the value of the lower crust, as a bit
    highs      per filling: the value of the higher crust, as a bit
    inside     per filling: the values between the crusts
    outside    per filling: the values allowed outside the crusts
    """

    cells: Places
    ranges: Ints
    crusts: Words
    unchecked: Words
    first_fillings: Ints
    lows: Words
    highs: Words
    inside: Words
    outside: Words


class FullRanks(NamedTuple):
    """The full-rank clues of a layout.

    A line is a row or a column, read from one side of the grid. On each of the four sides, exactly
    one line starts with a given value. A clue states how many of the three lines on the other sides
    that start with the same value are lower than its own line.

    sides         (4, lines, size): the cells of all lines, by the side where they start
    lines         (clues, size): the cells of the line with the clue
    own_sides     (clues,): the index of the side where this line starts
    comparisons   (clues, 3): the variables that hold how the lines of the other sides compare with
                  it, see `FullRank.answers`
    first_values  (clues,): the first value of the line, as a bit
    lower_lines   (clues,): the number of lower lines with the same first value
    """

    sides: Ints
    lines: Ints
    own_sides: Ints
    comparisons: Ints
    first_values: Words
    lower_lines: Ints


class Disjunctions(NamedTuple):
    """The disjunctions of a layout: `or` constraints, at least one option of which must hold.

    The options of disjunction n are numbered from option_ranges[n] to option_ranges[n + 1] − 1. An
    option consists of domains, related pairs of cells, and propagators that run only when the
    option is tried. Each of the three is a concatenated list with ranges per option.

    first_propagator  the propagator number of the first disjunction
    domain_cells      the cells that options restrict
    domains           parallel to `domain_cells`: the values allowed there, as bits
    pairs             (pairs, 2): the first cell of a pair restricts the second one
    pair_tables       per pair: the index of its relation in `allowed`
    allowed           (tables, size): the values allowed in the second cell, for each of the first
    propagators       the numbers of propagators
    """

    first_propagator: np.int64
    option_ranges: Ints
    domain_cells: Places
    domains: Words
    domain_ranges: Ints
    pairs: Places
    pair_tables: Ints
    pair_ranges: Ints
    allowed: Words
    propagators: Places
    propagator_ranges: Ints


class Tables(NamedTuple):
    """All tables of a layout.

    They are split so that compiled functions receive only the tables that they use. Passing all of
    them would copy hundreds of words per call and take long to compile.

    present           the cells that aren't holes
    peer_words        (planes, cells, words): the peers of each cell as bits. If peers depend on the
                      value, there is a plane per value, and a last plane with the peers that apply
                      to all values. Otherwise, there is one plane.
    conflict_weights  per cell: the initial conflict weight, higher for more constrained cells
    """

    propagators: Propagators
    dependents: Dependents
    present: Ints
    peer_words: Words
    houses: Houses
    relations: Relations
    sums: Sums
    automata: AutomatonTables
    value_sets: ValueSets
    sandwiches: Sandwiches
    full_ranks: FullRanks
    regions: Regions
    disjunctions: Disjunctions
    conflict_weights: NDArray[np.float64]
