"""Commands that solve here and now, without a queue."""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from itertools import chain, islice
from typing import IO

import click
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from solver.engines.engine import GO_ON
from solver.formats import recognise
from solver.formats.format import Block, Unreadable
from solver.formats.reading.own_columns import own_names
from web.boards.drawing import draw
from web.boards.terminal import terminal_lines
from web.commands.options import SOME_NOT_SOLVED, checked, fail, job_options, settings
from web.results import WRITERS, Portion, kept_explanation, portion_of
from web.rows import RatedRow, Row
from worker.boards import StoredBoard
from worker.intake.stream import Stream, open_stream
from worker.job import ChunkResult, JobOptions
from worker.options import read_options
from worker.refused import Refusal, Refused

_PIECE = 1 << 17


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option(
    "--output",
    type=click.Choice([*WRITERS, "grid"]),
    help="How to write results; grids for one puzzle, JSON lines for more, unless said.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --output jsonl.")
@job_options
def solve(file: IO[bytes], output: str | None, *, as_json: bool, **options: str | None) -> None:
    """Solve the puzzles in FILE (- is standard input), here and now.

    \b
    Examples:
      sudokuq solve puzzles.txt > results.jsonl
      sudokuq solve puzzles.txt --output csv --rate
      echo 12.4...2....4..1 | sudokuq solve -

    Exit code 0: all solved; 1: some not; 2: unreadable input or bad options.
    """
    job = checked(options, settings())
    pieces = iter(lambda: file.read(_PIECE), b"")
    stream = open_stream(pieces, options=job, settings=settings())
    if isinstance(stream, Refused):
        fail(f"line {stream.line}: {stream.detail}" if stream.line else stream.detail)
    own = own_names(stream.recognised.context)
    try:
        counts = _write(_solve_blocks(stream), job, "jsonl" if as_json else output, own=own)
    except Refusal as refusal:
        fail(refusal.refused.detail)
    said = ", ".join(f"{number:,} {label}" for label, number in counts.items())
    click.echo(said, err=True)
    if set(counts) != {"solved"}:
        raise SystemExit(SOME_NOT_SOLVED)


def _solve_blocks(stream: Stream) -> Iterator[tuple[int, ChunkResult]]:
    # Numba takes most of a second to load, which no other command should wait for.
    from worker.node.solve_block import BlockSolver  # noqa: PLC0415

    flag = np.full(1, GO_ON, np.uint8)
    recognised = stream.recognised
    number = 1
    for block in stream.blocks():
        solver = BlockSolver(
            block,
            format=recognised.format.name,
            context=recognised.context,
            options=stream.options,
        )
        yield number, solver.solve(0, len(solver), flag=flag)
        number += block.records


def _write(
    parts: Iterator[tuple[int, ChunkResult]],
    job: JobOptions,
    output: str | None,
    *,
    own: tuple[str, ...],
) -> Counter[str]:
    counts: Counter[str] = Counter()
    console = Console(stderr=True)

    def counted() -> Iterator[Portion]:
        columns = (TextColumn("solving"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task("", total=None)
            for part in parts:
                portion = portion_of(
                    part, limit=job.limit, rated=job.rate, minlex=job.minlex, listed=job.lists
                )
                counts.update(row.outcome for row in portion.rows)
                progress.advance(task, len(portion.rows))
                yield portion

    portions = counted()
    first = list(islice(portions, 1))
    if output is None:
        output = "grid" if [len(portion.rows) for portion in first] == [1] else "jsonl"
    if output == "grid":
        for portion in chain(first, portions):
            for single in portion.singles():
                ((row, board),) = single.with_boards()
                click.echo(_grid(row, board))
                explanation = kept_explanation(single)
                if explanation is not None:
                    click.echo(f"{explanation.text}\n")
    else:
        for piece in WRITERS[output].write(chain(first, portions), job, own):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    return counts


def _grid(row: Row, board: StoredBoard | None) -> str:
    """Return a result as a person reads it: the grid, then what was found."""
    said = row.outcome
    if row.unique:
        said += ", the only solution"
    elif row.outcome == "multiple":
        said += f", {row.solutions} solutions found"
    said += f", {row.steps} guesses"
    if isinstance(row, RatedRow) and row.rating is not None:
        said += f", rated {row.rating} ({row.difficulty})"
    if row.detail:
        said += f": {row.detail}"
    givens = board.read(row.puzzle) if board is not None else None
    if board is None or givens is None:
        return f"{row.puzzle}\n{said}\n"
    solution = board.read(row.solution) if row.solution else None
    drawing = draw(board.layout, board.symbols, givens, solution)
    return "\n".join([*terminal_lines(drawing), said, ""])


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
@click.option("--seconds", default=2.0, help="How long to measure each sample.")
def bench(*, as_json: bool, seconds: float) -> None:
    """Measure the engines on the bundled samples, on one core.

    \b
    Example:
      sudokuq bench --seconds 5
    """
    from solver.formats import read_block  # noqa: PLC0415
    from solver.solving import engine_for, solve_many, warm_up  # noqa: PLC0415

    warm_up()
    measured = []
    samples = files("solver") / "samples"
    for sample in sorted(samples.iterdir(), key=lambda entry: entry.name):
        data = sample.read_bytes()
        recognised = recognise(data, final=True)
        if isinstance(recognised, Unreadable):
            continue
        records = read_block(
            Block(data, 1, 1),
            format=recognised.format.name,
            context=recognised.context,
            options=read_options(JobOptions()),
        )
        for group in records.groups:
            done, steps, began = 0, 0, time.perf_counter()
            while (spent := time.perf_counter() - began) < seconds:
                batch = solve_many(group.givens, layout=group.layout)
                done, steps = done + len(batch), steps + int(batch.steps.sum())
            measured.append(
                {
                    "sample": sample.name,
                    "size": group.layout.size,
                    "puzzles": len(group.rows),
                    "engine": engine_for(group.layout).name,
                    "puzzles_per_second": round(done / spent, 1),
                    "steps_per_puzzle": round(steps / done, 1),
                }
            )
    if as_json:
        click.echo(json.dumps(measured))
        return
    click.echo(f"{'sample':<16}{'size':>5}{'puzzles':>9}{'puzzles/s':>12}{'steps':>9}  engine")
    for row in measured:
        click.echo(
            f"{row['sample']:<16}{row['size']:>5}{row['puzzles']:>9,}"
            f"{row['puzzles_per_second']:>12,}{row['steps_per_puzzle']:>9,}  {row['engine']}"
        )
