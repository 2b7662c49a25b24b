"""Send the files of the documentation site under /docs. `make docs` builds them."""

from pathlib import Path

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.security import safe_join
from werkzeug.utils import send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from web.http.errors import Problem

documentation = Blueprint("documentation", __name__, url_prefix="/docs")

SITE = Path(__file__).parent.parent / "site"


@documentation.get("/")
@documentation.get("/<path:path>")
def file(path: str = "") -> AnyResponse:
    """Send a file of the documentation site, or the index of a folder.

    `path` is relative to the site. The URL of a folder without a slash at its end redirects to the
    one with it. Raises Problem if there is no such file. Without a built site, shows a page that
    explains how to build it.
    """
    if not (SITE / "index.html").is_file():
        return Response(render_template("not_built.html"), 404)
    path = path.rstrip("/")
    found = safe_join(str(SITE), path)
    if found is None or not Path(found).exists():
        raise Problem(404, "The documentation has no such page")
    if Path(found).is_dir():
        # The pages have relative links, which need the slash.
        if not request.path.endswith("/"):
            return redirect(f"{url_for('documentation.file', path=path).rstrip('/')}/")
        path = f"{path}/index.html".lstrip("/")
    return send_from_directory(SITE, path, request.environ)
