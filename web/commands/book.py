"""The command that makes a PDF book on this machine, without a queue."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from solver.board.display import how_many
from web.books.entries import Entry, make_chapters, read_entries
from web.books.options import (
    CHAPTERS,
    HINTS,
    MAX_BOOK,
    PAGE_SIZES,
    PER_PAGE,
    PRESETS,
    SOLUTIONS,
    read_book_options,
)
from web.books.parameters import BookError, InvalidParameter
from web.commands.exits import fail, print_message
from web.commands.job_options import collection_options
from web.commands.local_settings import options_and_settings
from web.commands.option_types import Name, WholeNumber
from web.commands.progress_bars import pages_bar, puzzles_bar
from web.commands.solve_blocks import count_cores, solve_blocks
from web.commands.sources import Source, complete_source, open_source
from web.results.formats import missing_package
from web.results.writers import ResultPage, result_page
from worker.ingest.stream import Stream, open_stream
from worker.rejection import Rejected, Rejection

_PIECE = 1 << 17
# Reasons for which puzzles are left out, with their number in front.
_NOT_UNIQUE = "without a unique solution"
_NO_EMPTY_CELL = "without an empty cell"
_NOT_DRAWN = "that can't be drawn"


def book_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a book to a command."""
    choices: dict[str, tuple[tuple[str, ...], str]] = {
        "per-page": (PER_PAGE, "Puzzles per page. Large boards get more room. [default: 2]"),
        "chapters": (CHAPTERS, "Chapters by difficulty, or a number of levels of equal size."),
        "solutions": (SOLUTIONS, "Where to print solutions. [default: end]"),
        "hints": (HINTS, "A hint for each puzzle, or all steps that solve it."),
        "preset": (PRESETS, "kdp follows the rules of Amazon KDP for margins, fonts, and lines."),
        "ink": (("gray", "color"), "Colors. [default: gray]"),
    }
    added = [
        click.option("--title", help="Title of the book. [default: the name of the file]"),
        click.option("--author", help="Author on the cover sheet."),
        click.option(
            "--page",
            metavar="SIZE",
            help=f"Size of a page: {', '.join(PAGE_SIZES)}, or for example 170x240mm. "
            "[default: 6x9in]",
        ),
        click.option("--bleed", metavar="MM", help="Bleed around the page in millimeters."),
        *(
            click.option(f"--{name}", type=Name(values), help=text)
            for name, (values, text) in choices.items()
        ),
        click.option("--large-print", is_flag=True, help="Larger text and boards."),
        *(
            click.option(f"--no-{name}", is_flag=True, help=text)
            for name, text in (
                ("cover", "Omit the cover sheet."),
                ("heads", "Omit the running heads."),
                ("page-numbers", "Omit the page numbers."),
                ("rules", "Omit the rules under each puzzle."),
            )
        ),
    ]
    for option in reversed(added):
        command = option(command)
    return command


_OMITTED = ("cover", "heads", "page_numbers", "rules")


