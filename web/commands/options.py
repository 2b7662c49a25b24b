"""Options that several commands share, and how they become the options of a job."""

from collections.abc import Callable
from typing import Any, Never

import click

from worker.job import JobOptions
from worker.options import OptionFault, parse_options
from worker.settings import BadSetting, Settings

SOME_NOT_SOLVED = 1
BAD_USAGE = 2

_JOB_OPTIONS = (
    click.option("--format", help="How the puzzles are written; see /api/v1/formats."),
    click.option("--limit", help="Stop at this many solutions (2 proves uniqueness)."),
    click.option("--step-limit", help="Guesses allowed per puzzle."),
    click.option("--box", help="Rows x columns of a box, such as 2x3."),
    click.option("--symbols", help="The symbols in order, such as ABCDEFGHI."),
    click.option("--blank", help="The symbol of a blank cell."),
    click.option("--variant", help="Extra rules, comma-separated, such as diagonal,antiknight."),
)


def job_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a job."""
    for option in reversed(_JOB_OPTIONS):
        command = option(command)
    return command


def given(options: dict[str, str | None]) -> dict[str, object]:
    """Return the options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def checked(options: dict[str, str | None], settings: Settings) -> JobOptions:
    """Return the options of a job; ends the command where one cannot be used."""
    found = parse_options(given(options), settings=settings)
    if isinstance(found, OptionFault):
        fail(f"--{found.field.replace('_', '-')}: {found.detail}")
    return found


def settings() -> Settings:
    """Return what the environment says; ends the command where that cannot be used."""
    try:
        return Settings.from_environment()
    except BadSetting as error:
        fail(str(error))


def fail(message: str) -> Never:
    """End the command with a message and the exit code for bad usage."""
    click.echo(f"sudokuq: {message}", err=True)
    raise SystemExit(BAD_USAGE)
