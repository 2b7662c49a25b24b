"""Record the nested chains that each consequence of an assumption depends on.

Sudoku Explainer adds the complexity of nested chains to that of a chain. It counts each nested
chain once, no matter how many parts of the chain depend on it. Two nested chains are the same if
they contain the same assertions in the same order. A hash of these identifies them.

    chain[run, n]                      the nth nested chain that a run found
    used[row of run and assertion]     bit n % 64 of word n // 64: the assertion depends on chain n
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import kernel
from solver.logic.explainer.implications import ASSERTIONS, CLASH
from solver.logic.explainer.links import CANDIDATES

# each nested chain removes a candidate, which limits their number in a run
_WORDS = -(-CANDIDATES // 64)

CHAINED = np.dtype(
    [
        ("count", "i8", (ASSERTIONS,)),  # number of nested chains in a run
        ("chain", "i8", (ASSERTIONS, CANDIDATES)),
        ("complexity", "i8", (ASSERTIONS, CANDIDATES)),
        ("used", "i8", (ASSERTIONS * (ASSERTIONS + 1), _WORDS)),
        # rows of `used` per run: existing assertions plus CLASH, to touch little memory
        ("row", "i8", (1,)),
        # in the last run: an assertion, and the number of its chain
        ("asserted", "i8", (CANDIDATES, 2)),
        ("union", "i8", (16 * CANDIDATES,)),  # nested chains of several runs
        ("end", "i8", (3,)),  # length of `asserted`, length of `union`, complexity of `union`
        ("read", "i8", (CANDIDATES,)),  # number of the last reading that met the candidate
        ("readings", "i8", (1,)),
    ],
    align=True,
)


@kernel
def begin_runs(chained: Any, assertions: int) -> None:
    """Begin a search with `assertions` assertions."""
    chained.row[0] = assertions + 1


@kernel
def _place(chained: Any, run: int, assertion: int) -> int:
    row = chained.row[0]
    return int(run * row + (row - 1 if assertion == CLASH else assertion))


@kernel
def begin_chains(chained: Any, run: int) -> None:
    """Begin a run: the consequences of one assumption."""
    chained.count[run] = 0
    chained.end[0] = 0


@kernel
def number_of_chain(chained: Any, run: int, chain: int, complexity: int) -> int:
    """Return the number of a nested chain in a run. Adds the chain if it is new."""
    for number in range(chained.count[run]):
        if chained.chain[run, number] == chain:
            return number
    number = int(chained.count[run])
    chained.chain[run, number] = chain
    chained.complexity[run, number] = complexity
    chained.count[run] += 1
    return number


@kernel
def note_removed(chained: Any, assertion: int, number: int) -> None:
    """Record that the last run makes an assertion because of a nested chain."""
    chained.asserted[chained.end[0], 0] = assertion
    chained.asserted[chained.end[0], 1] = number
    chained.end[0] += 1


@kernel
def finish_chains(chained: Any, runs: Any, tree: Any, run: int) -> None:
    """Record the nested chains that each consequence of the last run depends on.

    Also adds their complexity to that of a contradiction.
    """
    for is_true in range(2):
        for number in range(runs.counts[run, is_true]):
            listed = int(runs.true[run, number] if is_true else runs.false[run, number])
            _note_used(chained, tree, run, 2 * listed + is_true)
    if runs.clash[run, 0]:
        _note_used(chained, tree, run, CLASH)
        begin_union(chained)
        add_chains(chained, run, runs.clash[run, 1])
        runs.clash[run, 0] += add_chains(chained, run, CLASH)


@kernel
def _note_used(chained: Any, tree: Any, run: int, assertion: int) -> None:
    used = chained.used[_place(chained, run, assertion)]
    for word in range((chained.count[run] + 63) // 64):
        used[word] = 0
    for place in range(chained.end[0]):
        removed, number = chained.asserted[place, 0], chained.asserted[place, 1]
        if tree.ancestors[assertion, removed >> 6] >> (removed & 63) & 1:
            used[number >> 6] |= 1 << (number & 63)


@kernel
def begin_union(chained: Any) -> None:
    """Begin an empty set of nested chains from several runs."""
    chained.end[1] = chained.end[2] = 0


@kernel
def add_chains(chained: Any, run: int, assertion: int) -> int:
    """Add the chains that an assertion depends on to the set. Return the set's complexity."""
    used = chained.used[_place(chained, run, assertion)]
    for word in range((chained.count[run] + 63) // 64):
        bits = used[word]
        while bits:
            number = 64 * word + ctz(bits)
            bits &= bits - 1
            chain, is_new = chained.chain[run, number], True
            for place in range(chained.end[1]):
                is_new = is_new and chained.union[place] != chain
            if is_new:
                chained.union[chained.end[1]] = chain
                chained.end[1] += 1
                chained.end[2] += chained.complexity[run, number]
    return int(chained.end[2])


@kernel
def begin_reading(chained: Any) -> None:
    """Begin to read a nested chain."""
    chained.readings[0] += 1


@kernel
def is_read_anew(chained: Any, candidate: int) -> bool:
    """Mark a candidate as met. Return whether the current reading meets it for the first time."""
    is_new = chained.read[candidate] != chained.readings[0]
    chained.read[candidate] = chained.readings[0]
    return bool(is_new)
