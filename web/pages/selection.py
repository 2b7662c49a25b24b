"""Read and write the query of a job's page: which results it shows, and in which order."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from flask import url_for

from web.pages.outcome_meanings import MEANINGS
from web.report.words import describe

# The sort orders, as in the API, with their labels. "" is the order of the upload.
ORDERS = {
    "": "upload order",
    "-rating": "hardest first",
    "rating": "easiest first",
    "-sudokuq_rating": "highest sudokuq rating first",
    "sudokuq_rating": "lowest sudokuq rating first",
    "-steps": "most guesses first",
    "steps": "fewest guesses first",
}
# How each order sorts results that are equal.
_SAME_RATING = "Puzzles with the same rating"
_SAME_GUESSES = "Puzzles with the same number of guesses: by number."
TIES = {
    "-rating": f"{_SAME_RATING}: hardest first by HoDoKu’s score, then by number.",
    "rating": f"{_SAME_RATING}: easiest first by HoDoKu’s score, then by number.",
    "-sudokuq_rating": f"{_SAME_RATING}: by number.",
    "sudokuq_rating": f"{_SAME_RATING}: by number.",
    "-steps": _SAME_GUESSES,
    "steps": _SAME_GUESSES,
}
_DUPLICATES = {"without": "without duplicates", "only": "only duplicates"}
TABLE, GALLERY = VIEWS = ("table", "gallery")
_NO_FILTERS = ("sort", "first", "view")


@dataclass(frozen=True, slots=True)
class Selection:
    """The results that a job's page shows.

    All members but `job_id` are query parameters of the page. Empty members select all results, in
    the order of the upload. `first` is the maximum number of results. `view` is a member of VIEWS,
    or "" for the usual view of the job. The other members are parameters of the API.
    """

    job_id: str
    search: str = ""
    outcome: str = ""
    rating: str = ""
    sudokuq_rating: str = ""
    technique: str = ""
    duplicates: str = ""
    finding: str = ""
    numbers: str = ""
    sort: str = ""
    first: str = ""
    view: str = ""

    @property
    def sorts_by_rating(self) -> bool:
        """Whether the results are sorted by a rating, which leaves out those without it."""
        return "rating" in self.sort

    @property
    def most(self) -> int | None:
        """The maximum number of results, or None without a maximum."""
        return int(self.first) if self.first else None

    @property
    def filters(self) -> dict[str, str]:
        """The parameters that filter the results, as in the API."""
        return {name: value for name, value in self._set() if name not in _NO_FILTERS}

    @property
    def query(self) -> dict[str, str]:
        """The parameters that filter and sort the results, as in the API."""
        return self.filters | ({"sort": self.sort} if self.sort else {})

    @property
    def download(self) -> dict[str, str]:
        """The parameters of the API that filter, sort, and limit the results to these."""
        return self.query | ({"count": self.first} if self.first else {})

    @property
    def parameters(self) -> dict[str, str]:
        """All query parameters of the page that aren't empty."""
        return dict(self._set())

    @property
    def selects_all(self) -> bool:
        """Whether all results are selected, in any order."""
        return not self.filters and not self.first

    def url(self, offset: int = 0, *, anchor: str | None = None, **changes: str) -> str:
        """Return the URL of the page that shows the results from `offset` on.

        `changes` contains parameters that differ from those of this selection. Only solved puzzles
        have ratings, so an order by rating isn't combined with another outcome.
        """
        changed = _sensible(replace(self, **changes))
        query: dict[str, Any] = {**changed.parameters, "offset": offset or None}
        return url_for("pages.job", job_id=self.job_id, _anchor=anchor, **query)

    def puzzle_url(self, number: int, place: int) -> str:
        """Return the URL of a puzzle's page, whose links lead to its neighbors in this selection.

        `number` is the puzzle's number in the job, and `place` its place in the selection, from 0.
        """
        query: dict[str, Any] = self.parameters
        if self.query or self.first:
            query["at"] = place
        return url_for("pages.puzzle", job_id=self.job_id, number=number, **query)

    def _set(self) -> Iterator[tuple[str, str]]:
        members: dict[str, Any] = asdict(self)
        return ((name, value) for name, value in members.items() if value and name != "job_id")


def read_selection(job_id: str, query: Mapping[str, str]) -> Selection:
    """Return the selection in a query, without unknown outcomes, unknown views, or bad numbers.

    Sorting by rating is dropped if the outcome is one whose puzzles have no rating.
    """
    given = {
        name: query.get(name, "").strip()
        for name in Selection.__dataclass_fields__
        if name != "job_id"
    }
    if given["outcome"] not in MEANINGS:
        given["outcome"] = ""
    if given["view"] not in VIEWS:
        given["view"] = ""
    first = given["first"]
    if not (first.isascii() and first.isdecimal() and 0 < int(first[:16]) < 10**15):
        given["first"] = ""
    return _sensible(Selection(job_id, **given))


def _sensible(selection: Selection) -> Selection:
    if selection.sorts_by_rating and selection.outcome not in ("", "solved"):
        return replace(selection, sort="")
    return selection


def describe_filters(where: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """Describe a filter in words, separated by semicolons.

    `labels` contains those of the outcomes. Unknown parameters are left out.
    """
    outcomes = [labels.get(name, name).lower() for name in where.get("outcome", "").split(",")]
    words = {
        "outcome": ", ".join(outcomes),
        "rating": f"rated {where.get('rating', '').replace('..', ' to ')}",
        "sudokuq_rating": f"sudokuq rating {where.get('sudokuq_rating', '').replace('..', ' to ')}",
        "technique": f"with {where.get('technique')}",
        "search": f"matching “{where.get('search')}”",
        "duplicates": _DUPLICATES.get(where.get("duplicates", ""), ""),
        "finding": describe(where.get("finding", "")),
        "numbers": "chosen puzzles",
    }
    return "; ".join(words[name] for name in where if name in words)
