"""Pages that explain the problem types, at the URLs in the `type` of problem documents."""

from flask import Blueprint, render_template

from solver.board.closest import unknown
from web.http.errors import Problem
from web.schemas.problem_types import PATH, PROBLEM_TYPES

problem_pages = Blueprint("problem_pages", __name__, url_prefix=PATH)


@problem_pages.get("")
def overview() -> str:
    """Show the page with all problem types."""
    return render_template("problems.html", types=list(PROBLEM_TYPES.values()))


@problem_pages.get("/<name>")
def one(name: str) -> str:
    """Show the page about one problem type. Raises Problem if the type is unknown."""
    if name not in PROBLEM_TYPES:
        raise Problem(404, unknown("problem type", name, PROBLEM_TYPES))
    return render_template("problems.html", types=[PROBLEM_TYPES[name]])
