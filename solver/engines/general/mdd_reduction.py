"""Unroll automata to reduced decision diagrams, in which states with the same future are merged.

A place is an index in a word, and also in the list of cells that the automaton reads. The layer of
a place has the states before it, and the last layer has those after the last place.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.array_loops import fill, offsets_from, zeros
from solver.compiling.bitops import ALL_ONES, ONE, ZERO, at_most_one_bit, lowest_bit, popcount
from solver.compiling.jit import always_inline, compiled, helper, kernel

_NARROW = 64  # states of a layer up to which there are moves
_TOGETHER = 8  # moves that fit into one vector register: AVX-512 has this many words


class Merged(NamedTuple):
    """The diagram of one automaton, in the form of `AutomatonTables`.

    States, edges, and moves are counted from those of this automaton. Sets of values and of states
    are bit masks.

    layers    (places + 1,): the first state of each layer
    masks     per state: the values with an edge
    counts    per state: the number of these values
    nexts     per edge: its target state
    moves     per layer: the number of its moves
    values    per move, like `sources` and `turns`, see `Moves`
    of_kinds  per kind of value: its values
    needs     values that every word contains
    """

    layers: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    counts: NDArray[np.int32]
    nexts: NDArray[np.int32]
    moves: NDArray[np.int32]
    values: NDArray[np.uint64]
    sources: NDArray[np.uint64]
    turns: NDArray[np.uint64]
    is_narrow: bool
    begins: np.uint64
    of_kinds: NDArray[np.uint64]
    needs: np.uint64


@compiled
def merge_all(phases, kinds, rows, steps, ends, shapes):  # type: ignore[no-untyped-def]
    """Unroll automata to reduced diagrams, and concatenate these as in `AutomatonTables`.

    `phases`, `kinds`, `rows`, `steps`, and `ends` are the arrays of the same names in `Automaton`,
    flattened and concatenated. `shapes` (n, 7) has for each automaton the number of its places and
    values, the rows and columns of `rows`, those of `steps`, and whether it is closed.

    Returns three tuples of arrays, whose names are fields of `AutomatonTables` and `Moves`:

    1. first_states, first_layers, is_narrow, begins, commons, needs, one item per automaton
    2. layers, masks, starts, nexts
    3. ranges, values, sources, turns
    """
    count = shapes.shape[0]
    first_states, first_layers = np.empty(count, np.int32), np.empty(count, np.int32)
    commons, needs = np.empty(count, np.uint64), np.empty(count, np.uint64)
    begins = np.empty(count, np.uint64)
    is_narrow = np.empty(count, np.bool_)
    layers, masks, counts = np.empty(0, np.uint32), np.empty(0, np.uint64), np.empty(0, np.int32)
    nexts, moves = counts, counts
    values, sources, turns = masks, masks, masks
    states, layer, edges, moved, made = 0, 0, 0, 0, 0
    for n in range(count):
        places, many, high, wide, deep, across, is_closed = shapes[n]
        merged = _merge(
            phases[:places],
            kinds[:many],
            rows[: high * wide].reshape(high, wide),
            steps[: deep * across].reshape(deep, across),
            ends[:wide],
            is_closed != 0,
        )
        phases, kinds, ends = phases[places:], kinds[many:], ends[wide:]
        rows, steps = rows[high * wide :], steps[deep * across :]
        first_states[n], first_layers[n] = states, layer
        commons[n], needs[n] = _largest_kind(merged.of_kinds), merged.needs
        is_narrow[n], begins[n] = merged.is_narrow, merged.begins
        layers, layer = _with(layers, layer, merged.layers)
        masks, _ = _with(masks, states, merged.masks)
        counts, states = _with(counts, states, merged.counts)
        nexts, edges = _with(nexts, edges, merged.nexts)
        moves, moved = _with(moves, moved, merged.moves)
        values, _ = _with(values, made, merged.values)
        sources, _ = _with(sources, made, merged.sources)
        turns, made = _with(turns, made, merged.turns)
    return (
        (first_states, first_layers, is_narrow, begins, commons, needs),
        (layers[:layer], masks[:states], offsets_from(counts[:states]), nexts[:edges]),
        (offsets_from(moves[:moved]), values[:made], sources[:made], turns[:made]),
    )


@helper
def _with(room, used, items):  # type: ignore[no-untyped-def]
    """Append `items` to an array in which the first `used` items are in use.

    If there is no room for them, the array is replaced by a copy of at least twice its size.
    Returns the array and the new number of used items.
    """
    more = used + items.shape[0]
    if more > room.shape[0]:
        larger = np.empty(max(more, 2 * room.shape[0]), room.dtype)
        for place in range(used):
            larger[place] = room[place]
        room = larger
    for place in range(items.shape[0]):
        room[used + place] = items[place]
    return room, more


@helper
def _values_of_kinds(kinds, count):  # type: ignore[no-untyped-def]
    """Return the values of each kind as a bit mask. The automaton treats values of a kind alike.

    kinds[value] is the kind of a value, 0 … `count` − 1.
    """
    values = zeros(count, np.uint64)
    for value in range(kinds.shape[0]):
        values[kinds[value]] |= ONE << np.uint64(value)
    return values


@kernel
def _largest_kind(values):  # type: ignore[no-untyped-def]
    """Return the values of the largest kind as bits, or 0 if each kind has only one value.

    The automaton doesn't distinguish values of the same kind. `values` has the values of each kind.
    If several kinds are largest, returns the one with the lowest value.
    """
    common = ZERO
    for kind in range(values.shape[0]):
        more = popcount(values[kind]) - max(1, popcount(common))
        if more > 0 or (more == 0 and lowest_bit(values[kind]) < lowest_bit(common)):
            common = values[kind]
    return common


@helper
def _merge(phases, kinds, rows, steps, ends, is_closed):  # type: ignore[no-untyped-def]
    """Return the reduced diagram of an automaton, without dead-end states.

    The arguments are those of `Automaton`. From the last place to the first, states are merged if
    each kind of value leads them to the same state of the next place. An automaton that accepts
    nothing has two states and no edge. For a closed automaton, all states are kept at each place,
    in their order.
    """
    length, states = phases.shape[0], rows.shape[1]
    reached = _reach(phases, rows, steps)
    classes = np.empty((length + 1, states), np.int32)
    examples = np.empty((length + 1, states), np.int32)  # one state of each class
    widths = np.empty(length + 1, np.int32)
    widths[length] = 0
    for state in range(states):
        has_ended = reached[length, state] and ends[state]
        classes[length, state] = 0 if has_ended else -1
        widths[length] |= has_ended
    if is_closed:
        _keep_all(classes, examples, widths)
    room = 2
    while room < 2 * states:
        room *= 2
    slots = np.empty(room, np.int32)
    widest = 1
    for place in range(length - 1, -1, -1):
        here = rows[phases[place]]
        if not is_closed:
            widths[place] = _classify(
                reached[place], here, steps,
                classes[place + 1], classes[place], examples[place], slots,
            )  # fmt: skip
        widest = max(widest, widths[place])
    has_words = widths[0] > 0
    if not has_words:
        widths[0] = 1
    layers = np.empty(length + 1, np.uint32)
    layers[0] = 0
    for place in range(length):
        layers[place + 1] = layers[place] + widths[place]
    masks = zeros(layers[length] + max(1, widths[length]), np.uint64)
    counts = zeros(masks.shape[0], np.int32)
    had = np.empty(masks.shape[0], np.uint64)  # the values of all edges to a state
    fill(had, ALL_ONES if has_words and not is_closed else ZERO)
    had[0] = ZERO
    nexts = np.empty(masks.shape[0] * kinds.shape[0], np.int32)
    of_kinds = _values_of_kinds(kinds, steps.shape[1])
    afters = np.empty(of_kinds.shape[0], np.int32)  # per kind: the targets
    edges = 0
    for place in range(length if has_words else 0):
        here = rows[phases[place]]
        for number in range(widths[place]):
            source = layers[place] + number
            row = here[examples[place, number]]
            for kind in range(of_kinds.shape[0]):
                state = steps[row, kind]
                afters[kind] = classes[place + 1, state] if state >= 0 else -1
                if afters[kind] >= 0:
                    masks[source] |= of_kinds[kind]
                    has = of_kinds[kind] if at_most_one_bit(of_kinds[kind]) else ZERO
                    had[layers[place + 1] + afters[kind]] &= had[source] | has
            counts[source] = popcount(masks[source])
            for value in range(kinds.shape[0]):
                after = afters[kinds[value]]
                if after >= 0:
                    nexts[edges] = layers[place + 1] + after
                    edges += 1
    narrow = widest <= _NARROW
    moves = zeros(length + 1, np.int32)
    most = edges + _TOGETHER * length if narrow else 0
    values, sources = np.empty(most, np.uint64), np.empty(most, np.uint64)
    turns = np.empty(most, np.uint64)
    made = 0
    if narrow:
        made = _move(layers, masks, counts, nexts, of_kinds, moves, values, sources, turns)
    begins = ALL_ONES >> np.uint64(64 - states) if is_closed else ONE
    return Merged(
        layers, masks, counts, nexts[:edges],
        moves, values[:made], sources[:made], turns[:made], narrow, begins, of_kinds,
        had[layers[length]],
    )  # fmt: skip


@kernel
def _keep_all(classes, examples, widths):  # type: ignore[no-untyped-def]
    """Make each state of each layer a class of its own, so that no states are merged.

    classes[place] and examples[place] become those that `_classify` would write, and widths[place]
    becomes the number of classes.
    """
    for place in range(classes.shape[0]):
        widths[place] = classes.shape[1]
        for state in range(classes.shape[1]):
            classes[place, state] = examples[place, state] = state


@helper
def _reach(phases, rows, steps):  # type: ignore[no-untyped-def]
    """Return which states an automaton can be in before each place and after the last one.

    A place is an index in the list of cells that the automaton reads. The result is a mask (places
    + 1, states). The automaton starts in state 0.
    """
    length, states = phases.shape[0], rows.shape[1]
    reached = np.empty((length + 1, states), np.bool_)
    for place in range(length + 1):
        for state in range(states):
            reached[place, state] = place == 0 and state == 0
    for place in range(length):
        for state in range(states):
            row = rows[phases[place], state]
            if reached[place, state] and row >= 0:
                for kind in range(steps.shape[1]):
                    if steps[row, kind] >= 0:
                        reached[place + 1, steps[row, kind]] = True
    return reached


@kernel
def _classify(reached, rows, steps, later, classes, examples, slots):  # type: ignore[no-untyped-def]
    """Assign the states of a place to classes of states with the same future.

    reached   per state: whether it is reachable
    rows      per state: its row in `steps`, or −1
    steps     (rows, kinds): the next state, or −1
    later     per state of the next place: its class, or −1
    classes   becomes, per state: its class, or −1 if it is unreachable or a dead end
    examples  becomes, per class: one of its states
    slots     working memory for a hash table, whose length is a power of two

    Returns the number of classes.
    """
    fill(slots, -1)
    fill(classes, -1)
    most = np.uint64(slots.shape[0] - 1)
    width = 0
    for state in range(reached.shape[0]):
        row = rows[state]
        if not reached[state] or row < 0:
            continue
        digest = ZERO
        alive = False
        for kind in range(steps.shape[1]):
            after = steps[row, kind]
            future = later[after] if after >= 0 else -1
            alive |= future >= 0
            digest = (digest ^ np.uint64(future + 1)) * np.uint64(0x9E3779B97F4A7C15)
            digest ^= digest >> np.uint64(29)
        if not alive:
            continue
        slot = digest & most
        while slots[slot] >= 0 and not _is_same(rows[examples[slots[slot]]], row, steps, later):
            slot = (slot + ONE) & most
        if slots[slot] < 0:
            slots[slot] = width
            examples[width] = state
            width += 1
        classes[state] = slots[slot]
    return width


@kernel
def _is_same(row, other, steps, later):  # type: ignore[no-untyped-def]
    """Return whether two rows of `steps` lead to the same classes of later states.

    `row` and `other` are the indices of the rows, and later[state] is a state's class, or −1.
    """
    for kind in range(steps.shape[1]):
        a, b = steps[row, kind], steps[other, kind]
        if (later[a] if a >= 0 else -1) != (later[b] if b >= 0 else -1):
            return False
    return True


@kernel
def _move(layers, masks, counts, nexts, of_kinds, moves, values, sources, turns):  # type: ignore[no-untyped-def]
    """Write the moves of all layers to `values`, `sources`, and `turns`, and return their number.

    See `Moves`. The number of moves per layer is written to `moves`. It is rounded up to a multiple
    of `_TOGETHER` by adding moves without values. The other arguments are fields of `Merged`.
    """
    length = layers.shape[0] - 1
    made = 0
    first_edge = 0
    for place in range(length):
        start, end = layers[place], layers[place + 1]
        first_move = made
        for kind in range(of_kinds.shape[0]):
            bit = of_kinds[kind] & (~of_kinds[kind] + ONE)  # of the kind's first value
            begin = made  # moves of this kind only
            edge = first_edge  # of the state
            for state in range(start, end):
                if masks[state] & bit != ZERO:
                    source = state - start
                    after = nexts[edge + popcount(masks[state] & (bit - ONE))]
                    turn = np.uint64((after - end - source) & 63)
                    at = begin
                    while at < made and turns[at] != turn:
                        at += 1
                    if at == made:
                        turns[at] = turn
                        sources[at] = ZERO
                        made += 1
                    sources[at] |= ONE << np.uint64(source)
                edge += counts[state]
            made = _share(first_move, begin, made, of_kinds[kind], values, sources, turns)
        # Moves without values fill up the last vector register.
        while (made - first_move) % _TOGETHER != 0:
            values[made], sources[made], turns[made] = ZERO, ZERO, ZERO
            made += 1
        moves[place] = made - first_move
        for state in range(start, end):
            first_edge += counts[state]
    return made


@always_inline
def _share(first, begin, end, own, values, sources, turns):  # type: ignore[no-untyped-def]
    """Add the values `own` to the new moves of a layer, or to equal earlier moves of the layer.

    The earlier moves have the indices `first` to `begin` − 1, and the new ones `begin` to `end` −
    1. New moves that are equal to an earlier one, apart from their values, are removed. Returns the
    index after the last move that is left.
    """
    made = begin
    for new in range(begin, end):
        at = first
        while at < begin and (turns[at] != turns[new] or sources[at] != sources[new]):
            at += 1
        if at == begin:
            at = made
            made += 1
            turns[at], sources[at], values[at] = turns[new], sources[new], ZERO
        values[at] |= own
    return made
