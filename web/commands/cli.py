"""The command line, `sudokuq`."""

from typing import Any

import click

from web.client import Failure
from web.commands.candidates import candidates
from web.commands.completion import completion
from web.commands.explaining import explain
from web.commands.local import bench, solve
from web.commands.options import fail
from web.commands.remote import cancel, results, status, submit, watch
from web.commands.serve import up, web, worker


class Commands(click.Group):
    """Commands that end with a message where a service does not do what they ask of it."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except Failure as failure:
            fail(failure.detail)


@click.group(cls=Commands)
@click.version_option(package_name="sudokuq")
def main() -> None:
    """Solve Sudoku in batches: here, or on a queue of workers."""


for command in (
    up,
    web,
    worker,
    solve,
    explain,
    candidates,
    submit,
    status,
    watch,
    results,
    cancel,
    bench,
    completion,
):
    main.add_command(command)

if __name__ == "__main__":
    main()
