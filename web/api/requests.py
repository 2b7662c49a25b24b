"""Request schemas of the API: query parameters, headers, and bodies.

The OpenAPI document is generated from these types. The views don't decode requests with them,
because they accept more than the types say, and explain errors better.
"""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from web.api.result_requests import Where
from web.schemas.operation import ANY_OBJECT, FILE, Content
from worker.job import JobOptions, JobState
from worker.job_details import DETAILS, MAX_KEY_LENGTH, MAX_PAIRS, MAX_VALUE_LENGTH
from worker.options import OPTIONS

EXAMPLE_PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# The names of the members of `UploadOptions`.
UPLOAD_OPTIONS = (*DETAILS, *OPTIONS)

# Some generators need the member `items`.
_List = Annotated[list[Any], Meta(extra_json_schema={"items": {}})]
_Object = Annotated[dict[str, Any], Meta(extra_json_schema=ANY_OBJECT)]
_Metadata = Annotated[
    dict[
        Annotated[str, Meta(min_length=1, max_length=MAX_KEY_LENGTH)],
        Annotated[str, Meta(max_length=MAX_VALUE_LENGTH)],
    ],
    Meta(max_length=MAX_PAIRS),
]
_SECONDS = Meta(ge=0, le=30, examples=[0])


class UploadOptions(JobOptions, frozen=True, kw_only=True):
    """The options of a job to create, and its details such as its name and metadata."""

    name: Annotated[
        str | UnsetType,
        Meta(description="Name of the job on pages. By default the name of the uploaded file."),
    ] = UNSET
    metadata: Annotated[
        _Metadata | UnsetType,
        Meta(
            description=f"Up to {MAX_PAIRS} keys with values, which are returned with the job. A "
            f"key may have {MAX_KEY_LENGTH} characters and a value {MAX_VALUE_LENGTH}. In a query "
            "or form, send a field for each key, such as metadata[project]=book, or the object as "
            "JSON.",
            examples=[{"project": "book", "chapter": "3"}],
        ),
    ] = UNSET
    expires_in: Annotated[
        Annotated[int, Meta(ge=1)] | UnsetType,
        Meta(
            description="Seconds after which the job is deleted with its puzzles and results. By "
            "default the maximum.",
        ),
    ] = UNSET
    webhook: Annotated[
        str | UnsetType,
        Meta(
            description="URL that receives a signed notification when the job ends. The operator "
            "must have allowed its host.",
            extra_json_schema={"format": "uri"},
        ),
    ] = UNSET
    webhook_secret: Annotated[
        str | UnsetType,
        Meta(
            description="Secret that signs the notification: whsec_ and 24 to 64 random bytes in "
            "Base64. By default the secret in the service's settings, if there is one.",
        ),
    ] = UNSET


class JobParameters(msgspec.Struct):
    """Query parameters of a request for a job."""

    wait: Annotated[
        float, _SECONDS, Meta(description="Maximum number of seconds to wait for a change.")
    ] = 0


class PuzzleParameters(msgspec.Struct):
    """Query parameters of a request for one result."""

    wait: Annotated[
        float, _SECONDS, Meta(description="Maximum number of seconds to wait for the explanation.")
    ] = 5
    steps: Annotated[
        str | UnsetType,
        Meta(
            description="Set to `all` to list all steps that are available at one position.",
            extra_json_schema={"enum": ["all"]},
        ),
    ] = UNSET
    after: Annotated[
        int,
        Meta(
            description="With `steps=all`: the number of steps of the explanation after which the "
            "available steps are listed.",
            ge=0,
        ),
    ] = 0


class SolveParameters(msgspec.Struct):
    """Query parameters of a request that solves one puzzle."""

    wait: Annotated[
        float, _SECONDS, Meta(description="Maximum number of seconds to wait for the result.")
    ] = 10


class JobListParameters(msgspec.Struct):
    """Query parameters of a request for the client's own jobs."""

    cursor: Annotated[
        str | UnsetType,
        Meta(description="The `cursor` in the previous response, to get the next page."),
    ] = UNSET
    count: Annotated[
        int, Meta(ge=1, le=100, description="Maximum number of jobs.", examples=[10])
    ] = 50
    state: Annotated[
        str | UnsetType,
        Meta(
            description="Only jobs in these states, separated by commas: "
            f"{', '.join(JobState)} (default: all).",
            examples=["queued,running"],
        ),
    ] = UNSET
    name: Annotated[
        str | UnsetType, Meta(description="Only jobs with this text in their name, in any case.")
    ] = UNSET
    metadata: Annotated[
        dict[str, str] | UnsetType,
        Meta(
            description="Only jobs with these values of metadata keys, such as "
            "metadata[project]=book."
        ),
    ] = UNSET


