"""Conflict analysis: learn a clause that prevents the same conflict from occurring again.

The first unique implication point (J. Marques-Silva and K. Sakallah, GRASP, 1999; L. Zhang et al.,
"Efficient conflict driven learning in a Boolean satisfiability solver", 2001). The literals of the
conflict are traced back along the trail, last one first. Each is replaced by the literals that
implied it, until only one of the current level is left: the first UIP. The learned clause consists
of its negation and the negated literals of earlier levels:

trail of the current level   guess … UIP … │ a   b   c … conflict
                                        └──┴─ every path from the guess to the conflict
                                              goes through the UIP
"""

import numpy as np

from solver.compiling.jit import always_inline, kernel
from solver.engines.general.clause_learning.clauses import LITERALS
from solver.engines.general.clause_learning.mdd_explanations import explain_automaton
from solver.engines.general.clause_learning.state import CLAUSE, PAIR, Counters
from solver.engines.general.clause_learning.variable_order import sift_up


@kernel
def analyze(conflict, increment, problem, state, order, scratch, clauses):  # type: ignore[no-untyped-def]
    """Learn a clause from a conflict, and write it to `scratch.learned`.

    All of its literals are false. Only the first one is of the current level. The second one has
    the highest level of the others, the level to jump back to. After the jump, the first literal
    must be made true.

    Returns the number of literals, the clause's LBD, and the level to jump back to (0 for a single
    literal). The activity of all candidates in the conflict and its causes grows by `increment`.
    """
    seen, learned, explanation = scratch.seen, scratch.learned, scratch.explanation
    facts = state.facts
    activity = order.activity
    heap = order.heap
    heap_places = order.heap_places
    trail = state.trail
    stamps = scratch.stamps
    counters: Counters = state.counters[0]
    size = 1
    unresolved = 0  # literals of the current level that were seen and aren't replaced yet
    place = counters.trail - 1
    reason, cause, other = conflict
    implied = np.int64(-1)
    before = np.int64(counters.trail)
    while True:
        number = _explain(reason, cause, other, implied, before, problem, state, scratch, clauses)
        for i in range(number):
            candidate = explanation[i] >> 1
            if seen[candidate] or facts[candidate].level == 0:
                continue
            seen[candidate] = True
            activity[candidate] += increment
            if heap_places[candidate] >= 0:
                sift_up(candidate, heap, heap_places, activity)
            if facts[candidate].level == counters.level:
                unresolved += 1
            else:
                learned[size] = explanation[i]
                size += 1
        while not seen[trail[place] >> 1]:
            place -= 1
        implied = np.int64(trail[place])
        candidate = implied >> 1
        unresolved -= 1
        if unresolved == 0:
            break
        seen[candidate] = False
        place -= 1
        reason = np.int64(facts[candidate].reason)
        cause = np.int64(facts[candidate].cause)
        before = np.int64(facts[candidate].place)
    learned[0] = implied ^ 1
    kept = 1
    for i in range(1, size):
        if not _is_redundant(learned[i], state, scratch, clauses):
            explanation[kept] = learned[i]
            kept += 1
    for i in range(size):
        seen[learned[i] >> 1] = False
    counters.stamp += 1
    lbd = 1
    backward = np.int64(0)
    for i in range(1, kept):
        learned[i] = explanation[i]
        level = facts[learned[i] >> 1].level
        if stamps[level] != counters.stamp:
            stamps[level] = counters.stamp
            lbd += 1
        if level > backward:
            backward = np.int64(level)
            learned[1], learned[i] = learned[i], learned[1]
    return kept, lbd, backward


@always_inline
def _explain(reason, cause, other, implied, before, problem, state, scratch, clauses):  # type: ignore[no-untyped-def]
    """Write the reason for an assignment or a conflict to `scratch.explanation`, as false literals.

    `implied` is the assigned literal, or −1 for a conflict. The literals are those that had to be
    false for it to be implied, or for the conflict to occur. `reason`, `cause`, and `other`
    describe the constraint that implied the literal or failed, as in `Conflict`. Only literals
    before position `before` of the trail are considered. Returns the number of literals.
    """
    explanation = scratch.explanation
    if reason == CLAUSE:
        number = 0
        for i in range(cause + LITERALS, cause + LITERALS + clauses[cause]):
            if clauses[i] != implied:
                explanation[number] = clauses[i]
                number += 1
        return number
    if reason == PAIR:
        explanation[0] = 2 * cause + 1
        explanation[1] = 2 * other + 1
        return 1 if implied >= 0 else 2
    removed = implied >> 1 if implied >= 0 else -1
    return explain_automaton(
        cause, removed, before, problem.consequences.size, problem.automata, state, scratch
    )


@always_inline
def _is_redundant(literal, state, scratch, clauses):  # type: ignore[no-untyped-def]
    """Return whether a literal of a learned clause follows from the others and can be dropped.

    The candidates of the clause are marked in `scratch.seen`. Only the literal's direct reason is
    examined: local minimization (N. Sörensson and A. Biere, "Minimizing learned clauses", 2009).
    """
    facts = state.facts
    seen = scratch.seen
    candidate = literal >> 1
    cause = facts[candidate].cause
    if facts[candidate].reason == PAIR:
        return seen[cause] or facts[cause].level == 0
    if facts[candidate].reason != CLAUSE:
        return False
    for i in range(cause + LITERALS, cause + LITERALS + clauses[cause]):
        other = clauses[i] >> 1
        if other != candidate and not seen[other] and facts[other].level > 0:
            return False
    return True
