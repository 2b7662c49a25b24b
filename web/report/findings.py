"""Find the puzzles of a job to which a finding of its report applies."""

import numpy as np
from numpy.typing import NDArray

from solver.board.display import shown
from web.http.errors import Problem
from web.report.of_job import analysis_of, find_other, matches
from worker.job import Job

_AGAINST = "against:"


def numbers_of(job: Job, finding: str) -> NDArray[np.int64]:
    """Return the numbers of the puzzles with a finding of a job's report, ascending.

    Raises Problem if the finding, or the other job that it names, is unknown, or if a report isn't
    available.
    """
    analysis = analysis_of(job)
    if finding.startswith(_AGAINST):
        other = find_other(finding.removeprefix(_AGAINST), field="finding")
        mask = matches(job, other)[1].found
    else:
        found = analysis.find(finding)
        if found is None:
            detail = (
                f"the report has no finding {shown(finding)}; the filters in the report have its "
                "findings, such as publishable, disagrees, or givens:24"
            )
            raise Problem(422, detail, field="finding")
        mask = found
    numbers: NDArray[np.int64] = analysis.columns.numbers[mask]
    return numbers
