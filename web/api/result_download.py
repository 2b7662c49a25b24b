"""Respond to a request for the results of a job, in any format."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from urllib.parse import urlencode

from flask import Response, request, url_for

from solver.board.closest import unknown
from web.api.job_json import POLL_SECONDS, results_etag
from web.api.result_requests import ResultParameters
from web.books.formats import DRAWN, Body, problems
from web.books.parameters import read_flag
from web.http import request_context
from web.http.errors import Problem
from web.results.csv_table import BOM
from web.results.dataset import Dataset, read_dataset
from web.results.downloads import download
from web.results.duplicates import known_copies, with_duplicates
from web.results.file_names import file_stem
from web.results.folder_column import own_columns_of
from web.results.formats import DATASET_FORMATS, missing_package
from web.results.query import ResultQuery, parse_result_query
from web.results.writers import WRITERS, ResultPage
from web.results.xlsx import MAX_ROWS
from web.uploads.fields import joined
from worker.job import Job


def download_results(job_id: str) -> Response:
    """Return the results of a job that the query of the current request selects, as a download.

    If the query has `count` and more results follow, the Link header has the URL of the next ones.
    If the client already has this version, the status is 304. Raises Problem if the job doesn't
    exist, if it hasn't ended and the query has no `partial`, if a parameter is invalid, or if the
    results don't fit the format.
    """
    job = request_context.find_job(job_id)
    request_context.check_parameters(*ResultParameters.__struct_fields__)
    allows_part = _is_set("partial")
    if not job.state.final and not allows_part:
        detail = f"the job is {job.state}; try again when it is finished, or use partial=1"
        raise Problem(409, detail, retry_after=POLL_SECONDS, kind="job-not-finished")
    query = joined(request.args.items(multi=True))
    name = query.get("format", "jsonl")
    if name not in WRITERS and name not in DRAWN:
        raise Problem(422, unknown("format", name, (*WRITERS, *DRAWN)), field="format")
    missing = missing_package(name)
    if missing is not None:
        raise Problem(422, f"on this server, {missing}", field="format")
    result_query = parse_result_query(query, job)
    dataset = read_dataset(query, job.options)
    tag = results_etag(job, request.query_string) if job.state.final else None
    request_context.check_match(tag)
    if tag is not None and request.if_none_match.contains_weak(tag):
        return Response(status=304, headers={"ETag": f'W/"{tag}"'})
    if name == "xlsx":
        _check_fits(result_query.selected(job) * (1 if dataset is None else 1 + dataset.copies))
    mark = _byte_order_mark(format_=name)
    form = DRAWN[name] if name in DRAWN else WRITERS[name]
    body = DRAWN[name].prepare(query, job) if name in DRAWN else _written(name, job, dataset)

    def write() -> Iterator[bytes]:
        return chain(mark, body(result_query.pages(job, listed=name not in DRAWN)))

    response = download(write, tag=tag)
    response.content_type = form.media_type
    following = _following(result_query, job, query)
    if following is not None:
        response.headers["Link"] = f'<{following}>; rel="next"'
    response.headers["Content-Disposition"] = (
        f'attachment; filename="{file_stem(job, query)}.{form.extension}"'
    )
    return response


def _written(name: str, job: Job, dataset: Dataset | None) -> Body:
    """Return the function that writes pages of results in a format of `WRITERS`.

    It adds the numbers of the puzzles that are repeated, as far as they are known, and the copies
    and columns of `dataset`, if that is given.
    """
    own = own_columns_of(job)

    def body(pages: Iterable[ResultPage]) -> Iterator[bytes]:
        copies = known_copies(job) if name in DATASET_FORMATS else None
        if copies is not None:
            pages = with_duplicates(pages, copies)
        if dataset is not None:
            pages = dataset.expand(pages)
        added = {
            "dataset": dataset is not None,
            "source": job.source is not None,
            "duplicates": copies is not None,
        }
        return WRITERS[name].write(pages, job.options, own, **added)

    return body


def _check_fits(selected: int) -> None:
    """Raise Problem if there are more results than an Excel sheet has rows."""
    if selected > MAX_ROWS:
        detail = (
            f"{selected:,} results are selected, but an Excel sheet holds {MAX_ROWS:,}; download "
            "them in parts with offset and count, or as csv"
        )
        raise Problem(422, detail, field="format")


def _is_set(name: str) -> bool:
    """Return whether a query parameter is true, which it isn't by default.

    Raises Problem if it's neither true nor false.
    """
    with problems():
        return read_flag(request.args, name, usual=False)


def _byte_order_mark(*, format_: str) -> tuple[bytes, ...]:
    """Return the UTF-8 byte order mark for Excel if the request asks for it, else an empty tuple.

    Raises Problem if the parameter `bom` is invalid, or the format isn't CSV.
    """
    if not _is_set("bom"):
        return ()
    if format_ != "csv":
        raise Problem(422, f"'bom' needs the format csv, not {format_}", field="bom")
    return (BOM,)


def _following(result_query: ResultQuery, job: Job, query: Mapping[str, str]) -> str | None:
    """Return the URL of the next page of results.

    Returns None after the last page, or if the query has no `count` or a `count` of 0. `query`
    contains the parameters of the current page.
    """
    if result_query.count is None:
        return None
    offset = result_query.offset + result_query.count
    if result_query.count == 0 or offset >= result_query.matching(job):
        return None
    address = url_for("api.get_results", job_id=job.id, _external=True)
    return f"{address}?{urlencode({**query, 'offset': offset})}"
