"""Find the puzzles of a job that are equal up to symmetry, by their canonical forms."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from msgspec import structs

from web.http import request_context
from web.results.formats import MAX_COMPARED
from web.results.result_filter import Part
from web.results.writers import ResultPage
from worker.job import Job
from worker.records.chunk_result import ChunkResult

# Puzzles of the largest job that is searched, which takes some 20 MB for their hashes.
MAX_PUZZLES = 1_000_000


@dataclass(frozen=True, slots=True)
class Named:
    """A record of a job: its number in the job, from 1, and its name or None."""

    number: int
    name: str | None


def find_duplicates(read: Callable[[], Iterable[Part]]) -> list[list[Named]]:
    """Return groups of two or more records with the same canonical form.

    The groups and the records in each group are in upload order. Records without a canonical form
    are in no group. `read` returns the job's results. It is called once to find the hashes that
    several records' forms have, and if there are any, again to compare these forms themselves.
    """
    found = [
        np.fromiter((hash(form) for form in _forms(result) if form), np.int64)
        for _, result in read()
    ]
    hashes = np.sort(np.concatenate([np.zeros(0, np.int64), *found]))
    repeated = set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
    groups: dict[str, list[Named]] = defaultdict(list)
    for first, result in read() if repeated else ():
        for place, form in enumerate(_forms(result)):
            if form and hash(form) in repeated:
                groups[form].append(Named(first + place, result.names.get(place)))
    return [members for members in groups.values() if len(members) > 1]


def copies_in(job: Job) -> Mapping[int, int]:
    """Return the duplicates in a job as {record's number: number of the first equal record}.

    The job must have ended and have canonical forms.
    """
    return _copies_in(job.id)


def known_copies(job: Job) -> Mapping[int, int] | None:
    """Return the duplicates in a job as in `copies_in`.

    Returns None if they are unknown, or if finding them would delay the response.
    """
    known = job.state.final and job.options.minlex and job.total <= MAX_COMPARED
    return copies_in(job) if known else None


def with_duplicates(pages: Iterable[ResultPage], copies: Mapping[int, int]) -> Iterator[ResultPage]:
    """Add `duplicate_of` to all rows. `copies` is the return value of `copies_in`."""
    for page in pages:
        rows = [structs.replace(row, duplicate_of=copies.get(row.n)) for row in page.rows]
        yield ResultPage(rows, page.result)


@lru_cache(maxsize=4)  # Each takes some 100 bytes per duplicate.
def _copies_in(job_id: str) -> Mapping[int, int]:
    results = request_context.service().results
    groups = find_duplicates(lambda: results.read(job_id))
    copies = {copy.number: first.number for first, *others in groups for copy in others}
    return dict(sorted(copies.items()))


def _forms(result: ChunkResult) -> Iterable[str]:
    return result.minlex.split() if result.minlex else ()
