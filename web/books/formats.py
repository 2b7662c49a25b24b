"""The formats of results that draw boards: archives of SVG and PNG pictures."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from web.books.job_images import job_images
from web.books.parameters import InvalidParameter
from web.books.picture_files import PictureOptions, picture_archive
from web.http.errors import Problem
from web.results.writers import ResultPage
from worker.job import Job

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
    """Turn invalid parameters into problem documents."""
    try:
        yield
    except InvalidParameter as error:
        raise Problem(422, str(error), field=error.name) from None


def _pictures(kind: str) -> Callable[[Mapping[str, str], Job], Body]:
    def prepare(query: Mapping[str, str], job: Job) -> Body:
        with problems():
            options = PictureOptions.read(query)
        images, digits = job_images(job), len(str(job.total))

        def body(pages: Iterable[ResultPage]) -> Iterator[bytes]:
            return picture_archive(pages, options, images, kind=kind, digits=digits)

        return body

    return prepare


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
    )
}
