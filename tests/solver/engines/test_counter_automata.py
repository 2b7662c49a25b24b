"""Automata that are unrolled from counters accept the same words as the counters.

Their edges are counted, and those that grow too large are rejected.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.board.automaton import (
    MOST_EDGES,
    Automaton,
    prolonged,
    too_large,
    translated,
    unroll,
    unroll_codes,
)
from solver.board.tuple_automata import NOWHERE, Registers

NUMBERS = range(3)


def machine(table: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]) -> Registers:
    """Return a machine of two registers, with the sizes 2 and 3, that starts in (1, 0).

    `table` (phases, numbers, 2, 3, 2) has the next values of both registers, by their values
    before. `ends` (2, 3) states whether a word may end with these values.
    """

    def follow(place: int, number: Any, one: Any, other: Any) -> tuple[Any, ...]:
        after = table[place % len(table), number, one, other]
        return after[..., 0], after[..., 1]

    return Registers(
        (2, 3),
        [(1, 0)],
        follow,
        lambda one, other: ends[one, other],
        lambda place: place % len(table),
    )


def reads(own: Registers, word: tuple[int, ...]) -> bool:
    """Return whether a machine accepts a word, by running it step by step."""
    [state] = own.starts
    for place, number in enumerate(word):
        state = tuple(int(held) for held in own.follow(place, np.int64(number), *state))
        if not all(0 <= held < size for held, size in zip(state, own.sizes, strict=True)):
            return False
    return bool(own.accepts(*state))


def accepts(automaton: Automaton, word: tuple[int, ...]) -> bool:
    """Return whether an automaton accepts a word of values."""
    state: int | None = 0
    for place, value in enumerate(word):
        if state is not None:
            state = automaton.follow(state, value, place)
    return state is not None and bool(automaton.ends[state])


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 4))
def test_automaton_accepts_the_same_words_as_the_machine(
    seed: int, phases: int, length: int
) -> None:
    random = np.random.default_rng(seed)
    table = random.integers(NOWHERE, 4, (phases, len(NUMBERS), 2, 3, 2))
    own = machine(table, random.integers(0, 2, (2, 3)) == 1)
    automaton = own.unrolled(length, NUMBERS)
    assert isinstance(automaton, Automaton)
    for word in product(NUMBERS, repeat=length):
        assert accepts(automaton, word) == reads(own, word)


def test_unrolling_machines_together_equals_unrolling_each() -> None:
    """Each machine accepts words whose sum modulo 7 is its number."""

    def machines(*remainders: int) -> Registers:
        every = np.array(remainders)[:, None, None]

        def follow(place: int, number: Any, total: Any) -> tuple[Any, ...]:
            last = place == 3
            after = (total + number) % 7
            return (np.where(after == every, 0, NOWHERE) if last else after + 0 * every,)

        return Registers(
            (7,), [(3,)], follow, lambda total: total == 0, lambda place: place == 3,
            machines=len(remainders),
        )  # fmt: skip

    automata = machines(0, 2, 5).unrolled_each(4, NUMBERS)
    assert not isinstance(automata, str)
    for remainder, automaton in zip((0, 2, 5), automata, strict=True):
        alone = machines(remainder).unrolled(4, NUMBERS)
        assert isinstance(alone, Automaton)
        for word in product(NUMBERS, repeat=4):
            kept = (3 + sum(word)) % 7 == remainder
            assert accepts(automaton, word) == accepts(alone, word) == kept


def test_letters_are_mapped_to_numbers() -> None:
    automaton = counting(3).unrolled(2, range(3))
    assert isinstance(automaton, Automaton)
    spelt = translated(automaton, (0, 1, 0, 1))
    assert isinstance(spelt, Automaton)
    assert spelt.steps.shape[1] == 2  # no value maps to 2
    for word in product(range(4), repeat=2):
        assert accepts(spelt, word) == accepts(automaton, tuple(n % 2 for n in word))


def test_longer_automaton_repeats_the_last_phase() -> None:
    """In accepted words, no number is greater than the first."""

    def most(length: int) -> Automaton | str:
        def follow(place: int, number: Any, most: Any) -> tuple[Any, ...]:
            return (number if place == 0 else np.where(number <= most, most, NOWHERE),)

        own = Registers((3,), [(0,)], follow, lambda _: True, lambda place: place == 0)
        return own.unrolled(length, NUMBERS)

    short, long = most(2), most(4)
    assert isinstance(short, Automaton)
    assert isinstance(long, Automaton)
    longer = prolonged(short, 4)
    assert isinstance(longer, Automaton)
    assert longer.edges == long.edges
    for word in product(NUMBERS, repeat=4):
        assert accepts(longer, word) == accepts(long, word) == (max(word) == word[0])


def test_automaton_over_state_codes_accepts_the_right_words() -> None:
    """The code is the last number. It must change at each step and must not end at 0."""
    numbers = np.arange(3)
    automaton = unroll_codes(
        3,
        codes=3,
        first=numbers,
        follow=lambda codes: np.where(codes[:, None] == numbers, -1, numbers),
        accepts=lambda codes: codes > 0,
    )
    assert isinstance(automaton, Automaton)
    for word in product(range(3), repeat=3):
        one, two, three = word
        assert accepts(automaton, word) == (one != two != three != 0)


def counting(size: int) -> Registers:
    """Return a machine that adds up the numbers to less than `size`, and accepts any sum but 0."""
    return Registers(
        (size,), [(0,)], lambda _, number, ones: (ones + number,), lambda ones: ones > 0
    )


def test_automaton_does_not_distinguish_numbers_of_one_kind() -> None:
    own = Registers(
        (9,),
        [(0,)],
        lambda _, number, odd: (odd + number % 2,),
        lambda odd: odd > 0,
        kind=lambda number: number % 2,
    )
    automaton = own.unrolled(3, range(1, 10))
    assert isinstance(automaton, Automaton)
    assert automaton.kinds.tolist() == [0, 1] * 4 + [0]


def test_edges_are_counted() -> None:
    counted, bounded = counting(400).unrolled(300, range(2)), counting(400).unrolled(20, range(2))
    assert isinstance(counted, Automaton)
    assert isinstance(bounded, Automaton)
    assert counted.edges == 300 * 301  # position n has n + 1 states with two edges each
    assert bounded.edges == 20 * 401 * 2  # an upper bound


@pytest.mark.parametrize(("size", "length"), [(700, 600), (1_000_000, 5)])
def test_too_large_automata_are_refused(size: int, length: int) -> None:
    refusal = counting(size).unrolled(length, range(2))
    assert refusal == too_large(MOST_EDGES)


def test_automata_that_grow_too_large_within_a_place_are_refused() -> None:
    calls = 0
    start: tuple[int, ...] = ()

    def follow(state: tuple[int, ...], number: int, place: int) -> tuple[int, ...]:
        nonlocal calls
        calls += 1
        return (*state, number, place)

    found = unroll(
        9, numbers=range(50), start=start, follow=follow, accepts=lambda _: True, most_edges=3_000
    )
    assert isinstance(found, str)
    assert calls < 3_100  # position 3 alone would have 125,000 states
