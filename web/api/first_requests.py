"""The first three requests of a new client, with their responses, for the page about the API.

They come from the examples, whose responses a test compares with those of the service.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from web.api.examples import Example, read_examples

# The members that are shown. The others are left out.
_OF_JOB = ("id", "name", "state", "total", "done", "outcomes")
_OF_RESULT = ("n", "outcome", "unique", "solution", "rating", "difficulty", "detail")


class FirstRequest(NamedTuple):
    """A request as a command for a shell, and its response with some of its members."""

    title: str
    command: str
    status: str
    response: str


def first_requests(url: str) -> list[FirstRequest]:
    """Return the upload, the wait for its job, and the download of its results.

    `url` is that of the jobs, without a slash at its end.
    """
    upload, job, results = (
        _example("create_job", "json"),
        _example("get_job", "finished"),
        _example("get_results", "json_lines"),
    )
    job_url = f"{url}/{job.response['id']}"
    lines = [json.loads(line) for line in results.response.splitlines()]
    return [
        FirstRequest(
            "Upload puzzles",
            f"curl {url} \\\n"
            "  -H 'Content-Type: application/json' \\\n"
            f"  -d '{_lines(upload.body)}\n}}'",
            "202 Accepted",
            _some(upload.response, _OF_JOB),
        ),
        FirstRequest(
            "Wait until the job has finished",
            f"curl '{job_url}?wait=30'",
            "200 OK",
            _some(job.response, _OF_JOB),
        ),
        FirstRequest(
            "Get the results, one per line",
            f"curl {job_url}/results",
            "200 OK",
            "\n".join(_some(line, _OF_RESULT) for line in lines),
        ),
    ]


def _example(operation: str, name: str) -> Example:
    """Return the example with this name. Raises StopIteration if there is none."""
    return next(
        each for each in read_examples() if (each.operation, each.name) == (operation, name)
    )


def _lines(members: Mapping[str, Any]) -> str:
    """Return a JSON object with one member per line, without its last brace."""
    shown = (f"  {json.dumps(name)}: {_written(value)}" for name, value in members.items())
    return "{\n" + ",\n".join(shown)


def _written(value: object) -> str:
    """Return a value as JSON. A list has one member per line."""
    if not isinstance(value, list):
        return json.dumps(value)
    members = ",\n".join(f"    {json.dumps(member)}" for member in value)
    return f"[\n{members}\n  ]"


def _some(response: Mapping[str, Any], members: tuple[str, ...]) -> str:
    """Return a JSON object with some of its members, and an ellipsis for the others.

    Members that are null, and numbers of outcomes that are 0, are left out, too.
    """
    shown = {name: response[name] for name in members if response[name] is not None}
    if "outcomes" in shown:
        shown["outcomes"] = {name: number for name, number in shown["outcomes"].items() if number}
    return _lines({name: value for name, value in shown.items() if value != {}}) + ",\n  …\n}"