@click.command()
@click.argument("puzzles", shell_complete=complete_source)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), required=True, help="PDF file to write."
)
@click.option(
    "-j",
    "--jobs",
    type=WholeNumber(0),
    metavar="N",
    default=1,
    show_default=True,
    help="Number of cores to use. 0 uses all cores.",
)
@book_options
@collection_options
def book(puzzles: str, output: str, jobs: int, **options: Any) -> None:
    """Make a PDF book of PUZZLES on this machine, without a service.

    PUZZLES is a file, a folder, a zip archive, a puzzle, or - for standard input. The puzzles are
    solved and rated first. Those that can't be drawn, those without a unique solution, and those
    without an empty cell are left out.

    \b
    Examples:
      sudokuq book puzzles.txt -o book.pdf --chapters 4 --hints hints
      sudokuq book puzzles.txt -o book.pdf --preset kdp --title "Sudoku for the train"
    """
    missing = missing_package("pdf")
    if missing is not None:
        fail(missing)
    query = _query(options)
    try:
        chosen = read_book_options(query, title=Path(puzzles).stem if puzzles != "-" else "")
    except InvalidParameter as error:
        detail = str(error).removeprefix(f"{error.name!r} ")
        fail(f"--{error.name.replace('_', '-')}: {detail}")
    options["rate"] = True
    if chosen.hints != "none":
        options["explain"] = True
    job, settings = options_and_settings(options)
    source = open_source(puzzles)
    read = getattr(source.file, "read1", source.file.read)
    stream = open_stream(iter(lambda: read(_PIECE), b""), options=job, settings=settings)
    if isinstance(stream, Rejection):
        fail(source.unreadable(stream.detail))
    from web.books.book import write_book  # noqa: PLC0415  an extra

    try:
        printable, omitted = _read(stream, source, processes=jobs or count_cores())
    except Rejected as rejected:
        fail(rejected.rejection.detail)
    entries = _suitable(printable, omitted)
    if len(entries) > MAX_BOOK:
        found = how_many(len(entries), "puzzle")
        fail(f"the book would have {found}; the limit is {MAX_BOOK:,}. Split the file into several")
    try:
        with Path(output).open("wb") as file, pages_bar() as bar:
            task = bar.add_task("", total=0)
            chapters = make_chapters(entries, chosen.chapters)

            def show(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            count = write_book(chapters, chosen, (), file, progress=show)
    except BookError as error:
        Path(output).unlink(missing_ok=True)
        fail(str(error))
    made = f"{output}: {how_many(len(entries), 'puzzle')} on {how_many(count, 'page')}"
    reasons = [f"{number:,} {reason}" for reason, number in omitted.items() if number]
    if reasons:
        made += f"; left out: {', '.join(reasons)}"
    print_message(made)


def _read(stream: Stream, source: Source, *, processes: int) -> tuple[list[Entry], Counter[str]]:
    """Solve the puzzles. Return those that can be drawn, and how many are left out for each reason.

    The returned puzzles include some that have no unique solution. These are already counted, and
    the caller must leave them out.
    """
    records = unique = 0

    def counted(pages: Iterable[ResultPage]) -> Iterator[ResultPage]:
        nonlocal records, unique
        for page in pages:
            records += len(page.rows)
            unique += sum(row.unique is True for row in page.rows)
            yield page

    with closing(_pages(stream, source, processes=processes)) as pages:
        entries = read_entries(counted(pages))
    drawn = sum(entry.page.rows[0].unique is True for entry in entries)
    return entries, Counter({_NOT_UNIQUE: records - unique, _NOT_DRAWN: unique - drawn})


def _suitable(printable: Sequence[Entry], omitted: Counter[str]) -> list[Entry]:
    """Return the entries with a unique solution and an empty cell. Exits if there are none.

    Counts those without an empty cell in `omitted`.
    """
    unique = [each for each in printable if each.page.rows[0].unique]
    if not unique:
        fail("no puzzle has a unique solution, so there is nothing to print")
    entries = [each for each in unique if each.page.rows[0].puzzle != each.page.rows[0].solution]
    if not entries:
        fail("no puzzle has an empty cell; does the file contain solutions instead of puzzles?")
    omitted[_NO_EMPTY_CELL] = len(unique) - len(entries)
    return entries


def _query(options: dict[str, Any]) -> dict[str, str]:
    """Remove the options of the book from `options`, and return them as the API's parameters."""
    query = {name: "false" for name in _OMITTED if options.pop(f"no_{name}")}
    if options.pop("large_print"):
        query["large_print"] = "true"
    for name in ("title", "author", "page", "bleed", "per_page", "chapters", "solutions", "hints",
                 "preset", "ink"):  # fmt: skip
        value = options.pop(name)
        if value is not None:
            query[name] = value
    return query


def _pages(stream: Stream, source: Source, *, processes: int) -> Generator[ResultPage]:
    """Solve the puzzles of the input, and yield pages of results, with a progress bar."""
    job, number = stream.options, 1
    with puzzles_bar("solving", has_end=source.size is not None, visible=True) as progress:
        task = progress.add_task("", total=source.size, puzzles=0)
        with closing(solve_blocks(stream, processes=processes)) as blocks:
            for block, result in blocks:
                yield result_page((number, result), limit=job.limit, rated=job.rate)
                number += block.records
                progress.update(task, advance=len(block.data), puzzles=number - 1)
