"""The upload page, where jobs are created."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from solver.board.layout import usual_box
from solver.formats import FORMATS
from solver.formats.recognize import COMPARE, NO_FORMAT
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS
from web.access import authentication
from web.access.job_owner import remember
from web.boards.deduction_drawing import RASTERS
from web.http import request_context
from web.http.errors import Problem, raise_if_rejected
from web.pages.form_labels import JOB_LABELS, with_labels
from web.pages.format_titles import TITLES
from web.pages.puzzle import text_to_edit
from web.pages.rule_puzzles import puzzle_with
from web.pages.samples import BATCHES, examples
from web.pages.variant_pictures import variant_pictures
from web.uploads.accept import accept
from web.uploads.form_values import Typed
from worker.options import OPTIONS
from worker.webhooks.signing import EXPECTED_SECRET

# Grid sizes in the editor, with their boxes (rows, columns). For sizes that can't be divided into
# boxes, the rows serve as boxes.
_BOXES = {size: usual_box(size) or (1, size) for size in range(4, 26)}
# These replace two messages that are meant for users of the API, as in preview.js.
_NO_PUZZLE = "This can’t be read as a puzzle."
_EXPECTED = (
    "Paste a classic Sudoku as a line of 81 digits, with dots for empty cells, or paste a link."
)
# Lifetimes of a job that the form offers, in seconds, if the settings allow them.
_LIFETIMES = (3_600, 86_400, 7 * 86_400, 30 * 86_400)
# The options that the form shows first, because users choose them most often.
_MAIN_OPTIONS = ("rate", "minlex", "limit")
_ANIMALS = "🐶🐱🐭🐰🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦🦆🦉🐺🐴🦄🐝🐢🐙"


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/")(index)
    pages.post("/jobs")(create_job)


def index() -> str:
    """Show the upload page.

    The query parameters `example`, the name of a format, and `rule`, the name of a rule, fill in an
    example or a puzzle with it. The query parameter `edit`, as in JOB/1, fills in a puzzle of a job
    with all of its rules, and `given`, as in r4c3:5, adds a given to it. Of several, `edit` comes
    before `rule`, and `rule` before `example`. Unknown names are ignored, but an unknown puzzle
    raises Problem.
    """
    edited = request.args.get("edit", "").rpartition("/")
    if edited[0] and edited[2].isdecimal():
        given = request.args.get("given", "")
        return _upload_page({"text": text_to_edit(edited[0], int(edited[2][:9]), given=given)})
    if rule := (VARIANTS | RULES).get(request.args.get("rule", "")):
        return _upload_page({"text": puzzle_with(rule)})
    wanted = request.args.get("example")
    examples = {format_.name: format_.example for format_ in FORMATS}
    return _upload_page({"text": examples.get(wanted, "")} if wanted else {})


def create_job() -> Response | tuple[str, int]:
    """Create a job from an upload, add it to the client's list, and redirect to its page.

    If the upload is rejected, shows the form again with the fields as typed and the problem.
    """
    typed = Typed(request)
    try:
        job_id = raise_if_rejected(
            accept(request, authentication.service(), client=authentication.client())
        )
    except Problem as problem:
        detail = with_labels(problem.detail, JOB_LABELS)
        problem.detail = detail.replace(NO_FORMAT, _NO_PUZZLE).replace(COMPARE, _EXPECTED)
        return _upload_page(typed.fields(), problem), problem.status
    remember(job_id)
    return redirect(url_for("pages.job", job_id=job_id), 303)


def _upload_page(typed: dict[str, str], problem: Problem | None = None) -> str:
    settings = request_context.service().settings
    return render_template(
        "index.html",
        problem=problem,
        settings=settings,
        typed=typed,
        labels=JOB_LABELS,
        options=OPTIONS.values(),
        main_options=[OPTIONS[name] for name in _MAIN_OPTIONS],
        secret_form=EXPECTED_SECRET,
        lifetimes=[seconds for seconds in _LIFETIMES if seconds < settings.retention],
        examples=examples(),
        samples=BATCHES,
        variants=variant_pictures(),
        formats=len(FORMATS),
        format_titles=TITLES,
        sizes={size: f"{rows}x{columns}" for size, (rows, columns) in _BOXES.items()},
        animals=_ANIMALS,
        rasters=RASTERS,
    )
