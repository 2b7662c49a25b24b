"""The command that solves puzzles on this machine, without a queue."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, islice

import click

from solver.board.display import how_many, joined
from solver.board.puzzle import Puzzle
from solver.formats.reading.own_columns import own_names
from solver.preparing import needed
from web.boards.drawing import draw
from web.boards.terminal import terminal_lines
from web.commands.exits import SOME_NOT_SOLVED, check_output, fail, output, print_message
from web.commands.interruptible import interruptibly
from web.commands.job_options import job_options
from web.commands.local_settings import options_and_settings
from web.commands.option_types import Name, WholeNumber
from web.commands.prepare import make_ready
from web.commands.progress_bars import puzzles_bar, results_on_terminal
from web.commands.solve_blocks import count_cores, solve_blocks
from web.commands.sources import Source, complete_source, open_source
from web.results.formats import RESULT_FORMATS, missing_package
from web.results.rows import RatedRow, Row, minimality_sentences
from web.results.writers import WRITERS, ResultPage, result_page, stored_explanation
from web.results.xlsx import TooManyRows
from worker.ingest.stream import Stream, open_stream
from worker.job import JobOptions
from worker.records.boards import StoredBoard
from worker.rejection import Rejected, Rejection

_PIECE = 1 << 17


@click.command()
@click.argument("puzzles", shell_complete=complete_source)
@click.option(
    "--output",
    "output_format",
    type=Name(RESULT_FORMATS),
    help="Format of the results. [default: grid for one puzzle, jsonl for more]",
)
@click.option("--json", "as_json", is_flag=True, help="Same as --output jsonl.")
@click.option(
    "-j",
    "--jobs",
    type=WholeNumber(0),
    metavar="N",
    default=1,
    show_default=True,
    help="Number of cores to use. 0 uses all cores. This doesn't change the results.",
)
@job_options
def solve(
    puzzles: str, output_format: str | None, jobs: int, *, as_json: bool, **options: str | None
) -> None:
    """Solve PUZZLES on this machine, without a service.

    PUZZLES is a file, a folder, a zip archive, a puzzle, or - for standard input. The files of a
    folder or an archive must have the same format. The results go to standard output in the order
    of the input, and a summary to standard error. A progress bar is also shown if standard error is
    a terminal and the results go to a file or a pipe.

    \b
    Examples:
      sudokuq solve puzzles.txt > results.jsonl
      sudokuq solve puzzles.txt --output csv --rate -j 0
      sudokuq solve 12.4...2....4..1

    Exit codes: 0 if every puzzle was solved, 1 if some were not, 2 for unreadable input or invalid
    options.
    """
    check_output(output_format)
    missing = missing_package(output_format or "")
    if missing is not None:
        fail(f"--output {missing}")
    job, settings = options_and_settings(options)
    source = open_source(puzzles)
    meter = _Meter()
    # At a terminal, read1 needs the end of input (Ctrl-D) once, and read needs it twice.
    read = getattr(source.file, "read1", source.file.read)
    pieces = meter.count_read(iter(lambda: read(_PIECE), b""))
    stream = open_stream(pieces, options=job, settings=settings)
    if isinstance(stream, Rejection):
        place = f"line {stream.line}: " if stream.line and source.puzzle is None else ""
        fail(place + source.unreadable(stream.detail))
    stream = replace(stream, content=meter.count_text(stream.content))
    own = own_names(stream.recognized.context)
    counts: Counter[str] = Counter()
    pages = _pages(stream, source, meter, counts, processes=jobs or count_cores())
    try:
        with closing(pages):
            _write(pages, job, "jsonl" if as_json else output_format, own=own)
    except Rejected as rejected:
        messages = [rejected.rejection.detail]
        if counts:
            done = how_many(counts.total(), "puzzle")
            messages.append(f"the results of the first {done} were written")
        fail(joined(messages))
    except TooManyRows as error:
        fail(str(error))
    except KeyboardInterrupt:
        print_message(f"\nInterrupted after {how_many(counts.total(), 'puzzle')}.")
        raise
    print_message(", ".join(f"{number:,} {label}" for label, number in counts.items()))
    if set(counts) != {"solved"}:
        raise SystemExit(SOME_NOT_SOLVED)


@dataclass(slots=True)
class _Meter:
    """Counts the bytes of an input.

    `read` counts the bytes read from the file, `text` the bytes after decompression, and `solved`
    the bytes of the solved puzzles after decompression.
    """

    read: int = 0
    text: int = 0
    solved: int = 0

    def count_read(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self.read += len(piece)
            yield piece

    def count_text(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self.text += len(piece)
            yield piece

    @property
    def bytes_done(self) -> float:
        """The estimated number of bytes in the file whose puzzles are solved.

        The file may be compressed.
        """
        return self.read * min(self.solved / max(self.text, 1), 1.0)


def _pages(
    stream: Stream, source: Source, meter: _Meter, counts: Counter[str], *, processes: int
) -> Generator[ResultPage]:
    """Yield the results in pages while the puzzles are solved, and show a progress bar.

    Adds to `meter.solved`, and counts the puzzles by outcome in `counts`. `processes` is the number
    of processes that solve.
    """
    job, number = stream.options, 1
    visible = not results_on_terminal()
    with puzzles_bar("solving", has_end=source.size is not None, visible=visible) as progress:
        task = progress.add_task("", total=source.size, puzzles=0)
        with closing(solve_blocks(stream, processes=processes)) as blocks:
            for block, result in blocks:
                page = result_page(
                    (number, result),
                    limit=job.limit, rated=job.rate, minlex=job.minlex, listed=job.lists,
                )  # fmt: skip
                number += block.records
                meter.solved += len(block.data)
                counts.update(result.outcome_counts())
                progress.update(task, completed=meter.bytes_done, puzzles=counts.total())
                yield page
                output().flush()


def _write(
    pages: Iterator[ResultPage],
    job: JobOptions,
    output_format: str | None,
    *,
    own: tuple[str, ...],
) -> None:
    """Write the results to standard output.

    If `output_format` is None, a single puzzle is written as a grid, and several puzzles as JSON
    lines. `own` contains the names of the user's own columns.
    """
    first: list[ResultPage] = []
    if output_format is None:  # two pages show whether there is more than one puzzle
        first = list(islice(pages, 2))
        output_format = "grid" if sum(len(each.rows) for each in first) == 1 else "jsonl"
    every = chain(first, pages)
    if output_format != "grid":
        for piece in WRITERS[output_format].write(every, job, own):
            output().write(piece)
        return
    for page in every:
        for single in page.singles():
            ((row, board),) = single.with_boards()
            click.echo(_grid(row, board))
            explanation = stored_explanation(single)
            if explanation is not None:
                click.echo(f"{explanation.text}\n")


def _advice(puzzle: Puzzle) -> list[str]:
    """Return a note about wrong entries and conflicts of an unsolvable puzzle, or an empty list."""
    # Loading Numba takes most of a second, and the help doesn't need it.
    from solver.unsolvable import fault_of  # noqa: PLC0415

    make_ready([needed(puzzle.layout)])
    advice = interruptibly(lambda: fault_of(puzzle)).advice
    return [f"The puzzle has no solution. {advice}."] if advice else []


def _grid(row: Row, board: StoredBoard | None) -> str:
    """Format a result for a terminal: the grid, a line about the result, and notes.

    If the board isn't stored or can't read the puzzle, the puzzle's text is there instead of the
    grid. The notes are about redundant givens and constraints, and about the fault of an unsolvable
    puzzle, which is searched for here.
    """
    summary = row.outcome
    if row.unique:
        summary += ", the only solution"
    elif row.outcome == "multiple":
        summary += f", {row.solutions} solutions found"
    summary += f", {row.steps} guesses"
    if isinstance(row, RatedRow) and row.rating is not None:
        summary += f", rated {row.rating} ({row.difficulty})"
    elif isinstance(row, RatedRow) and row.sudokuq_rating is not None:
        summary += f", sudokuq rating {row.sudokuq_rating} ({row.sudokuq_difficulty})"
    elif isinstance(row, RatedRow) and row.sudokuq_difficulty is not None:
        summary += f", {row.sudokuq_difficulty}"
    if row.detail:
        summary += f": {row.detail}"
    notes = minimality_sentences(row)
    if isinstance(row.reduced, str):
        notes = [*notes, f"Minimal puzzle: {row.reduced}"]
    givens = board.read(row.puzzle) if board is not None else None
    if board is None or givens is None:
        return "\n".join([row.puzzle, summary, *notes, ""])
    if row.outcome == "unsolvable":
        notes = [*notes, *_advice(Puzzle(board.layout, givens, board.symbols))]
    solution = board.read(row.solution) if row.solution else None
    drawing = draw(board.layout, board.symbols, givens, solution)
    return "\n".join([*terminal_lines(drawing), summary, *notes, ""])
