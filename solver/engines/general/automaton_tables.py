"""Automata as tables for compiled code."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton
from solver.compiling.arrays import joined
from solver.engines.general.mdd_reduction import merge_all


class Moves(NamedTuple):
    """Edges of a layer with the same values that lead equally far, as one move.

    The states of a layer are the bits of a word, the first one bit 0; a move takes those in
    `sources` and turns them to the left, bits that leave the word coming back on the right. It
    stands for any of its `values`:

        sources            …001110
        turned by 2        …111000

    Moves are for automata of which no layer has more than 64 states; the others have none.
    """

    ranges: NDArray[np.int32]  # of layers
    values: NDArray[np.uint64]
    sources: NDArray[np.uint64]
    turns: NDArray[np.uint64]


class AutomatonTables(NamedTuple):
    """Automata as compiled code wants them; the n-th reads the cells in its range.

    Its states begin at first_states[n], those of its layers at layers[first_layers[n] + layer],
    counted in the automaton; behind its last layer comes the last state. masks[state] are the
    values that lead on; nexts[starts[state] + k] is where the k-th of them leads to:

        layer    0       1 1 1   2        two cells that add up to 4, values 1 to 3:
        state    0       1 2 3   4        layers are 0, 1 and 4
        masks    1,2,3   3 2 1   –        the start takes any value, what came of 1 takes 3 …
        nexts    1,2,3   4 4 4   –        … and leads to the end
    """

    cells: NDArray[np.uint32]
    ranges: NDArray[np.int32]  # of automata
    first_states: NDArray[np.int32]  # of automata
    first_layers: NDArray[np.int32]  # of automata
    layers: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    starts: NDArray[np.int32]
    nexts: NDArray[np.int32]
    moves: Moves
    is_narrow: NDArray[np.bool_]  # of automata: whether they have moves
    begins: NDArray[np.uint64]  # of automata: the states where a word begins and ends, as bits
    commons: NDArray[np.uint64]  # of automata: the values that are one to it, the most; or none
    needs: NDArray[np.uint64]  # of automata of few cells: the values that each word has


def tables_of_automata(
    read: Sequence[tuple[tuple[int, ...], Automaton]], size: int
) -> AutomatonTables:
    """Return the tables of automata that read these cells; equal ones share their states."""
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
        *joined([cells for cells, _ in read]), first_states, first_layers, layers, masks, firsts,
        nexts, Moves(*moves), is_narrow, begins, commons, needs,
    )  # fmt: skip


def _shape(automaton: Automaton) -> tuple[int, ...]:
    """Return the lengths of its arrays, and whether it is closed."""
    phases, kinds = len(automaton.phases), len(automaton.kinds)
    return phases, kinds, *automaton.rows.shape, *automaton.steps.shape, automaton.is_closed


_NO_CELLS = np.zeros(0, np.uint32)
_NO_STATES = np.zeros(0, np.int32)
_NO_WORDS = np.zeros(0, np.uint64)
_BEGINNING = np.zeros(1, np.int32)  # of nothing
_NONE = AutomatonTables(
    _NO_CELLS, _BEGINNING, _NO_STATES, _NO_STATES, _NO_CELLS, _NO_WORDS, _BEGINNING, _NO_STATES,
    Moves(_BEGINNING, _NO_WORDS, _NO_WORDS, _NO_WORDS), np.zeros(0, np.bool_), _NO_WORDS,
    _NO_WORDS, _NO_WORDS,
)  # fmt: skip
