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
    commons: NDArray[np.uint64]  # of automata: the values that are one to it, the most; or none
    needs: NDArray[np.uint64]  # of automata of few cells: the values that each word has
    size: int  # how many values there are


def tables_of_automata(
    read: Sequence[tuple[tuple[int, ...], Automaton]], size: int
) -> AutomatonTables:
    """Return the tables of automata that read these cells; equal ones share their states."""
    if not read:
        return _NONE._replace(size=size)
    templates = list(dict.fromkeys(automaton for _, automaton in read))
    merged = [
        merge(each.phases, each.kinds, each.rows, each.steps, each.ends, size) for each in templates
    ]
    first_states = starts(len(each.masks) for each in merged).tolist()
    first_layers = starts(len(each.layers) for each in merged).tolist()
    place_of = {automaton: place for place, automaton in enumerate(templates)}
    places = [place_of[automaton] for _, automaton in read]

    def all_of(field: str) -> NDArray[Any]:
        return np.concatenate([getattr(each, field) for each in merged])

    return AutomatonTables(
        *joined([cells for cells, _ in read]),
        np.array([first_states[place] for place in places], np.int32),
        np.array([first_layers[place] for place in places], np.int32),
        all_of("layers"),
        all_of("masks"),
        starts(all_of("counts")),
        all_of("nexts"),
        Moves(
            starts(all_of("moves")),
            all_of("sources"),
            all_of("turns"),
        ),
        np.array([merged[place].is_narrow for place in places], np.bool_),
        np.array([*map(_common, templates)], np.uint64)[places],
        np.array(
            [
                merged[place].needs if len({*cells}) < size else 0
                for place, (cells, _) in zip(places, read, strict=True)
            ],
            np.uint64,
        ),
        size,
    )


def _common(automaton: Automaton) -> int:
    """Return the values that are one to an automaton, the most there are, as bits; 0 if none."""
    kinds = automaton.kinds.tolist()
    kind = max(kinds, key=kinds.count)
    values = [value for value, own in enumerate(kinds) if own == kind]
    return sum([1 << value for value in values]) if len(values) > 1 else 0


_NO_CELLS = np.zeros(0, np.uint32)
_NO_STATES = np.zeros(0, np.int32)
_NO_WORDS = np.zeros(0, np.uint64)
_BEGINNING = np.zeros(1, np.int32)  # of nothing
_NONE = AutomatonTables(
    _NO_CELLS, _BEGINNING, _NO_STATES, _NO_STATES, _NO_CELLS, _NO_WORDS, _BEGINNING, _NO_STATES,
    Moves(_BEGINNING, _NO_WORDS, _NO_WORDS), np.zeros(0, np.bool_), _NO_WORDS, _NO_WORDS, 0,
)  # fmt: skip
