"""Record the nested chains that each consequence of an assumption depends on.

Sudoku Explainer adds the complexity of nested chains to that of a chain. It counts each nested
chain once, no matter how many parts of the chain depend on it. Two nested chains are the same if
they contain the same assertions in the same order. A hash of these identifies them. A run contains
the consequences of one assumption (see `assumptions.Runs`).

    chain[run, n]                      the hash of the nth nested chain that a run found
    used[row of run and assertion]     bit n % 64 of word n // 64: the assertion depends on chain n
"""

from typing import Annotated, Protocol

from solver.compiling.bitops import ctz
from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype
from solver.logic.board import Words
from solver.logic.sudoku_explainer.assumptions import ASSERTIONS, CLASH, Runs, Tree
from solver.logic.sudoku_explainer.links import CANDIDATES

# each nested chain removes a candidate, which limits their number in a run
_WORDS = -(-CANDIDATES // 64)


class Dependencies(Protocol):
    """The nested chains of each run, and those that each of its assertions depends on.

    count             by run: the number of its nested chains
    chain             by run and chain number: the chain's hash
    complexity        by run and chain number: the chain's complexity
    used              by row (run × row_length + assertion): a bit set of the numbers of the nested
                      chains that the assertion depends on, 64 per word
    row_length        the number of rows in `used` per run: one per assertion and one for CLASH
    asserted          the assertions that the current run derived from nested chains
    asserted_chain    for each of these: the number of the nested chain
    asserted_count    the length of these two lists
    union             the set of chains (hashes) that `begin_union` and `add_chains` build
    union_count       the number of chains in it
    union_complexity  their total complexity
    read              by candidate: the number of the last nested chain whose reading met it
    readings          the number of nested chains read so far, see `begin_reading`
    """

    count: Annotated[Words, ASSERTIONS]
    chain: Annotated[Words, ASSERTIONS, CANDIDATES]
    complexity: Annotated[Words, ASSERTIONS, CANDIDATES]
    used: Annotated[Words, ASSERTIONS * (ASSERTIONS + 1), _WORDS]
    row_length: int
    asserted: Annotated[Words, CANDIDATES]
    asserted_chain: Annotated[Words, CANDIDATES]
    asserted_count: int
    union: Annotated[Words, 16 * CANDIDATES]
    union_count: int
    union_complexity: int
    read: Annotated[Words, CANDIDATES]
    readings: int


DEPENDENCIES = record_dtype(Dependencies)


@kernel
def begin_runs(dependencies: Dependencies, assertions: int) -> None:
    """Set how many rows of `dependencies.used` each run has: one per assertion, and one for CLASH.

    `assertions` is the number of assertions in the search, twice the number of candidates. Recorded
    runs aren't cleared.
    """
    dependencies.row_length = assertions + 1


@kernel
def _place(dependencies: Dependencies, run: int, assertion: int) -> int:
    """Return the row of `dependencies.used` that belongs to an assertion of a run, or to CLASH."""
    row = dependencies.row_length
    return int(run * row + (row - 1 if assertion == CLASH else assertion))


@kernel
def begin_chains(dependencies: Dependencies, run: int) -> None:
    """Begin to record the nested chains of a run, which becomes the current one.

    Nested chains that were recorded for it before are discarded.
    """
    dependencies.count[run] = 0
    dependencies.asserted_count = 0


@kernel
def number_of_chain(dependencies: Dependencies, run: int, chain: int, complexity: int) -> int:
    """Return the number of a nested chain in a run, from 0. A new chain gets the next number.

    `chain` is the hash that identifies the chain. The `complexity` of a new chain is stored.
    """
    for number in range(dependencies.count[run]):
        if dependencies.chain[run, number] == chain:
            return number
    number = int(dependencies.count[run])
    dependencies.chain[run, number] = chain
    dependencies.complexity[run, number] = complexity
    dependencies.count[run] += 1
    return number


@kernel
def note_removed(dependencies: Dependencies, assertion: int, number: int) -> None:
    """Record that the current run derived an assertion from its nested chain `number`.

    The assertion states that a candidate is false, because the nested chain removes it.
    """
    dependencies.asserted[dependencies.asserted_count] = assertion
    dependencies.asserted_chain[dependencies.asserted_count] = number
    dependencies.asserted_count += 1


@kernel
def finish_chains(dependencies: Dependencies, runs: Runs, tree: Tree, run: int) -> None:
    """Record which nested chains each consequence of the current run depends on.

    `tree` contains the derivations of the run. If the run ended in a contradiction, the complexity
    of the nested chains that it depends on is added to `runs.clash_complexity`.
    """
    for is_true in range(2):
        for number in range(runs.counts[run, is_true]):
            listed = int(runs.true[run, number] if is_true else runs.false[run, number])
            _note_used(dependencies, tree, run, 2 * listed + is_true)
    if runs.clash_complexity[run]:
        _note_used(dependencies, tree, run, CLASH)
        begin_union(dependencies)
        add_chains(dependencies, run, runs.clash_assertion[run])
        runs.clash_complexity[run] += add_chains(dependencies, run, CLASH)


@kernel
def _note_used(dependencies: Dependencies, tree: Tree, run: int, assertion: int) -> None:
    """Record which nested chains an assertion of the current run, or CLASH, depends on."""
    used = dependencies.used[_place(dependencies, run, assertion)]
    for word in range((dependencies.count[run] + 63) // 64):
        used[word] = 0
    for place in range(dependencies.asserted_count):
        removed, number = dependencies.asserted[place], dependencies.asserted_chain[place]
        if tree.ancestors[assertion, removed >> 6] >> (removed & 63) & 1:
            used[number >> 6] |= 1 << (number & 63)


@kernel
def begin_union(dependencies: Dependencies) -> None:
    """Empty the set of nested chains (`dependencies.union`) that `add_chains` extends."""
    dependencies.union_count = dependencies.union_complexity = 0


@kernel
def add_chains(dependencies: Dependencies, run: int, assertion: int) -> int:
    """Add the nested chains that an assertion depends on to the set `dependencies.union`.

    The assertion is a consequence of the run, or CLASH for its contradiction. Chains that the set
    contains aren't added again. Returns the total complexity of all chains in the set.
    """
    used = dependencies.used[_place(dependencies, run, assertion)]
    for word in range((dependencies.count[run] + 63) // 64):
        bits = used[word]
        while bits:
            number = 64 * word + ctz(bits)
            bits &= bits - 1
            chain, is_new = dependencies.chain[run, number], True
            for place in range(dependencies.union_count):
                is_new = is_new and dependencies.union[place] != chain
            if is_new:
                dependencies.union[dependencies.union_count] = chain
                dependencies.union_count += 1
                dependencies.union_complexity += dependencies.complexity[run, number]
    return int(dependencies.union_complexity)


@kernel
def begin_reading(dependencies: Dependencies) -> None:
    """Begin to read a nested chain: `is_first_read` now returns True for each candidate once."""
    dependencies.readings += 1


@kernel
def is_first_read(dependencies: Dependencies, candidate: int) -> bool:
    """Return whether this is the first call for a candidate since `begin_reading`."""
    is_new = dependencies.read[candidate] != dependencies.readings
    dependencies.read[candidate] = dependencies.readings
    return bool(is_new)
