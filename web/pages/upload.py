"""The upload page, where jobs are created."""

import json
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from solver.board.layout import usual_box
from solver.formats import FORMATS
from solver.rules.registry import RULES
from solver.rules.rule import Rule
from web.access import authentication
from web.access.job_owner import remember
from web.http import request_context
from web.http.errors import Problem, taken
from web.pages.samples import BATCHES, examples
from web.pages.variant_pictures import variant_pictures
from web.uploads.accept import accept
from web.uploads.form_values import Typed
from worker.options import OPTIONS
from worker.webhooks.signing import EXPECTED_SECRET

# Grid sizes in the editor, with their boxes (rows, columns). For sizes that can't be divided into
# boxes, the rows serve as boxes.
_BOXES = {size: usual_box(size) or (1, size) for size in range(4, 26)}
# Lifetimes of a job that the form offers, in seconds, if the settings allow them.
_LIFETIMES = (3_600, 86_400, 7 * 86_400, 30 * 86_400)
# The options that the form shows first, because users choose them most often.
_MAIN_OPTIONS = ("rate", "minlex")
_ANIMALS = "🐶🐱🐭🐰🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦🦆🦉🐺🐴🦄🐝🐢🐙"


@dataclass(frozen=True, slots=True)
class EditorRule:
    """A rule that the editor offers for selected cells, and its parameter, if any.

    In JSON, the parameter is the member of the rule's object in addition to its cells.

    name         the rule's name in JSON
    title        the display name
    description  the rule in words
    key          the member's name, or "" if the rule has no parameter
    kind         how the parameter is typed: "number", "numbers", "text", or "json"
    example      the parameter in the rule's example, or else its default, as it is typed
    required     whether the rule needs the parameter
    """

    name: str
    title: str
    description: str
    key: str = ""
    kind: str = ""
    example: str = ""
    required: bool = False

    @classmethod
    def of(cls, rule: Rule) -> "EditorRule":
        """Return the description of a rule for the editor on the upload page."""
        description = rule.wording.with_note
        key = "options" if rule.chooses else rule.value
        if key is None:
            return cls(rule.name, rule.title, description)
        value = json.loads(rule.example).get(key, rule.usual)
        kinds = {"json": rule.chooses, "text": rule.text, "numbers": rule.many}
        kind = next((kind for kind, holds in kinds.items() if holds), "number")
        typed = " ".join(map(str, value)) if kind == "numbers" else value
        return cls(
            name=rule.name,
            title=rule.title,
            description=description,
            key=key,
            kind=kind,
            example=json.dumps(value) if kind == "json" else str(typed),
            required=rule.chooses or rule.usual is None,
        )


def _by_title(rule: Rule) -> str:
    return rule.title.casefold()


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/")(index)
    pages.post("/jobs")(create_job)


def index() -> str:
    """Show the upload page.

    The query parameter `example`, the name of a format, fills in the example of this format.
    """
    wanted = request.args.get("example")
    examples = {format_.name: format_.example for format_ in FORMATS}
    return _upload_page({"text": examples.get(wanted, "")} if wanted else {})


def create_job() -> Response | tuple[str, int]:
    """Create a job from an upload, add it to the client's list, and redirect to its page.

    If the upload is rejected, shows the form again with the fields as typed and the problem.
    """
    typed = Typed(request)
    try:
        job_id = taken(accept(request, authentication.service(), client=authentication.client()))
    except Problem as problem:
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
        options=OPTIONS.values(),
        main_options=[OPTIONS[name] for name in _MAIN_OPTIONS],
        secret_form=EXPECTED_SECRET,
        lifetimes=[seconds for seconds in _LIFETIMES if seconds < settings.retention],
        examples=examples(),
        samples=BATCHES,
        variants=variant_pictures(),
        formats=len(FORMATS),
        sizes={size: f"{rows}x{columns}" for size, (rows, columns) in _BOXES.items()},
        animals=_ANIMALS,
        rules=[EditorRule.of(rule) for rule in sorted(RULES.values(), key=_by_title)],
    )
