"""Changes to the built site, so that it suits the web server and readers with a screen reader.

The web server's content security policy forbids inline scripts, style attributes, and `style`
elements. Zensical writes a few of each. Its pages also have elements that screen readers or the
keyboard can't use.
"""

import re
from hashlib import sha256
from pathlib import Path

# Scripts without attributes. Others have a source, or they are data and never run.
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_IN_PAGES = (
    (re.compile(r'style="text-align: (left|center|right);"'), r'class="\1"'),
    # Targets of links to single lines of code, which are empty links.
    (re.compile(r'<a id="__codelineno-[^>]*></a>'), ""),
    # The main navigation has the same name.
    (re.compile(r'(<nav class="md-path" aria-label=)"Navigation"'), r'\1"Breadcrumbs"'),
)
# The links of the logo. `{service}` is where they lead instead of the start of the documentation.
_LOGO = re.compile(r'<a href="[^"]*" title="[^"]*" (class="[^"]* md-logo") aria-label="[^"]*"')
_TO_SERVICE = r'<a href="{service}" title="To the service" \1 aria-label="To the service"'
# The place of a link to a repository, which the site doesn't have.
_SOURCE = re.compile(r'(<div class="md-header__source">)\s*(</div>)')
_LINK_TO_SERVICE = r'\1<a href="{service}">Open the app</a>\2'
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_HEADING = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_CELL = re.compile(r"<td\b")
_STACKED = 4  # columns of a table whose rows phones show as blocks
_IN_SCRIPTS = (
    # The styles of the search, which has a shadow root.
    (
        re.compile(r'([\w$]+)\.appendChild\([\w$]+\("style",\{\},([\w$]+)\.toString\(\)\)\)'),
        r"(s=>{s.replaceSync(\2.toString());\1.adoptedStyleSheets=[s]})(new CSSStyleSheet)",
    ),
    # Wide tables, which scroll, so the keyboard has to reach them.
    (
        re.compile(r'\("div",\{class:"md-typeset__scrollwrap"'),
        r'("div",{class:"md-typeset__scrollwrap",tabindex:"0"',
    ),
    # The buttons of a code block, which aren't a navigation.
    (re.compile(r'\("nav",\{class:"md-code__nav"'), r'("div",{class:"md-code__nav"'),
)


class Unexpected(Exception):
    """Zensical's files don't contain the expected code, so its version isn't supported."""


def follow_policy(site: Path) -> None:
    """Move all inline scripts into files, replace inline styles, and fix accessibility.

    The logo and a link lead to the service, which has the site in a folder of its own. Deletes
    404.html.
    Raises Unexpected.
    """
    # The links of this page assume that the site is at the root of its host.
    (site / "404.html").unlink(missing_ok=True)
    for page in site.rglob("*.html"):
        root = "../" * (len(page.relative_to(site).parts) - 1)
        text = page.read_text("utf-8")
        for code in set(_SCRIPT.findall(text)):
            file = f"assets/javascripts/inline.{sha256(code.encode()).hexdigest()[:8]}.js"
            (site / file).write_text(code, "utf-8")
            text = text.replace(f"<script>{code}</script>", f'<script src="{root}{file}"></script>')
        for pattern, replacement in _IN_PAGES:
            text = pattern.sub(replacement, text)
        text = _LOGO.sub(_TO_SERVICE.format(service=f"{root}../"), text)
        text = _SOURCE.sub(_LINK_TO_SERVICE.format(service=f"{root}../"), text)
        text = _TABLE.sub(lambda found: _with_labels(found[0]), text)
        page.write_text(text, "utf-8")
    (bundle,) = (site / "assets" / "javascripts").glob("bundle.*.js")
    text = bundle.read_text("utf-8")
    for pattern, replacement in _IN_SCRIPTS:
        text, count = pattern.subn(replacement, text)
        if count != 1:
            raise Unexpected(f"{bundle.name} has {count} matches of {pattern.pattern}, not 1")
    bundle.write_text(text, "utf-8")


def _with_labels(table: str) -> str:
    """Return a table whose cells have the headings of their columns as labels.

    The style sheet shows them on phones, where each row is a block. This is for tables with four
    or more columns, of which the last one has the meaning. Others are returned unchanged.
    """
    headings = [re.sub("<[^>]*>", "", heading) for heading in _HEADING.findall(table)]
    if len(headings) < _STACKED or headings[-1] != "meaning":
        return table

    def labeled(row: str) -> str:
        labels = iter(headings)
        return _CELL.sub(lambda _: f'<td data-label="{next(labels)}"', row)

    return _ROW.sub(lambda found: labeled(found[0]), table)
