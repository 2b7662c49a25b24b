"""JSON bodies of requests.

They contain a list of puzzles, which is converted to NDJSON, a selection of records of another job,
or a single puzzle.
"""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec

from solver.board.closest import did_you_mean, unknown
from solver.board.display import shown
from solver.formats.objects.json_list import find_ends
from web.uploads.run_again import RunAgain, read_where
from web.uploads.upload import Upload
from worker.ingest.decompress import join_short
from worker.ingest.encoding import to_utf8
from worker.ingest.upload_budget import UploadBudget
from worker.job_details import DETAILS
from worker.options import OPTIONS
from worker.rejection import Rejection, RejectionKind

_Read = TypeVar("_Read")

_MAX_OPTION_BYTES = 64 * 1024
_MAX_SHOWN_LENGTH = 100  # characters of a member's name in error messages
# Line breaks in valid JSON occur only between tokens.
_NO_LINE_BREAKS = bytes.maketrans(b"\r\n", b"  ")


class _Members(msgspec.Struct, forbid_unknown_fields=True):
    """The undecoded members of a body that creates a job. No other members are allowed."""

    puzzles: msgspec.Raw = msgspec.Raw()
    from_job: msgspec.Raw = msgspec.Raw()
    where: msgspec.Raw = msgspec.Raw()
    options: msgspec.Raw = msgspec.Raw(b"{}")
    name: msgspec.Raw = msgspec.Raw(b"null")


def read_job(
    body: bytes, name: str, arguments: Mapping[str, object], *, budget: UploadBudget
) -> Upload | RunAgain | Rejection:
    """Parse a body that creates a job, or return a rejection if it is invalid.

    It has the form {"puzzles": […], "options": {…}, "name": …}, or the members "from_job" and
    "where" instead of "puzzles", for which a `RunAgain` is returned. `arguments` contains the query
    parameters. Members of the body override them. `name` is the job's name if neither contains one.
    Iterating over a returned upload yields the puzzles as NDJSON.
    """
    members = _members(body, _Members)
    if isinstance(members, Rejection):
        return members
    options = _options(members.options)
    if isinstance(options, Rejection):
        return options
    title = _short("name", members.name)
    if isinstance(title, Rejection):
        return title
    if isinstance(title, dict | list):
        return _bad(f"'name' must be a string, not {shown(title)}", "name")
    fields = {**arguments, **options} | ({} if title is None else {"name": title})
    if bytes(members.from_job):
        return _again(members, fields)
    if bytes(members.where):
        return _bad("'where' needs 'from_job', the id of the job to select from", "where")
    if bytes(memoryview(members.puzzles)[:1]) != b"[":
        return _bad("a JSON body must be an object with a list called 'puzzles'", "puzzles")
    if fields.get("format") not in (None, "", "auto", "json", "ndjson"):
        return _bad("the puzzles of a JSON body are JSON; omit the option 'format'", "format")
    fields["format"] = "ndjson"
    elements = join_short(_elements(members.puzzles, check=budget.check))
    return Upload(fields, name, elements, budget=budget)


def _again(members: _Members, fields: Mapping[str, object]) -> RunAgain | Rejection:
    """Return the request to run puzzles of another job again, or a rejection if it is invalid.

    `members` are those of the body, and `fields` contains the options and the name of the new job.
    """
    if bytes(members.puzzles):
        return _bad("a body can have 'puzzles' or 'from_job', but not both", "from_job")
    from_job = _short("from_job", members.from_job)
    where = _short("where", members.where) if bytes(members.where) else None
    if not isinstance(from_job, str):
        if isinstance(from_job, Rejection):
            return from_job
        return _bad(f"'from_job' must be the id of a job, not {shown(from_job)}", "from_job")
    filters = where if isinstance(where, Rejection) else read_where(where)
    if isinstance(filters, Rejection):
        return filters
    return RunAgain(from_job, filters, fields)


