"""Commands that send requests to a running service. They need only httpx, click, and Rich."""

import json
import os
from collections.abc import Mapping
from typing import IO, Any

import click
from rich.progress import DownloadColumn, TaskProgressColumn, TimeRemainingColumn

from web.client import Client, Failure
from web.commands.exits import SOME_NOT_SOLVED, check_output, fail, output, print_message
from web.commands.folder_archive import NamedInput
from web.commands.job_options import job_options
from web.commands.option_groups import option_group
from web.commands.option_types import Name, WholeNumber
from web.commands.progress_bars import progress_bar, puzzles_bar
from web.results.formats import MAX_COPIES, RESULT_FORMATS, SORTS
from worker.api_keys import first_key
from worker.urls import service_url

# Seconds to retry if the service has never responded. A person is waiting at the terminal.
_FIRST_PATIENCE = 3.0
_NEEDS_KEY = (
    "the service needs an API key; pass it with --api-key KEY, or set SUDOKUQ_API_KEY. Digests in "
    "SUDOKUQ_API_KEYS can't be sent"
)


class _Remote(click.Command):
    """A command that exits with a message if a request to the service fails."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Failure as failure:
            if failure.type == "/errors/api-key-required":
                fail(_NEEDS_KEY)
            fail(failure.detail)


class _Pair(click.ParamType[tuple[str, str]]):
    """A key and a value, as KEY=VALUE."""

    name = "KEY=VALUE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        key, separator, text = str(value).partition("=")
        if not (key and separator):
            self.fail(f"expected KEY=VALUE, got {value!r}", param, ctx)
        return key, text


service_options = option_group(
    click.option(
        "--url",
        metavar="URL",
        help="URL of the service. [default: $SUDOKUQ_URL, else http://127.0.0.1:8000]",
    ),
    click.option(
        "--api-key",
        metavar="KEY",
        help="API key to send. [default: $SUDOKUQ_API_KEY, else the first of $SUDOKUQ_API_KEYS]",
    ),
)


def connect(url: str | None, api_key: str | None) -> Client:
    """Return a client for a service.

    If `url` or `api_key` is None, it comes from the environment.
    """
    keys = os.environ.get("SUDOKUQ_API_KEYS", "").replace(",", " ").split()
    key = api_key or os.environ.get("SUDOKUQ_API_KEY") or first_key(keys)
    return Client(url or service_url(), api_key=key, first_patience=_FIRST_PATIENCE)


@click.command(cls=_Remote)
@click.argument("file", type=NamedInput("rb"), required=False)
@click.option(
    "--from",
    "from_job",
    metavar="JOB",
    help="Instead of uploading a file, run the puzzles of this job again. It must have ended. "
    "Options that you don't set are the same as in that job.",
)
@click.option(
    "--outcome",
    metavar="NAMES",
    help="With --from, run only puzzles with these outcomes, separated by commas. [default: all]",
)
@click.option(
    "--rating",
    metavar="RANGE",
    help="With --from, run only puzzles with a rating in this range: 7.1.. or ..3.0 or 7.1..8.0. "
    "[default: all]",
)
@click.option("--name", metavar="NAME", help="Name of the job. [default: the file's name]")
@click.option(
    "--metadata",
    type=_Pair(),
    multiple=True,
    help="A key and a value of your own, which are returned with the job. Can be repeated.",
)
@click.option(
    "--expires-in",
    type=WholeNumber(1),
    metavar="SECONDS",
    help="Delete the job after this time. [default: the service's maximum]",
)
@click.option("--wait", is_flag=True, help="Wait until the job ends, with a progress bar.")
@click.option("--json", "as_json", is_flag=True, help="Write the job as JSON.")
@click.option(
    "--webhook", metavar="URL", help="Send a signed notification to this URL when the job ends."
)
@click.option(
    "--webhook-secret",
    metavar="SECRET",
    help="Secret that signs the notification. [default: the service's own]",
)
@job_options
@service_options
def submit(
    file: tuple[IO[bytes], str] | None,
    name: str | None,
    url: str | None,
    api_key: str | None,
    *,
    from_job: str | None,
    outcome: str | None,
    rating: str | None,
    metadata: tuple[tuple[str, str], ...],
    expires_in: int | None,
    wait: bool,
    as_json: bool,
    **options: str | None,
) -> None:
    """Upload the puzzles in FILE to a service as a new job, or run those of a job again.

    FILE can also be a folder, or - for standard input. Prints the job's id, which the other
    commands need.

    \b
    Examples:
      sudokuq submit puzzles.txt --wait
      zcat many.txt.gz | sudokuq submit - --name many --limit 1
      sudokuq submit puzzles.txt --metadata project=book --metadata chapter=3
      sudokuq submit puzzles.txt --json | jq -r .id
      sudokuq submit --from T2veuCNrLQ1DPc9Ti--pVQ --outcome solved --rate
      sudokuq submit --from T2veuCNrLQ1DPc9Ti--pVQ --outcome step_limit --step-limit 100000000

    Exit codes: 0 if the upload was accepted and, with --wait, every puzzle was solved; 1 if some
    were not; 2 if the upload was rejected or the service can't be reached.
    """
    if (file is None) == (from_job is None):
        raise click.UsageError("Expected either FILE or --from JOB.")
    if from_job is None and (outcome or rating):
        raise click.UsageError("--outcome and --rating need --from JOB.")
    client = connect(url, api_key)
    chosen = {option: value for option, value in options.items() if value is not None}
    details: dict[str, Any] = {"metadata": dict(metadata), "expires_in": expires_in}
    if file is not None:
        opened, title = file
        job = upload(client, opened, name=name or title, **details, options=chosen)
    else:
        job = client.run_again(
            from_job or "",
            outcome=outcome or "",
            rating=rating or "",
            name=name or "",
            **details,
            options=chosen,
        )
    if wait:
        print_message(f"job       {job['id']}\npage      {job['links']['page']}")
        try:
            job = follow(client, job["id"])
        except KeyboardInterrupt:
            print_message(
                f"\nStopped waiting. The job continues: `sudokuq watch {job['id']}` follows it, "
                f"`sudokuq cancel {job['id']}` stops it."
            )
            raise
    _show(job, as_json=as_json)
    if wait and not _all_solved(job):
        raise SystemExit(SOME_NOT_SOLVED)


def upload(
    client: Client,
    file: IO[bytes],
    *,
    name: str,
    metadata: Mapping[str, str] | None = None,
    expires_in: int | None = None,
    options: Mapping[str, object],
) -> dict[str, Any]:
    """Upload a file with a progress bar and return the job."""
    columns = (DownloadColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with progress_bar("uploading", *columns) as progress:
        task = progress.add_task("", total=_size(file))
        return client.submit(
            file,
            name=name,
            metadata=metadata,
            expires_in=expires_in,
            options=options,
            sent=lambda size: progress.advance(task, size),
        )


def _size(file: IO[bytes]) -> int | None:
    try:
        return os.fstat(file.fileno()).st_size or None
    except OSError:
        return None


def follow(client: Client, job_id: str) -> dict[str, Any]:
    """Show a job's progress until it has ended, and return the job then."""
    with puzzles_bar("solving") as progress:
        task = progress.add_task("", total=None)
        job: dict[str, Any] = {}
        for job in client.watch(job_id):
            progress.update(task, completed=job["done"], total=job["total"])
        return job


