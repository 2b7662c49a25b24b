"""Analyze a finished job for the pages, requests, and filters that share its analysis."""

from functools import lru_cache

from web.http import request_context
from web.http.errors import Problem
from web.report.against import Matches, match
from web.report.analysis import Analysis, analyze
from web.report.columns import Columns, read_columns
from web.results.folder_column import in_folders
from worker.job import Job

# A larger collection would take more than 10 s and 250 MB.
MAX_PUZZLES = 1_000_000
_LONGEST_ID = 100


def analysis_of(job: Job) -> Analysis:
    """Return the analysis of a job that has ended.

    Raises Problem if the job hasn't ended, or if it is too large.
    """
    if not job.state.final:
        detail = f"the job is {job.state}; its report is available when it is finished"
        raise Problem(409, detail, retry_after=1, kind="job-not-finished")
    if job.total > MAX_PUZZLES:
        raise Problem(
            422,
            f"a report has at most {MAX_PUZZLES:,} puzzles, but this job has {job.total:,}; run a "
            "part of it again, for example by outcome or rating",
        )
    return _analysis(job.id)


@lru_cache(maxsize=3)  # Each takes some 60 bytes per puzzle.
def _analysis(job_id: str) -> Analysis:
    job = request_context.find_job(job_id)
    results = request_context.service().results
    parts = ((first, in_folders(result, job.folders)) for first, result in results.read(job_id))
    return analyze(read_columns(parts, job.options))


def find_other(job_id: str, *, field: str) -> Job:
    """Return the job with which a job is compared.

    Raises Problem if the job is unknown, but not if it hasn't ended. `field` is the query parameter
    with its id.
    """
    other = None if len(job_id) > _LONGEST_ID else request_context.service().jobs.get(job_id)
    if other is None:
        detail = f"{field!r} isn't the id of a job; perhaps the job has expired"
        raise Problem(422, detail, field=field)
    return other


def matches(job: Job, other: Job) -> tuple[Columns, Matches]:
    """Return the columns of another job, and which puzzles of a job are in that one, too.

    Raises Problem if one of the jobs hasn't ended, or is too large.
    """
    columns = analysis_of(other).columns
    return columns, match(analysis_of(job).columns, columns)
