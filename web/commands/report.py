"""The command that reports on a collection of puzzles, without a queue."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from web.commands.collection_files import CollectionFile, collection_files, placed_in
from web.commands.exits import SOME_NOT_SOLVED, fail, output, print_message
from web.commands.job_options import collection_options
from web.commands.local_settings import options_and_settings
from web.commands.option_types import WholeNumber
from web.commands.progress_bars import puzzles_bar
from web.commands.solve_blocks import count_cores, solve_inputs
from web.commands.sources import complete_source, open_source
from web.report.against import match
from web.report.analysis import analyze
from web.report.build import build_report
from web.report.columns import Columns, read_columns
from web.report.schema import Report
from web.report.view import numbers_of, sections_of
from worker.ingest.stream import Stream, open_stream
from worker.job import JobOptions
from worker.records.chunk_result import ChunkResult
from worker.rejection import Rejected, Rejection
from worker.settings import Settings

_PIECE = 1 << 17
_NEEDED = {"rate": "true", "minlex": "true", "minimal": "true"}


@click.command()
@click.argument("puzzles", metavar="FILE", shell_complete=complete_source)
@click.option(
    "--against",
    metavar="FILE",
    help="Another collection, such as your last book. The report lists puzzles that both have.",
)
@click.option(
    "--levels",
    type=WholeNumber(1, 100),
    metavar="N",
    help="Number of levels in the proposed order. [default: as many as FILE claims, else 4]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON, as in the API.")
@click.option(
    "-j",
    "--jobs",
    type=WholeNumber(0),
    metavar="N",
    default=1,
    show_default=True,
    help="Number of cores to use. 0 uses all cores.",
)
@collection_options
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
    a folder, a zip archive, or - for standard input. The names of the folders that contain the
    files are claimed levels.

    \b
    Examples:
      sudokuq report book.csv
      sudokuq report book.csv --against last-book.txt
      sudokuq report book.csv --json > report.json
      sudokuq report book/

    Exit codes: 0 if no puzzle has a problem, there are no duplicates, and no puzzle is in the
    --against file; 1 otherwise or if files in a folder or an archive can't be read; 2 for
    unreadable input or invalid options.
    """
    wanted = {**options, **_NEEDED}
    processes = jobs or count_cores()
    columns, is_complete = _read(puzzles, wanted, processes=processes)
    analysis = analyze(columns)
    compared = None
    if against is not None:
        other, is_other_complete = _read(
            against, {**options, "minlex": "true"}, processes=processes
        )
        is_complete = is_complete and is_other_complete
        compared = (against, Path(against).name, other, match(columns, other))
    name = Path(puzzles).absolute().name  # a folder can be given as "."
    found = build_report(analysis, name=name, levels=levels, against=compared)
    if as_json:
        output().write(msgspec.json.encode(found) + b"\n")
    else:
        _show(found)
    shared = found.duplicates.against
    is_shared = shared is not None and shared.puzzles > 0
    if found.publishable.puzzles < found.puzzles or is_shared or not is_complete:
        raise SystemExit(SOME_NOT_SOLVED)


def _read(argument: str, options: dict[str, Any], *, processes: int) -> tuple[Columns, bool]:
    """Solve the puzzles in a file, a folder, or an archive.

    Returns the columns that the report needs, and whether all files could be read. Exits with a
    message if only a part of a file can be read.
    """
    job, settings = options_and_settings(options)
    collection = _Collection(argument, job, settings)

    def parts() -> Iterator[tuple[int, ChunkResult]]:
        number = 1
        with puzzles_bar("solving", has_end=False) as progress:
            task = progress.add_task("", total=None, puzzles=0)
            with closing(solve_inputs(collection.inputs(), processes=processes)) as solved:
                for file, block, result in solved:
                    yield number, result if file is None else placed_in(file, result)
                    number += block.records
                    progress.update(task, puzzles=number - 1)

    try:
        return read_columns(parts(), job), not collection.unread
    except Rejected as rejected:
        fail(collection.place + rejected.rejection.detail)


@dataclass(slots=True)
class _Collection:
    """The files of a collection, which can be a single input.

    `place` begins messages about the file that is being read. `unread` counts the files that can't
    be read.
    """

    argument: str
    job: JobOptions
    settings: Settings
    place: str = ""
    unread: int = 0

    def inputs(self) -> Iterator[tuple[CollectionFile | None, Stream]]:
        """Yield the opened files. A single input comes with None.

        Prints a message for each file of a folder or an archive that can't be read. Exits with a
        message if this applies to all of them.
        """
        files = collection_files(self.argument)
        if files is None:
            source = open_source(self.argument)
            stream = self._open(iter(lambda: source.file.read(_PIECE), b""))
            if isinstance(stream, Rejection):
                fail(source.unreadable(stream.detail))
            yield None, stream
            return
        for file in files:
            self.place = f"{file.name}: "
            stream = self._open(file.read())
            if isinstance(stream, Rejection):
                self.unread += 1
                print_message(f"sudokuq: {self.place}{stream.detail}; the report omits this file")
            else:
                yield file, stream
        if self.unread == len(files):
            fail(f"{self.argument} contains no file with puzzles")

    def _open(self, pieces: Iterator[bytes]) -> Stream | Rejection:
        return open_stream(pieces, options=self.job, settings=self.settings)


def _show(found: Report) -> None:
    """Print a report for people, without the bars in its tables."""
    # Names and folders can contain square brackets, which would be markup.
    console = Console(highlight=False, markup=False)
    console.print(f"Report on {found.name}", style="bold")
    numbers = Table(show_header=False, box=None)
    for _, label, cell in numbers_of(found):
        numbers.add_row(label, cell.text)
    console.print(numbers)
    for section in sections_of(found):
        console.print(f"\n{section.title}", style="bold")
        for sentence in section.sentences:
            console.print(sentence)
        for each in section.tables:
            kept = [place for place, cell in enumerate(each.rows[0]) if cell.share is None]
            if each.caption != section.title:
                console.print(f"\n{each.caption}")
            table = Table(box=None)
            for place in kept:
                right = each.rows[0][place].is_number
                table.add_column(each.heads[place], justify="right" if right else "left")
            for row in each.rows:
                table.add_row(*(row[place].text for place in kept))
            console.print(table)
