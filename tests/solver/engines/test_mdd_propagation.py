"""Propagation of automata: the cells' remaining values, compared with all accepted words.

Also closed automata, values that every word needs, and the reuse of compiled automata.
"""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver import Puzzle, parse, solve
from solver.board.automaton import Automaton, unroll
from solver.board.branching import layers_of
from solver.compiling.jit import compiled
from solver.engines.general.automaton_tables import tables_of_automata
from solver.engines.general.mdd_propagation import new_supports, propagate_mdd
from solver.engines.general.mdd_reduction import merge_all

LENGTH, SIZE = 4, 3
EDGES = st.sampled_from([None, 0, 1, 2, 3])  # next state, or None if there is no edge
STEPS = st.lists(EDGES, min_size=LENGTH * 4 * SIZE, max_size=LENGTH * 4 * SIZE)
BOARDS = st.lists(
    st.lists(st.integers(1, 2**SIZE - 1), min_size=LENGTH, max_size=LENGTH), min_size=1, max_size=9
)


@compiled
def kept(automata: Any, grids: Any) -> Any:
    """Propagate an automaton in each grid. The result is zeros if no word is accepted."""
    ways = new_supports(automata)
    found = np.zeros_like(grids)
    for n in range(grids.shape[0]):
        if propagate_mdd(0, automata, grids[n], ways):
            for j in range(grids.shape[1]):
                found[n, j] = ways.kept[j]
    return found


def automaton_of(steps: list[int | None]) -> Automaton:
    found = unroll(
        LENGTH,
        numbers=range(SIZE),
        start=0,
        follow=lambda state, number, place: steps[(place * 4 + state) * SIZE + number],
        accepts=lambda state: state % 2 == 0,
    )
    assert isinstance(found, Automaton)
    return found


def is_word(steps: list[int | None], values: tuple[int, ...]) -> bool:
    state: int | None = 0
    for place, value in enumerate(values):
        if state is None:
            return False
        state = steps[(place * 4 + state) * SIZE + value]
    return state is not None and state % 2 == 0


@given(steps=STEPS)
@settings(max_examples=100, deadline=None)
def test_values_in_every_word_of_few_cells_are_needed(steps: list[int | None]) -> None:
    needed = tables_of_automata([((0, 1, 0, 1), automaton_of(steps))], SIZE).needs
    words = [set(word) for word in product(range(SIZE), repeat=LENGTH) if is_word(steps, word)]
    in_each = set.intersection(*words) if words else set()
    assert needed.tolist() == [sum(1 << value for value in in_each)]


@pytest.mark.parametrize("cells", [(0, 1, 2, 1), (0, 1, 2, 3)])
def test_automata_with_as_many_cells_as_values_have_no_needed_values(
    cells: tuple[int, ...],
) -> None:
    # only the first value is accepted, in every cell
    constant: list[int | None] = [0, None, None] * 4 * LENGTH
    automaton = automaton_of(constant)
    assert tables_of_automata([(cells, automaton)], SIZE).needs.tolist() == [0]
    assert tables_of_automata([((0, 1, 0, 1), automaton)], SIZE).needs.tolist() == [1]


def in_some_word(
    boards: list[list[int]], accepts: Callable[[tuple[int, ...]], bool]
) -> NDArray[np.uint64]:
    """Return the values (bits) that each cell has in some accepted word, by brute force.

    `boards` has the domains of the cells, as bits. The result is an array (boards, cells).
    """
    found = np.zeros((len(boards), LENGTH), np.uint64)
    for number, board in enumerate(boards):
        cells = [[value for value in range(SIZE) if word >> value & 1] for word in board]
        for word in filter(accepts, product(*cells)):
            found[number] |= np.uint64(1) << np.array(word, np.uint64)
    return found


@pytest.mark.parametrize("by_words", [True, False])
@given(steps=STEPS, boards=BOARDS)
@settings(max_examples=300, deadline=None)
def test_cells_keep_exactly_the_values_of_accepted_words(
    *, by_words: bool, steps: list[int | None], boards: list[list[int]]
) -> None:
    automata = tables_of_automata([(tuple(range(LENGTH)), automaton_of(steps))], SIZE)
    assert automata.is_narrow.all()
    if not by_words:
        automata = automata._replace(is_narrow=np.zeros(1, np.bool_))
    expected = in_some_word(boards, lambda word: is_word(steps, word))
    assert (kept(automata, np.array(boards, np.uint64)) == expected).all()


def closed(steps: list[int | None]) -> Automaton:
    targets = [-1 if step is None else step for step in steps[: 4 * SIZE]]
    return Automaton(
        np.zeros(LENGTH, np.int32),
        np.arange(SIZE, dtype=np.int32),
        np.arange(4, dtype=np.int32)[None],
        np.array(targets, np.int32).reshape(4, SIZE),
        np.zeros(4, np.bool_),
        4 * SIZE * LENGTH,
        is_closed=True,
    )


def goes_round(steps: list[int | None], values: tuple[int, ...]) -> bool:
    for begin in range(4):
        state: int | None = begin
        for value in values:
            state = None if state is None else steps[state * SIZE + value]
        if state == begin:
            return True
    return False


@given(steps=STEPS, boards=BOARDS)
@settings(max_examples=300, deadline=None)
def test_words_of_closed_automata_end_in_their_start_state(
    *, steps: list[int | None], boards: list[list[int]]
) -> None:
    automata = tables_of_automata([(tuple(range(LENGTH)), closed(steps))], SIZE)
    expected = in_some_word(boards, lambda word: goes_round(steps, word))
    assert (kept(automata, np.array(boards, np.uint64)) == expected).all()


@given(steps=STEPS)
@settings(max_examples=100, deadline=None)
def test_layers_accept_the_words_of_a_closed_automaton(steps: list[int | None]) -> None:
    layers = layers_of(closed(steps), [range(SIZE)] * LENGTH)
    for word in product(range(SIZE), repeat=LENGTH):
        here = {0}
        for layer, letter in zip(layers, word, strict=True):
            here = {after for state, value, after in layer if state in here and value == letter}
        assert bool(here) == goes_round(steps, word)


@pytest.mark.parametrize(("size", "narrow"), [(8, True), (9, False)])
def test_layers_of_more_than_64_states_are_passed_state_by_state(
    *, size: int, narrow: bool
) -> None:
    start: tuple[int, ...] = ()
    twice = unroll(  # two values and the same two again
        4,
        numbers=range(size),
        start=start,
        follow=lambda read, number, place: (
            (*read, number) if place < 2 else read[1:] if read[0] == number else None
        ),
        accepts=lambda _: True,
    )
    assert isinstance(twice, Automaton)
    automata = tables_of_automata([((0, 1, 2, 3), twice)], size)
    assert automata.is_narrow.all() == narrow
    every = 2**size - 1
    grids = np.array([[every, 5, 6, every], [1, every, 2, every], [every] * 4], np.uint64)
    assert kept(automata, grids).tolist() == [[6, 5, 6, 5], [0, 0, 0, 0], [every] * 4]


def test_automata_of_options_reuse_the_compiled_merge() -> None:
    (puzzle,) = parse(".Shape~4x4.Or.HiddenSkyscraper~C4~3~.HiddenSkyscraper~R2~2~.End")
    assert isinstance(puzzle, Puzzle)
    assert solve(puzzle, limit=1000).solutions == 135
    assert len(merge_all.signatures) == 1
