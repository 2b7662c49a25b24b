"""Filters of primitive constraints keep every possible value, and trials in compiled code agree."""

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest

from solver import Puzzle, parse
from solver.board.automaton import adding_up
from solver.board.primitive_constraints import Filling
from solver.logic.board import Words
from solver.logic.rule_steps import trials
from solver.logic.rule_steps.filters import (
    difference_filter,
    domain_filter,
    joined,
    options_filter,
    propagate,
    relation_filter,
    sandwich_filter,
    set_filter,
    sum_filter,
    values_in,
    word_filter,
)
from solver.logic.rule_steps.trial_search import has_contradiction
from solver.solving import solve

CELLS, SIZE = 4, 6
ORDER = list(range(CELLS))
NUMBERS = range(1, SIZE + 1)
SUM = adding_up((1,) * CELLS, 14, NUMBERS, (1,) * CELLS)
SETS = (0b1111, 0b110011, 0b1011)
FILLINGS = (Filling(1, 1 << 5, 0b100, 0b11110), Filling(1, 1 << 5, 0b11000, 0b11110))
LESS = [0b111110, 0b111100, 0b111000, 0b110000, 0b100000, 0]


def _is_sandwich(word: Sequence[int]) -> bool:
    if sorted(word).count(0) != 1 or word.count(5) != 1:
        return False
    first, last = sorted((word.index(0), word.index(5)))
    return sorted(word[first + 1 : last]) in ([2], [3, 4])


EXACT: dict[str, tuple[Words, Callable[[Sequence[int]], bool]]] = {
    "sum": (
        sum_filter(ORDER, (1, 1, 1, 1), 14, lowest=1, size=SIZE),
        lambda word: sum(word) + 4 == 14,
    ),
    "weighted sum": (
        sum_filter(ORDER, (100, 10, 1, -10), 331, lowest=0, size=SIZE),
        lambda word: 100 * word[0] + 10 * word[1] + word[2] - 10 * word[3] == 331,
    ),
    "automaton": (word_filter(ORDER, SUM), lambda word: sum(word) + 4 == 14),
    "relation": (relation_filter([(0, 1)], LESS), lambda word: word[0] < word[1]),
    "domain": (domain_filter(2, 0b101), lambda word: word[2] in (0, 2)),
    "options": (
        options_filter([[relation_filter([(0, 1)], LESS)], [domain_filter(0, 1)]]),
        lambda word: word[0] < word[1] or word[0] == 0,
    ),
}
ONLY_SOUND: dict[str, tuple[Words, Callable[[Sequence[int]], bool]]] = {
    "set": (set_filter(ORDER, SETS), lambda word: sum(1 << each for each in {*word}) in SETS),
    "sandwich": (sandwich_filter(ORDER, FILLINGS), _is_sandwich),
    "differing pairs": (
        difference_filter([(0, 1), (1, 2), (0, 2)]),
        lambda word: len({*word[:3]}) == 3,
    ),
}


@pytest.mark.parametrize("name", [*EXACT, *ONLY_SOUND])
def test_a_filter_keeps_every_possible_value(name: str) -> None:
    filters, holds = (EXACT | ONLY_SOUND)[name]
    random = np.random.default_rng(1)
    for _ in range(60):
        domains = random.integers(1, 1 << SIZE, CELLS).tolist()
        words = [word for word in product(*map(values_in, domains)) if holds(word)]
        possible = [sum(1 << each for each in {*column}) for column in zip(*words, strict=True)]
        left = list(domains)
        is_possible = propagate(joined([filters]), left)
        if name in EXACT:
            assert is_possible == bool(words)
        assert is_possible or not words
        if words:
            assert all(one & ~other == 0 for one, other in zip(possible, left, strict=True))
            assert name in ONLY_SOUND or possible == left


@pytest.mark.parametrize("most", [12, 400])
def test_compiled_trials_find_the_same_contradictions(most: int) -> None:
    text = '{"constraints": [' + ",".join([
        '{"type": "thermo", "cells": ["r1c1", "r2c2", "r3c3", "r4c4", "r5c5", "r6c6"]}',
        '{"type": "killer", "cells": ["r1c2", "r1c3", "r2c3"], "sum": 9}',
        '{"type": "whisper", "cells": ["r7c1", "r8c2", "r9c3", "r9c4", "r8c5"]}',
    ]) + "]}"  # fmt: skip
    (puzzle,) = parse(text)
    assert isinstance(puzzle, Puzzle)
    solution = solve(puzzle).solution
    assert solution is not None
    board = trials.Trials(puzzle.layout)
    random = np.random.default_rng(1)
    found = 0
    for _ in range(5):
        extra = random.integers(0, 512, 81) & random.integers(0, 512, 81)
        base = [1 << (value - 1) | int(more) for value, more in zip(solution, extra, strict=True)]
        for cell in range(81):
            for value in values_in(base[cell]):
                run = trials._Trial(board, base, most).run(cell, value)
                domains = np.array(base, np.int64)
                expected = has_contradiction(board._lists, domains, cell, value, most)
                assert (run is not None) == expected
                found += expected
    assert found > 100
