"""Follow the assumption that a candidate is true or false.

An assertion states that a candidate is true or that it is false. Its parents are the assertions
that it directly follows from. Assertions are followed in Sudoku Explainer's order: all true ones
first, then one false one, until none are left or a candidate would have to be both true and false.
A dynamic search also removes false candidates from the state, which creates new links. An assertion
that depends on such a link also has the removals as parents.

The complexity of an assertion is its number of ancestors, including itself. With a single parent,
that is one more than the parent's complexity. With several parents, it is the size of the union of
their ancestors, which are stored as bits:

    assertion 2·k: candidate k is false    2·k + 1: it is true    CLASH: ends a contradiction
"""

from typing import Annotated, Protocol

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype
from solver.logic.board import Ints, Shorts, Words
from solver.logic.sudoku_explainer.houses import CELL_HOUSES, CELL_PLACES, HOUSE_CELLS, KINDS
from solver.logic.sudoku_explainer.links import CANDIDATES, Links
from solver.logic.sudoku_explainer.rules import house_of, kind_count
from solver.logic.sudoku_explainer.state import (
    State,
    copy_candidates,
    is_pair,
    remove,
)

ASSERTIONS = 2 * CANDIDATES
CLASH = ASSERTIONS
_WORDS = -(-ASSERTIONS // 64)
_PARENTS = 2 * ASSERTIONS * CANDIDATES  # parents of all assertions, and those of patterns
# causes of an assertion, in addition to the kinds of houses
IN_CELL, ASSUMED = KINDS, -1
FALSE, TRUE = range(2)


class Runs(Protocol):
    """The consequences of each assumption.

    A run has the number of the assertion that it assumes: run 2·k + 1 assumes that candidate k is
    true, run 2·k that it is false. All fields have the run as their first index.

        done              1 if the run is complete
        complexity        by assertion: its complexity, 0 if it isn't a consequence
        true, false       the candidates that are true and those that are false, in the order found
        counts            the lengths of these two lists, with the index FALSE or TRUE
        clash_complexity  the complexity of the contradiction, 0 if there is none
        clash_assertion   the assertion whose negation also follows, if there is a contradiction
    """

    done: Annotated[Shorts, ASSERTIONS]
    complexity: Annotated[Shorts, ASSERTIONS, ASSERTIONS]
    true: Annotated[Shorts, ASSERTIONS, CANDIDATES]
    false: Annotated[Shorts, ASSERTIONS, CANDIDATES]
    counts: Annotated[Words, ASSERTIONS, 2]
    clash_complexity: Annotated[Words, ASSERTIONS]
    clash_assertion: Annotated[Words, ASSERTIONS]


RUNS = record_dtype(Runs)


class Tree(Protocol):
    """How the last run derived each assertion: its parents, its ancestors, and its cause.

    state           in a dynamic search: the grid without the candidates that are false so far
    ancestors       by assertion, or CLASH: the assertions that it follows from, and itself
                    (bits)
    parents_from    by assertion: where its parents begin in `parents`
    parents_to      by assertion: where they end
    cause           by assertion: IN_CELL, or a kind of house, if it states that the last
                    candidate in the cell or house is true, else ASSUMED
    written, path   scratch space for reading the derivations
    branch_ends,    scratch space: the ends of chains that are still to be written, and the
    branch_targets  assertions that these chains support, or −1
    parent_count    the length of `parents`
    ancestor_words  the number of words in a set of ancestors
    """

    state: State
    ancestors: Annotated[Words, ASSERTIONS + 1, _WORDS]
    parents_from: Annotated[Words, ASSERTIONS + 1]
    parents_to: Annotated[Words, ASSERTIONS + 1]
    parents: Annotated[Ints, _PARENTS]
    cause: Annotated[Words, ASSERTIONS + 1]
    written: Annotated[Words, ASSERTIONS + 1]
    path: Annotated[Words, ASSERTIONS + 1]
    branch_ends: Annotated[Ints, _PARENTS]
    branch_targets: Annotated[Ints, _PARENTS]
    parent_count: int
    ancestor_words: int


TREE = record_dtype(Tree)


@kernel
def _begin(links: Links, runs: Runs, run: int) -> None:
    """Reset a run to its assumption alone, the assertion with the number `run`."""
    runs.done[run] = 1
    for assertion in range(2 * links.count):
        runs.complexity[run, assertion] = 0
    runs.complexity[run, run] = 1
    runs.counts[run, FALSE] = runs.counts[run, TRUE] = 0
    runs.clash_complexity[run] = 0
    _append(runs, run, run)


@kernel
def _append(runs: Runs, run: int, assertion: int) -> None:
    """Append an assertion to a run's list of true candidates, or to that of false ones."""
    is_true = assertion & 1
    end = runs.counts[run, is_true]
    if is_true:
        runs.true[run, end] = assertion >> 1
    else:
        runs.false[run, end] = assertion >> 1
    runs.counts[run, is_true] = end + 1


@kernel
def follow(links: Links, runs: Runs, tree: Tree, run: int) -> None:
    """Follow the assumption of a run through the links of the state (static search).

    `run` is the number of the assertion that is assumed. The state doesn't change. The consequences
    are written to `runs`, and their parents to `tree`. The search ends early, without recording a
    contradiction, if a candidate would have to be both true and false.
    """
    _begin(links, runs, run)
    tree.parent_count = 0
    tree.parents_from[run] = tree.parents_to[run] = 0
    true_begin = false_begin = 0
    while True:
        if true_begin < runs.counts[run, TRUE]:
            true = int(runs.true[run, true_begin])
            true_begin += 1
            complexity = runs.complexity[run, 2 * true + 1] + 1
            for number in range(links.weak_to[true]):
                false = links.weak[true, number]
                if runs.complexity[run, 2 * false + 1]:
                    return
                if runs.complexity[run, 2 * false] == 0:
                    runs.complexity[run, 2 * false] = complexity
                    _set_parent(tree, 2 * false, 2 * true + 1)
                    _append(runs, run, 2 * false)
        elif false_begin < runs.counts[run, FALSE]:
            false = int(runs.false[run, false_begin])
            false_begin += 1
            complexity = runs.complexity[run, 2 * false] + 1
            for number in range(links.strong_to[false]):
                true = links.strong[false, number]
                if runs.complexity[run, 2 * true]:
                    return
                if runs.complexity[run, 2 * true + 1] == 0:
                    runs.complexity[run, 2 * true + 1] = complexity
                    _set_parent(tree, 2 * true + 1, 2 * false)
                    _append(runs, run, 2 * true + 1)
        else:
            return


@kernel
def begin_tree(state: State, links: Links, runs: Runs, tree: Tree, run: int) -> None:
    """Begin a dynamic search: reset the run and the tree to the assumption alone.

    `run` is the number of the assertion that is assumed. The tree gets a copy of the state, the
    grid before the assumption.
    """
    _begin(links, runs, run)
    copy_candidates(tree.state, state)
    tree.parent_count = 0
    tree.ancestor_words = (2 * links.count + 63) // 64
    _set_root(tree, run)


@kernel
def _set_root(tree: Tree, run: int) -> None:
    """Make the assumption the root of the tree: an assertion without parents."""
    for word in range(tree.ancestor_words):
        tree.ancestors[run, word] = 0
    tree.ancestors[run, run >> 6] = 1 << (run & 63)
    tree.parents_from[run] = tree.parents_to[run] = 0
    tree.cause[run] = ASSUMED


@kernel
def follow_queues(
    state: State, links: Links, runs: Runs, tree: Tree, run: int, is_nishio: bool,
    true_begin: int, false_begin: int,
) -> bool:  # fmt: skip
    """Derive all consequences of an assumption, until there are no more or they contradict.

    The run has a list of true and one of false candidates. New consequences are appended to them.
    `true_begin` and `false_begin` are the positions of the first candidates to follow. `run` is the
    number of the assumed assertion, and `state` is the grid before the assumption. The search
    removes false candidates from the tree's state, which creates new links. A Nishio search uses no
    links within cells. Returns False, and records the contradiction, if a candidate would have to
    be both true and false.
    """
    work = tree.state
    while True:
        if true_begin < runs.counts[run, TRUE]:
            true = int(runs.true[run, true_begin])
            true_begin += 1
            first = links.weak_from[true] if is_nishio else 0
            for number in range(first, links.weak_to[true]):
                false = links.weak[true, number]
                if not work.cells[links.cell[false]] >> links.value[false] & 1:
                    continue
                if runs.complexity[run, 2 * false + 1]:
                    set_first_parent(tree, CLASH, 2 * true + 1)
                    _record_contradiction(runs, tree, run, 2 * false + 1)
                    return False
                if runs.complexity[run, 2 * false] == 0:
                    set_first_parent(tree, 2 * false, 2 * true + 1)
                    _queue_from_one(runs, tree, run, 2 * false, 2 * true + 1)
        elif false_begin < runs.counts[run, FALSE]:
            false = int(runs.false[run, false_begin])
            false_begin += 1
            for kind in range(-1, kind_count(state.rules)):
                true = _forced(links, tree, false, kind, is_nishio)
                if true < 0:
                    continue
                if runs.complexity[run, 2 * true]:
                    _derive(state, links, tree, CLASH, true, false, kind)
                    remove(work, links.cell[false], links.value[false])
                    _record_contradiction(runs, tree, run, 2 * true)
                    return False
                if runs.complexity[run, 2 * true + 1] == 0:
                    _derive(state, links, tree, 2 * true + 1, true, false, kind)
                    queue(runs, tree, run, 2 * true + 1)
            remove(work, links.cell[false], links.value[false])
        else:
            return True


@kernel
def _forced(links: Links, tree: Tree, false: int, kind: int, is_nishio: bool) -> int:
    """Return the candidate that must be true because candidate `false` is false, or −1 for none.

    It is the last other candidate in the cell (`kind` −1, not in Nishio searches), or the last
    other place for the value in the cell's house of the given kind. Candidates that the search has
    removed don't count.
    """
    cell, value = links.cell[false], links.value[false]
    if kind < 0:
        if is_nishio or not is_pair(tree.state.cells[cell]):
            return -1
        return int(links.number[cell, ctz(tree.state.cells[cell] & ~(1 << value))])
    house = house_of(tree.state.rules, cell, kind)
    if house < 0:
        return -1
    others = tree.state.places[house, value] & ~(1 << CELL_PLACES[cell, kind])
    if popcount(others) != 1:
        return -1
    return int(links.number[HOUSE_CELLS[house, ctz(others)], value])


@kernel
def _derive(
    state: State, links: Links, tree: Tree, assertion: int, true: int, false: int, kind: int
) -> None:
    """Record why candidate `true` must be true: the parents and the cause of an assertion.

    The assertion is the one about `true`, or CLASH. Its parents state that candidate `false` is
    false, and so are the candidates that the search has removed before from the cell (`kind` −1) or
    from the house of that kind. `state` is the grid before the assumption.
    """
    set_first_parent(tree, assertion, 2 * false)
    cell, value = links.cell[true], links.value[true]
    if kind < 0:
        tree.cause[assertion] = IN_CELL
        gone = state.cells[cell] & ~tree.state.cells[cell]
        while gone:
            add_parent(tree, assertion, 2 * links.number[cell, ctz(gone)])
            gone &= gone - 1
        return
    tree.cause[assertion] = kind
    house = CELL_HOUSES[cell, kind]
    gone = state.places[house, value] & ~tree.state.places[house, value]
    while gone:
        parent = links.number[HOUSE_CELLS[house, ctz(gone)], value]
        add_parent(tree, assertion, 2 * parent)
        gone &= gone - 1


@kernel
def set_first_parent(tree: Tree, assertion: int, parent: int) -> None:
    """Set the first parent of an assertion, and derive its ancestors from it.

    Its ancestors become those of the parent and itself. CLASH isn't counted as its own ancestor.
    The parents of the assertion begin at the end of `tree.parents`.
    """
    for word in range(tree.ancestor_words):
        tree.ancestors[assertion, word] = tree.ancestors[parent, word]
    if assertion != CLASH:
        tree.ancestors[assertion, assertion >> 6] |= 1 << (assertion & 63)
    _set_parent(tree, assertion, parent)


@kernel
def _set_parent(tree: Tree, assertion: int, parent: int) -> None:
    """Set the first parent of an assertion. Its ancestors don't change."""
    tree.parents_from[assertion] = tree.parent_count
    tree.parents_to[assertion] = tree.parent_count + 1
    tree.parents[tree.parent_count] = parent
    tree.parent_count += 1


@kernel
def add_parent(tree: Tree, assertion: int, parent: int) -> None:
    """Add another parent to an assertion, and the parent's ancestors to its ancestors.

    No other assertion may have got its first parent (`set_first_parent`) in between, because all
    parents of an assertion are stored next to each other.
    """
    for word in range(tree.ancestor_words):
        tree.ancestors[assertion, word] |= tree.ancestors[parent, word]
    tree.parents[tree.parent_count] = parent
    tree.parent_count += 1
    tree.parents_to[assertion] = tree.parent_count


@kernel
def _queue_from_one(runs: Runs, tree: Tree, run: int, assertion: int, parent: int) -> None:
    """Add an assertion with a single parent to the consequences of a run.

    It will be followed later. Its parent must have been set before. Its complexity is one higher
    than the parent's.
    """
    runs.complexity[run, assertion] = runs.complexity[run, parent] + 1
    tree.cause[assertion] = ASSUMED
    _append(runs, run, assertion)


@kernel
def queue(runs: Runs, tree: Tree, run: int, assertion: int) -> None:
    """Add an assertion with any number of parents to the consequences of a run.

    It will be followed later. All its parents must have been set before. Its complexity is its
    number of ancestors.
    """
    runs.complexity[run, assertion] = _ancestor_count(tree, assertion)
    _append(runs, run, assertion)


@kernel
def _ancestor_count(tree: Tree, assertion: int) -> int:
    """Return the number of assertions that an assertion, or CLASH, follows from, and itself.

    CLASH doesn't count itself.
    """
    total = 0
    for word in range(tree.ancestor_words):
        total += popcount(tree.ancestors[assertion, word])
    return total


@kernel
def _record_contradiction(runs: Runs, tree: Tree, run: int, opposite: int) -> None:
    """Record a contradiction and its complexity: a run derives an assertion and its negation.

    `opposite` is the assertion that the run contains. The derivation of its negation has been
    stored as the derivation of CLASH.
    """
    own = opposite ^ 1
    is_new = tree.ancestors[CLASH, own >> 6] >> (own & 63) & 1 == 0
    runs.clash_complexity[run] = (
        runs.complexity[run, opposite] + _ancestor_count(tree, CLASH) + is_new
    )
    runs.clash_assertion[run] = opposite
