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
from solver.formats import HEAD_BYTES, Splitter, recognise
from solver.formats.format import Block, Recognised, Unreadable
from web.boards.drawing import draw
from web.boards.terminal import terminal_lines
from web.commands.options import SOME_NOT_SOLVED, checked, fail, job_options, settings
from web.errors import Problem
from web.results import WRITERS, Portion, Row, whole
from web.uploads.unpack import unpack
from worker.boards import StoredBoard
from worker.job import ChunkResult, JobOptions
from worker.options import read_options

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

    Exit code 0: all solved; 1: some not; 2: unreadable input or bad options.
    """
    job = checked(options, settings())
    try:
        pieces = unpack(iter(lambda: file.read(_PIECE), b""), most=settings().max_upload_bytes)
        recognised, stream = _recognise(pieces, job)
        parts = _solve_blocks(recognised, stream, job)
        counts = _write(parts, job, "jsonl" if as_json else output)
    except Problem as problem:
        place = f"line {problem.line}: " if problem.line else ""
        fail(f"{place}{problem.detail}")
    said = ", ".join(f"{number:,} {label}" for label, number in counts.items())
    click.echo(said, err=True)
    if set(counts) != {"solved"}:
        raise SystemExit(SOME_NOT_SOLVED)


def _recognise(pieces: Iterator[bytes], job: JobOptions) -> tuple[Recognised, Iterator[bytes]]:
    head, final = b"", True
    for piece in pieces:
        head += piece
        if len(head) >= HEAD_BYTES:
            final = False
            break
    recognised = recognise(head, final=final, options=read_options(job))
    if isinstance(recognised, Unreadable):
        raise Problem(400, recognised.detail, recognised.line, recognised.column)

    def stream() -> Iterator[bytes]:
        yield head
        yield from pieces

    return recognised, stream()


def _solve_blocks(
    recognised: Recognised, stream: Iterator[bytes], job: JobOptions
) -> Iterator[tuple[int, ChunkResult]]:
    # Numba takes most of a second to load, which no other command should wait for.
    from worker.node.solve_block import BlockSolver  # noqa: PLC0415

    flag = np.full(1, GO_ON, np.uint8)
    number = 1
    for block in _blocks(recognised, stream):
        solver = BlockSolver(
            block, format=recognised.format.name, context=recognised.context, options=job
        )
        yield number, solver.solve(0, len(solver), flag=flag)
        number += block.records


def _blocks(recognised: Recognised, stream: Iterator[bytes]) -> Iterator[Block]:
    splitter = Splitter(recognised)
    for piece in stream:
        yield from splitter.feed(piece)
    yield from splitter.close()


def _write(
    parts: Iterator[tuple[int, ChunkResult]], job: JobOptions, output: str | None
) -> Counter[str]:
    counts: Counter[str] = Counter()
    console = Console(stderr=True)

    def counted() -> Iterator[Portion]:
        columns = (TextColumn("solving"), BarColumn(), MofNCompleteColumn())
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            task = progress.add_task("", total=None)
            for part in parts:
                portion = whole(part, limit=job.limit)
                counts.update(row.outcome for row in portion.rows)
                progress.advance(task, len(portion.rows))
                yield portion

    portions = counted()
    first = list(islice(portions, 1))
    if output is None:
        output = "grid" if [len(portion.rows) for portion in first] == [1] else "jsonl"
    if output == "grid":
        for portion in chain(first, portions):
            for row, board in portion.with_boards():
                click.echo(_grid(row, board))
    else:
        for piece in WRITERS[output].write(chain(first, portions)):
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
    """Measure the engines on the bundled samples, on one core."""
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