def _all_solved(job: dict[str, Any]) -> bool:
    """Return whether a job has finished (and wasn't canceled) with every puzzle solved."""
    return bool(job["state"] == "finished" and job["outcomes"]["solved"] == job["total"])


def _show(job: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(job))
        return
    click.echo(f"job       {job['id']}")
    click.echo(f"state     {job['state']}, {job['done']:,} of {job['total']:,} done")
    outcomes = [f"{number:,} {label}" for label, number in job["outcomes"].items() if number]
    if outcomes:
        click.echo(f"outcomes  {', '.join(outcomes)}")
    for key, text in job.get("metadata", {}).items():
        click.echo(f"metadata  {key}={text}")
    click.echo(f"page      {job['links']['page']}")


@click.command(cls=_Remote)
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Write the job as JSON.")
@service_options
def status(job: str, url: str | None, api_key: str | None, *, as_json: bool) -> None:
    """Show the state and progress of JOB.

    JOB is the id that `sudokuq submit` printed.

    \b
    Example:
      sudokuq status T2veuCNrLQ1DPc9Ti--pVQ --json
    """
    _show(connect(url, api_key).job(job), as_json=as_json)


@click.command(cls=_Remote)
@click.argument("job")
@click.option(
    "--json", "as_json", is_flag=True, help="Write the job as one line of JSON whenever it changes."
)
@service_options
def watch(job: str, url: str | None, api_key: str | None, *, as_json: bool) -> None:
    """Wait until JOB ends, with a progress bar.

    JOB is the id that `sudokuq submit` printed. Ctrl-C stops waiting, and the job continues.

    \b
    Example:
      sudokuq watch T2veuCNrLQ1DPc9Ti--pVQ && echo all solved

    Exit codes: 0 if every puzzle was solved, 1 if some were not, 2 if there is no such job or the
    service can't be reached.
    """
    client = connect(url, api_key)
    if as_json:
        for changed in client.watch(job):
            click.echo(json.dumps(changed))
            last = changed
    else:
        last = follow(client, job)
        _show(last, as_json=False)
    if not _all_solved(last):
        raise SystemExit(SOME_NOT_SOLVED)


