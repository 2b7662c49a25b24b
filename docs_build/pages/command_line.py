"""The command line, from the help of its commands."""

import click

from docs_build.markdown import block, code, joined
from web.commands.cli import main


def write() -> str:
    """Return the help of each command, except hidden ones."""
    context = click.Context(main, info_name="sudokuq")
    commands = [(name, main.get_command(context, name)) for name in main.list_commands(context)]
    return joined(
        *(
            _command(context, name, command)
            for name, command in commands
            if command is not None and not command.hidden
        )
    )


def _command(context: click.Context, name: str, command: click.Command) -> str:
    # The help fits the width of a code block, in terminals of any width.
    own = click.Context(command, info_name=name, parent=context, terminal_width=88)
    text = "\n".join(line.rstrip() for line in command.get_help(own).splitlines())
    return joined(f"## {code(f'sudokuq {name}')}", block(text))
