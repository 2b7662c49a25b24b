"""Details of a job in requests: its name, its metadata, and its expiry."""

from typing import Any

import pytest

from worker.job_details import JobDetails, is_detail, parse_details
from worker.rejection import Rejection, RejectionKind
from worker.settings import Settings


@pytest.mark.parametrize(
    ("fields", "metadata"),
    [
        ({}, {}),
        ({"metadata": ""}, {}),
        ({"metadata": None}, {}),
        ({"metadata": {}}, {}),
        ({"metadata": {"project": "book", "page": "3"}}, {"project": "book", "page": "3"}),
        ({"metadata": '{"project": "book"}'}, {"project": "book"}),
        ({"metadata[project]": "book", "metadata[page]": ""}, {"project": "book", "page": ""}),
        ({"metadata[a[b]]": "x", "metadata[]]": "y"}, {"a[b]": "x", "]": "y"}),
        ({"metadata[a]": "field", "metadata": {"a": "object"}}, {"a": "object"}),
        ({"metadata": {str(n): "v" for n in range(16)}}, {str(n): "v" for n in range(16)}),
        ({"metadata": {"🐶" * 64: "🐱" * 512}}, {"🐶" * 64: "🐱" * 512}),
    ],
)  # fmt: skip
def test_metadata_is_read_from_objects_and_from_fields(
    fields: dict[str, Any], metadata: dict[str, str]
) -> None:
    assert all(map(is_detail, fields))
    details = parse_details(fields, name="a.txt", settings=Settings())
    assert details == JobDetails(name="a.txt", metadata=metadata)


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"metadata": [1]}, "metadata", "'metadata' must be an object whose values are strings"),
        ({"metadata": "book"}, "metadata", "such as metadata[project]=book"),
        ({"metadata": "[" * 100_000}, "metadata", "must be an object"),
        ({"metadata[": "x"}, "metadata[", "'metadata[' must have the form metadata[key]"),
        ({"metadata[a": "x"}, "metadata[a", "must have the form metadata[key]"),
        ({"metadata[]": "x"}, "metadata", "'metadata' has an empty key"),
        ({"metadata": {"page": 3}}, "metadata[page]", "'page' must be a string, not 3"),
        ({"metadata": {"page": None}}, "metadata[page]", "'page' must be a string, not null"),
        ({"metadata": {str(n): "" for n in range(17)}}, "metadata", "17 keys; the limit is 16"),
        ({"metadata": {"k" * 65: ""}}, "metadata", "has 65 characters; the limit is 64"),
        ({"metadata[k]": "v" * 513}, "metadata[k]", "'k' has 513 characters; the limit is 512"),
    ],
)  # fmt: skip
def test_invalid_metadata_is_rejected_with_the_limit_and_the_sent_value(
    fields: dict[str, Any], field: str, message: str
) -> None:
    rejection = parse_details(fields, name="", settings=Settings())
    assert isinstance(rejection, Rejection)
    assert (rejection.kind, rejection.field) == (RejectionKind.BAD_OPTION, field)
    assert message in rejection.detail


@pytest.mark.parametrize(
    ("value", "seconds"), [(None, None), ("", None), (1, 1), ("60", 60), (" 86400 ", 86_400)]
)
def test_expiry_is_a_number_of_seconds_up_to_the_retention(
    value: object, seconds: int | None
) -> None:
    settings = Settings(retention=86_400.9)
    details = parse_details({"expires_in": value}, name="", settings=settings)
    assert details == JobDetails(expires_in=seconds)


@pytest.mark.parametrize("value", [0, "86401", -5, 1.5, "1.5", "1h", True, [60]])
def test_other_expiries_are_rejected_with_the_limit(value: object) -> None:
    settings = Settings(retention=86_400.9)
    rejection = parse_details({"expires_in": value}, name="", settings=settings)
    assert isinstance(rejection, Rejection)
    assert (rejection.kind, rejection.field) == (RejectionKind.BAD_OPTION, "expires_in")
    assert "must be a whole number of seconds from 1 to 86,400, not" in rejection.detail
