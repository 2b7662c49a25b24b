"""Remarks in the details of results that other code has to recognize."""

IS_WRONG = "the solution in the upload is wrong"
BREAKS_RULE = "the solution in the upload breaks a rule"


def is_wrong_solution(detail: str) -> bool:
    """Return whether the details of a result report that the upload gives a wrong solution."""
    return IS_WRONG in detail or BREAKS_RULE in detail
