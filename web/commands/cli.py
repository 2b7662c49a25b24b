"""The command line, `sudokuq`."""

import importlib
import importlib.util
from difflib import get_close_matches
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from web.commands.exits import ending_well, fail

_OURS = ("solver", "web", "worker")
# A package of each extra, which is missing if the extra isn't installed.
_PACKAGES = {
    "solver": "numba",
    "service": "celery",
    "bridge": "websockets",
    "mcp": "mcp",
    "pdf": "reportlab",
}


class _Entry(NamedTuple):
    """A command: its module in `web.commands`, its line in the help, and its extra, if any."""

    module: str
    help: str
    extra: str | None = None


# The help and completions take their texts from here, because importing all commands takes seconds.
_SECTIONS = {
    "Work on this machine": {
        "solve": _Entry("solve", "Solve puzzles.", "solver"),
        "explain": _Entry(
            "explain", "Explain how a person would solve puzzles, or give a hint.", "solver"
        ),
        "report": _Entry("report", "Report on a collection before it is published.", "solver"),
        "generate": _Entry("generate", "Make puzzles.", "solver"),
        "book": _Entry("book", "Make a PDF book of puzzles.", "pdf"),
        "candidates": _Entry(
            "candidates", "List the values that each cell takes in some solution.", "solver"
        ),
        "bridge": _Entry("bridge", "Connect the editor of f-puzzles.com to the engines.", "bridge"),
        "mcp": _Entry("mcp", "Serve these tools to an assistant (MCP).", "mcp"),
    },
    "Use a running service": {
        "submit": _Entry("remote", "Upload puzzles as a new job."),
        "status": _Entry("remote", "Show the state of a job."),
        "watch": _Entry("remote", "Wait for a job with a progress bar."),
        "results": _Entry("remote", "Download the results of a job."),
        "cancel": _Entry("remote", "Cancel a job."),
    },
    "Run the service": {
        "up": _Entry("serve", "Run everything: Redis, workers, and the web server.", "service"),
        "web": _Entry("serve", "Run the web server.", "service"),
        "worker": _Entry("serve", "Run a worker.", "service"),
    },
    "Set up and measure": {
        "prepare": _Entry("prepare", "Compile the engines ahead of time.", "solver"),
        "bench": _Entry("bench", "Measure the speed of the engines.", "solver"),
        "completion": _Entry("completion", "Print a completion script for your shell."),
    },
}
_COMMANDS = {name: entry for entries in _SECTIONS.values() for name, entry in entries.items()}


class Commands(click.Group):
    """Command group that imports the module of a command only when the command is used.

    So the dependencies of other commands may be missing.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in the order of the help."""
        del ctx
        return [*_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command and return it, or None if there is no command with this name.

        If a dependency of the command is missing, returns a command that names the extra to
        install.
        """
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        entry = _COMMANDS[cmd_name]
        try:
            found = getattr(importlib.import_module(f"web.commands.{entry.module}"), cmd_name)
        except ModuleNotFoundError as error:
            return _without_extra(cmd_name, _explained(error, entry.extra))
        if not isinstance(found, click.Command):
            raise TypeError(f"{cmd_name} is not a command")
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command in the arguments. The error for an unknown name suggests a command."""
        name = args[0]
        if name not in _COMMANDS and name.isalpha() and not ctx.resilient_parsing:
            close = get_close_matches(name, _COMMANDS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands to the help, in sections."""
        del ctx
        width = max(map(len, _COMMANDS))
        for title, entries in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name.ljust(width), _help(entry)) for name, entry in entries.items()]
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that start with `incomplete`, the text typed so far."""
        names = [name for name in _COMMANDS if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=_help(_COMMANDS[name])) for name in names]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Parse the arguments, which may print the help. Exit without a traceback on Ctrl-C."""
        with ending_well():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. If a dependency is missing, exit with a message about it."""
        with ending_well():
            try:
                return super().invoke(ctx)
            except ModuleNotFoundError as error:  # a command may import more when it runs
                entry = _COMMANDS.get(ctx.invoked_subcommand or "")
                extra = None if entry is None else entry.extra
                fail(f"{ctx.invoked_subcommand} {_explained(error, extra)}")


def _help(entry: _Entry) -> str:
    """Return a command's line in the help, or how to install its extra if that is missing."""
    if entry.extra is None or importlib.util.find_spec(_PACKAGES[entry.extra]) is not None:
        return entry.help
    return f"(not available: run pip install '.[{entry.extra}]')"


def _explained(error: ModuleNotFoundError, extra: str | None) -> str:
    """Return a message that names the missing package and the extra of sudokuq to install.

    Raises the error again if the command needs no extra, or if the module is part of sudokuq.
    """
    missing = (error.name or "").partition(".")[0]
    if extra is None or missing in _OURS:
        raise error
    install = f"run pip install '.[{extra}]' in the project's folder"
    return f"needs {missing}, which isn't installed: {install}"


def _without_extra(name: str, reason: str) -> click.Command:
    """Return a command that only reports that an extra must be installed.

    Its help and its action show the command's name and `reason`.
    """
    return click.Command(
        name,
        callback=lambda: fail(f"{name} {reason}"),
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        help=f"{name} {reason}",
    )


@click.group(cls=Commands)
@click.version_option(package_name="sudokuq")
def main() -> None:
    """Check, rate, solve, and explain Sudoku puzzles in bulk.

    \b
    Examples:
      sudokuq solve puzzles.txt --rate --output csv
      sudokuq explain puzzle.txt --hint 1
      sudokuq up --sample

    `sudokuq COMMAND --help` describes a command and its options.
    """


if __name__ == "__main__":
    main()
