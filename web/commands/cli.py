"""The command line, `sudokuq`."""

import click

from web.commands.local import bench, solve
from web.commands.options import fail
from web.commands.remote import cancel, results, status, submit
from web.commands.serve import up, web, worker


@click.group()
@click.version_option(package_name="sudokuq")
def main() -> None:
    """Solve Sudoku in batches: here, or on a queue of workers."""


@main.command(hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("anything", nargs=-1)
def explain(anything: tuple[str, ...]) -> None:
    """Say that explanations are not built yet."""
    del anything
    fail("the command explain is not built yet")


for command in (up, web, worker, solve, submit, status, results, cancel, bench):
    main.add_command(command)

if __name__ == "__main__":
    main()
