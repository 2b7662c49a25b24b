"""Examples of requests with their responses, which the OpenAPI document shows.

A test sends all of them in the order of the file, and compares the responses.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """A request to an operation, and its response.

    `query` is the query string. `type` is the media type of the request's `body`, and
    `response_type` that of the response. The bodies are JSON values, or strings for other media
    types.
    """

    name: str
    operation: str
    query: str = ""
    type: str = ""
    body: Any = None
    status: int = 200
    response_type: str = "application/json"
    response: Any = None


@cache
def read_examples() -> list[Example]:
    """Return all examples, from a file with one per line."""
    lines = files("web.api").joinpath("samples/examples.jsonl").read_text("utf-8").splitlines()
    return [msgspec.json.decode(line, type=Example) for line in lines]


def request_examples(operation: str, media_type: str) -> dict[str, Any]:
    """Return the examples of an operation's request body as an OpenAPI `examples` object.

    Requests that fail are left out.
    """
    return {
        each.name: {"value": each.body}
        for each in read_examples()
        if (each.operation, each.type) == (operation, media_type) and each.status < 400
    }


def response_examples(operation: str, status: int, media_type: str) -> dict[str, Any]:
    """Return the examples of an operation's response as an OpenAPI `examples` object."""
    return {
        each.name: {"value": each.response}
        for each in read_examples()
        if (each.operation, each.status, each.response_type) == (operation, status, media_type)
        and each.response is not None
    }