@click.command(cls=_Remote)
@click.argument("job")
@click.option(
    "--output", "output_format", type=Name(RESULT_FORMATS), default="jsonl",
    show_default=True,
    help="Format of the results.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Same as --output jsonl.")
@click.option("--partial", is_flag=True, help="Write the results so far if the job is unfinished.")
@click.option(
    "--outcome",
    metavar="NAMES",
    help="Write only results with these outcomes, separated by commas. [default: all]",
)
@click.option(
    "--rating",
    metavar="RANGE",
    help="Write only results with a rating in this range: 7.1.. or ..3.0 or 7.1..8.0. "
    "[default: all]",
)
@click.option(
    "--sort",
    type=Name(SORTS),
    help="Sort by rating (equal ratings by HoDoKu score), sudokuq_rating, or steps (the number of "
    "guesses). The lowest is first, or with a minus sign the highest. [default: the order of the "
    "upload]",
)
@click.option(
    "--offset",
    type=WholeNumber(0),
    metavar="N",
    help="Number of results to skip. [default: 0]",
)
@click.option(
    "--count",
    type=WholeNumber(0),
    metavar="N",
    help="Maximum number of results to write. [default: all]",
)
@click.option(
    "--augment",
    type=WholeNumber(0, MAX_COPIES),
    metavar="K",
    help="Number of random symmetries to add after each classic 9x9 puzzle, for a dataset. The job "
    "needs the option minlex. [default: 0]",
)
@click.option(
    "--split",
    metavar="SIZES",
    help="Relative sizes of the parts train and test (80:20) or train, validation, and test "
    "(80:10:10). Puzzles that are equal up to symmetry are in the same part. [default: no parts]",
)
@click.option(
    "--seed",
    type=WholeNumber(0),
    metavar="N",
    help="Number that determines symmetries and parts. [default: 0]",
)
@service_options
def results(
    job: str,
    output_format: str,
    url: str | None,
    api_key: str | None,
    *,
    as_json: bool,
    partial: bool,
    **which: str | int | None,
) -> None:
    """Write the results of JOB to standard output, by default in the order of the upload.

    JOB is the id that `sudokuq submit` printed. The job must have ended, unless you use --partial.

    \b
    Examples:
      sudokuq results T2veuCNrLQ1DPc9Ti--pVQ > results.jsonl
      sudokuq results T2veuCNrLQ1DPc9Ti--pVQ --output csv --outcome invalid,multiple
      sudokuq results T2veuCNrLQ1DPc9Ti--pVQ --output xlsx > results.xlsx
      sudokuq results T2veuCNrLQ1DPc9Ti--pVQ --sort=-steps --count 100
      sudokuq results T2veuCNrLQ1DPc9Ti--pVQ --output csv --augment 9 --split 80:10:10
    """
    check_output(output_format)
    query = {name: str(wanted) for name, wanted in which.items() if wanted is not None}
    query["format"] = "jsonl" if as_json else output_format
    if partial:
        query["partial"] = "1"
    out = output()
    for piece in connect(url, api_key).download(job, **query):
        out.write(piece)


@click.command(cls=_Remote)
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Write the job as JSON.")
@service_options
def cancel(job: str, url: str | None, api_key: str | None, *, as_json: bool) -> None:
    """Cancel JOB. The results so far are kept.

    JOB is the id that `sudokuq submit` printed.

    \b
    Example:
      sudokuq cancel T2veuCNrLQ1DPc9Ti--pVQ
    """
    _show(connect(url, api_key).cancel(job), as_json=as_json)
