"""Explain why an automaton removed a candidate, or failed, by earlier removals.

The explanation is a set of removed candidates. Together they block every accepting path through the
automaton that uses the candidate, or every accepting path if the automaton failed.

After G. Gange, P. Stuckey, and R. Szymanek, "MDD propagators with explanation", 2011. A backward
pass uses the domains at the time of the propagation. It marks the states from which the end can be
reached. A forward pass begins at the start state. If a removed value leads to a marked state, the
value is added to the explanation. Other values that were removed above level 0 are treated as if
they were still possible. This keeps the explanation short. Values that were removed at level 0 stay
removed.
"""

import numpy as np

from solver.compiling.bitops import ALL_ONES, ONE, ZERO, ctz, lowest_bit, popcount
from solver.compiling.jit import always_inline
from solver.engines.general.mdd_propagation import backward, forward


@always_inline
def explain_automaton(automaton, removed, before, size, automata, state, scratch):  # type: ignore[no-untyped-def]
    """Write the literals that explain why an automaton removed a candidate, or failed.

    `automaton` is its index. `removed` is the candidate, or −1 if the automaton accepted no word.
    Only removals before position `before` of the trail are considered. The literals are the removed
    candidates that together block all accepting paths, as the module describes. They are written to
    `scratch.explanation`. Returns their number.
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
    """Find the explanation for one start state, with sets of states as bits.

    The automaton has at most 64 states per layer. Only paths are considered that begin in the start
    state and end in the state with the same bit. The literals are appended to
    `scratch.explanation`, unless they are in it already. Their candidates are marked in
    `scratch.taken`, and the caller clears these marks. Returns the new number of literals.

    automaton  the index of the automaton
    begin      the start state, as a bit
    own, only  the cell and the value (as a bit) of the removed candidate, −1 and 0 if the automaton
               failed
    before     only removals before this position of the trail are considered
    size       the number of values
    automata   the tables of all automata
    state      the present state of the search
    number     the number of literals in the explanation so far
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
    """Find the explanation for an automaton with too many states for 64-bit words, state by state.

    The parameters are those of `_cut_by_words`. Returns the number of literals. Candidates in the
    explanation stay marked as taken.
    """
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
    """Append a cell's removed candidates to the explanation, unless they are in it already.

    `values` are their values as bits, and `number` is the number of literals so far. Returns the
    new number.
    """
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
    """Return the domain of a cell at an earlier time of the search, as bits.

    The time is when the trail had `before` literals. A value that was removed later is in the
    domain. A value that had been removed by then is added if `level` is 0 or more, and the value
    was removed at a decision level above `level`. With a `level` of −1, no value is added. `size`
    is the number of values, and `state` is the present state of the search.
    """
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
