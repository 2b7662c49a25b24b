"""Request schemas of the API: query parameters, headers, and bodies.

The OpenAPI document is generated from these types. The views don't decode requests with them,
because they accept more than the types say, and explain errors better.
"""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from solver.generation.request import (
    DEFAULT_TRIES,
    MOST_PUZZLES,
    MOST_TRIES,
    SAMPLINGS,
    TOP_DOWN,
)
from solver.generation.symmetry import SYMMETRIES
from web.results.formats import (
    DATASET_FORMATS,
    DUPLICATES,
    MAX_COPIES,
    MAX_NUMBERS,
    MAX_SEARCH_LENGTH,
    MAX_SEED,
    NUMBERS_PATTERN,
    RESULT_FORMATS,
    SORTS,
    SPLIT_PATTERN,
)
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


class ResultParameters(msgspec.Struct):
    """Query parameters of a request for a job's results."""

    format: Annotated[
        str,
        Meta(
            description="Format of the results.",
            examples=["csv"],
            extra_json_schema={"enum": [*RESULT_FORMATS]},
        ),
    ] = "jsonl"
    outcome: Annotated[
        str | UnsetType,
        Meta(
            description="Only results with these outcomes, separated by commas (default: all).",
            examples=["invalid,multiple"],
        ),
    ] = UNSET
    rating: Annotated[
        str | UnsetType,
        Meta(
            description="Only results with a Sudoku Explainer rating in this range: 7.1.., ..3.0, "
            "or 7.1..8.0. Needs a job with the option `rate`.",
            examples=["7.1..8.0"],
        ),
    ] = UNSET
    technique: Annotated[
        str | UnsetType,
        Meta(
            description="Only puzzles that need one of these techniques, separated by commas. "
            "Needs a job with the option `rate`.",
            examples=["X-Wing"],
        ),
    ] = UNSET
    search: Annotated[
        Annotated[str, Meta(max_length=MAX_SEARCH_LENGTH)] | UnsetType,
        Meta(
            description="Only results whose name contains this text, in any case, or whose number "
            "it is.",
            examples=["grid 12"],
        ),
    ] = UNSET
    duplicates: Annotated[
        str | UnsetType,
        Meta(
            description="`only` for duplicates of earlier puzzles in the job, or `without` for all "
            "other puzzles. Needs a job with the option `minlex` that has ended.",
            examples=["without"],
            extra_json_schema={"enum": [*DUPLICATES]},
        ),
    ] = UNSET
    numbers: Annotated[
        Annotated[str, Meta(pattern=NUMBERS_PATTERN)] | UnsetType,
        Meta(
            description=f"Only results with these numbers, at most {MAX_NUMBERS:,}, as a list with "
            "ranges.",
            examples=["3,7,10-20"],
        ),
    ] = UNSET
    sort: Annotated[
        str | UnsetType,
        Meta(
            description="Sort order, by default that of the upload. `steps` is the number of "
            "guesses. The lowest is first, or with a minus sign the highest. Needs a job that has "
            "ended.",
            examples=["-rating"],
            extra_json_schema={"enum": [*SORTS]},
        ),
    ] = UNSET
    offset: Annotated[int, Meta(ge=0, description="Number of results to skip.")] = 0
    count: Annotated[
        Annotated[int, Meta(ge=0)] | UnsetType,
        Meta(description="Maximum number of results (default: all).", examples=[100]),
    ] = UNSET
    partial: Annotated[
        bool, Meta(description="Whether to return the results so far if the job is unfinished.")
    ] = False
    bom: Annotated[
        bool,
        Meta(
            description="Whether CSV starts with a byte order mark, so that Excel reads it as "
            "UTF-8."
        ),
    ] = False
    augment: Annotated[
        int,
        Meta(
            ge=0,
            le=MAX_COPIES,
            description="Number of random symmetries to add after each classic 9x9 puzzle. Needs a "
            "job with the option `minlex`, and the format "
            f"{', '.join(DATASET_FORMATS[:-1])}, or {DATASET_FORMATS[-1]}.",
        ),
    ] = 0
    split: Annotated[
        str | UnsetType,
        Meta(
            description="Relative sizes of the parts train and test, or train, validation, and "
            "test. Puzzles that are equal up to symmetry are in the same part, in all jobs. Needs "
            "the same job and formats as `augment`.",
            extra_json_schema={"pattern": SPLIT_PATTERN},
        ),
    ] = UNSET
    seed: Annotated[
        int,
        Meta(ge=0, le=MAX_SEED, description="Number that determines symmetries and parts."),
    ] = 0


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


class Where(msgspec.Struct):
    """A filter for the puzzles of a job, with the meaning of the parameters for results."""

    outcome: Annotated[
        str | UnsetType,
        Meta(
            description="Only puzzles with these outcomes, separated by commas.",
            examples=["step_limit"],
        ),
    ] = UNSET
    rating: Annotated[
        str | UnsetType,
        Meta(
            description="Only puzzles with a Sudoku Explainer rating in this range: 7.1.., ..3.0, "
            "or 7.1..8.0.",
            examples=["7.1.."],
        ),
    ] = UNSET
    technique: Annotated[
        str | UnsetType,
        Meta(
            description="Only puzzles that need one of these techniques, separated by commas.",
            examples=["X-Wing"],
        ),
    ] = UNSET
    search: Annotated[
        Annotated[str, Meta(max_length=MAX_SEARCH_LENGTH)] | UnsetType,
        Meta(
            description="Only puzzles whose name contains this text, or that have this number.",
            examples=["grid 12"],
        ),
    ] = UNSET
    duplicates: Annotated[
        str | UnsetType,
        Meta(
            description="`only` for duplicates of earlier puzzles, or `without` for all others.",
            examples=["without"],
            extra_json_schema={"enum": [*DUPLICATES]},
        ),
    ] = UNSET
    numbers: Annotated[
        Annotated[str, Meta(pattern=NUMBERS_PATTERN)] | UnsetType,
        Meta(
            description=f"Only puzzles with these numbers, at most {MAX_NUMBERS:,}.",
            examples=["3,7,10-20"],
        ),
    ] = UNSET


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


