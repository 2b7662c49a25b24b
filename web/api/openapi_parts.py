"""Build parts of the OpenAPI document: parameters, bodies, and responses of an operation."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from web.api.examples import request_examples, response_examples
from web.api.puzzle_json import Puzzle
from web.api.requests import UPLOAD_OPTIONS, Headers, UploadForm, UploadOptions
from web.results.rows import RatedRow
from web.schemas.operation import Content, Operation
from web.schemas.problem_types import PROBLEM_TYPES
from web.schemas.responses import Problem
from worker.job_details import longest_expiry
from worker.options import OPTIONS
from worker.settings import Settings

_PATH_PARAMETERS = {
    "job_id": ("string", "Id of the job, as in the response to the upload."),
    "number": ("integer", "Number of the puzzle in the upload, from 1."),
}
# The problem types that every operation can have, by status.
_SHARED_PROBLEMS = {
    401: ["api-key-required", "unknown-api-key"],
    403: ["forbidden"],
    429: ["too-many-requests"],
    503: ["unavailable"],
}


def members(type_: type[msgspec.Struct]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each member of a type by name. Members must have simple types."""
    (_, components) = msgspec.json.schema_components([type_])
    return dict(components[type_.__name__]["properties"])


def option_schemas(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each option of an upload by name, with its maximum.

    Options can't be null here, because query parameters and form fields can't.
    """
    declared = members(UploadOptions)
    schemas = {}
    for name in UPLOAD_OPTIONS:
        schema = {key: value for key, value in declared[name].items() if value is not None}
        if "anyOf" in schema:
            schema |= schema.pop("anyOf")[0]
        if name in OPTIONS and OPTIONS[name].is_number:
            schema["maximum"] = OPTIONS[name].bounds(settings)[1]
        schemas[name] = schema
    schemas["expires_in"]["maximum"] = longest_expiry(settings)
    return schemas


class Schemas:
    """The JSON Schemas of types, for the OpenAPI document.

    They refer to `components`, in which upload options, upload forms, and puzzles also have the
    members that their types alone lack. `options` has the schema of each upload option by name.
    """

    def __init__(self, types: Iterable[type], options: Mapping[str, dict[str, Any]]) -> None:
        unique = list(dict.fromkeys(types))
        (schemas, self.components) = msgspec.json.schema_components(
            unique, ref_template="#/components/schemas/{name}"
        )
        self._by_type = dict(zip(unique, schemas, strict=True))
        self.components[UploadOptions.__name__]["properties"] = options
        # A puzzle of a job with ratings also has the members of a rated row.
        puzzle = self.components[Puzzle.__name__]
        rated = self.components[RatedRow.__name__]["properties"]
        puzzle["properties"] = {**rated, **puzzle["properties"]}
        form = self.components[UploadForm.__name__]
        form["properties"] = {**options, **form["properties"]}

    def body(
        self, content: Mapping[str, Content], examples: Callable[[str], dict[str, Any]]
    ) -> dict[str, Any]:
        """Return the OpenAPI `content` object of a body with these schemas by media type.

        `examples` returns the OpenAPI `examples` object for a media type.
        """
        return {
            media_type: {"schema": schema if isinstance(schema, dict) else self._by_type[schema]}
            | ({"examples": found} if (found := examples(media_type)) else {})
            for media_type, schema in content.items()
        }


def parameters(operation: Operation, path_names: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the OpenAPI objects of an operation's parameters.

    Those in the path come first, then the query parameters, references to the job options, and
    headers.
    """
    for name in path_names:
        (kind, text) = _PATH_PARAMETERS[name]
        text = operation.path.get(name, text)
        yield _parameter(name, "path", {"type": kind, "description": text})
    for name, schema in (members(operation.query) if operation.query else {}).items():
        yield _parameter(name, "query", schema)
    for name in operation.options:
        yield {"$ref": f"#/components/parameters/{name}"}
    headers = members(Headers)
    for name in operation.headers:
        yield _parameter(name, "header", headers[name])


def option_parameters(options: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the job options as shared query parameters."""
    return {name: _parameter(name, "query", schema) for name, schema in options.items()}


def _parameter(name: str, place: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI object of a parameter. `place` is "path", "query", or "header"."""
    # An object in a query has a field for each key: name[key]=value.
    style = {"style": "deepObject", "explode": True} if schema["type"] == "object" else {}
    return {
        "name": name,
        "in": place,
        "description": schema["description"],
        "required": place == "path",
        "schema": {key: value for key, value in schema.items() if key != "description"},
        **style,
    }


def request_body(id_: str, operation: Operation, schemas: Schemas) -> dict[str, Any]:
    """Return the operation's member `requestBody`, or an empty dictionary if it has no body."""
    if not operation.body:
        return {}
    content = schemas.body(operation.body, partial(request_examples, id_))
    return {"requestBody": {"required": True, "content": content}}


def responses(
    id_: str, operation: Operation, schemas: Schemas, *, needs_key: bool
) -> dict[str, Any]:
    """Return the OpenAPI `responses` object of an operation, in the order of the statuses.

    Problems that every operation can have are references to `shared_responses`, unless the
    operation has other problems with the same status. Of these, an operation that needs no API key
    can have only status 429.
    """
    found: dict[int, dict[str, Any]] = {}
    for status, returned in operation.returned.items():
        found[status] = {"description": returned.description}
        if returned.content:
            examples = partial(response_examples, id_, status)
            found[status]["content"] = schemas.body(returned.content, examples)
    own = operation.problems_by_status()
    for status, names in own.items():
        found[status] = _problem(names + _SHARED_PROBLEMS.get(status, []))
    for status in _SHARED_PROBLEMS:
        if needs_key or status == 429:
            found.setdefault(status, {"$ref": f"#/components/responses/{status}"})
    return {str(status): found[status] for status in sorted(found)}


def shared_responses() -> dict[str, Any]:
    """Return the error responses that every operation can have, as OpenAPI objects by status."""
    return {str(status): _problem(names) for status, names in _SHARED_PROBLEMS.items()}


def _problem(names: list[str]) -> dict[str, Any]:
    types = [PROBLEM_TYPES[name] for name in names]
    text = types[0].help if len(types) == 1 else " ".join(f"{t.title}: {t.help}" for t in types)
    schema = {"$ref": f"#/components/schemas/{Problem.__name__}"}
    return {"description": text, "content": {"application/problem+json": {"schema": schema}}}
