"""The page with the form that makes puzzles."""

import secrets

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from solver.board.layout import usual_box
from solver.generation.board_request import RANDOM
from solver.generation.random_constraints import RANDOM_RULES
from solver.generation.request import CONTROLLED_BIAS, MOST_PUZZLES
from solver.logic.rating.difficulty import WORDS
from solver.logic.technique_table import GUESS, TECHNIQUES
from solver.rules.registry import RULES
from web.access import authentication
from web.access.job_owner import remember
from web.http import request_context
from web.http.errors import Problem, raise_if_rejected
from web.pages.form_labels import with_labels
from web.pages.request_cards import request_cards
from web.pages.variant_pictures import variant_pictures
from web.uploads.accept import service_url
from web.uploads.generation import Generation

_USUAL_COUNT = 10
_MOST_RANDOM_SEED = 2**31
_MOST_DIGITS = 19  # of the highest seed
_SYMMETRIES = {
    "": "none",
    "180": "half turn (180°)",
    "90": "quarter turn (90°)",
    "mirror": "left and right",
    "mirror-horizontal": "top and bottom",
    "diagonal": "diagonal",
    "both-diagonals": "both diagonals",
    "both-mirrors": "left, right, top, and bottom",
    "full": "full",
}
_REGIONS = {"": "boxes", RANDOM: "jigsaw"}
_SAMPLINGS = {"": "fast", CONTROLLED_BIAS: "slow, for statistics (controlled bias)"}
_RULES = {"": "nothing"} | {rule: RULES[rule].title for rule in RANDOM_RULES}
_SIZES = (4, 6, 8, 9, 10, 12, 16, 25)
# Minimal puzzles of this size take minutes, so they get this many givens, which takes seconds.
_LARGE, _LARGE_GIVENS = 25, "300"
_LABELS = {
    "count": "Number of puzzles",
    "difficulty": "Difficulty",
    "rating_from": "Rating from",
    "rating_to": "Rating to",
    "require": "Needs the technique",
    "hardest": "Nothing harder than",
    "symmetry": "Symmetry of the givens",
    "givens": "Givens",
    "box": "Board",
    "regions": "Regions",
    "random_constraints": "Random constraints",
    "constraint_count": "Number of constraints",
    "sampling": "Sampling",
    "seed": "Seed",
    "name": "Job name",
    "distinct": "Only distinct puzzles",
    "rate": "Rate the puzzles",
}
# Names in error messages that aren't fields of the form, with the labels of fields that set them.
_OTHER_LABELS = {
    "techniques": f"{_LABELS['require']}” or “{_LABELS['hardest']}",
    "variant": "Extra rules",
    "rating": f"{_LABELS['rating_from']}” or “{_LABELS['rating_to']}",
}
_FIELDS = {*_LABELS, "variant"}
# The fields that are always shown. The others are under "More options".
_MAIN_FIELDS = {"count", "difficulty", "box", "rate"}
_NUMBERS = ("count", "seed")
_TEXTS = ("difficulty", "symmetry", "givens", "box", "variant", "regions", "sampling")


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/make")(make)
    pages.post("/make")(make_puzzles)


def make() -> str:
    """Show the form in which users request generated puzzles.

    The query can have values of the form's fields.
    """
    typed = _values(request.args)
    return _page({name: value for name, value in typed.items() if name in _FIELDS})


def make_puzzles() -> Response | tuple[str, int]:
    """Create a job from the form, add it to the client's list, and redirect to its page.

    If the request is invalid, shows the form again with the fields as typed and the problem.
    """
    typed = _values(request.form)
    service = request_context.service()
    generation = Generation(
        _request_of(typed),
        {name: typed.get(name, "") for name in ("name", "rate")},
    )
    try:
        job_id = raise_if_rejected(
            generation.make_job(
                service, client=authentication.client(), service_url=service_url(request)
            )
        )
    except Problem as problem:
        return _page(typed, problem), problem.status
    remember(job_id)
    return redirect(url_for("pages.job", job_id=job_id), 303)


def _values(fields: MultiDict[str, str]) -> dict[str, str]:
    return {name: ",".join(values).strip() for name, values in fields.lists()}


def _request_of(typed: dict[str, str]) -> dict[str, object]:
    """Return the generation request that a form specifies. Its seed is random by default.

    Numbers that can't be parsed remain text. Puzzles on the largest board aren't minimal, and have
    a default range of givens.
    """
    seed = secrets.randbelow(_MOST_RANDOM_SEED)
    value: dict[str, object] = {"count": _USUAL_COUNT, "seed": seed}
    for name in _NUMBERS:
        text = typed.get(name, "")
        if text:
            is_number = text.isdecimal() and len(text) <= _MOST_DIGITS
            value[name] = int(text) if is_number else text
    value |= {name: typed[name] for name in _TEXTS if typed.get(name)}
    if value.get("box") == _box(_LARGE):
        value |= {"minimal": False, "givens": value.get("givens", _LARGE_GIVENS)}
    ratings = (typed.get("rating_from", ""), typed.get("rating_to", ""))
    if any(ratings):
        value["rating"] = "..".join(ratings)
    if typed.get("distinct"):
        value["distinct"] = True
    techniques = {}
    if typed.get("require"):
        techniques["require"] = [name.strip() for name in typed["require"].split(",")]
    if typed.get("hardest"):
        techniques["only"] = [f"..{typed['hardest']}"]
    if techniques:
        value["techniques"] = techniques
    if typed.get("random_constraints"):
        members = {"count": typed["constraint_count"]} if typed.get("constraint_count") else {}
        value["random_constraints"] = {typed["random_constraints"]: members}
    return value


def _page(typed: dict[str, str], problem: Problem | None = None) -> str:
    labels = _LABELS | _OTHER_LABELS
    if problem is not None and problem.field == "techniques":
        problem.field = "require" if typed.get("require") else "hardest"
    if problem is not None and problem.field == "rating":
        problem.field = "rating_from" if typed.get("rating_from") else "rating_to"
    if problem is not None and problem.field == "random_constraints":
        problem.field = "constraint_count"
        labels["count"] = _LABELS["constraint_count"]
    if problem is not None:
        problem.detail = with_labels(problem.detail, labels)
    techniques = [entry.name for code, entry in TECHNIQUES.items() if code != GUESS]
    return render_template(
        "make.html",
        problem=problem,
        submitted=request.method == "POST",
        typed=typed,
        labels=_LABELS,
        cards=request_cards(),
        variants=variant_pictures(),
        most=min(request_context.service().settings.max_puzzles, MOST_PUZZLES),
        difficulties={"": "any"} | {word: word for word in WORDS},
        symmetries=_SYMMETRIES,
        regions=_REGIONS,
        rules=_RULES,
        samplings=_SAMPLINGS,
        boxes={"": "9×9"} | {_box(size): f"{size}×{size}" for size in _SIZES if size != 9},
        techniques=techniques,
        hardest={"": "any"} | {name: name for name in techniques},
        has_more=any(value for name, value in typed.items() if name not in _MAIN_FIELDS),
    )


def _box(size: int) -> str:
    rows, columns = usual_box(size) or (1, size)
    return f"{rows}x{columns}"
