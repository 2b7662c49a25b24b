"""The tables of a layout for backtracking search.

A grid is one 64-bit word per cell, one bit per candidate:

    bit   63 … 8 7 6 5 4 3 2 1 0
    value 64 … 9 8 7 6 5 4 3 2 1

Lists of unequal length are concatenated, with the range of each, or end with −1.
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
    """The kind of each propagator, its index among those of its kind, and its cells.

    An idempotent propagator needn't run again because of its own changes.
    """

    kinds: NDArray[np.uint8]
    indices: Ints
    is_idempotent: NDArray[np.bool_]
    # The cells that share the weight of a conflict. Full rank and connected regions have none,
    # because they determine which of their many cells failed.
    cells: Places
    ranges: Ints  # per propagator


class Dependents(NamedTuple):
    """The houses, propagators, and relations that a change of a cell schedules.

    A propagator doesn't distinguish its `commons`: if it accepts one of them in a cell, it accepts
    all. It isn't scheduled if the cell lost only some of these values and still has one of them.
    """

    houses: Ints  # per cell (cells, most), ended by −1
    propagators: Places  # per cell
    propagator_ranges: Ints
    commons: Words  # per propagator of each cell
    is_related: NDArray[np.bool_]  # per cell: whether a relation starts there


class Houses(NamedTuple):
    """The full houses: those with as many cells as there are values, as lists and as bits."""

    cells: Places  # (houses, size)
    words: Words  # (houses, words): the same as bits, see `solver.engines.general.graph`
    full: np.uint64  # the domain with all values
    few: np.int64  # most candidates of a value in a house that are checked for locked candidates


class Relations(NamedTuple):
    """Binary relations: allowed[table, value] is the set of values allowed in the other cell."""

    ranges: Ints  # per cell
    others: Places
    tables: Ints
    allowed: Words  # (tables, size)


class Sums(NamedTuple):
    """All sums of a layout. Sum i has the cells in its range, one run after the other.

    A run consists of cells that all differ and have the same factor. `run_starts` and `run_ends`
    are given for each of its cells. Values count from 0, and the targets are adjusted for that.
    """

    cells: Places
    ranges: Ints  # per sum
    factors: NDArray[np.int64]
    run_starts: Ints
    run_ends: Ints
    targets: NDArray[np.int64]  # per sum


class ValueSets(NamedTuple):
    """All value-set constraints of a layout: the values of some cells form one of some sets.

    Constraint n has the cells in its range and the allowed sets in its range.
    """

    cells: Places
    ranges: Ints
    sets: Words
    set_ranges: Ints


class Sandwiches(NamedTuple):
    """The tables of a layout's sandwich sums.

    Sets of values are bit masks (bit 0 = value 1). Constraint n has the cells
    cells[ranges[n]:ranges[n + 1]]. A filling is a possible set of values between the two crusts,
    together with the values of the crusts. Fillings are sorted by constraint, then by the number of
    values between the crusts. For constraint n, the fillings with k of these values (k from 0)
    begin at the index first_fillings[ranges[n] + k]. They end before the index
    first_fillings[ranges[n] + k + 1].
    """

    cells: Places
    ranges: Ints
    crusts: Words  # per constraint: the values that a crust can have
    # per constraint: the values whose places no full house checks: all in short lines, else none
    unchecked: Words
    first_fillings: Ints  # parallel to `cells`
    lows: Words  # per filling: the value of the lower crust
    highs: Words  # per filling: the value of the higher crust
    inside: Words  # per filling: the values between the crusts
    outside: Words  # per filling: the values allowed outside


class FullRanks(NamedTuple):
    """All full-rank clues of a layout: their lines, comparison variables, and lower lines.

    `sides` are all lines of the grid, by the side where they start.
    """

    sides: Ints  # (4, lines, size): the cells of all lines, by side
    lines: Ints  # (clues, size): the cells of the lines with clues
    own_sides: Ints  # per clue: the side where the line starts
    comparisons: Ints  # (clues, 3): the variables that hold the comparison with the other sides
    first_values: Words  # per clue: the first value of the line, as a bit
    lower_lines: Ints  # per clue: the number of lower lines with the same first value


class Disjunctions(NamedTuple):
    """All disjunctions of a layout: constraint n has the options in its range.

    An option restricts the domains of some cells, relates pairs of cells, and has propagators of
    its own, which run only when the option is tried.
    """

    first_propagator: np.int64  # number of the first propagator that is a disjunction
    option_ranges: Ints  # per disjunction
    domain_cells: Places  # the cells that options restrict
    domains: Words  # parallel: their values, as bits
    domain_ranges: Ints  # per option
    pairs: Places  # (pairs, 2): the first cell restricts the second
    pair_tables: Ints  # per pair: the table that holds the allowed values
    pair_ranges: Ints  # per option
    allowed: Words  # (tables, size)
    propagators: Places
    propagator_ranges: Ints  # per option


class Tables(NamedTuple):
    """All tables of a layout.

    They are split so that compiled functions receive only the tables that they use. Passing all of
    them would copy hundreds of words per call and take long to compile.
    """

    propagators: Propagators
    dependents: Dependents
    present: Ints  # the cells that aren't holes
    # (planes, cells, words): peers as bits. If peers depend on the value, there is a plane per
    # value, and the last plane is for all values.
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
    # initial conflict weights per cell: how constrained it is
    conflict_weights: NDArray[np.float64]