class PreviewParameters(msgspec.Struct):
    """Query parameters of a request for a preview."""

    cut: Annotated[
        bool, Meta(description="Whether the body is only the beginning of the upload.")
    ] = False


class Headers(msgspec.Struct):
    """All request headers that operations support. Each operation names its own."""

    idempotency_key: Annotated[
        str | UnsetType,
        Meta(
            description="Unique string that identifies the upload. If you repeat the request with "
            "the same string, for example after a timeout, you get the job of the first request.",
            examples=["7c9e6679-7425-40de-944b-e07fc1f90ae7"],
        ),
    ] = msgspec.field(name="Idempotency-Key", default=UNSET)
    if_match: Annotated[
        str | UnsetType,
        Meta(
            description="ETag of an earlier response. If the current version has another one, the "
            "request fails with status 412.",
            examples=["*"],
        ),
    ] = msgspec.field(name="If-Match", default=UNSET)
    if_none_match: Annotated[
        str | UnsetType,
        Meta(
            description="ETag of an earlier response. If the current version still has it, the "
            "response is 304 without a body."
        ),
    ] = msgspec.field(name="If-None-Match", default=UNSET)
    if_range: Annotated[
        str | UnsetType,
        Meta(
            description="ETag of the earlier download. If the results have another one, the "
            "response contains all of them."
        ),
    ] = msgspec.field(name="If-Range", default=UNSET)
    last_event_id: Annotated[
        str | UnsetType,
        Meta(
            description="Id of the last event that you received. Browsers send it when they "
            "reconnect."
        ),
    ] = msgspec.field(name="Last-Event-ID", default=UNSET)
    range: Annotated[
        str | UnsetType,
        Meta(
            description="Part of the response, to resume a download. Needs a job that has ended.",
            examples=["bytes=10-"],
        ),
    ] = msgspec.field(name="Range", default=UNSET)


class Batch(msgspec.Struct):
    """Puzzles as JSON, at most 64 MiB.

    Send larger uploads as NDJSON, as plain text, or as a file in a multipart form. These are
    streamed.
    """

    puzzles: Annotated[
        list[str | _List | _Object],
        Meta(
            description="Puzzles as strings, lists of numbers, or objects with members such as "
            "`givens` and `constraints` (see /api/v1/schema)."
        ),
    ]
    options: Annotated[UploadOptions | UnsetType, Meta(description="The job's options.")] = UNSET
    name: Annotated[str | UnsetType, Meta(description="Name of the job on pages.")] = UNSET


class Selection(msgspec.Struct):
    """Puzzles of a job that has ended, which run again without an upload.

    Options that you don't send are the same as in that job. Those that determine how the upload was
    read can't differ.
    """

    from_job: Annotated[str, Meta(description="Id of the job, which must have ended.")]
    where: Annotated[
        Where | UnsetType,
        Meta(description="Which of its puzzles run again. By default, all that have a result."),
    ] = UNSET
    options: Annotated[UploadOptions | UnsetType, Meta(description="The job's options.")] = UNSET
    name: Annotated[
        str | UnsetType, Meta(description="Name of the job on pages. By default as in that job.")
    ] = UNSET


class SinglePuzzle(msgspec.Struct):
    """One puzzle as JSON, at most 1 MiB."""

    puzzle: Annotated[
        str | _List | _Object,
        Meta(description="The puzzle as a string, a list of numbers, or an object."),
    ]
    options: Annotated[UploadOptions | UnsetType, Meta(description="The job's options.")] = UNSET


class UploadForm(msgspec.Struct):
    """A form with puzzles. Its other fields are the job options."""

    text: Annotated[
        str | UnsetType,
        Meta(description="The puzzles as text. Ignored if there is a file."),
    ] = UNSET
    file: Annotated[
        str | UnsetType,
        Meta(
            description="A file with puzzles, which may be compressed. It must be the last field.",
            extra_json_schema=FILE,
        ),
    ] = UNSET


_TEXT: Content = {"type": "string", "examples": [EXAMPLE_PUZZLE]}
RAW_BODIES: dict[str, Content] = {"text/plain": _TEXT, "application/octet-stream": FILE}
UPLOAD_BODIES: dict[str, Content] = {
    "application/json": {"anyOf": [
        {"$ref": "#/components/schemas/Batch"}, {"$ref": "#/components/schemas/Selection"}
    ]},
    "multipart/form-data": UploadForm,
    **RAW_BODIES,
    "application/x-ndjson": {"type": "string"},
}  # fmt: skip
