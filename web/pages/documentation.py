"""Send the files of the documentation site under /docs. `make docs` builds them."""

from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.security import safe_join
from werkzeug.utils import send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from web.http.errors import Problem

documentation = Blueprint("documentation", __name__, url_prefix="/docs")

SITE = Path(__file__).parent.parent / "site"
_SOURCES = Path(__file__).parents[2] / "docs"  # only in a checkout


@documentation.get("/")
@documentation.get("/<path:path>")
def file(path: str = "") -> AnyResponse:
    """Send a file of the documentation site, or the index of a folder.

    `path` is relative to the site. The URL of a folder without a slash at its end redirects to the
    one with it. Raises Problem if there is no such file. Without a built site, shows a page that
    leads to the service's reference pages and explains how to build the site.
    """
    path = path.rstrip("/")
    if not (SITE / "index.html").is_file():
        page = render_template("not_built.html", path=path, source=_source_of(path))
        return Response(page, 404)
    found = safe_join(str(SITE), path)
    if found is None or not Path(found).exists():
        raise Problem(404, "The documentation has no such page")
    if Path(found).is_dir():
        # The pages have relative links, which need the slash.
        if not request.path.endswith("/"):
            return redirect(f"{url_for('documentation.file', path=path).rstrip('/')}/")
        path = f"{path}/index.html".lstrip("/")
    return send_from_directory(SITE, path, request.environ)


def _source_of(path: str) -> str | None:
    """Return the name of the Markdown file with a page of the site, or None if there is none.

    The name begins with "docs/". `path` is the page's path without slashes at its end.
    """
    for name in (f"{path}.md", f"{path}/index.md".lstrip("/")):
        found = safe_join(str(_SOURCES), name)
        if found is not None and Path(found).is_file():
            return f"docs/{name}"
    return None
