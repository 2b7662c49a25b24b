"""All forcing chains and cycles of a state, in the order in which Sudoku Explainer finds them."""

from typing import Any

from solver.compiling.jit import bare
from solver.compiling.words import ones
from solver.logic.explainer.breadth_first_search import XY, X, Y, cycle, limit_to, measure
from solver.logic.explainer.candidate_steps import keep_chain, keep_cycle
from solver.logic.explainer.chain_order import NO_LIMIT, longer
from solver.logic.explainer.forcing import CHAIN_OFF, CHAIN_ON, CYCLE
from solver.logic.explainer.state import is_pair


@bare
def offer_forcing(state: Any, links: Any, walk: Any, findings: Any) -> None:
    """Collect the chains and cycles of each mode, from all candidates of open cells."""
    for mode in (X, Y, XY):
        limit_to(links, walk, mode)
        for start in range(links.count[0]):
            cell = links.cell[start]
            if ones(state.cells[cell]) > 1 and (mode != Y or is_pair(state.cells[cell])):
                _offer_from(state, links, walk, findings, mode, start)


@bare
def _offer_from(state: Any, links: Any, walk: Any, findings: Any, mode: int, start: int) -> None:
    kind = 2 if mode == X else 3 if mode == Y else 4
    measure(links, walk, start, True, NO_LIMIT)
    chain, may_cycle = walk.shortest[0], walk.shortest[1]
    number = 0
    while may_cycle:
        complexity = cycle(state, links, walk, start, NO_LIMIT, number)
        if complexity == 0:
            break
        rating = (7.0 if mode == XY else 6.5) + longer(complexity)
        keep_cycle(findings, rating, complexity, kind, CYCLE, start, mode, number)
        number += 1
    if mode == Y:
        return
    base = 7.0 if mode == XY else 6.6
    if chain:
        rating = base + longer(chain)
        keep_chain(findings, 2 * start, rating, chain, kind, CHAIN_OFF, start, mode)
    if walk.leads_on[start]:
        measure(links, walk, start, False, NO_LIMIT)
        chain = walk.shortest[0]
        if chain:
            rating = base + longer(chain)
            keep_chain(findings, 2 * start + 1, rating, chain, kind, CHAIN_ON, start, mode)
