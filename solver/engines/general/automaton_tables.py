"""Automata as tables for compiled code."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton
from solver.compiling.arrays import joined, starts
from solver.engines.general.merging import merge


class Moves(NamedTuple):
    """Edges of a layer with the same value that lead equally far, as one move.

    The states of a layer are the bits of a word, the first one bit 0; a move takes those in
    `sources` and turns them to the left, bits that leave the word coming back on the right:

        sources            …001110
        turned by 2        …111000

    Moves are for automata of which no layer has more than 64 states; the others have none.
    """

    ranges: NDArray[np.int32]  # of values in layers, layer by layer
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
    size: int  # how many values there are


def tables_of_automata(
    read: Sequence[tuple[tuple[int, ...], Automaton]], size: int
) -> AutomatonTables:
    """Return the tables of automata that read these cells; equal ones share their states."""
    templates = list(dict.fromkeys(automaton for _, automaton in read))
    merged = [
        merge(each.phases, each.kinds, each.rows, each.steps, each.ends, size) for each in templates
    ]
    first_states = starts(len(each.masks) for each in merged).tolist()
    first_layers = starts(len(each.layers) for each in merged).tolist()
    place_of = {automaton: place for place, automaton in enumerate(templates)}
    places = [place_of[automaton] for _, automaton in read]

    def all_of(field: str, dtype: Any) -> NDArray[Any]:
        arrays = [getattr(each, field) for each in merged]
        return np.concatenate(arrays) if arrays else np.zeros(0, dtype)

    return AutomatonTables(
        *joined([cells for cells, _ in read]),
        np.array([first_states[place] for place in places], np.int32),
        np.array([first_layers[place] for place in places], np.int32),
        all_of("layers", np.uint32),
        all_of("masks", np.uint64),
        starts(all_of("counts", np.int32)),
        all_of("nexts", np.int32),
        Moves(
            starts(all_of("moves", np.int32)),
            all_of("sources", np.uint64),
            all_of("turns", np.uint64),
        ),
        np.array([merged[place].is_narrow for place in places], np.bool_),
        size,
    )
