"""The command that reports on a collection of puzzles, without a queue."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from web.commands.exits import SOME_NOT_SOLVED, fail, output
from web.commands.job_options import job_options
from web.commands.local_settings import checked
from web.commands.progress_bars import puzzles_bar
from web.commands.solve_blocks import count_cores, solve_blocks
from web.commands.sources import complete_source, open_source
from web.report.against import match
from web.report.analysis import analyze
from web.report.build import build_report
from web.report.columns import Columns, read_columns
from web.report.schema import Report
from web.report.view import numbers_of, sections_of
from worker.ingest.stream import open_stream
from worker.job import ChunkResult
from worker.rejection import Rejected, Rejection

_PIECE = 1 << 17
_NEEDED = {"rate": "true", "minlex": "true", "minimal": "true"}


@click.command()
@click.argument("puzzles", metavar="FILE", shell_complete=complete_source)
@click.option(
    "--against",
    metavar="FILE",
    help="Another collection, such as your last book. Puzzles that both have are listed.",
)
@click.option(
    "--levels",
    type=click.IntRange(1, 100),
    help="Number of levels in the proposed order. [default: as many as FILE claims, else 4]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON, as in the API.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=0),
    metavar="N",
    default=1,
    show_default=True,
    help="Number of cores to use. 0 uses all cores.",
)
@job_options
def report(
    puzzles: str,
    against: str | None,
    levels: int | None,
    jobs: int,
    *,
    as_json: bool,
    **options: str | None,
) -> None:
    """Report on the puzzles in FILE before they are published.

    The report lists puzzles that can't be published and why, duplicates, difficulties, claimed
    levels that don't fit them, and unusual puzzles. It proposes levels for a book. FILE can also be
    - for standard input.

    \b
    Examples:
      sudokuq report book.csv
      sudokuq report book.csv --against last-book.txt
      sudokuq report book.csv --json > report.json

    Exit codes: 0 if no puzzle has a problem and there are no duplicates, 1 otherwise, 2 for
    unreadable input or invalid options.
    """
    wanted = {**options, **_NEEDED}
    processes = jobs or count_cores()
    analysis = analyze(_read(puzzles, wanted, processes=processes))
    compared = None
    if against is not None:
        other = _read(against, {**options, "minlex": "true"}, processes=processes)
        compared = (against, Path(against).name, other, match(analysis.columns, other))
    found = build_report(analysis, name=Path(puzzles).name, levels=levels, against=compared)
    if as_json:
        output().write(msgspec.json.encode(found) + b"\n")
    else:
        _show(found)
    shared = found.duplicates.against
    if found.publishable.puzzles < found.puzzles or (shared is not None and shared.puzzles):
        raise SystemExit(SOME_NOT_SOLVED)


def _read(puzzles: str, options: dict[str, Any], *, processes: int) -> Columns:
    """Solve the puzzles in a file, and return the columns that the report needs."""
    job, settings = checked(options)
    source = open_source(puzzles)
    pieces = iter(lambda: source.file.read(_PIECE), b"")
    stream = open_stream(pieces, options=job, settings=settings)
    if isinstance(stream, Rejection):
        fail(source.unreadable(stream.detail))

    def parts() -> Iterator[tuple[int, ChunkResult]]:
        number = 1
        with puzzles_bar("solving", has_end=False) as progress:
            task = progress.add_task("", total=None, puzzles=0)
            with closing(solve_blocks(stream, processes=processes)) as blocks:
                for block, result in blocks:
                    yield number, result
                    number += block.records
                    progress.update(task, puzzles=number - 1)

    try:
        return read_columns(parts(), job)
    except Rejected as rejected:
        fail(rejected.rejection.detail)


def _show(found: Report) -> None:
    """Print a report for people."""
    console = Console(highlight=False)
    console.print(f"[bold]Report on {found.name}[/bold]")
    numbers = Table(show_header=False, box=None)
    for label, cell in numbers_of(found):
        numbers.add_row(label, cell.text)
    console.print(numbers)
    for section in sections_of(found):
        console.print(f"\n[bold]{section.title}[/bold]")
        for sentence in section.sentences:
            console.print(sentence)
        for each in section.tables:
            kept = [place for place, cell in enumerate(each.rows[0]) if cell.share is None]
            console.print(f"\n{each.caption}")
            table = Table(box=None)
            for place in kept:
                right = each.rows[0][place].is_number
                table.add_column(each.heads[place], justify="right" if right else "left")
            for row in each.rows:
                table.add_row(*(row[place].text for place in kept))
            console.print(table)
