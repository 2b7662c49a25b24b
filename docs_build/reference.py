"""Pages with generated parts: those of the reference, and the first page.

A generated part replaces the comments `<!-- generated: NAME -->` and `<!-- end -->` and everything
between them, where readers of the sources find a note.
"""

import re
from collections.abc import Callable

from docs_build.pages import (
    command_line,
    errors,
    formats,
    http_api,
    python,
    result_fields,
    rules,
    settings,
    techniques,
)

PARTS: dict[str, Callable[[], str]] = {
    "http-api": http_api.write,
    "python": python.write,
    "command-line": command_line.write,
    "settings": settings.write,
    "result-fields": result_fields.write,
    "errors": errors.write,
    "rules": rules.write,
    "formats": formats.write,
    "techniques": techniques.write,
}
_ON_FIRST_PAGE = {"front-picture": techniques.front_picture}
_PART = re.compile(r"<!-- generated: ([a-z-]+) -->\n.*?<!-- end -->", re.DOTALL)


def fill(text: str) -> str:
    """Return a page with its generated parts. Raises KeyError for an unknown name of a part."""
    return _PART.sub(lambda found: (PARTS | _ON_FIRST_PAGE)[found[1]](), text)
