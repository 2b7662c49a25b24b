"""Level 5: chains nested in chains that are nested in chains themselves.

When dynamic chains don't extend the outer search (level 4), dynamic chains with forcing chains
nested in them (level 2) are tried. So there are three searches, each in the state that the previous
one has reached. No known puzzle needs this level. Level 4 has solved every one.
"""

from typing import Any

from solver.compiling.jit import bare
from solver.engines.engine import ABANDON
from solver.logic.explainer.chained import begin_runs, finish_chains
from solver.logic.explainer.nested import (
    WITH_DYNAMIC,
    asserter,
    begin_inner,
    begin_nested,
    follow_nested,
    walk_nested,
)
from solver.logic.explainer.search import FIRST_NESTED, search

DEEPER = 5
_assert_all = asserter(follow_nested)


@bare
def follow_deeper(searches: Any, run: int, stop: Any) -> None:
    """Follow an assumption. Stops early if `stop` becomes ABANDON."""
    outer = searches[0]
    begin_nested(outer, run)
    true_begin = false_begin = 0
    while walk_nested(searches, 0, WITH_DYNAMIC, run, true_begin, false_begin):
        true_begin, false_begin = outer.runs.counts[run, 1], outer.runs.counts[run, 0]
        if not _extend(searches, run, stop):
            break
    finish_chains(outer.chained, outer.runs, outer.tree, run)


@bare
def _extend(searches: Any, run: int, stop: Any) -> bool:
    """Assert the eliminations of inner chains that contain nested chains.

    Returns whether any exist.
    """
    runs, inner = searches[0].runs, searches[1]
    before = runs.counts[run, 0]
    begin_inner(searches, 0)
    assertions = 2 * inner.links.count[0]
    begin_runs(inner.chained, assertions)
    for assumed in range(assertions):
        if stop[0] == ABANDON:
            return False
        follow_nested(searches, 1, FIRST_NESTED, assumed)
    search(inner, FIRST_NESTED)
    _assert_all(searches, 0, FIRST_NESTED, run)
    return bool(runs.counts[run, 0] > before)
