"""The command line, `sudokuq`."""

import click

from web.commands.candidates import candidates
from web.commands.explaining import explain
from web.commands.local import bench, solve
from web.commands.remote import cancel, results, status, submit
from web.commands.serve import up, web, worker


@click.group()
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
    results,
    cancel,
    bench,
):
    main.add_command(command)

if __name__ == "__main__":
    main()
