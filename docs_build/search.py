"""The order of search results: guides come before the reference, and pages before their sections.

Zensical compares two results by the field that matches (title, path, or text), by the number of
matching words in it, and by the places of these words. No option prefers one page to another, so
another comparison is added to its script: after the number of words, the lower rank comes first.
"""

import json
import re
from pathlib import Path

from docs_build.policy import Unexpected

# The first match counts. All other pages are guides, whose kind is 0.
_KINDS = (
    (re.compile(r"reference/(python|http-api)/"), 3),
    (re.compile(r"contributing/"), 2),
    (re.compile(r"reference/|#|$"), 1),  # also the first page, which names all others
)
_IN_WORKER = (
    (re.compile(r"(\w+)\(t\.data\.items,\{"), r"\1(self.items=t.data.items,{"),
    # The id of a match is the number of its item, followed by two bits for its field.
    (
        re.compile(r"if\((\w+)\.length!==(\w+)\.length\)return \2\.length-\1\.length;"),
        r"\g<0>let rank=m=>self.items[m.id>>>2].rank;if(rank(s)!==rank(a))return rank(s)-rank(a);",
    ),
)


def rank_pages(site: Path) -> None:
    """Give the items of the search index ranks, which its script then uses. Raises Unexpected."""
    index = site / "search.json"
    content = json.loads(index.read_text("utf-8"))
    for item in content["items"]:
        item["rank"] = _rank(item["location"], item["level"])
    index.write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    (worker,) = (site / "assets" / "javascripts" / "workers").glob("search.*.js")
    text = worker.read_text("utf-8")
    for pattern, replacement in _IN_WORKER:
        text, count = pattern.subn(replacement, text)
        if count != 1:
            raise Unexpected(f"{worker.name} has {count} matches of {pattern.pattern}, not 1")
    worker.write_text(text, "utf-8")


def _rank(location: str, level: int) -> int:
    kind = next((kind for pattern, kind in _KINDS if pattern.match(location)), 0)
    return 2 * kind + (level > 1)
