"""Reconstruct how an assertion follows from the assumption, as chains.

The first chain leads from the assumption to the assertion. A step of a chain can also depend on
other eliminations. For each of them, a side chain is written. It starts with the assumption or with
an assertion of an earlier chain, leads to the elimination, and ends with the assertion that depends
on it.

The first node of the first chain has the tag FIRST. The first node of a side chain has the tag
STRONG if its candidate is true, and WEAK if it is false, like all other nodes.
"""

from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import note
from solver.logic.deduction_rows import CHAIN, FIRST, STRONG, WEAK
from solver.logic.sudoku_explainer.assumptions import CLASH, Tree
from solver.logic.sudoku_explainer.links import Links


@kernel
def write_chains(links: Links, tree: Tree, buffer: Ints, end: int, clash_shown: int) -> None:
    """Write the chains that lead from an assumption to one of its consequences.

    `tree` contains the derivations of the last run, which followed the assumption. `end` is the
    number of the assertion to which the first chain leads, or CLASH for a contradiction. The other
    chains lead to the further parents of assertions that have several. CLASH has no candidate, so
    the assertion `clash_shown` is written in its place.
    """
    for assertion in range(2 * links.count):
        tree.written[assertion] = 0
    tree.written[CLASH] = 0
    tree.branch_ends[0] = end
    tree.branch_targets[0] = -1
    waiting = 1
    while waiting:
        waiting -= 1
        assertion, into = tree.branch_ends[waiting], tree.branch_targets[waiting]
        length = 0
        tree.path[0] = assertion
        while not tree.written[assertion]:
            first = tree.parents_from[assertion]
            if tree.parents_to[assertion] == first:
                break
            assertion = tree.parents[first]
            length += 1
            tree.path[length] = assertion
        note(buffer, CHAIN, 0, 0)
        for place in range(length, -1, -1):
            assertion = tree.path[place]
            _note(links, buffer, assertion, clash_shown, place == length and into < 0)
            if tree.written[assertion]:
                continue
            tree.written[assertion] = 1
            for number in range(tree.parents_from[assertion] + 1, tree.parents_to[assertion]):
                tree.branch_ends[waiting] = tree.parents[number]
                tree.branch_targets[waiting] = assertion
                waiting += 1
        if into >= 0:
            _note(links, buffer, into, clash_shown, False)


@kernel
def _note(links: Links, buffer: Ints, assertion: int, clash_shown: int, is_first: bool) -> None:
    """Write an assertion as a node of a chain. CLASH is written as the assertion `clash_shown`."""
    shown = clash_shown if assertion == CLASH else assertion
    tag = FIRST if is_first else STRONG if shown & 1 else WEAK
    note(buffer, tag, links.cell[shown >> 1], links.value[shown >> 1] + 1)
