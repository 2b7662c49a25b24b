"""The command that prints completion scripts for shells."""

import click
from click.shell_completion import get_completion_class

from web.commands.exits import fail
from web.commands.option_types import Name

_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=Name(_SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, options, and file names in a shell.

    \b
    Examples:
      eval "$(sudokuq completion bash)"
      sudokuq completion fish > ~/.config/fish/completions/sudokuq.fish
    """
    kind = get_completion_class(shell)
    if kind is None:
        fail(f"completion for {shell} isn't available")
    commands = context.find_root().command
    click.echo(kind(commands, {}, "sudokuq", "_SUDOKUQ_COMPLETE").source())