def read_puzzle(
    body: bytes, name: str, arguments: Mapping[str, object], *, budget: UploadBudget
) -> Upload | Rejection:
    """Parse a body of the form {"puzzle": …, "options": {…}}, or return a rejection.

    The puzzle is text in any format, or another JSON value, which is read as NDJSON whatever the
    option `format` is. Options may also be members of the body itself. `arguments` contains the
    query parameters, which members of the body override. `name` is the job's name if neither
    contains one.
    """
    members = _members(body, dict[str, msgspec.Raw])
    if isinstance(members, Rejection):
        return members
    if "puzzle" not in members:
        return _bad(_without_puzzle(members), "puzzle")
    options = _options(members.get("options", msgspec.Raw(b"{}")))
    if isinstance(options, Rejection):
        return options
    others = {
        field: _decoded(value)
        for field, value in members.items()
        if field not in ("puzzle", "options")
    }
    fields = {**arguments, **others, **options}
    puzzle = _decoded(members["puzzle"])
    for value in (puzzle, *fields.values()):
        if isinstance(value, Rejection):
            return value
    if isinstance(puzzle, str):
        return Upload(fields, name, (puzzle.encode(),), budget=budget)
    fields["format"] = "ndjson"
    return Upload(fields, name, (msgspec.json.encode(puzzle),), budget=budget)


def _members(body: bytes, kind: type[_Read]) -> _Read | Rejection:
    """Parse a body as a JSON object of the type `kind`, whose members remain undecoded.

    Returns a rejection if it isn't a JSON object, or has members that `kind` doesn't allow.
    """
    body = b"".join(to_utf8((body,))).removeprefix(codecs.BOM_UTF8)
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        strange = re.search(r"unknown field `(.*)`", str(error), re.DOTALL)
        if strange is not None:
            field = strange[1][:_MAX_SHOWN_LENGTH]
            if field in OPTIONS or field in DETAILS:
                detail = (
                    f"{field!r} is an option, which belongs in 'options': "
                    f'{{"puzzles": […], "options": {{"{field}": …}}}}'
                )
                return _bad(detail, field)
            return _bad(unknown("member", field, _Members.__struct_fields__), field)
        member = '"puzzles": […]' if kind is _Members else '"puzzle": "…"'
        detail = f'a JSON body must be an object such as {{{member}, "options": {{…}}}}'
        return Rejection(RejectionKind.BAD_OPTION, detail)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        line, column = _place(error, body)
        return Rejection(RejectionKind.UNREADABLE, f"malformed JSON: {error}", line, column)


def _place(error: Exception, body: bytes) -> tuple[int, int] | tuple[None, None]:
    """Return the line and column (from 1) of a JSON error, or None for both if they are unknown.

    The error's message may contain the byte offset in the body.
    """
    named = re.search(r"\(byte (\d+)\)$", str(error))
    if named is None:
        return None, None
    before = body[: int(named[1])]
    return before.count(b"\n") + 1, len(before) - before.rfind(b"\n")


def _options(value: msgspec.Raw) -> dict[str, object] | Rejection:
    """Return the content of the member `options`, or a rejection if it isn't an object."""
    options = _short("options", value)
    if isinstance(options, (dict, Rejection)):
        return options
    return _bad("'options' must be an object", "options")


def _short(member: str, value: msgspec.Raw) -> object:
    """Return the decoded value of a member, which has the name `member`.

    Returns a rejection if the value has more than 64 KiB or is nested too deeply.
    """
    size = len(memoryview(value))
    if size > _MAX_OPTION_BYTES:
        detail = f"{member} has {size:,} bytes; the limit is {_MAX_OPTION_BYTES:,}"
        return Rejection(RejectionKind.TOO_LARGE, detail, field=member)
    return _decoded(value)


def _decoded(value: msgspec.Raw) -> object:
    """Decode a JSON value of valid syntax, or return a rejection if it is nested too deeply."""
    try:
        return msgspec.json.decode(value, type=object)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        return Rejection(RejectionKind.UNREADABLE, f"malformed JSON: {error}")


def _bad(detail: str, field: str) -> Rejection:
    return Rejection(RejectionKind.BAD_OPTION, detail, field=field)


def _elements(array: msgspec.Raw, *, check: Callable[[], None]) -> Iterator[bytes]:
    """Yield the JSON text of each element of a valid array, as one line.

    A list of the elements, or of the decoded values, could take thirty times as much memory.
    `check` is called regularly, also within a long element, and may raise an exception.
    """
    text = memoryview(array)
    start = 1
    for end in find_ends(text, start, check=check):
        element = bytes(text[start:end]).translate(_NO_LINE_BREAKS)
        if element.strip() or text[end] == ord(","):
            yield element + b"\n"
        start = end + 1


def _without_puzzle(members: Iterable[str]) -> str:
    """Return the error message for a body without the member 'puzzle', given its members' names."""
    if "puzzles" in members:
        return "this request takes one 'puzzle'; send several 'puzzles' to /api/v1/jobs"
    for member in members:
        hint = did_you_mean(member, ["puzzle"])
        if hint:
            return f"Unknown member {shown(member)}{hint}"
    return "the body must be an object with the member 'puzzle'"
