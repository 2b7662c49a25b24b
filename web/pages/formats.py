"""The page that lists the input formats, with a search."""

from flask import Blueprint, render_template, request

from solver.formats import FORMATS
from web.http import request_context
from web.pages.format_titles import TITLES
from web.pages.search import has_words


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/formats")(formats)


def formats() -> str:
    """Show the formats that contain all words of the query parameter `q`, common ones first.

    A word can be in the title, the name, the description, or the example of a format. Without a
    query, all formats are shown.
    """
    query = request.args.get("q", "").strip()[:100]
    formats_by_name = {each.name: each for each in FORMATS}
    shown = [
        (title, each)
        for title, each in ((title, formats_by_name[name]) for name, title in TITLES.items())
        if has_words(f"{title} {each.name} {each.description} {each.example}", query)
    ]
    settings = request_context.service().settings
    return render_template("formats.html", formats=shown, query=query, settings=settings)
