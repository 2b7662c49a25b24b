"""Propagation of automata as decision diagrams (MDDs): a forward and a backward pass."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import zeros
from solver.compiling.bitops import ALL_ONES, ONE, ZERO, at_most_one_bit, lowest_bit, popcount
from solver.compiling.jit import always_inline, helper, kernel
from solver.compiling.records import UInt64, record_dtype


class Step(Protocol):
    """A cache for one cell that an automaton reads: the last input and result of both passes.

    Candidates and states are sets of bits.
    """

    word: UInt64  # forward pass: the cell's candidates
    before: UInt64  # and the states before it,
    after: UInt64  # with the result: the states after it
    word_back: UInt64  # backward pass: both again,
    before_back: UInt64
    rest: UInt64  # and the states after it that lead to the end,
    kept: UInt64  # with the results: the candidates in some accepted word
    earlier: UInt64  # and the states before it that lead to the end


STEP = record_dtype(Step)

_WORD, _MOST = np.uint64(64), np.uint64(63)  # bits per word, and the largest rotation


class Supports(NamedTuple):
    """Working memory for the passes through an automaton.

    It holds marks and lists of states, the values found for each cell, and a cache per cell. The
    marks are cleared after each pass.
    """

    reached: NDArray[np.bool_]  # per state
    useful: NDArray[np.bool_]  # per state
    order: NDArray[np.int32]  # the reachable states
    ends: NDArray[np.int32]  # the ranges of the layers in it
    memory: NDArray[np.void]  # per cell of all automata, STEP each
    kept: NDArray[np.uint64]  # per layer: the values in some accepted word
    later: NDArray[np.uint64]  # per layer: its states that lead to the end
    found: NDArray[np.uint64]  # per layer: the values of words with the given start states


@helper
def new_supports(automata):  # type: ignore[no-untyped-def]
    """Allocate working memory for the passes through any of the automata."""
    states, cells = automata.masks.shape[0] + 1, automata.cells.shape[0] + 1
    return Supports(
        zeros(states, np.bool_),
        zeros(states, np.bool_),
        np.empty(states, np.int32),
        np.empty(cells, np.int32),
        np.zeros(cells, STEP),
        np.empty(cells, np.uint64),
        np.empty(cells, np.uint64),
        np.empty(cells, np.uint64),
    )


@always_inline
def propagate_mdd(number, automata, grid, supports):  # type: ignore[no-untyped-def]
    """Write to `supports.kept` the values of each cell that occur in an accepted word.

    `number` is the index of the automaton. Returns False if it accepts no word.
    """
    if automata.is_narrow[number]:
        return _pass_by_words(number, automata, grid, supports)
    return _pass_by_states(number, automata, grid, supports)


@always_inline
def _pass_by_words(number, automata, grid, supports):  # type: ignore[no-untyped-def]
    """Propagate an automaton with all states of a layer in one word, forward and then backward.

    Writes the values of each cell in an accepted word to `supports.kept`, and returns False if
    there is no such word.
    """
    begins = automata.begins[number]
    if begins == ONE:
        return _pass(number, ONE, automata, grid, supports) != ZERO
    # A word of a closed automaton ends in the state where it began.
    return _pass_closed(number, begins, automata, grid, supports)


@kernel
def _pass_closed(number, begins, automata, grid, supports):  # type: ignore[no-untyped-def]
    """Propagate an automaton whose words end in the state where they began.

    `begins` are the possible start states as bits. They are tried one by one, but only until every
    value occurs in a word. Writes these values to `supports.kept`, and returns False if there is no
    word.
    """
    kept, found, missing = supports.kept, supports.found, supports.later
    left = _pass(number, begins, automata, grid, supports)
    while left != begins and left != ZERO:
        begins = left
        left = _pass(number, begins, automata, grid, supports)
    if at_most_one_bit(left) or left == ZERO:
        return left != ZERO
    length = automata.ranges[number + 1] - automata.ranges[number]
    for j in range(length):
        missing[j] = kept[j]
        found[j] = ZERO
    some = ALL_ONES  # a support is missing
    while left != ZERO and some != ZERO:
        bit = lowest_bit(left)
        left ^= bit
        if _pass(number, bit, automata, grid, supports) != ZERO:
            some = ZERO
            for j in range(length):
                found[j] |= kept[j]
                missing[j] &= ~kept[j]
                some |= missing[j]
    for j in range(length):
        kept[j] = found[j]
    return found[0] != ZERO


@always_inline
def _pass(number, begins, automata, grid, supports):  # type: ignore[no-untyped-def]
    """Write the values on paths from some start states back to any of these to `supports.kept`.

    `begins` are these states as bits. Returns those in which such a path begins; if there is none,
    nothing is written.
    """
    # Most cells have the same input as the last time, so the results are cached per cell. Of the
    # values that the automaton doesn't distinguish, the least one stands for all of them there.
    common = automata.commons[number]
    least = common & (~common + ONE)
    memory = supports.memory
    start = automata.ranges[number]
    length = automata.ranges[number + 1] - start
    layer = automata.first_layers[number]
    here = begins
    for k in range(start, start + length):
        word = grid[automata.cells[k]]
        if word & common != ZERO:
            word = (word & ~common) | least
        step: Step = memory[k]
        if step.word != word or step.before != here:
            step.word = word
            step.before = here
            step.after = forward(word, here, layer, automata.moves)
        here = step.after
        layer += 1
    here &= begins
    if here == ZERO:
        return ZERO
    for j in range(length - 1, -1, -1):
        step = memory[start + j]
        layer -= 1
        word, before = step.word, step.before
        known = step.word_back == word and step.before_back == before
        if not known or step.rest != here:
            step.word_back = word
            step.before_back = before
            step.rest = here
            step.kept, step.earlier = backward(word, before, here, layer, automata.moves)
        supports.kept[j] = step.kept & grid[automata.cells[start + j]]
        here = step.earlier
    return here


@always_inline
def forward(word, here, layer, moves):  # type: ignore[no-untyped-def]
    """Return the states after a cell with the values `word`, from the states `here`.

    `layer` is the index of the cell's layer in `moves`. All sets are bits.
    """
    # All moves are made, with no source state for the values that are gone. That is faster than
    # selecting the remaining ones. Positions are unsigned, so that compiled code doesn't test for
    # negative indices.
    after = ZERO
    for i in range(np.uint64(moves.ranges[layer]), np.uint64(moves.ranges[layer + 1])):
        source = moves.sources[i] if moves.values[i] & word != ZERO else ZERO
        turn = moves.turns[i]
        source &= here
        after |= (source << turn) | (source >> ((_WORD - turn) & _MOST))
    return after


@always_inline
def backward(word, before, rest, layer, moves):  # type: ignore[no-untyped-def]
    """Return the values and the states before a cell from which the states `rest` are reached.

    Both are sets of bits, taken from the cell's values `word` and the states `before`. Values that
    a move shares with a value in `word` are returned as well, even if they aren't in `word`.
    `layer` is the index of the cell's layer in `moves`.
    """
    kept, earlier = ZERO, ZERO
    for i in range(np.uint64(moves.ranges[layer]), np.uint64(moves.ranges[layer + 1])):
        source = moves.sources[i] if moves.values[i] & word != ZERO else ZERO
        turn = moves.turns[i]
        source &= before & ((rest >> turn) | (rest << ((_WORD - turn) & _MOST)))
        kept |= moves.values[i] if source != ZERO else ZERO
        earlier |= source
    return kept, earlier


@always_inline
def _pass_by_states(number, automata, grid, supports):  # type: ignore[no-untyped-def]
    """Propagate an automaton state by state through the reachable states.

    A forward pass finds these states, a backward pass the values that lead on to the end. Writes
    the values to `supports.kept`, and returns False if the end isn't reachable.
    """
    masks, starts, nexts = automata.masks, automata.starts, automata.nexts
    reached, useful = supports.reached, supports.useful
    order, ends = supports.order, supports.ends
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
                after = nexts[starts[source] + popcount(mask & (lowest_bit(left) - ONE))]
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
                    bit = lowest_bit(left)
                    left ^= bit
                    if useful[nexts[starts[source] + popcount(mask & (bit - ONE))]]:
                        kept |= bit
                        useful[order[i]] = True
            supports.kept[j] = kept
    for i in range(end):
        reached[order[i]] = False
        useful[order[i]] = False
    return alive
