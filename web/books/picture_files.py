"""Draw boards of results as SVG or PNG: one file, or an archive with a file per board."""

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from web.boards.deduction_drawing import pencil_marks
from web.boards.result_drawing import draw_result, open_values
from web.boards.styles import INKS
from web.boards.svg import make_picture
from web.boards.svg_file import svg_file
from web.books.parameters import read_choice, read_whole_number
from web.results.byte_sink import ByteSink
from web.results.formats import MAX_PIXELS, MIN_PIXELS, SHOWN, USUAL_PIXELS
from web.results.writers import ResultPage

_WHEN = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip archive can represent
# Image type and bytes per value, as `svg_file` expects them.
Images = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """How boards are drawn: the width in pixels, the ink, and what is in the cells.

    `show` is a name in `SHOWN`, or "" for the puzzle and, as a second picture, its solution.
    """

    size: int = USUAL_PIXELS
    ink: str = "color"
    show: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> "PictureOptions":
        """Return the options in a query. Raises InvalidParameter if one of them is invalid."""
        size = read_whole_number(
            query, "size", least=MIN_PIXELS, most=MAX_PIXELS, usual=USUAL_PIXELS
        )
        ink = read_choice(query, "ink", INKS, "color")
        return cls(size, ink, read_choice(query, "show", SHOWN, ""))


def draw_file(page: ResultPage, options: PictureOptions, images: Images, *, kind: str) -> bytes:
    """Return the board of the page's only row as a file, or b"" if it can't be drawn.

    `kind` is svg or png. A board can't be drawn if it isn't stored, or if the requested solution
    doesn't exist. PNG needs the extra `pdf`.
    """
    ((row, board),) = page.with_boards()
    is_solution = options.show == "solution"
    if board is None or (is_solution and not row.solution):
        return b""
    # The regions that the solver had to find are part of the solution.
    solution, regions = (row.solution, row.regions) if is_solution else (None, None)
    drawing = draw_result(board, row.puzzle, solution, None, regions)
    if drawing is None:
        return b""
    picture = make_picture(drawing, len(images))
    if options.show == "candidates":
        givens = board.read(row.puzzle) or ()
        marks = open_values(board, givens, page.result.candidates.get(0))
        picture = replace(
            picture, texts=(*picture.texts, *pencil_marks(board.layout, board.symbols, marks))
        )
    ruled = bool(drawing.rules)
    if kind == "png":
        from web.books.png_file import png_file  # noqa: PLC0415  an extra

        return png_file(picture, width=options.size, ink=options.ink, ruled=ruled, images=images)
    title = ", ".join(rule.title for rule in drawing.rules)
    return svg_file(
        picture, width=options.size, ink=options.ink, title=title, ruled=ruled, images=images
    ).encode()


def picture_archive(
    pages: Iterable[ResultPage], options: PictureOptions, images: Images, *, kind: str, digits: int
) -> Iterator[bytes]:
    """Yield a zip archive with the boards of all rows that can be drawn.

    Files are named after the number of the record, with at least `digits` digits. Without
    `options.show`, there is a file for the puzzle, and one for the solution if there is one. The
    same rows always produce the same bytes.
    """
    sink = ByteSink()
    shown = (options.show,) if options.show else ("puzzle", "solution")
    method = zipfile.ZIP_STORED if kind == "png" else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(sink, "w", method) as archive:
        for page in pages:
            for single in page.singles():
                for show in shown:
                    data = draw_file(single, replace(options, show=show), images, kind=kind)
                    if data:
                        suffix = "" if show == "puzzle" else f"-{show}"
                        name = f"{single.rows[0].n:0{digits}}{suffix}.{kind}"
                        entry = zipfile.ZipInfo(name, _WHEN)
                        entry.compress_type = method
                        archive.writestr(entry, data)
                if written := sink.taken():
                    yield written
    yield sink.taken()
