"""The page that lists which puzzles of a job are duplicates of others."""

from flask import Blueprint, render_template, request

from web.http import request_context
from web.http.errors import Problem
from web.results.duplicates import MAX_PUZZLES, find_duplicates

GROUPS_PER_PAGE = 50
# Duplicates of one puzzle that are listed.
MAX_LISTED = 20


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/jobs/<job_id>/duplicates")(duplicates)


def duplicates(job_id: str) -> str:
    """List the puzzles of a job that are equal up to symmetry, in groups.

    Raises Problem if the job has no canonical forms or is too large.
    """
    job = request_context.find_job(job_id)
    if not job.options.minlex:
        raise Problem(
            422,
            "duplicates are unknown, because the job was created without the option minlex "
            "(canonical form); run it again with this option",
        )
    if job.total > MAX_PUZZLES:
        raise Problem(
            422,
            f"duplicates are listed for jobs of up to {MAX_PUZZLES:,} puzzles, and this one has "
            f"{job.total:,}; download its results, and compare the column minlex",
        )
    results = request_context.service().results
    groups = find_duplicates(lambda: results.read(job_id))
    offset = max(request.args.get("offset", 0, type=int), 0)
    return render_template(
        "duplicates.html",
        job=job,
        groups=groups[offset : offset + GROUPS_PER_PAGE],
        offset=offset,
        per_page=GROUPS_PER_PAGE,
        most=MAX_LISTED,
        originals=len(groups),
        copies=sum(map(len, groups)) - len(groups),
    )
