"""Commands that talk to a running service, at SUDOKUQ_URL."""

import json
import os
import sys
from pathlib import Path
from typing import IO, Any

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from web.client import Client
from web.commands.options import SOME_NOT_SOLVED, given, job_options, settings
from web.results import WRITERS
from web.sorted_results import SORTS
from worker.api_keys import first_key

# Somebody waits at the terminal to be told that no service runs.
_FIRST_PATIENCE = 3.0


def connect() -> Client:
    """Return a client for the service of the environment."""
    key = first_key(settings().api_keys)
    return Client(settings().service_url, api_key=key, first_patience=_FIRST_PATIENCE)


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--name", help="Shown on pages; the file's name unless said.")
@click.option("--wait", is_flag=True, help="Wait until the job is finished.")
@click.option("--json", "as_json", is_flag=True, help="Write the job as JSON.")
@job_options
def submit(
    file: IO[bytes], name: str | None, *, wait: bool, as_json: bool, **options: str | None
) -> None:
    """Upload FILE (- is standard input) to a running service.

    \b
    Examples:
      sudokuq submit puzzles.txt --wait
      zcat many.txt.gz | sudokuq submit - --name many --limit 1
      sudokuq submit puzzles.txt --json | jq -r .id
    """
    client = connect()
    title = name or ("standard input" if file.name == "<stdin>" else Path(file.name).name)
    job = upload(client, file, name=title, options=given(options))
    if wait:
        job = follow(client, job["id"])
    _show(job, as_json=as_json)
    if wait and job["outcomes"]["solved"] != job["total"]:
        raise SystemExit(SOME_NOT_SOLVED)


def upload(
    client: Client, file: IO[bytes], *, name: str, options: dict[str, object]
) -> dict[str, Any]:
    """Upload a file with a progress bar and return the job."""
    console = Console(stderr=True)
    columns = (TextColumn("uploading"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=_size(file))
        return client.submit(
            file, name=name, options=options, sent=lambda size: progress.advance(task, size)
        )


def _size(file: IO[bytes]) -> int | None:
    try:
        return os.fstat(file.fileno()).st_size or None
    except OSError:
        return None


def follow(client: Client, job_id: str) -> dict[str, Any]:
    """Show a job's progress until it is final and return it."""
    console = Console(stderr=True)
    columns = (TextColumn("solving"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)
        job: dict[str, Any] = {}
        for job in client.watch(job_id):
            progress.update(task, completed=job["done"], total=job["total"])
        return job


def _show(job: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(job))
        return
    click.echo(f"job       {job['id']}")
    click.echo(f"state     {job['state']}, {job['done']:,} of {job['total']:,} done")
    outcomes = [f"{number:,} {label}" for label, number in job["outcomes"].items() if number]
    if outcomes:
        click.echo(f"outcomes  {', '.join(outcomes)}")
    click.echo(f"page      {job['links']['page']}")


@click.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Write the job as JSON.")
def status(job: str, *, as_json: bool) -> None:
    """Show where JOB stands.

    \b
    Example:
      sudokuq status T2veuCNrLQ1DPc9Ti--pVQ --json
    """
    _show(connect().job(job), as_json=as_json)


@click.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Write the job as JSON whenever it changes.")
def watch(job: str, *, as_json: bool) -> None:
    """Follow JOB until it is final, with a progress bar.

    \b
    Example:
      sudokuq watch T2veuCNrLQ1DPc9Ti--pVQ && echo all solved

    Exit code 0: all solved; 1: some not.
    """
    client = connect()
    if as_json:
        for changed in client.watch(job):
            click.echo(json.dumps(changed))
            last = changed
    else:
        last = follow(client, job)
        _show(last, as_json=False)
    if last["outcomes"]["solved"] != last["total"]:
        raise SystemExit(SOME_NOT_SOLVED)


@click.command()
@click.argument("job")
@click.option("--output", type=click.Choice(list(WRITERS)), default="jsonl", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --output jsonl.")
@click.option("--partial", is_flag=True, help="What is done so far of a job that runs.")
@click.option("--outcome", help="Only these outcomes, comma-separated.")
@click.option("--rating", help="Only rated so: 7.1.. or ..3.0 or 7.1..8.0.")
@click.option("--sort", type=click.Choice(SORTS), help="Least first; with -, most first.")
@click.option("--offset", type=click.IntRange(min=0), help="Leave out so many.")
@click.option("--count", type=click.IntRange(min=0), help="At most so many.")
def results(
    job: str, output: str, *, as_json: bool, partial: bool, **which: str | int | None
) -> None:
    """Write the results of JOB to standard output.

    \b
    Examples:
      sudokuq results T2veuCNrLQ1DPc9Ti--pVQ > results.jsonl
      sudokuq results T2veuCNrLQ1DPc9Ti--pVQ --output csv --outcome invalid,multiple
      sudokuq results T2veuCNrLQ1DPc9Ti--pVQ --sort=-steps --count 100
    """
    query = {name: str(wanted) for name, wanted in which.items() if wanted is not None}
    query["format"] = "jsonl" if as_json else output
    if partial:
        query["partial"] = "1"
    for piece in connect().download(job, **query):
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


@click.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Write the job as JSON.")
def cancel(job: str, *, as_json: bool) -> None:
    """Cancel JOB; what is done stays.

    \b
    Example:
      sudokuq cancel T2veuCNrLQ1DPc9Ti--pVQ
    """
    _show(connect().cancel(job), as_json=as_json)
