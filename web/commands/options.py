"""Options that several commands share, and how they become the options of a job."""

from collections.abc import Callable, Mapping
from typing import Any, Never

import click

from worker.job import JobOptions
from worker.options import OPTIONS, Option, parse_options
from worker.refused import Refused
from worker.settings import BadSetting, Settings

SOME_NOT_SOLVED = 1
BAD_USAGE = 2


def job_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a job."""
    for option in reversed(OPTIONS.values()):
        command = as_parameter(option)(command)
    return command


def as_parameter(option: Option) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what gives a command one option; its value is checked like that of a request."""
    name = f"--{option.name.replace('_', '-')}"
    if option.is_flag:
        return click.option(name, is_flag=True, default=None, help=option.help)
    return click.option(name, help=option.help)


def given(options: Mapping[str, object]) -> dict[str, object]:
    """Return the options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def checked(options: Mapping[str, object], settings: Settings) -> JobOptions:
    """Return the options of a job; ends the command where one cannot be used."""
    job = parse_options(given(options), settings=settings)
    if isinstance(job, Refused):
        fail(f"--{str(job.field).replace('_', '-')}: {job.detail}")
    return job


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
