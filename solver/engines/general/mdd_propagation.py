"""Propagation of automata as decision diagrams (MDDs): a forward and a backward pass.

A layer is the set of states before a cell that the automaton reads. A word is a sequence of values
of these cells.
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import zeros
from solver.compiling.bitops import ALL_ONES, ONE, ZERO, at_most_one_bit, lowest_bit, popcount
from solver.compiling.jit import always_inline, helper, kernel
from solver.compiling.records import UInt64, record_dtype


class Step(Protocol):
    """A cache for one cell that an automaton reads: the last input and result of both passes.

    Candidates and states are sets, as bits.

    word         input of the forward pass: the cell's candidates
    before       input of the forward pass: the states before the cell
    after        result of the forward pass: the states after the cell
    word_back    input of the backward pass: the cell's candidates
    before_back  input of the backward pass: the states before the cell
    rest         input of the backward pass: the states after the cell that can reach the end
    kept         result of the backward pass: the candidates in some accepted word
    earlier      result of the backward pass: the states before the cell that can reach the end
    """

    word: UInt64
    before: UInt64
    after: UInt64
    word_back: UInt64
    before_back: UInt64
    rest: UInt64
    kept: UInt64
    earlier: UInt64


STEP = record_dtype(Step)

_WORD, _MOST = np.uint64(64), np.uint64(63)  # bits per word, and the largest rotation


class Supports(NamedTuple):
    """Working memory for the passes through an automaton.

    reached  per state of the automaton: whether the forward pass reached it, cleared after the pass
    useful   per state of the automaton: whether the end can be reached, cleared after the pass
    order    the reached states, layer by layer
    ends     per layer: where its states end in `order`
    memory   per cell of all automata: the cached results, each of the type STEP
    kept     the result: per cell of the automaton, its values in some accepted word
    later    per layer: its states from which the end can be reached, for explanations
    found    per cell: the values in words from the start states that have been tried
    """

    reached: NDArray[np.bool_]
    useful: NDArray[np.bool_]
    order: NDArray[np.int32]
    ends: NDArray[np.int32]
    memory: NDArray[np.void]
    kept: NDArray[np.uint64]
    later: NDArray[np.uint64]
    found: NDArray[np.uint64]


@helper
def new_supports(automata):  # type: ignore[no-untyped-def]
    """Allocate working memory for the passes through any of the automata (`AutomatonTables`)."""
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
    """Write to `supports.kept`, per cell, the candidates that occur in an accepted word.

    `number` is the index of the automaton, and `grid` has the domains of all cells. Returns False
    if the automaton accepts no word, in which case `supports.kept` is meaningless.
    """
    if automata.is_narrow[number]:
        return _pass_by_words(number, automata, grid, supports)
    return _pass_by_states(number, automata, grid, supports)


@always_inline
def _pass_by_words(number, automata, grid, supports):  # type: ignore[no-untyped-def]
    """Propagate an automaton with all states of a layer in one 64-bit word.

    Writes the candidates of each cell in an accepted word to `supports.kept`. Returns False if
    there is no such word.
    """
    begins = automata.begins[number]
    if begins == ONE:
        return _pass(number, ONE, automata, grid, supports) != ZERO
    # A word of a closed automaton ends in the state where it began.
    return _pass_closed(number, begins, automata, grid, supports)


@kernel
def _pass_closed(number, begins, automata, grid, supports):  # type: ignore[no-untyped-def]
    """Propagate an automaton whose words end in the state in which they began.

    `begins` are the possible start states as bits. They are tried one by one, but only until every
    candidate is known to occur in a word. Writes the candidates of each cell that occur in an
    accepted word to `supports.kept`. Returns False if there is no accepted word.
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
    """Write the candidates on paths that begin and end in states of the same set, as bits.

    `begins` is the set. A path may end in another state of the set than it began. The candidates
    are written to `supports.kept`. Returns the states in which such paths begin. If there is no
    path, returns 0, and `supports.kept` is unchanged.
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
    """Return the states that a cell's candidates `word` lead to from the states `here`.

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

    The values are taken from the cell's candidates `word`, and the states from `before`. Values
    that a move shares with a value in `word` are returned as well, even if they aren't in `word`.
    `layer` is the index of the cell's layer in `moves`. All sets are bits.
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
    """Propagate an automaton with too many states for 64-bit words, state by state.

    A forward pass finds the reachable states, and a backward pass finds the candidates from which
    the end can be reached. Writes these to `supports.kept`. Returns False if the end isn't
    reachable.
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
