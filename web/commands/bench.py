"""The command that measures the speed of the engines."""

import json
import time
from collections.abc import Iterator
from importlib.resources import files

import click

from solver.formats import read_block, recognize
from solver.formats.format import Block, Group, Unreadable
from solver.preparing import Code
from web.commands.interruptible import interruptibly
from web.commands.prepare import make_ready
from worker.job import JobOptions
from worker.options import read_options


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    default=2.0,
    show_default=True,
    help="Minimum time to measure each sample. Each is solved at least once.",
)
def bench(*, as_json: bool, seconds: float) -> None:
    """Measure the speed of the engines with the bundled samples, on one core.

    The table shows for each sample how many puzzles per second its engine solves, and the average
    number of guesses per puzzle.

    \b
    Example:
      sudokuq bench --seconds 5
    """
    make_ready((Code.CLASSIC, Code.GENERAL))
    measured = interruptibly(lambda: _measure_samples(seconds))
    if as_json:
        click.echo(json.dumps(measured))
        return
    click.echo(f"{'sample':<16}{'size':>5}{'puzzles':>9}{'puzzles/s':>12}{'guesses':>9}  engine")
    for row in measured:
        click.echo(
            f"{row['sample']:<16}{row['size']:>5}{row['puzzles']:>9,}"
            f"{row['puzzles_per_second']:>12,}{row['steps_per_puzzle']:>9,}  {row['engine']}"
        )


def _measure_samples(seconds: float) -> list[dict[str, str | int | float]]:
    # Loading Numba takes most of a second, and the help doesn't need it.
    from solver.solving import engine_for, solve_many, warm_up  # noqa: PLC0415

    warm_up()
    measured: list[dict[str, str | int | float]] = []
    for sample, group in _samples():
        done, steps, began, spent = 0, 0, time.perf_counter(), 0.0
        while done == 0 or spent < seconds:
            batch = solve_many(group.givens, layout=group.layout)
            done, steps = done + len(batch), steps + int(batch.steps.sum())
            spent = time.perf_counter() - began
        measured.append(
            {
                "sample": sample,
                "size": group.layout.size,
                "puzzles": len(group.rows),
                "engine": engine_for(group.layout).name,
                "puzzles_per_second": round(done / spent, 1),
                "steps_per_puzzle": round(steps / done, 1),
            }
        )
    return measured


def _samples() -> Iterator[tuple[str, Group]]:
    """Yield each group of puzzles in the bundled samples, with the file name of its sample.

    Files whose format isn't recognized are skipped.
    """
    for sample in sorted((files("solver") / "samples").iterdir(), key=lambda entry: entry.name):
        data = sample.read_bytes()
        recognized = recognize(data, final=True)
        if isinstance(recognized, Unreadable):
            continue
        records = read_block(
            Block(data, 1, 1),
            format=recognized.format.name,
            context=recognized.context,
            options=read_options(JobOptions()),
        )
        for group in records.groups:
            yield sample.name, group
