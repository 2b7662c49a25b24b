"""Find a small set of givens and constraints that contradict each other.

A SAT solver gets the board as clauses, and assumes all givens and constraints. If there is no
solution, it returns the assumptions that its proof needs. Then each of them is left out in turn,
and stays out if the others still contradict each other. All of this is repeated in other orders,
because another proof can need fewer assumptions.
"""

from solver.board.conflict import Conflict
from solver.board.puzzle import Invalid, Puzzle
from solver.engines.engine import GO_ON, NEVER, StopFlag
from solver.engines.sat.clauses import TooManyLiterals
from solver.logic.rule_steps.conflict_groups import ConflictGroups, Core
from solver.logic.sentences.conflicts import conflict_in_words
from solver.single import PuzzleLike, single_puzzle

_MOST_CANDIDATES = 8_000  # of a board; larger ones need too many clauses
_MOST_ORDERS = 4
# Propagations: all together, in the first search of each order, and in each later one. The SAT
# solver makes about a million per second.
_MOST_WORK, _MOST_AT_FIRST, _MOST_LATER = 300_000, 250_000, 40_000


def conflict(source: PuzzleLike) -> Conflict | None:
    """Return a small set of givens and constraints that contradict each other.

    `source` is as for `solver.solve`. Returns None if the puzzle has a solution, if no proof is
    found quickly, or if the board is too large. Houses always apply. Pencil marks are ignored.

    Raises ValueError if `source` isn't a single valid puzzle, TypeError for anything that can't be
    a puzzle, and OSError if a file can't be read.

    >>> conflict("1.....2........1").detail
    'the 1 in r1c1, the 2 in r2c3, and the 1 in r4c4 contradict each other'
    """
    puzzle = single_puzzle(source)
    if isinstance(puzzle, Invalid):
        raise ValueError(puzzle.detail)
    return conflict_in(puzzle)


def conflict_in(puzzle: Puzzle, *, stop: StopFlag = NEVER) -> Conflict | None:
    """Return a small set of givens and constraints of a puzzle that contradict each other, or None.

    Returns None in the cases that `conflict` states. If `stop` is raised, the result is the
    smallest set found so far, or None.
    """
    layout = puzzle.layout
    if layout.cells * layout.size > _MOST_CANDIDATES:
        return None
    try:
        groups = ConflictGroups(layout)
    except TooManyLiterals:
        return None
    cells = {
        groups.literal(cell, value - 1): cell for cell, value in enumerate(puzzle.givens) if value
    }
    core = _smallest_core(groups, [*groups.rules, *cells], stop)
    if core is None:
        return None
    givens = tuple(sorted(cells[each] for each in core if each in cells))
    constraints = tuple(sorted(groups.rules[each] for each in core if each in groups.rules))
    return Conflict(givens, constraints, conflict_in_words(puzzle, givens, constraints))


def _smallest_core(groups: ConflictGroups, every: Core, stop: StopFlag) -> Core | None:
    """Return the smallest set of contradictory assumptions that is found, or None.

    The assumptions `every` are reduced in up to four orders. The first order without a result, such
    as when the limit of work is reached, ends the search.
    """
    best: Core | None = None
    for order in range(_MOST_ORDERS):
        start = len(every) * order // _MOST_ORDERS
        core = _reduced_core(groups, [*every[start:], *every[:start]], stop)
        if core is None:
            return best
        if best is None or len(core) < len(best):
            best = core
        if len(best) <= 1:
            break
    return best


def _reduced_core(groups: ConflictGroups, every: Core, stop: StopFlag) -> Core | None:
    """Return a part of the assumptions `every` that is contradictory, or None if none is found.

    Assumptions are left out from the last to the first while the rest stays contradictory. So each
    one that remains is needed for the contradiction, unless a limit was reached.
    """

    def contradiction(assumptions: Core, most: int) -> Core | None:
        left = _MOST_WORK - groups.work
        if left <= 0 or stop[0] != GO_ON:
            return None
        return groups.contradiction(assumptions, propagations=min(most, left))

    core = contradiction(every, _MOST_AT_FIRST)
    if core is None:
        return None
    for each in reversed(every):
        if each in core:
            fewer = contradiction([other for other in core if other != each], _MOST_LATER)
            core = core if fewer is None else fewer
    return core
