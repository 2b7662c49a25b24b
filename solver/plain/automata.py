"""Automata in plain search."""

from solver.bits import ONE, ZERO, count, first_bit
from solver.compiled import inlined
from solver.plain.state import reduce


@inlined
def run(automaton, automata, ways, board, work):  # type: ignore[no-untyped-def]
    """Remove the values that no word of an automaton has; False if there is no word.

    Only states that can be reached are looked at, layer by layer, forth and then back.
    """
    masks, starts, nexts = automata.masks, automata.starts, automata.nexts
    reached, useful = ways.reached, ways.useful
    order, ends = ways.order, ways.ends
    start = automata.ranges[automaton]
    length = automata.ranges[automaton + 1] - start
    base = automata.first_states[automaton]
    order[0] = 0
    ends[0] = 0
    begin, end = 0, 1
    for j in range(length):
        word = work.grid[automata.cells[start + j]]
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
            cell = automata.cells[start + j]
            word = work.grid[cell]
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
            if kept != word and not reduce(cell, kept, board, work):
                alive = False
    for i in range(end):
        reached[order[i]] = False
        useful[order[i]] = False
    return alive
