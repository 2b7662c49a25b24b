"""The formats of results that draw boards: archives of SVG and PNG pictures, and PDF books."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from tempfile import TemporaryFile

from web.books.entries import make_chapters, read_entries
from web.books.job_images import job_images
from web.books.options import MAX_BOOK, BookOptions, read_book_options
from web.books.parameters import BookError, InvalidParameter
from web.books.picture_files import Images, PictureOptions, picture_archive
from web.http.errors import Problem
from web.results.read_filter import unrated
from web.results.writers import ResultPage
from worker.job import Job

_PIECE = 1 << 18
_EXTENSION = re.compile(r"(\.[a-z][a-z0-9]{1,5})+(, .*)?$", re.IGNORECASE)
Body = Callable[[Iterable[ResultPage]], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class DrawnFormat:
    """A format of results that draws boards.

    `name` is the format's name in the API. `label` is the text of the download button on a job's
    page, and `description` is its tooltip. `extension` is that of the downloaded file. `prepare`
    reads the options in a query, and returns the function that writes pages of results.
    """

    name: str
    label: str
    description: str
    media_type: str
    extension: str
    prepare: Callable[[Mapping[str, str], Job], Body]


@contextmanager
def problems() -> Iterator[None]:
    """Raise Problem instead of any InvalidParameter or BookError in the `with` block.

    The status is 422.
    """
    try:
        yield
    except InvalidParameter as error:
        raise Problem(422, str(error), field=error.name) from None
    except BookError as error:
        raise Problem(422, str(error)) from None


def _pictures(kind: str) -> Callable[[Mapping[str, str], Job], Body]:
    def prepare(query: Mapping[str, str], job: Job) -> Body:
        with problems():
            options = PictureOptions.read(query)
        images, digits = job_images(job), len(str(job.total))

        def body(pages: Iterable[ResultPage]) -> Iterator[bytes]:
            with problems():
                yield from picture_archive(pages, options, images, kind=kind, digits=digits)

        return body

    return prepare


def _book(query: Mapping[str, str], job: Job) -> Body:
    options = book_options_of(query, job)
    images = job_images(job)

    def body(pages: Iterable[ResultPage]) -> Iterator[bytes]:
        return stream_book(pages, options, images)

    return body


def book_title(title: str) -> str:
    """Return the title of the book of a job with this title, such as "book" for "book.sdm, rated".

    The extension of a file, and all that follows it, are left out.
    """
    return _EXTENSION.sub("", title) or title


def book_options_of(query: Mapping[str, str], job: Job) -> BookOptions:
    """Return the options of a book in a query.

    Raises Problem if an option is invalid, or if the job lacks the results that it needs.
    """
    with problems():
        options = read_book_options(query, title=book_title(job.title))
    if options.hints != "none" and not job.options.explain:
        detail = (
            "this job has no explanations, because it was created without the option explain; run "
            "it again with this option"
        )
        raise Problem(422, detail, field="hints")
    if options.chapters != "none" and not job.options.rate:
        raise unrated("chapters")
    return options


def stream_book(
    pages: Iterable[ResultPage],
    options: BookOptions,
    images: Images,
    *,
    most: int | None = None,
) -> Iterator[bytes]:
    """Yield a book as PDF in pieces, the first one after the whole book has been written.

    `most` is the maximum number of pages. Raises Problem if the book is too long, or contains
    nothing that can be printed.
    """
    # An extra, which takes a quarter of a second to load.
    from web.books.book import write_book  # noqa: PLC0415

    entries = read_entries(islice(_limited(pages), MAX_BOOK + 1))
    if not entries:
        raise Problem(422, "none of the selected results can be printed")
    if len(entries) > MAX_BOOK:
        detail = f"a book has at most {MAX_BOOK:,} puzzles; select fewer, for example with count"
        raise Problem(422, detail, field="count")
    with TemporaryFile() as file:
        with problems():
            write_book(make_chapters(entries, options.chapters), options, images, file, most=most)
        file.seek(0)
        while piece := file.read(_PIECE):
            yield piece


def _limited(pages: Iterable[ResultPage]) -> Iterator[ResultPage]:
    """Yield a page for each row, so that a limit on rows can be applied."""
    for page in pages:
        yield from page.singles()


DRAWN = {
    each.name: each
    for each in (
        DrawnFormat(
            "svg",
            "SVG pictures (zip)",
            "SVG: a picture of each puzzle and each solution, for documents and web pages",
            "application/zip",
            "zip",
            _pictures("svg"),
        ),
        DrawnFormat(
            "png",
            "PNG pictures (zip)",
            "PNG: a picture of each puzzle and each solution, for apps and social media",
            "application/zip",
            "zip",
            _pictures("png"),
        ),
        DrawnFormat(
            "pdf",
            "Book (PDF)",
            "PDF: a book of the puzzles to print, with solutions",
            "application/pdf",
            "pdf",
            _book,
        ),
    )
}
