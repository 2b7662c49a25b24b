"""The walk through an automaton, forth and back, that both searches do."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bits import ALL, ONE, ZERO, count, first_bit, is_single
from solver.compiling.jit import bare, inlined, inner

# What was asked last of a cell that an automaton reads, as sets of values and of states.
STEP = np.dtype(
    [
        ("word", np.uint64),  # forth: the candidates of the cell
        ("before", np.uint64),  # and the states before it,
        ("after", np.uint64),  # which answered: the states after it
        ("word_back", np.uint64),  # back: both once more,
        ("before_back", np.uint64),
        ("rest", np.uint64),  # and the states after it that lead to the end,
        ("kept", np.uint64),  # which answered: the candidates that some word has
        ("earlier", np.uint64),  # and the states before it that lead to the end
    ],
    align=True,
)

_WORD, _MOST = np.uint64(64), np.uint64(63)  # bits, and how far they are turned at most


class Ways(NamedTuple):
    """Room to walk through an automaton."""

    reached: NDArray[np.bool_]  # of its states
    useful: NDArray[np.bool_]  # of its states
    order: NDArray[np.int32]  # the states that can be reached
    ends: NDArray[np.int32]  # of the layers in it
    memory: NDArray[np.void]  # of the cells of all automata, STEP each
    kept: NDArray[np.uint64]  # of the layers: the values that some word has
    later: NDArray[np.uint64]  # of the layers: their states that lead to the end
    found: NDArray[np.uint64]  # of the layers: the values of words that begin in some states


@inner
def new_ways(automata):  # type: ignore[no-untyped-def]
    """Return room for the largest of the automata, and more."""
    states, cells = automata.masks.shape[0] + 1, automata.cells.shape[0] + 1
    return Ways(
        np.zeros(states, np.bool_),
        np.zeros(states, np.bool_),
        np.empty(states, np.int32),
        np.empty(cells, np.int32),
        np.zeros(cells, STEP),
        np.empty(cells, np.uint64),
        np.empty(cells, np.uint64),
        np.empty(cells, np.uint64),
    )


@inlined
def walk(number, automata, grid, ways):  # type: ignore[no-untyped-def]
    """Find for each cell that an automaton reads what some word has; False if there is no word."""
    if automata.is_narrow[number]:
        return _walk_by_words(number, automata, grid, ways)
    return _walk_by_states(number, automata, grid, ways)


@inlined
def _walk_by_words(number, automata, grid, ways):  # type: ignore[no-untyped-def]
    """Do so for all states of a layer at once, forth and then back.

    A word ends where it began. Where it may begin in several states, what ways have in common is
    not seen until all but those are gone that lead back to some of them; then each is tried.
    """
    begins = automata.begins[number]
    if begins == ONE:
        return _pass(number, ONE, automata, grid, ways) != ZERO
    return _go_round(number, begins, automata, grid, ways)


@bare
def _go_round(number, begins, automata, grid, ways):  # type: ignore[no-untyped-def]
    """Do so for an automaton that is closed.

    Of the states where words may begin no more are tried than it takes to find all values.
    """
    kept, found, missing = ways.kept, ways.found, ways.later
    left = _pass(number, begins, automata, grid, ways)
    while left != begins and left != ZERO:
        begins = left
        left = _pass(number, begins, automata, grid, ways)
    if is_single(left) or left == ZERO:
        return left != ZERO
    length = automata.ranges[number + 1] - automata.ranges[number]
    for j in range(length):
        missing[j] = kept[j]
        found[j] = ZERO
    some = ALL  # is missing
    while left != ZERO and some != ZERO:
        bit = first_bit(left)
        left ^= bit
        if _pass(number, bit, automata, grid, ways) != ZERO:
            some = ZERO
            for j in range(length):
                found[j] |= kept[j]
                missing[j] &= ~kept[j]
                some |= missing[j]
    for j in range(length):
        kept[j] = found[j]
    return found[0] != ZERO


@inlined
def _pass(number, begins, automata, grid, ways):  # type: ignore[no-untyped-def]
    """Find what ways have that begin and end in some states; return where they begin.

    Most cells are asked the same as the last time: their answers stand in the memory. Of the
    values that are one to the automaton the least stands for all of them there.
    """
    common = automata.commons[number]
    least = common & (~common + ONE)
    memory = ways.memory
    start = automata.ranges[number]
    length = automata.ranges[number + 1] - start
    layer = automata.first_layers[number]
    here = begins
    for k in range(start, start + length):
        word = grid[automata.cells[k]]
        if word & common != ZERO:
            word = (word & ~common) | least
        step = memory[k]
        if step.word != word or step.before != here:
            step.word = word
            step.before = here
            step.after = forth(word, here, layer, automata.moves)
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
            step.kept, step.earlier = back(word, before, here, layer, automata.moves)
        ways.kept[j] = step.kept & grid[automata.cells[start + j]]
        here = step.earlier
    return here


@inlined
def forth(word, here, layer, moves):  # type: ignore[no-untyped-def]
    """Return the states after a cell.

    All moves are made, those of values that are gone from no state: that is sooner done than to
    look for the others. Places are unsigned, or else they might count from the end.
    """
    after = ZERO
    for i in range(np.uint64(moves.ranges[layer]), np.uint64(moves.ranges[layer + 1])):
        source = moves.sources[i] if moves.values[i] & word != ZERO else ZERO
        turn = moves.turns[i]
        source &= here
        after |= (source << turn) | (source >> ((_WORD - turn) & _MOST))
    return after


@inlined
def back(word, before, rest, layer, moves):  # type: ignore[no-untyped-def]
    """Return (the candidates of a cell that lead to the rest, the states that they lead from).

    What stands for the same moves as a candidate comes with it.
    """
    kept, earlier = ZERO, ZERO
    for i in range(np.uint64(moves.ranges[layer]), np.uint64(moves.ranges[layer + 1])):
        source = moves.sources[i] if moves.values[i] & word != ZERO else ZERO
        turn = moves.turns[i]
        source &= before & ((rest >> turn) | (rest << ((_WORD - turn) & _MOST)))
        kept |= moves.values[i] if source != ZERO else ZERO
        earlier |= source
    return kept, earlier


@inlined
def _walk_by_states(number, automata, grid, ways):  # type: ignore[no-untyped-def]
    """Do so for the states that can be reached, layer by layer, forth and then back."""
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
