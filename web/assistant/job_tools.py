"""Tools for jobs, which use the service at SUDOKUQ_URL."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from web.assistant.answers import Job
from web.client import Client, Failure
from worker.option_texts import OPTION_TEXTS


class JobTools:
    """The tools that send requests to a service. `connect` returns a client for it."""

    def __init__(self, connect: Callable[[], Client]) -> None:
        self._connect = connect

    def submit_job(
        self,
        *,
        puzzles: Annotated[
            str | None, Field(description="The puzzles as text in any format. One per line works.")
        ] = None,
        file: Annotated[
            str | None,
            Field(
                description="Path of a file with puzzles on this machine, instead of `puzzles`. "
                "It may be compressed. Its content is sent to the service."
            ),
        ] = None,
        name: Annotated[str, Field(description="Name of the job, shown on its page.")] = "",
        rate: Annotated[bool, Field(description=OPTION_TEXTS["rate"].description)] = False,
        minlex: Annotated[bool, Field(description=OPTION_TEXTS["minlex"].description)] = False,
        limit: Annotated[int, Field(ge=1, description=OPTION_TEXTS["limit"].description)] = 2,
        step_limit: Annotated[
            int, Field(ge=0, description=OPTION_TEXTS["step_limit"].description)
        ] = 1_000_000,
        variant: Annotated[str, Field(description=OPTION_TEXTS["variant"].description)] = "",
        box: Annotated[str, Field(description=OPTION_TEXTS["box"].description)] = "",
    ) -> Job:
        """Send many puzzles to the sudokuq service as a job, which solves them in the background.

        Returns the new job immediately. Follow it with read_job, and show its page to the person.
        """
        options = {
            "rate": rate,
            "minlex": minlex,
            "limit": limit,
            "step_limit": step_limit,
            "variant": variant,
            "box": box,
        }
        if bool(puzzles) == bool(file):
            raise ToolError("give either `puzzles` or `file`")
        content = puzzles or Path(file or "").expanduser()
        with self._service() as client:
            try:
                job = client.submit(content, name=name, options=_without_defaults(options))
            except OSError as error:
                raise ToolError(f"can't open {file}: {error.strerror}") from None
        return _job(job, [])

    def read_job(
        self,
        job_id: Annotated[str, Field(description="Id of the job, as submit_job returned it.")],
        *,
        wait_seconds: Annotated[
            float,
            Field(ge=0, le=30, description="Wait until the job changes, at most this long."),
        ] = 0,
        count: Annotated[
            int, Field(ge=0, le=200, description="Maximum number of results to return.")
        ] = 10,
        offset: Annotated[int, Field(ge=0, description="Number of results to skip.")] = 0,
        outcome: Annotated[
            str,
            Field(
                description="Return only results with these outcomes, separated by commas: solved, "
                "multiple, unsolvable, step_limit, invalid, failed."
            ),
        ] = "",
        rating: Annotated[
            str,
            Field(
                description="Return only results with a rating in this range, such as 7.1.. or "
                "7.1..8.0, if the job rates."
            ),
        ] = "",
        sort: Annotated[
            str,
            Field(
                description="Order of the results of a finished job: rating, -rating (highest "
                "first), steps, or -steps (guesses). By default the order of the upload."
            ),
        ] = "",
    ) -> Job:
        """Read the progress of a job and some of its results so far.

        Counts by outcome and rating cover all results. Ask for further results with `offset`.
        """
        with self._service() as client:
            job = client.job(job_id, wait=wait_seconds)
            results = client.results(
                job_id,
                outcome=outcome,
                rating=rating,
                sort=sort,
                offset=offset,
                count=count,
                partial=True,
            )
            return _job(job, [*results] if count else [])

    @contextmanager
    def _service(self) -> Iterator[Client]:
        """Connect to the service. Failures become ToolErrors for the assistant."""
        try:
            with self._connect() as client:
                yield client
        except Failure as failure:
            raise ToolError(failure.detail) from None


def _without_defaults(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value not in (False, "")}


def _job(job: dict[str, Any], results: list[dict[str, Any]]) -> Job:
    return Job(
        id=job["id"],
        name=job["name"],
        state=job["state"],
        total=job["total"],
        done=job["done"],
        outcomes=job["outcomes"],
        ratings=job["ratings"],
        fault=job["fault"],
        page=job["links"]["page"],
        results=results,
    )
