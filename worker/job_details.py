"""Parse the details of a job that don't affect its results: its name, metadata, and lifetime.

The webhook is one of these details, too, but it is parsed elsewhere.
"""

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from solver.board.display import shown
from worker.rejection import Rejection, RejectionKind
from worker.settings import Settings
from worker.whole_numbers import parse_whole

MAX_PAIRS = 16
MAX_KEY_LENGTH = 64
MAX_VALUE_LENGTH = 512
# The names of fields that specify details. A field such as metadata[key] has one pair.
DETAILS = ("name", "metadata", "expires_in", "webhook", "webhook_secret")
_PAIR = re.compile(r"metadata\[(.*)\]", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDetails:
    """The details of a job, except for its webhook.

    `metadata` has key–value pairs that only the client interprets. `expires_in` is the number of
    seconds from the job's creation to its deletion, or None for the server's default.
    """

    name: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    expires_in: int | None = None


def is_detail(name: str) -> bool:
    """Return whether a field of a request specifies details of the job, and not an option."""
    return name in DETAILS or is_metadata(name)


def is_metadata(name: str) -> bool:
    """Return whether a field of a request contains metadata: `metadata` or `metadata[key]`."""
    return name == "metadata" or name.startswith("metadata[")


def pair_name(key: str) -> str:
    """Return `metadata[key]`, the name of the query parameter or form field for a metadata key."""
    return f"metadata[{key}]"


def longest_expiry(settings: Settings) -> int:
    """Return the highest value of `expires_in`, in seconds."""
    return int(settings.retention)


def parse_details(
    fields: Mapping[str, object], *, name: str, settings: Settings
) -> JobDetails | Rejection:
    """Return the details of a job, or a rejection if they are invalid.

    `name` is the job's name by default. Fields for the webhook, and fields that don't specify
    details, are ignored.
    """
    metadata = parse_metadata(fields)
    if isinstance(metadata, Rejection):
        return metadata
    expires_in = _expires_in(fields.get("expires_in"), settings)
    if isinstance(expires_in, Rejection):
        return expires_in
    name = str(fields.get("name") or name)
    return JobDetails(name=name, metadata=metadata, expires_in=expires_in)


def _expires_in(value: object, settings: Settings) -> int | Rejection | None:
    if value in (None, ""):
        return None
    most = longest_expiry(settings)
    return parse_whole("expires_in", value, least=1, most=most, unit="seconds")


def parse_metadata(fields: Mapping[str, object]) -> dict[str, str] | Rejection:
    """Return the metadata in the fields of a request, or a rejection if it is invalid.

    The field `metadata` is an object, or its JSON text in a query or form. Fields such as
    `metadata[key]` have one pair each. If both have the same key, the object takes precedence.
    """
    pairs: dict[str, object] = {}
    for name, value in fields.items():
        if is_metadata(name) and name != "metadata":
            found = _PAIR.fullmatch(name)
            if found is None:
                return _reject(f"{shown(name)} must have the form metadata[key]", name)
            pairs[found[1]] = value
    whole = _object(fields.get("metadata"))
    if isinstance(whole, Rejection):
        return whole
    return _check(pairs | whole)


def _object(value: object) -> dict[str, object] | Rejection:
    """Return the object in the field `metadata`, which may be JSON text, or {} if it is empty.

    Returns a rejection for any other value.
    """
    if value in (None, ""):
        return {}
    if isinstance(value, str):
        with contextlib.suppress(msgspec.DecodeError, RecursionError, ValueError):
            value = msgspec.json.decode(value)
    if isinstance(value, dict):
        return value
    detail = (
        "'metadata' must be an object whose values are strings; in a query or form, you can also "
        "use a field for each key, such as metadata[project]=book"
    )
    return _reject(detail, "metadata")


def _check(pairs: Mapping[str, object]) -> dict[str, str] | Rejection:
    """Return the pairs of the metadata, or a rejection.

    The number of pairs and the lengths of keys and values are limited. Values must be strings.
    """
    if len(pairs) > MAX_PAIRS:
        return _reject(f"'metadata' has {len(pairs):,} keys; the limit is {MAX_PAIRS}", "metadata")
    checked = {}
    for key, value in pairs.items():
        if not key:
            return _reject("'metadata' has an empty key", "metadata")
        if len(key) > MAX_KEY_LENGTH:
            detail = f"the metadata key {shown(key)} has {len(key):,} characters"
            return _reject(f"{detail}; the limit is {MAX_KEY_LENGTH}", "metadata")
        if not isinstance(value, str):
            detail = f"the metadata value of {shown(key)} must be a string, not {shown(value)}"
            return _reject(detail, pair_name(key))
        if len(value) > MAX_VALUE_LENGTH:
            detail = f"the metadata value of {shown(key)} has {len(value):,} characters"
            return _reject(f"{detail}; the limit is {MAX_VALUE_LENGTH}", pair_name(key))
        checked[key] = value
    return checked


def _reject(detail: str, name: str) -> Rejection:
    return Rejection(RejectionKind.BAD_OPTION, detail, field=name)
