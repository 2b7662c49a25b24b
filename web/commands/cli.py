"""The command line, `sudokuq`."""

import importlib
from typing import Any

import click

from web.commands.exits import ending_well, fail

_OURS = ("solver", "web", "worker")
# The module of each command, and the extra of the package that the command needs.
_COMMANDS: dict[str, tuple[str, str | None]] = {
    "solve": ("solve", "solver"),
    "explain": ("explain", "solver"),
    "candidates": ("candidates", "solver"),
    "submit": ("remote", None),
    "status": ("remote", None),
    "watch": ("remote", None),
    "results": ("remote", None),
    "cancel": ("remote", None),
    "up": ("serve", "service"),
    "web": ("serve", "service"),
    "worker": ("serve", "service"),
    "prepare": ("prepare", "solver"),
    "bench": ("bench", "solver"),
    "completion": ("completion", None),
}
_SECTIONS = {
    "Solve on this machine": ("solve", "explain", "candidates"),
    "Use a running service": ("submit", "status", "watch", "results", "cancel"),
    "Run the service": ("up", "web", "worker"),
    "Set up and measure": ("prepare", "bench", "completion"),
}


class Commands(click.Group):
    """Command group that imports the module of a command only when the command is used.

    The dependencies of unused commands may be missing.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in the order of the documentation."""
        del ctx
        return [*_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command and return it, or None if there is no such command.

        If one of its dependencies is missing, returns a command that names the extra to install.
        """
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module, extra = _COMMANDS[cmd_name]
        try:
            found = getattr(importlib.import_module(f"web.commands.{module}"), cmd_name)
        except ModuleNotFoundError as error:
            return _without_extra(cmd_name, _explained(error, extra))
        if not isinstance(found, click.Command):
            raise TypeError(f"{cmd_name} is not a command")
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands to the help, in sections."""
        width = max(map(len, _COMMANDS))
        for title, names in _SECTIONS.items():
            commands = {name: self.get_command(ctx, name) for name in names}
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (name.ljust(width), command.get_short_help_str(limit=100))
                        for name, command in commands.items()
                        if command is not None
                    ]
                )

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Parse the arguments, which may print the help, and exit without a traceback on Ctrl-C."""
        with ending_well():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. If a dependency is missing, exit with a message about it."""
        with ending_well():
            try:
                return super().invoke(ctx)
            except ModuleNotFoundError as error:  # a command may import more when it runs
                _, extra = _COMMANDS.get(ctx.invoked_subcommand or "", ("", None))
                fail(f"{ctx.invoked_subcommand} {_explained(error, extra)}")


def _explained(error: ModuleNotFoundError, extra: str | None) -> str:
    """Return a message that names the missing package and the extra of sudokuq to install.

    Raises the error again if the command needs no extra, or if the module is part of sudokuq.
    """
    missing = (error.name or "").partition(".")[0]
    if extra is None or missing in _OURS:
        raise error
    return f"needs {missing}, which isn't installed: pip install 'sudokuq[{extra}]'"


def _without_extra(name: str, reason: str) -> click.Command:
    """Return a command whose help and only action are to report which extra to install."""
    return click.Command(
        name,
        callback=lambda: fail(f"{name} {reason}"),
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        help=f"{name} {reason}",
        short_help=f"(not available: {reason})",
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
