"""Remove the values that occur in no word of an automaton."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import helper
from solver.logic.board import Words


class Transitions(NamedTuple):
    """The transitions of an automaton: the arrays of these names in `Automaton`."""

    phases: Words
    kinds: Words
    rows: Words
    steps: Words


@helper
def filter_word(automaton: Transitions, ends: Words, closed: int, domains: Words) -> Words:
    """Return the values of each place that occur in a word of an automaton, as bits.

    A word begins in state 0, and may end in states for which `ends` is 1. If `closed` is 1, it may
    begin in any state and must end in the same one instead. `domains` are the values that each
    place can have. All results are 0 if there is no word.
    """
    kept = np.zeros(len(domains), np.int64)
    reached = np.zeros((len(domains) + 1, len(ends)), np.bool_)
    for start in range(len(ends) if closed else 1):
        reached[:] = False
        reached[0, start] = True
        for place in range(len(domains)):
            _follow(automaton, reached, place, domains[place])
        for state in range(len(ends)):
            accepts = state == start if closed else ends[state] != 0
            reached[-1, state] = reached[-1, state] and accepts
        for back in range(len(domains)):
            place = len(domains) - 1 - back
            kept[place] |= _useful(automaton, reached, place, domains[place])
    return kept


@helper
def _follow(automaton: Transitions, reached: Any, place: int, domain: int) -> None:
    """Add the states that are reached after a place to `reached` (places + 1, states).

    They follow from the states reached before the place, with the values in `domain` (bits).
    """
    for state in range(reached.shape[1]):
        row = automaton.rows[automaton.phases[place], state] if reached[place, state] else -1
        rest = domain if row >= 0 else 0
        while rest:
            value = ctz(rest)
            rest &= rest - 1
            if value < len(automaton.kinds):
                after = automaton.steps[row, automaton.kinds[value]]
                if after >= 0:
                    reached[place + 1, after] = True


@helper
def _useful(automaton: Transitions, reached: Any, place: int, domain: int) -> Any:
    """Return the values at a place that lead from a reached state to a reached next state, as bits.

    Only values in `domain` count. States at the place from which no such value leads on are removed
    from `reached`.
    """
    values = 0
    for state in range(reached.shape[1]):
        row = automaton.rows[automaton.phases[place], state] if reached[place, state] else -1
        rest = domain if row >= 0 else 0
        own = 0
        while rest:
            value = ctz(rest)
            rest &= rest - 1
            if value < len(automaton.kinds):
                after = automaton.steps[row, automaton.kinds[value]]
                if after >= 0 and reached[place + 1, after]:
                    own |= 1 << value
        reached[place, state] = own != 0
        values |= own
    return values
