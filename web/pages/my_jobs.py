"""The list of the client's own jobs."""

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from web.access.job_owner import describe_owner, forget
from web.api.job_filter import read_job_filter
from web.api.job_list import USUALLY_LISTED, list_jobs
from web.pages.charts import shares
from web.pages.first_puzzles import first_puzzle
from web.pages.job_title import title_of
from web.pages.job_verdict import verdict_in_words
from web.pages.outcome_meanings import MEANINGS, labels
from worker.ingest.new_job import MAX_NAME_LENGTH
from worker.job import Job, JobState

_STATES = {
    JobState.UPLOADING: "Puzzles are still arriving. Those that have arrived are already solved.",
    JobState.QUEUED: "The upload is complete. The job waits for a worker.",
    JobState.RUNNING: "Workers are solving the puzzles. Results so far can be read and downloaded.",
    JobState.FINISHED: "Every puzzle has a result.",
    JobState.CANCELLED: "The job was canceled. The results until then are kept.",
    JobState.FAILED: "The job can’t continue. Its page has the reason, and results until then are "
    "kept.",
}


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/my-jobs")(my_jobs)
    pages.get("/jobs")(jobs)
    pages.post("/my-jobs/forget")(forget_jobs)


def my_jobs() -> str:
    """List the client's jobs that the filter in the query selects, newest first."""
    job_filter = read_job_filter()
    page = list_jobs(
        job_filter,
        cursor=request.args.get("cursor"),
        count=USUALLY_LISTED,
        title=title_of,
    )
    return render_template(
        "my_jobs.html",
        days=[
            (
                day,
                [
                    (
                        job,
                        shares(job.outcomes, total=job.total),
                        first_puzzle(job),
                        verdict_in_words(job),
                        _exceptions(job),
                    )
                    for job in jobs
                ],
            )
            for day, jobs in groupby(page.jobs, _day)
        ],
        cursor=page.cursor,
        first=not request.args.get("cursor"),
        job_filter=job_filter,
        legend=_legend(page.jobs),
        states=list(JobState),
        state_meanings=_STATES,
        max_name=MAX_NAME_LENGTH,
        whose=describe_owner(),
    )


def _day(job: Job) -> str:
    """Return the day in UTC on which a job was created, such as "2026-11-30"."""
    return datetime.fromtimestamp(job.created_at, UTC).date().isoformat()


def _exceptions(job: Job) -> str:
    """Return how many puzzles of a job aren't solved, such as "2 with several solutions".

    While the job isn't final, returns how many are done instead. If the job ended before all were
    done, their number goes before the others. If all puzzles of a final job are solved, returns
    "all with one solution", or "all solved" if uniqueness wasn't checked. If none is done, returns
    "no results".
    """
    if not job.state.final:
        return f"{job.done:,} done so far"
    if not job.done:
        return "no results"
    words = labels(job)
    found = {name: number for name, number in job.outcomes.items() if number and name != "solved"}
    parts = [f"{number:,} {_phrase(words[name])}" for name, number in found.items()]
    parts = parts or [f"all {_phrase(words['solved'])}"]
    if job.done < job.total:
        parts.insert(0, f"{job.done:,} done")
    return ", ".join(parts)


def _phrase(label: str) -> str:
    """Return the label of an outcome as it follows a number, such as "with one solution"."""
    words = label.lower()
    return f"with {words}" if words.endswith(("solution", "solutions")) else words


def _legend(jobs: Iterable[Job]) -> list[tuple[str, str]]:
    """Return the outcomes that the jobs have, each with its label.

    They are in the order of `MEANINGS`. An outcome with several labels is there once per label.
    """
    pairs = [pair for job in jobs for pair in labels(job).items() if job.outcomes.get(pair[0])]
    return sorted({*pairs}, key=lambda pair: (list(MEANINGS).index(pair[0]), pair[1]))


def jobs() -> Response:
    """Redirect from /jobs, the path prefix of job URLs, to the list of jobs."""
    return redirect(url_for("pages.my_jobs"))


def forget_jobs() -> Response:
    """Clear the client's job list, and redirect to the list. The jobs themselves are kept."""
    forget()
    return redirect(url_for("pages.my_jobs"), 303)
