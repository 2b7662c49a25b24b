"""Descriptions of API operations, which decorate the views that they describe.

The OpenAPI document combines them with the views' routes and docstrings.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from web.schemas.problem_types import PROBLEM_TYPES

# The schema of a body: a type, or a JSON Schema for what types can't express.
Content = type | dict[str, Any]
_View = TypeVar("_View", bound=Callable[..., Any])

FILE: dict[str, Any] = {"type": "string", "format": "binary"}
# Without `additionalProperties`, some generators make a type for objects without members.
ANY_OBJECT: dict[str, Any] = {"type": "object", "additionalProperties": True}
UPLOAD_PROBLEMS = ("unreadable-upload", "too-large", "unsupported-type")


@dataclass(frozen=True, slots=True)
class Returned:
    """A response to a successful request: its meaning, and its schema by media type."""

    description: str
    content: Mapping[str, Content]


def as_json(description: str, type_: Content) -> Returned:
    """Return the description of a response with JSON."""
    return Returned(description, {"application/json": type_})


def empty(description: str) -> Returned:
    """Return the description of a response without a body."""
    return Returned(description, {})


@dataclass(frozen=True, slots=True)
class Operation:
    """The description of an API operation, without its route and the texts in its docstring.

    `returned` contains the successful responses by status, and `problems` the names of the problem
    types that are specific to the operation. `query` is a type whose members are query parameters,
    `options` contains the names of job options that are query parameters, too, and `headers` names
    fields of the API's `Headers`. `path` describes path parameters that have an unusual meaning.
    `body` contains the schema of the request's body by media type.
    """

    tag: str
    returned: Mapping[int, Returned]
    problems: tuple[str, ...]
    query: type[msgspec.Struct] | None
    options: tuple[str, ...]
    headers: tuple[str, ...]
    path: Mapping[str, str]
    body: Mapping[str, Content]

    def types(self) -> set[type]:
        """Return the types of all bodies that are declared as types."""
        contents = (self.body, *(each.content for each in self.returned.values()))
        return {
            each for content in contents for each in content.values() if not isinstance(each, dict)
        }

    def problems_by_status(self) -> dict[int, list[str]]:
        """Return the names of the problem types by status, with those that parameters imply."""
        names = list(self.problems)
        if "If-Match" in self.headers:
            names.append("precondition-failed")
        if self.query or self.options:
            names.append("invalid-value")
        found: dict[int, list[str]] = {}
        for name in names:
            found.setdefault(PROBLEM_TYPES[name].status, []).append(name)
        return found


_OPERATIONS: dict[Callable[..., Any], Operation] = {}


def operation(
    tag: str,
    returned: Mapping[int, Returned],
    *,
    problems: tuple[str, ...] = (),
    query: type[msgspec.Struct] | None = None,
    options: tuple[str, ...] = (),
    headers: tuple[str, ...] = (),
    path: Mapping[str, str] | None = None,
    body: Mapping[str, Content] | None = None,
) -> Callable[[_View], _View]:
    """Return a decorator that describes a view as an operation, and doesn't change it.

    The parameters are the fields of `Operation`.
    """
    described = Operation(tag, returned, problems, query, options, headers, path or {}, body or {})

    def decorate(view: _View) -> _View:
        _OPERATIONS[view] = described
        return view

    return decorate


def operation_of(view: Callable[..., Any]) -> Operation:
    """Return the description of a view. Raises KeyError if it has none."""
    return _OPERATIONS[view]
