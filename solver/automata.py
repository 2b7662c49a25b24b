"""Automata as tables for compiled code, and the walk through one that both searches do."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.arrays import joined, starts
from solver.automaton import Automaton
from solver.bits import ONE, ZERO, count, first_bit
from solver.compiled import inlined, inner


class Automata(NamedTuple):
    """Automata as compiled code wants them; the n-th reads the cells in its range.

    Its states begin at first_states[n], those of its layers at layers[first_layers[n] + layer],
    counted in the automaton; behind its last layer comes the last state. masks[state] are the
    values that lead on; nexts[starts[state] + k] is where the k-th of them leads to.
    """

    cells: NDArray[np.int32]
    ranges: NDArray[np.int32]  # of automata
    first_states: NDArray[np.int32]  # of automata
    first_layers: NDArray[np.int32]  # of automata
    layers: NDArray[np.int32]
    masks: NDArray[np.uint64]
    starts: NDArray[np.int32]
    nexts: NDArray[np.int32]


def automata_of(read: Sequence[tuple[tuple[int, ...], Automaton]]) -> Automata:
    """Return the tables of automata that read these cells; equal ones share their states."""
    templates = list(dict.fromkeys(automaton for _, automaton in read))
    by_state = [_by_state(automaton) for automaton in templates]
    layers, layer_ranges = joined([_layers(automaton) for automaton in templates])
    places = zip(starts(one.states for one in templates), layer_ranges, strict=True)
    place_of = dict(zip(templates, places, strict=False))
    places_read = [place_of[automaton] for _, automaton in read]
    return Automata(
        *joined([cells for cells, _ in read]),
        np.array([state for state, _ in places_read], np.int32),
        np.array([layer for _, layer in places_read], np.int32),
        layers,
        np.concatenate([np.zeros(0, np.uint64), *(masks for masks, _, _ in by_state)]),
        starts(np.concatenate([np.zeros(0, np.int32), *(counts for _, counts, _ in by_state)])),
        np.concatenate([np.zeros(0, np.int32), *(nexts for _, _, nexts in by_state)]),
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


class Ways(NamedTuple):
    """Room to walk through an automaton."""

    reached: NDArray[np.bool_]  # of its states
    useful: NDArray[np.bool_]  # of its states
    order: NDArray[np.int32]  # the states that can be reached
    ends: NDArray[np.int32]  # of the layers in it
    kept: NDArray[np.uint64]  # of the layers: the values that some word has


@inner
def new_ways(automata):  # type: ignore[no-untyped-def]
    """Return room for the largest of the automata, and more."""
    states, cells = automata.masks.shape[0] + 1, automata.cells.shape[0] + 1
    return Ways(
        np.zeros(states, np.bool_),
        np.zeros(states, np.bool_),
        np.empty(states, np.int32),
        np.empty(cells, np.int32),
        np.empty(cells, np.uint64),
    )


@inlined
def walk(number, automata, grid, ways):  # type: ignore[no-untyped-def]
    """Find for each cell that an automaton reads what some word has; False if there is no word.

    Only states that can be reached are looked at, layer by layer, forth and then back.
    """
    masks, starts, nexts = automata.masks, automata.starts, automata.nexts
    reached, useful = ways.reached, ways.useful
    order, ends = ways.order, ways.ends
    start = automata.ranges[number]
    length = automata.ranges[number + 1] - start
    base = automata.first_states[number]
    order[0] = 0
    ends[0] = 0
    begin, end = 0, 1
    for j in range(length):
        word = grid[automata.cells[start + j]]
        ends[j + 1] = end
        size = end
        for i in range(begin, end):
            source = base + order[i]
            mask = masks[source]
            left = mask & word
            while left != ZERO:
                after = nexts[starts[source] + count(mask & (first_bit(left) - ONE))]
                left &= left - ONE
                if not reached[after]:
                    reached[after] = True
                    order[size] = after
                    size += 1
        begin, end = end, size
    alive = end > begin
    if alive:
        useful[order[begin]] = True
        for j in range(length - 1, -1, -1):
            word = grid[automata.cells[start + j]]
            kept = ZERO
            for i in range(ends[j], ends[j + 1]):
                source = base + order[i]
                mask = masks[source]
                left = mask & word
                while left != ZERO:
                    bit = first_bit(left)
                    left ^= bit
                    if useful[nexts[starts[source] + count(mask & (bit - ONE))]]:
                        kept |= bit
                        useful[order[i]] = True
            ways.kept[j] = kept
    for i in range(end):
        reached[order[i]] = False
        useful[order[i]] = False
    return alive
