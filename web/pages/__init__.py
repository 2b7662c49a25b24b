"""The blueprint of the web pages, and the filters that their templates use.

The pages are for new jobs, made puzzles, jobs, puzzles, the list of jobs, workers, and reference.
Jobs also have pages for their duplicates, a report, and a book. All pages work without JavaScript.
With it, uploads show their progress, and job pages update themselves.
"""

from flask import Blueprint

from web.pages import (
    again,
    available_steps,
    book,
    duplicates,
    editor_rules,
    formats,
    hints,
    job,
    make,
    my_jobs,
    position,
    puzzle,
    reference,
    report,
    samples,
    upload,
    workers,
)
from web.pages.filters import FILTERS
from web.pages.job_title import title_of

pages = Blueprint("pages", __name__)
for name, write in FILTERS.items():
    pages.add_app_template_filter(write, name)
pages.add_app_template_filter(title_of, "job_title")
for views in (
    upload,
    editor_rules,
    make,
    samples,
    formats,
    reference,
    my_jobs,
    workers,
    job,
    again,
    book,
    duplicates,
    report,
    puzzle,
    hints,
    available_steps,
    position,
):
    views.register(pages)
