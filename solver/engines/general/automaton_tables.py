"""Automata as tables for compiled code."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton
from solver.compiling.arrays import joined, starts


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
    by_state = [_by_state(automaton) for automaton in templates]
    layers, layer_ranges = joined([_layers(automaton) for automaton in templates])
    places = zip(starts(each.states for each in templates), layer_ranges, strict=True)
    place_of = dict(zip(templates, places, strict=False))
    places_read = [place_of[automaton] for _, automaton in read]
    moves = [_moves(automaton, size) for automaton in templates]
    return AutomatonTables(
        *joined([cells for cells, _ in read]),
        np.array([state for state, _ in places_read], np.int32),
        np.array([layer for _, layer in places_read], np.int32),
        layers,
        np.concatenate([np.zeros(0, np.uint64), *(masks for masks, _, _ in by_state)]),
        starts(np.concatenate([np.zeros(0, np.int32), *(counts for _, counts, _ in by_state)])),
        np.concatenate([np.zeros(0, np.int32), *(nexts for _, _, nexts in by_state)]),
        Moves(
            starts(np.concatenate([np.zeros(0, np.int64), *(counts for counts, *_ in moves)])),
            np.concatenate([np.zeros(0, np.uint64), *(sources for _, sources, _ in moves)]),
            np.concatenate([np.zeros(0, np.uint64), *(turns for *_, turns in moves)]),
        ),
        np.array([_is_narrow(automaton) for _, automaton in read], np.bool_),
        size,
    )


def _layers(automaton: Automaton) -> list[int]:
    """Return the first state of each layer, and the last state."""
    empty = automaton.states - 1
    return [int(edges[0, 0]) if len(edges) else empty for edges in automaton.layers] + [empty]


@lru_cache(maxsize=256)
def _by_state(
    automaton: Automaton,
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.int32]]:
    """Return for each state the values that lead on, how many, and where they lead to."""
    edges = np.concatenate(automaton.layers)
    edges = edges[np.lexsort((edges[:, 1], edges[:, 0]))]
    masks = np.zeros(automaton.states, np.uint64)
    np.bitwise_or.at(masks, edges[:, 0], np.uint64(1) << edges[:, 1].astype(np.uint64))
    counts = np.bincount(edges[:, 0], minlength=automaton.states).astype(np.int32)
    return masks, counts, edges[:, 2].copy()


@lru_cache(maxsize=256)
def _is_narrow(automaton: Automaton) -> bool:
    return bool(max(np.diff(_layers(automaton)), default=0) <= 64)


@lru_cache(maxsize=256)
def _moves(
    automaton: Automaton, size: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64]]:
    """Return how many moves each value of each layer has, and their sources and turns."""
    layers = len(automaton.layers)
    edges = np.concatenate(automaton.layers).astype(np.int64)
    if len(edges) == 0 or not _is_narrow(automaton):
        return np.zeros((layers + 1) * size, np.int64), *(np.zeros(0, np.uint64),) * 2
    firsts = np.array(_layers(automaton))
    layer = np.repeat(np.arange(layers), [*map(len, automaton.layers)])
    sources = edges[:, 0] - firsts[layer]
    turns = (edges[:, 2] - firsts[layer + 1] - sources) % 64
    keys = (layer * size + edges[:, 1]) * 64 + turns
    order = np.argsort(keys, kind="stable")
    heads = np.flatnonzero(np.diff(keys[order], prepend=-1))
    move_keys = keys[order[heads]]
    return (
        np.bincount(move_keys // 64, minlength=(layers + 1) * size),
        np.bitwise_or.reduceat(np.uint64(1) << sources[order].astype(np.uint64), heads),
        (move_keys % 64).astype(np.uint64),
    )
