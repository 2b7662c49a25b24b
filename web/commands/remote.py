"""Commands that talk to a running service, at SUDOKUQ_URL."""

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click
import httpx
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from web.commands.options import SOME_NOT_SOLVED, fail, given, job_options, settings
from web.results import WRITERS
from worker.api_keys import first_key

_PIECE = 1 << 18
_LONG_POLL = 20
# Polls are so far apart at least, in seconds: a service whose waiting places are all taken
# answers at once.
_SHORTEST_PAUSE = 0.5
# A service that does not answer, or says so, is asked again for so long.
_PATIENCE = 60.0
_LONGEST_PAUSE = 5.0
_TRY_AGAIN = (429, 502, 503, 504)


class Client:
    """Requests to the service; every failure ends the command with a message."""

    def __init__(self, url: str, *, api_key: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        timeout = httpx.Timeout(60.0, connect=5.0)
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout)
        self._url = url

    def request(self, method: str, path: str, **options: Any) -> Any:
        """Return the JSON of an answer."""
        try:
            return self._checked(self._http.request(method, path, **options)).json()
        except httpx.TransportError as error:
            self._away(error)

    def poll(self, path: str, **options: Any) -> Any:
        """Return the JSON of an answer; a service that is away is asked again for a while."""
        deadline, pause = time.monotonic() + _PATIENCE, _SHORTEST_PAUSE
        while True:
            try:
                response = self._http.get(path, **options)
                if response.status_code not in _TRY_AGAIN or time.monotonic() > deadline:
                    return self._checked(response).json()
            except httpx.TransportError as error:
                if time.monotonic() > deadline:
                    self._away(error)
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def stream(self, path: str, **options: Any) -> Iterator[bytes]:
        """Yield the bytes of an answer as they come."""
        try:
            with self._http.stream("GET", path, **options) as response:
                if response.is_error:
                    response.read()
                self._checked(response)
                yield from response.iter_bytes(_PIECE)
        except httpx.TransportError as error:
            self._away(error)

    def _away(self, error: httpx.TransportError) -> None:
        fail(f"no answer from {self._url} ({error}); is it running? `sudokuq up` starts one")

    @staticmethod
    def _checked(response: httpx.Response) -> httpx.Response:
        if response.is_error:
            try:
                problem = response.json()
            except ValueError:
                fail(f"{response.status_code} {response.reason_phrase}")
            place = f"line {problem['line']}: " if "line" in problem else ""
            fail(f"{place}{problem.get('detail', response.reason_phrase)}")
        return response


def connect() -> Client:
    """Return a client for the service of the environment."""
    return Client(settings().service_url, api_key=first_key(settings().api_keys))


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option("--name", help="Shown on pages; the file's name unless said.")
@click.option("--wait", is_flag=True, help="Wait until the job is finished.")
@click.option("--json", "as_json", is_flag=True, help="Write the job as JSON.")
@job_options
def submit(
    file: IO[bytes], name: str | None, *, wait: bool, as_json: bool, **options: str | None
) -> None:
    """Upload FILE (- is standard input) to a running service."""
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

        def pieces() -> Iterator[bytes]:
            while piece := file.read(_PIECE):
                progress.advance(task, len(piece))
                yield piece

        job: dict[str, Any] = client.request(
            "POST",
            "/api/v1/jobs",
            params={**options, "name": name},
            content=pieces(),
            headers={"Content-Type": "application/octet-stream"},
        )
    return job


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
        while True:
            asked = time.monotonic()
            job: dict[str, Any] = client.poll(f"/api/v1/jobs/{job_id}", params={"wait": _LONG_POLL})
            progress.update(task, completed=job["done"], total=job["total"])
            if job["state"] in ("finished", "cancelled", "failed"):
                return job
            time.sleep(max(asked + _SHORTEST_PAUSE - time.monotonic(), 0.0))


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
    """Show where JOB stands."""
    _show(connect().request("GET", f"/api/v1/jobs/{job}"), as_json=as_json)


@click.command()
@click.argument("job")
@click.option("--output", type=click.Choice(list(WRITERS)), default="jsonl", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --output jsonl.")
@click.option("--outcome", help="Only these outcomes, comma-separated.")
@click.option("--partial", is_flag=True, help="What is done so far of a job that runs.")
def results(job: str, output: str, outcome: str | None, *, as_json: bool, partial: bool) -> None:
    """Write the results of JOB to standard output."""
    query = {"format": "jsonl" if as_json else output}
    if outcome:
        query["outcome"] = outcome
    if partial:
        query["partial"] = "1"
    for piece in connect().stream(f"/api/v1/jobs/{job}/results", params=query):
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


@click.command()
@click.argument("job")
@click.option("--json", "as_json", is_flag=True, help="Write the job as JSON.")
def cancel(job: str, *, as_json: bool) -> None:
    """Cancel JOB; what is done stays."""
    _show(connect().request("POST", f"/api/v1/jobs/{job}/cancel"), as_json=as_json)
