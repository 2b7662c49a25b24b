"""The page that lists the input formats, with a search."""

from flask import Blueprint, render_template, request

from solver.formats import FORMATS
from web.http import request_context


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/formats")(formats)


def formats() -> str:
    """Show the formats that contain all words of the query parameter `q`.

    A word can be in the name, the description, or the example of a format. Without a query, all
    formats are shown.
    """
    wanted = request.args.get("q", "").strip()[:100]
    words = wanted.lower().split()
    shown = [
        format_
        for format_ in FORMATS
        if all(
            word in f"{format_.name} {format_.description} {format_.example}".lower()
            for word in words
        )
    ]
    settings = request_context.service().settings
    return render_template("formats.html", formats=shown, wanted=wanted, settings=settings)
