"""Recognize remarks in the details of results, for code that treats their records differently."""

from solver.formats.reading.cells import UNREADABLE_SOLUTION

IS_WRONG = "the solution in the upload is wrong"
BREAKS_RULE = "the solution in the upload breaks a rule"


def is_wrong_solution(detail: str) -> bool:
    """Return whether the remarks in `detail` report a wrong or unreadable uploaded solution."""
    return any(remark in detail for remark in (IS_WRONG, BREAKS_RULE, UNREADABLE_SOLUTION))
