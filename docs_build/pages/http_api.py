"""The HTTP API, from the OpenAPI document."""

from collections.abc import Iterator
from typing import Any

from docs_build.markdown import code, joined, sentence, table
from web.api.openapi import describe
from web.api.openapi_parts import option_schemas
from worker.settings import Settings

_METHODS = ("get", "post", "put", "delete")


def write() -> str:
    """Return the requests, the responses that all requests share, the job options, and schemas."""
    settings = Settings()
    document = describe(settings)
    return joined(
        "## Requests",
        *(
            _operation(method, path, operations[method])
            for path, operations in document["paths"].items()
            for method in _METHODS
            if method in operations
        ),
        "## Responses of all requests",
        table(("status", "response"), _responses(document["components"]["responses"])),
        "## Job options",
        "Uploads take these options: as query parameters, as fields of a form, or in JSON as "
        "members of `options`.",
        table(("option", "type", "default", "meaning"), _options(option_schemas(settings))),
        "## Schemas",
        *_schemas(document["components"]["schemas"]),
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    parameters = operation.get("parameters", [])
    body = operation.get("requestBody", {}).get("content", {})
    own = [each for each in parameters if "name" in each]
    # Job options are references to shared parameters.
    options = ", ".join(
        code(each["$ref"].rpartition("/")[2]) for each in parameters if "$ref" in each
    )
    return joined(
        f"### {method.upper()} {code(path)}",
        sentence(operation["summary"]),
        operation.get("description", ""),
        table(
            ("parameter", "in", "meaning"),
            ((code(each["name"]), each["in"], _meaning(each)) for each in own),
        )
        if own
        else "",
        f"Query parameters can also be these [job options](#job-options): {options}."
        if options
        else "",
        f"Body: {', '.join(map(code, body))}." if body else "",
        table(("status", "response"), _responses(operation["responses"])),
    )


def _meaning(parameter: dict[str, Any]) -> str:
    """Return a parameter's description with its possible values and its default."""
    schema = parameter["schema"]
    values = ", ".join(code(str(each)) for each in schema.get("enum", []))
    default = schema.get("default")
    return " ".join(
        (
            sentence(parameter["description"]),
            *([f"One of {values}."] if values else []),
            *([] if default is None else [f"Default: {code(str(default).lower())}."]),
        )
    )


def _responses(responses: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the status and description of each response, except those that all requests share."""
    for status, response in responses.items():
        if "$ref" in response:
            continue
        names = [
            schema["$ref"].rpartition("/")[2]
            for content in response.get("content", {}).values()
            if "$ref" in (schema := content.get("schema", {}))
        ]
        links = ", ".join(f"[{name}](#{name.lower()})" for name in names)
        yield status, sentence(response["description"]) + (f" Schema: {links}." if links else "")


def _options(schemas: dict[str, dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    for name, schema in schemas.items():
        default = schema.get("default")
        shown = "" if default is None else code(str(default).lower())
        yield code(name), type_of(schema), shown, sentence(schema.get("description", ""))


def _schemas(schemas: dict[str, dict[str, Any]]) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        # The docstrings of schemas have a summary, and their other lines are indented.
        text = "\n\n".join(
            " ".join(part.split()) for part in schema.get("description", "").split("\n\n")
        )
        values = ", ".join(code(str(each)) for each in schema.get("enum", []))
        yield joined(
            f"### {name}",
            text,
            f"One of {values}." if values else "",
            table_of_members(schema) if "properties" in schema else "",
        )


def table_of_members(schema: dict[str, Any]) -> str:
    """Return a table of a schema's members, without meanings if none has a description."""
    required = schema.get("required", [])
    members = [
        (
            code(name),
            type_of(each),
            "always" if name in required else "if present",
            sentence(each.get("description", "")),
        )
        for name, each in schema["properties"].items()
    ]
    header = ("member", "type", "given", "meaning")
    if any(meaning for *_, meaning in members):
        return table(header, members)
    return table(header[:-1], (member[:-1] for member in members))


def type_of(schema: dict[str, Any]) -> str:
    """Return the type of a JSON Schema as Markdown, with links to other schemas, or "any"."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(type_of(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        items = schema.get("items", {})
        return f"list of {_nested(items)}" if items else "list"
    if schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {_nested(schema['additionalProperties'])}"
    return str(schema.get("type", "any"))


def _nested(schema: dict[str, Any]) -> str:
    text = type_of(schema)
    return f"({text})" if " or " in text else text
