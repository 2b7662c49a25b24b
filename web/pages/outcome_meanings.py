"""Explain the outcomes to people, with a label and a sentence for each."""

from worker.job import Job

MEANINGS = {
    "solved": "has exactly one solution",
    "multiple": "has more than one solution",
    "unsolvable": "has no solution (proved)",
    "step_limit": "not decided within the maximum number of guesses (step_limit in downloads)",
    "invalid": "can’t be read as a puzzle, or its givens break a rule",
    "failed": "not solved: workers crashed on it three times",
    "gave_up": "not made: no attempt met all conditions",
}
_LABELS = {
    "solved": "One solution",
    "multiple": "Several solutions",
    "unsolvable": "No solution",
    "step_limit": "Undecided",
    "invalid": "Invalid",
    "failed": "Failed",
    "gave_up": "Not made",
}


def meanings(job: Job) -> dict[str, str]:
    """Return the meaning of each outcome for a job, in plain words.

    If the job's limit on solutions is 1, `solved` doesn't mean that the solution is unique.
    """
    one_asked_for = {"solved": "has a solution (uniqueness was not checked)"}
    return MEANINGS | one_asked_for if job.options.limit == 1 else MEANINGS


def labels(job: Job) -> dict[str, str]:
    """Return the label of each outcome on a job's page.

    If the job's limit on solutions is 1, `solved` doesn't mean that the solution is unique.
    """
    return _LABELS | {"solved": "Solved"} if job.options.limit == 1 else _LABELS
