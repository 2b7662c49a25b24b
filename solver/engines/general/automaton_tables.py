"""Automata, unrolled to decision diagrams (MDDs), as arrays for compiled code.

A layer is the set of states before a cell that an automaton reads, or after the last one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton
from solver.compiling.ragged import csr
from solver.engines.general.mdd_reduction import merge_all


class Moves(NamedTuple):
    """The moves of all automata in `AutomatonTables`, as arrays sorted by layer.

    A move stands for edges from one layer of an automaton to the next. A set of states is a 64-bit
    word, in which bit i stands for state i of a layer. With any of the move's `values`, each state
    i in `sources` leads to state i + `turns` (modulo 64) of the next layer. So the word of all
    target states is `sources`, rotated left by `turns`:

        sources            …001110
        rotated by 2       …111000

    ranges   the moves of layer n have the indices ranges[n] to ranges[n + 1] − 1. The layers of all
             automata are numbered consecutively, as in `AutomatonTables.layers`.
    values   per move: the values as bits
    sources  per move: the source states as bits
    turns    per move: the number of bits to rotate by, from 0 to 63

    Only automata whose layers have at most 64 states each have moves. Moves without values fill up
    each layer to a multiple of 8 moves.
    """

    ranges: NDArray[np.int32]
    values: NDArray[np.uint64]
    sources: NDArray[np.uint64]
    turns: NDArray[np.uint64]


class AutomatonTables(NamedTuple):
    """All automata of a layout as arrays, each unrolled to layers of states.

    Automaton n reads the cells cells[ranges[n]:ranges[n + 1]]. Its states begin at first_states[n]
    in `masks` and `starts`. The states of its layer k begin at layers[first_layers[n] + k], counted
    from its first state. After the last layer comes the end state. masks[state] is the set of
    values with an edge, and nexts[starts[state] + k] is the target of the k-th of them, counted
    from the automaton's first state, too:

        layer    0       1 1 1   2        two cells with the sum 4, values 1 to 3:
        state    0       1 2 3   4        layers are 0, 1, and 4
        masks    1,2,3   3 2 1   –        the start takes any value, the state after 1 takes 3 …
        nexts    1,2,3   4 4 4   –        … and leads to the end

    The other arrays have one item per automaton. Sets of values and of states are bit masks:

    is_narrow  whether the automaton has moves
    begins     the states in which its words may begin. For a closed automaton, these are all
               states, and a word must end in the state in which it began.
    commons    the largest set of values that it doesn't distinguish, or 0
    needs      values that every accepted word contains. It is 0 for closed automata, and for those
               that read as many cells as the board has values.
    """

    cells: NDArray[np.uint32]
    ranges: NDArray[np.int32]
    first_states: NDArray[np.int32]
    first_layers: NDArray[np.int32]
    layers: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    starts: NDArray[np.int32]
    nexts: NDArray[np.int32]
    moves: Moves
    is_narrow: NDArray[np.bool_]
    begins: NDArray[np.uint64]
    commons: NDArray[np.uint64]
    needs: NDArray[np.uint64]


def tables_of_automata(
    read: Sequence[tuple[tuple[int, ...], Automaton]], size: int
) -> AutomatonTables:
    """Return the tables of automata, given pairs (cells that the automaton reads, automaton).

    An automaton that occurs in several pairs is unrolled once. `size` is the number of values of
    the board.
    """
    if not read:
        return _NONE
    templates = dict.fromkeys([automaton for _, automaton in read])
    place_of = {automaton: place for place, automaton in enumerate(templates)}
    places = np.array([place_of[automaton] for _, automaton in read])
    own, (layers, masks, firsts, nexts), moves = merge_all(
        np.concatenate([each.phases for each in templates]),
        np.concatenate([each.kinds for each in templates]),
        np.concatenate([each.rows.ravel() for each in templates]),
        np.concatenate([each.steps.ravel() for each in templates]),
        np.concatenate([each.ends for each in templates]),
        np.array([_shape(each) for each in templates]),
    )
    first_states, first_layers, is_narrow, begins, commons, needs = [each[places] for each in own]
    needs[np.array([len({*cells}) >= size for cells, _ in read])] = 0
    return AutomatonTables(
        *csr([cells for cells, _ in read]), first_states, first_layers, layers, masks, firsts,
        nexts, Moves(*moves), is_narrow, begins, commons, needs,
    )  # fmt: skip


def _shape(automaton: Automaton) -> tuple[int, ...]:
    """Return the lengths of an automaton's arrays, and whether it is closed, as one tuple.

    This is a row of `shapes` as `merge_all` needs it.
    """
    phases, kinds = len(automaton.phases), len(automaton.kinds)
    return phases, kinds, *automaton.rows.shape, *automaton.steps.shape, automaton.is_closed


_NO_CELLS = np.zeros(0, np.uint32)
_NO_STATES = np.zeros(0, np.int32)
_NO_WORDS = np.zeros(0, np.uint64)
_BEGINNING = np.zeros(1, np.int32)  # ranges of an empty list
_NONE = AutomatonTables(
    _NO_CELLS, _BEGINNING, _NO_STATES, _NO_STATES, _NO_CELLS, _NO_WORDS, _BEGINNING, _NO_STATES,
    Moves(_BEGINNING, _NO_WORDS, _NO_WORDS, _NO_WORDS), np.zeros(0, np.bool_), _NO_WORDS,
    _NO_WORDS, _NO_WORDS,
)  # fmt: skip
