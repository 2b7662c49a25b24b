"""The options of a job as command-line options.

Commands that talk to a service must work where neither NumPy nor the solver's other dependencies
are installed, so this table repeats the names in `worker.job.JobOptions`. A test compares them.
"""

import importlib
from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

_Names = Callable[[], Iterable[str]]


def _format_names() -> Iterable[str]:
    return ["auto", *(each.name for each in importlib.import_module("solver.formats").FORMATS)]


def _variant_names() -> Iterable[str]:
    return list(importlib.import_module("solver.rules.variants").VARIANTS)


class NamedOption(click.Option):
    """An option whose values have names that are known where the solver is installed."""

    def __init__(self, *arguments: Any, names: _Names, is_list: bool = False, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._names = names
        self._is_list = is_list

    def known_names(self) -> list[str]:
        """Return the names, or none without the solver."""
        try:
            return [*self._names()]
        except ModuleNotFoundError:
            return []

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the help with the names."""
        record = super().get_help_record(ctx)
        names = self.known_names()
        return (
            (record[0], f"{record[1]} One of: {', '.join(names)}.") if record and names else record
        )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the names that begin like the last one of the value."""
        del ctx
        before, comma, last = incomplete.rpartition(",") if self._is_list else ("", "", incomplete)
        return [
            CompletionItem(before + comma + name)
            for name in self.known_names()
            if name.startswith(last) and name not in before.split(",")
        ]


def _flag(name: str, help: str) -> tuple[str, Callable[..., Any]]:
    return name, click.option(_spelled(name), is_flag=True, default=None, help=help)


def _value(name: str, help: str, **more: Any) -> tuple[str, Callable[..., Any]]:
    return name, click.option(_spelled(name), help=help, **more)


def _spelled(name: str) -> str:
    return f"--{name.replace('_', '-')}"


# Values are strings: whoever runs the job checks them, here or in the service.
JOB_OPTIONS: dict[str, Callable[..., Any]] = dict(
    (
        _value(
            "format",
            "Input format. Set this only if auto-detection gets it wrong.",
            cls=NamedOption,
            names=_format_names,
            metavar="NAME",
        ),
        _value(
            "limit",
            "Stop after this many solutions: 1 finds one, 2 proves that it is the only one, more "
            "counts and lists them. [default: 2]",
            metavar="N",
        ),
        _value(
            "step_limit", "Maximum number of guesses per puzzle. [default: 1000000]", metavar="N"
        ),
        _value(
            "box",
            "Rows x columns of a box, for example 2x3, if the puzzle doesn't show it.",
            metavar="RxC",
        ),
        _value(
            "variant",
            "Rules for every puzzle, separated by commas.",
            cls=NamedOption,
            names=_variant_names,
            is_list=True,
            metavar="NAMES",
        ),
        _value("symbols", "All symbols in order, for example ABCDEFGHI.", metavar="TEXT"),
        _value("blank", "The symbol for an empty cell.", metavar="TEXT"),
        _flag("count_only", "Count solutions without listing them."),
        _flag(
            "true_candidates",
            "Add the values that each cell takes in some solution, and the number of these "
            "solutions, up to --limit.",
        ),
        _flag("minlex", "Add the canonical form of each classic 9x9 puzzle."),
        _flag("rate", "Rate each puzzle with a unique solution."),
        _flag("explain", "Keep the steps that solve each puzzle."),
    )
)
_READING = ("format", "box", "variant", "symbols", "blank")


def job_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command all options of a job."""
    return _with(JOB_OPTIONS, command)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that control how puzzles are read."""
    return _with(_READING, command)


def _with(names: Iterable[str], command: Callable[..., Any]) -> Callable[..., Any]:
    for name in reversed([*names]):
        command = JOB_OPTIONS[name](command)
    return command
