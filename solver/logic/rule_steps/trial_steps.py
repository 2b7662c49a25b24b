"""Steps from trials, and the last resort: a value that only a search can prove.

A trial assumes a candidate and follows singles and rules until a contradiction appears. Only
candidates that aren't in the known solution are tried.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from solver.board.layout import Layout
from solver.logic import deduction_rows as tags
from solver.logic.deduction import LineKind
from solver.logic.rule_steps.deductions import SEARCHED, TRIAL, Rows
from solver.logic.rule_steps.filters import values_in
from solver.logic.rule_steps.trials import TrialLine, Trials

SHORT, LONG = 12, 400  # lines after which a trial is abandoned
_MOST_TRIED = {SHORT: 60, LONG: 80}  # candidates for one step
_MOST_FOUND = {SHORT: 3, LONG: 2}  # contradictions of which the shortest is chosen


class TrialSteps:
    """Finds steps from trials on one board.

    `searches` is the number of complete searches so far. The more there were, the fewer candidates
    are tried, because trials rarely help on such boards.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.searches = 0

    @cached_property
    def _trials(self) -> Trials:
        return Trials(self._layout)  # many boards need none

    def first(
        self, domains: Sequence[int], solution: Sequence[int], *, most_lines: int
    ) -> Rows | None:
        """Return the shortest trial among the first few that end in a contradiction, as rows.

        `domains` are the candidates, one bit for a filled cell. Only values that aren't in the
        solution are tried, because the others can't lead to a contradiction. `most_lines` is SHORT
        or LONG. Returns None if no trial ends in a contradiction within as many lines.
        """
        best: list[TrialLine] | None = None
        found = 0
        most = _MOST_TRIED[most_lines] // (1 + self.searches)
        for cell, value in islice(wrong_candidates(domains, solution), most):
            if found >= _MOST_FOUND[most_lines]:
                break
            lines = self._trials.contradiction(domains, cell, value, most_lines=most_lines)
            if lines is not None:
                found += 1
                if best is None or len(lines) < len(best):
                    best = lines
        return None if best is None else list(rows_of(best, self._trials))

    def all(self, domains: Sequence[int], solution: Sequence[int]) -> Iterator[Rows]:
        """Yield each trial that ends in a contradiction within `SHORT` lines, as rows.

        Only the first candidates in the order of `wrong_candidates` are tried.
        """
        for cell, value in islice(wrong_candidates(domains, solution), _MOST_TRIED[SHORT]):
            lines = self._trials.contradiction(domains, cell, value, most_lines=SHORT)
            if lines is not None:
                yield list(rows_of(lines, self._trials))


def searched(domains: Sequence[int], solution: Sequence[int]) -> Rows:
    """Return the last resort as rows: a step that places the solution's value in a cell.

    It is the first of the cells with the fewest candidates, but at least two. There must be one.
    """
    cell = next(cell for cell, _ in wrong_candidates(domains, solution))
    return [(tags.TECHNIQUE, SEARCHED, 0), (tags.PLACE, cell, solution[cell])]


def wrong_candidates(domains: Sequence[int], solution: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the candidates that aren't in the solution, those of cells with few candidates first.

    They are pairs (cell, value) with values from 0. The values of the solution count from 1.
    """
    cells = [cell for cell, mask in enumerate(domains) if mask & (mask - 1)]
    for cell in sorted(cells, key=lambda cell: domains[cell].bit_count()):
        for value in values_in(domains[cell] & ~(1 << (solution[cell] - 1))):
            yield cell, value


def rows_of(lines: Sequence[TrialLine], trials: Trials) -> Iterator[tuple[int, int, int]]:
    """Yield the rows that encode a trial (see `deduction_rows`), given its lines.

    `trials` is the object that has found the lines.
    """
    first = lines[0]
    yield tags.TECHNIQUE, TRIAL, 0
    yield tags.REMOVE, first.cell, first.values.bit_length()
    for line in lines:
        yield tags.LINE, line.kind, line.source
        reason = trials.reason_of(line)
        if reason is None:
            yield from _rows_of(tags.LINE_PLACE, max(line.cell, 0), line.values)
        else:
            yield from _rows_of(tags.LINE_PLACE, reason.cell, reason.only)
            yield from _rows_of(tags.LINE_REMOVE, reason.cell, reason.gone)
            for cell, values in reason.absent:
                yield from _rows_of(tags.LINE_ABSENT, cell, values)
        if line.kind != LineKind.ASSUMPTION:
            for premise in sorted(line.premises):
                yield tags.PREMISE, premise, 0


def _rows_of(tag: int, cell: int, values: int) -> Rows:
    """Return a row (tag, cell, value) for each of some values of a cell, given as bits."""
    return [(tag, cell, value + 1) for value in values_in(values)]
