"""Collect the chains that an inner search finds, the best one for each conclusion, and sort them.

All useful cycles are collected, too. The chains and cycles are the candidates for the next step.
"""

from typing import Annotated, Protocol

from solver.compiling.bitops import popcount
from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype
from solver.logic.board import Floats, Words
from solver.logic.sudoku_explainer.links import CANDIDATES, Links
from solver.logic.sudoku_explainer.state import State

ASSERTIONS = 2 * CANDIDATES
_CYCLES = 4096


class CandidateSteps(Protocol):
    """The best chain found for each conclusion, followed by all cycles found.

    A chain is stored at the number of the assertion that it proves. Cycles have several
    eliminations, so they are stored after all assertions, from index `ASSERTIONS` on.

        is_collecting         1 if `search` stores all chains here, 0 if it keeps only the best one
        rating, complexity,   the sort keys (see `chain_order`). A complexity of 0 means that no
        kind                  chain is stored.
        found                 the position in the order of discovery
        type, one, other,     the chain's type and numbers that describe it, specific to its search
        target                (see `search` and `forcing_x_xy`)
        cycle_count           the number of stored cycles
        found_count           the number of chains and cycles found, including those not stored
        order                 the result of `sort`
        idle                  hashes of the eliminations of idle chains (see `nested`)
    """

    is_collecting: int
    rating: Annotated[Floats, ASSERTIONS + _CYCLES]
    complexity: Annotated[Words, ASSERTIONS + _CYCLES]
    kind: Annotated[Words, ASSERTIONS + _CYCLES]
    found: Annotated[Words, ASSERTIONS + _CYCLES]
    type: Annotated[Words, ASSERTIONS + _CYCLES]
    one: Annotated[Words, ASSERTIONS + _CYCLES]
    other: Annotated[Words, ASSERTIONS + _CYCLES]
    target: Annotated[Words, ASSERTIONS + _CYCLES]
    cycle_count: int
    found_count: int
    order: Annotated[Words, ASSERTIONS + _CYCLES]
    idle: Annotated[Words, ASSERTIONS + _CYCLES]


CANDIDATE_STEPS = record_dtype(CandidateSteps)


@kernel
def clear(candidate_steps: CandidateSteps, assertions: int) -> None:
    """Clear the stored chains and cycles, and store all chains that are found from now on.

    `assertions` is twice the number of candidates. Chains that prove a higher assertion aren't
    cleared.
    """
    candidate_steps.is_collecting = 1
    candidate_steps.cycle_count = candidate_steps.found_count = 0
    for assertion in range(assertions):
        candidate_steps.complexity[assertion] = 0


@kernel
def keep_chain(
    candidate_steps: CandidateSteps, target: int, rating: float, complexity: int, kind: int,
    what: int, one: int, other: int,
) -> None:  # fmt: skip
    """Store a chain that proves the assertion `target`, unless an equal or better one is stored.

    Lower ratings are better, then lower complexities, then lower kinds. `what`, `one`, and `other`
    are stored as the chain's `type`, `one`, and `other`.
    """
    candidate_steps.found_count += 1
    if candidate_steps.complexity[target]:
        if rating != candidate_steps.rating[target]:
            if rating > candidate_steps.rating[target]:
                return
        elif complexity != candidate_steps.complexity[target]:
            if complexity > candidate_steps.complexity[target]:
                return
        elif kind >= candidate_steps.kind[target]:
            return
    _put(candidate_steps, target, rating, complexity, kind, what, one, other, target)


@kernel
def keep_cycle(
    candidate_steps: CandidateSteps, rating: float, complexity: int, kind: int,
    what: int, one: int, other: int, number: int,
) -> None:  # fmt: skip
    """Store a cycle. If `_CYCLES` cycles are stored already, only count it as found.

    `rating`, `complexity`, and `kind` are its sort keys. `what`, `one`, `other`, and `number` are
    stored as its `type`, `one`, `other`, and `target`. `number` is the number of useful cycles
    found before from the same candidate.
    """
    candidate_steps.found_count += 1
    if candidate_steps.cycle_count < _CYCLES:
        slot = ASSERTIONS + candidate_steps.cycle_count
        candidate_steps.cycle_count += 1
        _put(candidate_steps, slot, rating, complexity, kind, what, one, other, number)


@kernel
def _put(
    candidate_steps: CandidateSteps, slot: int, rating: float, complexity: int, kind: int,
    what: int, one: int, other: int, last: int,
) -> None:  # fmt: skip
    """Store the fields of a chain or cycle at index `slot`.

    `what` is stored as its `type`, and `last` as its `target`.
    """
    candidate_steps.rating[slot] = rating
    candidate_steps.complexity[slot] = complexity
    candidate_steps.kind[slot] = kind
    candidate_steps.found[slot] = candidate_steps.found_count
    candidate_steps.type[slot] = what
    candidate_steps.one[slot] = one
    candidate_steps.other[slot] = other
    candidate_steps.target[slot] = last


@kernel
def sort(candidate_steps: CandidateSteps, assertions: int) -> int:
    """Write the indices of the stored chains and cycles to `order`, best first.

    `assertions` is twice the number of candidates. Chains with assertions from this number on are
    left over from earlier searches, and are ignored. Returns the number of indices.
    """
    end = 0
    for number in range(assertions + candidate_steps.cycle_count):
        slot = number if number < assertions else ASSERTIONS + number - assertions
        if candidate_steps.complexity[slot] == 0:
            continue
        place = end
        while place and _precedes(candidate_steps, slot, candidate_steps.order[place - 1]):
            candidate_steps.order[place] = candidate_steps.order[place - 1]
            place -= 1
        candidate_steps.order[place] = slot
        end += 1
    return end


@kernel
def _precedes(candidate_steps: CandidateSteps, one: int, other: int) -> bool:
    """Return whether the chain at index `one` comes before the chain at index `other`.

    Lower ratings come first, then lower complexities, then lower kinds, then earlier finds.
    """
    if candidate_steps.rating[one] != candidate_steps.rating[other]:
        return bool(candidate_steps.rating[one] < candidate_steps.rating[other])
    if candidate_steps.complexity[one] != candidate_steps.complexity[other]:
        return bool(candidate_steps.complexity[one] < candidate_steps.complexity[other])
    if candidate_steps.kind[one] != candidate_steps.kind[other]:
        return bool(candidate_steps.kind[one] < candidate_steps.kind[other])
    return bool(candidate_steps.found[one] < candidate_steps.found[other])


@kernel
def is_useful(state: State, links: Links, target: int) -> bool:
    """Return whether a chain that proves the assertion `target` changes the grid.

    It doesn't if the assertion states that the only candidate of a cell is true.
    """
    return not target & 1 or popcount(state.cells[links.cell[target >> 1]]) > 1
