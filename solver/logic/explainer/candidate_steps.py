"""Collect all chains that a search finds, the best one for each conclusion, and sort them."""

from typing import Any

import numpy as np

from solver.compiling.bitops import popcount
from solver.compiling.jit import kernel
from solver.logic.explainer.links import CANDIDATES

ASSERTIONS = 2 * CANDIDATES
_CYCLES = 4096

# One chain for each assertion that it can end in, followed by the cycles, which have several
# eliminations.
FINDINGS = np.dtype(
    [
        ("is_kept", "i8", (1,)),  # 1 to collect all chains, 0 to keep only the best
        ("rating", "f8", (ASSERTIONS + _CYCLES,)),
        ("key", "i8", (ASSERTIONS + _CYCLES, 3)),  # complexity (0 for none), kind, order
        # description of the chain, specific to its search
        ("data", "i8", (ASSERTIONS + _CYCLES, 4)),
        ("count", "i8", (2,)),  # number of cycles, number of chains found
        ("order", "i8", (ASSERTIONS + _CYCLES,)),
        ("idle", "i8", (ASSERTIONS + _CYCLES,)),  # hashes of the eliminations of idle chains
    ],
    align=True,
)


@kernel
def forget(findings: Any, assertions: int) -> None:
    """Clear the chains that end in the first `assertions` assertions, and all cycles."""
    findings.is_kept[0] = 1
    findings.count[0] = findings.count[1] = 0
    for assertion in range(assertions):
        findings.key[assertion, 0] = 0


@kernel
def keep_chain(
    findings: Any, target: int, rating: float, complexity: int, kind: int,
    what: int, one: int, other: int,
) -> None:  # fmt: skip
    """Keep a chain, unless an equal or better one has the same conclusion."""
    findings.count[1] += 1
    if findings.key[target, 0]:
        if rating != findings.rating[target]:
            if rating > findings.rating[target]:
                return
        elif complexity != findings.key[target, 0]:
            if complexity > findings.key[target, 0]:
                return
        elif kind >= findings.key[target, 1]:
            return
    _put(findings, target, rating, complexity, kind, what, one, other, target)


@kernel
def keep_cycle(
    findings: Any, rating: float, complexity: int, kind: int,
    what: int, one: int, other: int, number: int,
) -> None:  # fmt: skip
    """Keep a cycle if there is room for it."""
    findings.count[1] += 1
    if findings.count[0] < _CYCLES:
        slot = ASSERTIONS + findings.count[0]
        findings.count[0] += 1
        _put(findings, slot, rating, complexity, kind, what, one, other, number)


@kernel
def _put(
    findings: Any, slot: int, rating: float, complexity: int, kind: int,
    what: int, one: int, other: int, last: int,
) -> None:  # fmt: skip
    findings.rating[slot] = rating
    findings.key[slot, 0] = complexity
    findings.key[slot, 1] = kind
    findings.key[slot, 2] = findings.count[1]
    findings.data[slot, 0] = what
    findings.data[slot, 1] = one
    findings.data[slot, 2] = other
    findings.data[slot, 3] = last


@kernel
def sort(findings: Any, assertions: int) -> int:
    """Sort the findings into `findings.order`. Return their number."""
    end = 0
    for number in range(assertions + findings.count[0]):
        slot = number if number < assertions else ASSERTIONS + number - assertions
        if findings.key[slot, 0] == 0:
            continue
        place = end
        while place and _precedes(findings, slot, findings.order[place - 1]):
            findings.order[place] = findings.order[place - 1]
            place -= 1
        findings.order[place] = slot
        end += 1
    return end


@kernel
def _precedes(findings: Any, one: int, other: int) -> bool:
    """Return whether one finding comes before another: lower ratings, then shorter chains."""
    if findings.rating[one] != findings.rating[other]:
        return bool(findings.rating[one] < findings.rating[other])
    for part in range(3):
        if findings.key[one, part] != findings.key[other, part]:
            return bool(findings.key[one, part] < findings.key[other, part])
    return False


@kernel
def is_useful(state: Any, links: Any, target: int) -> bool:
    """Return whether an assertion changes the grid."""
    return not target & 1 or popcount(state.cells[links.cell[target >> 1]]) > 1
