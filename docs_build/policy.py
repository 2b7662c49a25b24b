"""Changes to the built pages, so that they work under the web server's content security policy.

The policy forbids inline scripts and style attributes. Zensical writes a few of both.
"""

import re
from hashlib import sha256
from pathlib import Path

# Scripts without attributes. Others have a source, or they are data and never run.
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_ALIGNMENT = re.compile(r'style="text-align: (left|center|right);"')


def follow_policy(site: Path) -> None:
    """Move inline scripts of all pages into files, and replace their style attributes."""
    # It assumes that the site is at the root of its host.
    (site / "404.html").unlink(missing_ok=True)
    for page in site.rglob("*.html"):
        root = "../" * (len(page.relative_to(site).parts) - 1)
        text = page.read_text("utf-8")
        for code in set(_SCRIPT.findall(text)):
            file = f"assets/javascripts/inline.{sha256(code.encode()).hexdigest()[:8]}.js"
            (site / file).write_text(code, "utf-8")
            text = text.replace(f"<script>{code}</script>", f'<script src="{root}{file}"></script>')
        page.write_text(_ALIGNMENT.sub(r'class="\1"', text), "utf-8")
