"""Choose the names of downloaded files, which describe the selected results."""

import re
from collections.abc import Mapping

from worker.job import Job

_OUTCOMES = {
    "solved": "unique",
    "multiple": "several-solutions",
    "unsolvable": "no-solution",
    "step_limit": "undecided",
    "gave_up": "not-made",
}
_ORDERS = {
    "-rating": "hardest",
    "rating": "easiest",
    "-steps": "most-guesses",
    "steps": "fewest-guesses",
}
_DUPLICATES = {"only": "duplicates", "without": "without-duplicates"}
_MAX_PART = 40


def file_stem(job: Job, query: Mapping[str, str]) -> str:
    """Return the name of a downloaded file without its extension, such as book-hardest-20.

    It is the job's name without its extension, or "puzzles", followed by the filters, the order,
    and the count in the query of the request, or by "results" if there are none. `query` must be
    valid.
    """
    name = _slug(job.name.rsplit(".", 1)[0]) or "puzzles"
    return "-".join([name, *(_parts(job, query) or ["results"])])


def _parts(job: Job, query: Mapping[str, str]) -> list[str]:
    solved = {"solved": "solved"} if job.options.limit == 1 else {}
    outcomes = filter(None, query.get("outcome", "").split(","))
    rating = query.get("rating", "").replace("..", "-to-")
    parts = [
        *(solved.get(name) or _OUTCOMES.get(name, name) for name in outcomes),
        f"rated {rating}" if rating else "",
        query.get("technique", ""),
        query.get("search", ""),
        _DUPLICATES.get(query.get("duplicates", ""), ""),
        query.get("finding", ""),
        "selected" if query.get("numbers") else "",
        _ORDERS.get(query.get("sort", ""), ""),
    ]
    # Parts of a download, which clients request with an offset, keep their common name.
    if query.get("count") and not int(query.get("offset", 0)):
        parts.append(query["count"] if any(parts) else f"first {query['count']}")
    return [slug[:_MAX_PART] for part in parts if (slug := _slug(part.lower().replace("_", "-")))]


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-")
