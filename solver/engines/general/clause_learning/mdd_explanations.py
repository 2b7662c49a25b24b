"""Explanations of automaton propagation: removed candidates that cut every path through it.

After G. Gange, P. Stuckey, and R. Szymanek, "MDD propagators with explanation", 2011. A backward
pass marks the states from which the end can be reached with the domains as they were. A forward
pass from the first state then adds a removed value to the explanation only if it would lead to a
marked state, and lets the others pass, so that the explanation stays short.
"""

import numpy as np

from solver.compiling.bitops import ALL_ONES, ONE, ZERO, ctz, lowest_bit, popcount
from solver.compiling.jit import always_inline
from solver.engines.general.mdd_propagation import backward, forward


@always_inline
def explain_automaton(automaton, removed, before, size, automata, state, scratch):  # type: ignore[no-untyped-def]
    """Write why an automaton removed a candidate, or failed (−1); return the number of literals.

    The literals are of candidates that were removed earlier in the trail. They suffice to cut every
    path from the first state to the last one (that uses the candidate).
    """
    own = removed // size if removed >= 0 else -1
    only = ONE << np.uint64(removed - own * size) if removed >= 0 else ZERO
    number = 0
    if automata.is_narrow[automaton]:
        begins = automata.begins[automaton]
        while begins != ZERO:
            begin = lowest_bit(begins)
            begins ^= begin
            number = _cut_by_words(
                automaton, begin, own, only, before, size, automata, state, scratch, number
            )
    else:
        number = _cut_by_states(automaton, own, only, before, size, automata, state, scratch)
    for i in range(number):
        scratch.taken[scratch.explanation[i] >> 1] = False
    return number


@always_inline
def _cut_by_words(  # type: ignore[no-untyped-def]
    automaton, begin, own, only, before, size, automata, state, scratch, number
):
    """Explain with all states of a layer in one word; the candidates stay marked as taken.

    The paths are those from one state of the first layer to the same state of the last. The
    literals are appended to those of other start states.
    """
    later, moves = scratch.supports.later, automata.moves
    start = automata.ranges[automaton]
    length = automata.ranges[automaton + 1] - start
    layer = automata.first_layers[automaton]
    rest = begin
    for j in range(length - 1, -1, -1):
        later[j + 1] = rest
        cell = automata.cells[start + j]
        word = only if cell == own else _left(cell, size, before, -1, state)
        _, rest = backward(word, ALL_ONES, rest, layer + j, moves)
    here = begin
    for j in range(length):
        cell = automata.cells[start + j]
        follow = only
        if cell != own:
            every = _left(cell, size, before, 0, state)
            gone = every & ~_left(cell, size, before, -1, state)
            cut, _ = backward(gone, here, later[j + 1], layer + j, moves)
            cut &= gone
            number = _take(cell, cut, size, number, scratch)
            follow = every & ~cut
        here = forward(follow, here, layer + j, moves)
        if here == ZERO:
            break
    return number


@always_inline
def _cut_by_states(automaton, own, only, before, size, automata, state, scratch):  # type: ignore[no-untyped-def]
    """Explain state by state; the candidates stay marked as taken."""
    masks, starts, nexts = automata.masks, automata.starts, automata.nexts
    reached, useful = scratch.supports.reached, scratch.supports.useful
    start = automata.ranges[automaton]
    length = automata.ranges[automaton + 1] - start
    layers = automata.layers[automata.first_layers[automaton] :]
    base = automata.first_states[automaton]
    last = layers[length]
    useful[last] = True
    for j in range(length - 1, -1, -1):
        cell = automata.cells[start + j]
        word = only if cell == own else _left(cell, size, before, -1, state)
        for source in range(layers[j], layers[j + 1]):
            mask = masks[base + source]
            left = mask & word
            while left != ZERO:
                edge = starts[base + source] + popcount(mask & (lowest_bit(left) - ONE))
                left &= left - ONE
                if useful[nexts[edge]]:
                    useful[source] = True
                    break
    number = 0
    reached[0] = True
    for j in range(length):
        cell = automata.cells[start + j]
        cut = ZERO
        if cell == own:
            follow = only
        else:
            for source in range(layers[j], layers[j + 1]):
                if reached[source]:
                    mask = masks[base + source]
                    left = mask & ~cut
                    while left != ZERO:
                        bit = lowest_bit(left)
                        left ^= bit
                        edge = starts[base + source] + popcount(mask & (bit - ONE))
                        if useful[nexts[edge]]:
                            cut |= bit
            number = _take(cell, cut, size, number, scratch)
            follow = _left(cell, size, before, 0, state) & ~cut
        for source in range(layers[j], layers[j + 1]):
            if reached[source]:
                mask = masks[base + source]
                left = mask & follow
                while left != ZERO:
                    edge = starts[base + source] + popcount(mask & (lowest_bit(left) - ONE))
                    left &= left - ONE
                    reached[nexts[edge]] = True
    for i in range(last + 1):
        reached[i] = False
        useful[i] = False
    return number


@always_inline
def _take(cell, values, size, number, scratch):  # type: ignore[no-untyped-def]
    """Append literals for removed candidates; return the new number of literals."""
    while values != ZERO:
        bit = lowest_bit(values)
        values ^= bit
        candidate = cell * size + ctz(bit)
        if not scratch.taken[candidate]:
            scratch.taken[candidate] = True
            scratch.explanation[number] = 2 * candidate
            number += 1
    return number


@always_inline
def _left(cell, size, before, level, state):  # type: ignore[no-untyped-def]
    """Return a cell's domain at a place in the trail, with all values removed after a level."""
    word = state.grid[cell]
    gone = ~word & (ALL_ONES >> np.uint64(64 - size))
    while gone != ZERO:
        bit = lowest_bit(gone)
        gone ^= bit
        candidate = cell * size + ctz(bit)
        out = state.facts[candidate].place < before
        if not out or (level >= 0 and state.facts[candidate].level > level):
            word |= bit
    return word