class TechniqueNames(msgspec.Struct):
    """Techniques by name, as in /api/v1/techniques.

    "..X-Wing" stands for X-Wing and all techniques before it in HoDoKu's order.
    """

    require: Annotated[
        list[str] | UnsetType, Meta(description="Techniques that each puzzle needs.")
    ] = UNSET
    forbid: Annotated[
        list[str] | UnsetType, Meta(description="Techniques that no puzzle needs.")
    ] = UNSET
    only: Annotated[
        list[str] | UnsetType,
        Meta(description="The only techniques that puzzles may need.", examples=[["..X-Wing"]]),
    ] = UNSET


_Range = Annotated[str | float, Meta(description="A number, or a range: 6.5..7.5, 6.5.., ..7.5.")]


class GenerationBody(msgspec.Struct):
    """What puzzles to make. The same request gives the same puzzles in the same version."""

    count: Annotated[int, Meta(ge=1, le=MOST_PUZZLES, description="Number of puzzles.")] = 1
    seed: Annotated[
        int, Meta(ge=0, le=MAX_SEED, description="Number that determines all random choices.")
    ] = 0
    rating: Annotated[
        _Range | UnsetType,
        Meta(description="Sudoku Explainer's rating, on classic boards.", examples=["6.5..7.5"]),
    ] = UNSET
    hodoku_score: Annotated[_Range | UnsetType, Meta(description="HoDoKu's score.")] = UNSET
    level: Annotated[
        str | list[str] | UnsetType,
        Meta(description="HoDoKu's level or levels, such as hard.", examples=["hard"]),
    ] = UNSET
    difficulty: Annotated[
        str | list[str] | UnsetType,
        Meta(description="The level or levels as newspapers name them.", examples=["easy"]),
    ] = UNSET
    techniques: Annotated[
        TechniqueNames | UnsetType, Meta(description="What HoDoKu's solving path may contain.")
    ] = UNSET
    givens: Annotated[
        _Range | UnsetType, Meta(description="Number of givens.", examples=["24..26"])
    ] = UNSET
    symmetry: Annotated[
        str,
        Meta(
            description="Symmetry of the pattern of givens.",
            extra_json_schema={"enum": [*SYMMETRIES]},
        ),
    ] = "none"
    pattern: Annotated[
        str | list[str] | UnsetType,
        Meta(description="A dot for each cell that must not be given, and a sign for the others."),
    ] = UNSET
    minimal: Annotated[
        bool, Meta(description="Whether no given, or no orbit of the symmetry, is redundant.")
    ] = True
    sampling: Annotated[
        str,
        Meta(
            description="How givens are removed. controlled-bias takes some 250,000 attempts per "
            "puzzle on classic boards, and the sample allows unbiased statistics.",
            extra_json_schema={"enum": [*SAMPLINGS]},
        ),
    ] = TOP_DOWN
    distinct: Annotated[
        bool | UnsetType,
        Meta(
            description="Whether no two puzzles may be equivalent up to symmetry. Only for 4×4, "
            "6×6, 8×8, and 9×9 boards without extra rules."
        ),
    ] = UNSET
    distinct_from: Annotated[
        list[str] | UnsetType,
        Meta(description="Puzzles to which no puzzle may be equivalent. Implies `distinct`."),
    ] = UNSET
    tries: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_TRIES)] | UnsetType,
        Meta(
            description=f"Maximum number of attempts per puzzle, {DEFAULT_TRIES:,} by default. "
            f"With controlled-bias sampling, the default is {MOST_TRIES:,}.",
        ),
    ] = UNSET
    box: Annotated[
        str | UnsetType, Meta(description="Rows and columns of a box.", examples=["2x3"])
    ] = UNSET
    variant: Annotated[
        str | list[str] | UnsetType,
        Meta(description="Rules of the board.", examples=["diagonal,antiknight"]),
    ] = UNSET
    regions: Annotated[
        Any, Meta(description='Regions of a jigsaw, as in a puzzle object, or "random".')
    ] = UNSET
    constraints: Annotated[
        list[dict[str, Any]] | UnsetType,
        Meta(description="Constraints of the board, as in a puzzle object."),
    ] = UNSET
    random_constraints: Annotated[
        dict[str, Any] | UnsetType,
        Meta(
            description="Constraints that are drawn for each puzzle: killer cages, lines, or "
            "Kropki dots.",
            examples=[{"killer": {"count": "24..30"}}],
        ),
    ] = UNSET
    plan: Annotated[
        list[dict[str, Any]] | UnsetType,
        Meta(
            description="Several requests in a row, whose fields override those of the body.",
            examples=[[{"count": 5, "level": "easy"}, {"count": 2, "level": "hard"}]],
        ),
    ] = UNSET
    options: Annotated[
        UploadOptions | UnsetType,
        Meta(description="The job's options, except for those about reading an upload."),
    ] = UNSET
    name: Annotated[str | UnsetType, Meta(description="Name of the job on pages.")] = UNSET


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
