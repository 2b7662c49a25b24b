"""Reads the filter of results in the query parameters of a request."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.board.bounds import Bounds, read_bounds
from solver.board.closest import unknown
from solver.board.display import shown
from solver.board.result import Outcome
from solver.logic.technique_table import GUESS, TECHNIQUES, name_of
from web.http.errors import Problem
from web.report.findings import numbers_of
from web.results.duplicates import copies_in
from web.results.formats import DUPLICATES, MAX_NUMBERS, MAX_SEARCH_LENGTH
from web.results.number_list import read_numbers
from web.results.rating_range import HIGHEST, RatingRange, read_range
from web.results.result_filter import Filter
from worker.job import Job

# A filter without statistics reads all results of a job, so the job can't be larger than this.
MAX_SEARCHED = 1_000_000
_TECHNIQUE_NAMES = {name_of(code): int(code) for code in TECHNIQUES if code != GUESS}
CODES = {name.casefold(): code for name, code in _TECHNIQUE_NAMES.items()}


def read_filter(query: Mapping[str, str], job: Job) -> Filter:
    """Return the filter in the query parameters of a request for a job's results.

    Raises Problem if a parameter is invalid, or if the job can't provide it.
    """
    numbers = query.get("numbers")
    wanted = Filter(
        outcomes=_outcomes(query.get("outcome", "")),
        ratings=_ratings(query.get("rating", ""), job),
        own_ratings=_own_ratings(query.get("sudokuq_rating", ""), job),
        techniques=_techniques(query.get("technique", ""), job),
        search=_search(query.get("search", "")),
        numbers=np.array(_numbers(numbers), np.int64) if numbers else None,
    )
    duplicates, finding = query.get("duplicates", ""), query.get("finding", "")
    if not wanted.is_counted or duplicates or finding:
        _check_size(job, numbers=bool(numbers))
    if finding:
        wanted = _only(wanted, numbers_of(job, finding))
    return _with_duplicates(wanted, duplicates, job)


def _outcomes(text: str) -> frozenset[str]:
    outcomes = frozenset(filter(None, text.split(",")))
    known = [outcome.label for outcome in Outcome]
    strange = min(outcomes.difference(known), default=None)
    if strange is not None:
        raise Problem(422, unknown("outcome", strange, known), field="outcome")
    return outcomes


def _ratings(text: str, job: Job) -> RatingRange | None:
    if not text:
        return None
    ratings = read_range(text)
    if ratings is None:
        detail = (
            "'rating' must be a range such as 7.1.., ..3.0, or 7.1..8.0 with numbers up to "
            f"{HIGHEST:.0f}, not {shown(text)}"
        )
        raise Problem(422, detail, field="rating")
    if not job.options.rate:
        raise unrated("rating")
    return ratings


def _own_ratings(text: str, job: Job) -> Bounds | None:
    if not text:
        return None
    ratings = read_bounds(text)
    if ratings is None:
        detail = f"'sudokuq_rating' must be a range such as 200.. or 140..500, not {shown(text)}"
        raise Problem(422, detail, field="sudokuq_rating")
    if not job.options.rate:
        raise unrated("sudokuq_rating")
    return ratings


def _techniques(text: str, job: Job) -> frozenset[int]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    strange = next((name for name in names if name.casefold() not in CODES), None)
    if strange is not None:
        raise Problem(422, unknown("technique", strange, _TECHNIQUE_NAMES), field="technique")
    if names and not job.options.rate:
        raise unrated("technique")
    return frozenset(CODES[name.casefold()] for name in names)


def _search(text: str) -> str:
    if len(text) > MAX_SEARCH_LENGTH:
        detail = f"'search' has {len(text):,} characters; the limit is {MAX_SEARCH_LENGTH}"
        raise Problem(422, detail, field="search")
    return text.strip().removeprefix("#").casefold()


def _numbers(text: str) -> list[int]:
    numbers = read_numbers(text)
    if numbers is None:
        detail = (
            f"'numbers' must be a list such as 3,7,10-20 of up to {MAX_NUMBERS:,} numbers, "
            f"not {shown(text)}"
        )
        raise Problem(422, detail, field="numbers")
    return numbers


def _check_size(job: Job, *, numbers: bool) -> None:
    if job.total > MAX_SEARCHED and not numbers:
        detail = (
            f"results can be searched in jobs of up to {MAX_SEARCHED:,} puzzles, but this one has "
            f"{job.total:,}; filter by outcome or rating, or download the results"
        )
        raise Problem(422, detail)


def _with_duplicates(wanted: Filter, which: str, job: Job) -> Filter:
    """Return the filter with the parameter `duplicates`: with only the duplicates, or without them.

    `which` is the value of the parameter, "" if it is absent. Raises Problem if it is invalid, or
    if the job's duplicates aren't known.
    """
    if not which:
        return wanted
    if which not in DUPLICATES:
        detail = unknown("value", which, DUPLICATES, place=" of 'duplicates'")
        raise Problem(422, detail, field="duplicates")
    if not job.options.minlex:
        detail = (
            "duplicates are unknown, because the job was created without the option minlex "
            "(canonical form); run it again with this option"
        )
        raise Problem(422, detail, field="duplicates")
    if not job.state.final:
        detail = f"the job is {job.state}; its duplicates are known when it is finished"
        raise Problem(409, detail, kind="job-not-finished")
    copies = np.fromiter(copies_in(job), np.int64)
    if which == "without":
        return replace(wanted, excluded=copies)
    return _only(wanted, copies)


def _only(wanted: Filter, numbers: NDArray[np.int64]) -> Filter:
    """Return a filter that also requires a record's number to be among `numbers` (ascending)."""
    if wanted.numbers is not None:
        numbers = np.intersect1d(numbers, wanted.numbers)
    return replace(wanted, numbers=numbers)


def unrated(field: str) -> Problem:
    """Return the problem that the parameter `field` needs ratings, which the job doesn't have."""
    detail = "this job has no ratings, because it was created without the option rate"
    return Problem(422, detail, field=field)
