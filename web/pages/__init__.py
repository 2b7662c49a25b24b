"""The pages: a new job, a job while it runs and afterwards, one result, the formats.

They work without JavaScript; with it, uploads show their progress and jobs their own.
"""

from flask import Blueprint

from web.pages import formats, job, overview, puzzle, samples, upload
from web.pages.filters import FILTERS

pages = Blueprint("pages", __name__)
for name, write in FILTERS.items():
    pages.add_app_template_filter(write, name)
for views in (upload, samples, formats, overview, job, puzzle):
    views.register(pages)
