"""Choose the titles of jobs on pages."""

from web.pages.first_puzzles import first_puzzle
from worker.job import Job


def title_of(job: Job) -> str:
    """Return a job's name, a description of its only puzzle, or its number of puzzles.

    The only puzzle of a job without a name is described once it is done.
    """
    if job.name or job.total != 1 or job.sealed_at is None:
        return job.title
    puzzle = first_puzzle(job)
    return puzzle.title if puzzle is not None and puzzle.title else job.title
