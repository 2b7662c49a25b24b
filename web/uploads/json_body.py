"""Bodies in JSON: many puzzles become lines, one each; one puzzle may be an object or text."""

import codecs
import re
from collections.abc import Iterator, Mapping

import msgspec

from solver.formats.objects.json_list import find_ends
from web.uploads.upload import Upload
from worker.intake.encoding import to_utf8
from worker.refused import RefusalKind, Refused

# Line breaks in valid JSON stand between its tokens only.
_NO_LINE_BREAKS = bytes.maketrans(b"\r\n", b"  ")


def read_puzzles(body: bytes, name: str, arguments: Mapping[str, object]) -> Upload | Refused:
    """Read {"puzzles": […], "options": {…}, "name": …}."""
    members = _members(body)
    if isinstance(members, Refused):
        return members
    unknown = sorted(set(members) - {"puzzles", "options", "name"})
    if unknown:
        return _bad(f"there is no member {unknown[0]!r}", unknown[0])
    puzzles = members.get("puzzles", msgspec.Raw())
    if bytes(memoryview(puzzles)[:1]) != b"[":
        return _bad("a JSON body is an object with a list of puzzles", "puzzles")
    options = _options(members)
    if isinstance(options, Refused):
        return options
    title = _decoded(members["name"]) if "name" in members else None
    if isinstance(title, Refused):
        return title
    fields = {**arguments, **options} | ({"name": title} if "name" in members else {})
    if fields.get("format") not in (None, "", "auto", "json", "ndjson"):
        return _bad("the puzzles of a JSON body are JSON; leave format out", "format")
    fields["format"] = "ndjson"
    return Upload(fields, name, _elements(puzzles))


def read_puzzle(body: bytes, name: str, arguments: Mapping[str, object]) -> Upload | Refused:
    """Read {"puzzle": …, "options": {…}}, whose options may also stand beside the puzzle."""
    members = _members(body)
    if isinstance(members, Refused):
        return members
    if "puzzle" not in members:
        return _bad("the body is an object with a puzzle", "puzzle")
    options = _options(members)
    if isinstance(options, Refused):
        return options
    beside = {
        field: _decoded(value)
        for field, value in members.items()
        if field not in ("puzzle", "options")
    }
    fields = {**arguments, **beside, **options}
    puzzle = _decoded(members["puzzle"])
    for value in (puzzle, *fields.values()):
        if isinstance(value, Refused):
            return value
    if isinstance(puzzle, str):
        return Upload(fields, name, (puzzle.encode(),))
    return Upload({**fields, "format": "ndjson"}, name, (msgspec.json.encode(puzzle),))


def _members(body: bytes) -> dict[str, msgspec.Raw] | Refused:
    """Return the members of an object, undecoded."""
    body = b"".join(to_utf8((body,))).removeprefix(codecs.BOM_UTF8)
    try:
        return msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:
        return Refused(RefusalKind.BAD_OPTION, "a JSON body is an object")
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        line, column = _place(error, body)
        return Refused(RefusalKind.UNREADABLE, f"this is no JSON: {error}", line, column)


def _place(error: Exception, body: bytes) -> tuple[int, int] | tuple[None, None]:
    """Return line and column of an error, where it names the byte."""
    named = re.search(r"\(byte (\d+)\)$", str(error))
    if named is None:
        return None, None
    before = body[: int(named[1])]
    return before.count(b"\n") + 1, len(before) - before.rfind(b"\n")


def _options(members: Mapping[str, msgspec.Raw]) -> dict[str, object] | Refused:
    options = _decoded(members["options"]) if "options" in members else {}
    if isinstance(options, (dict, Refused)):
        return options
    return _bad("options is an object", "options")


def _decoded(value: msgspec.Raw) -> object:
    """Return a value whose syntax was checked before, or Refused: it may be nested too deep."""
    try:
        return msgspec.json.decode(value, type=object)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        return Refused(RefusalKind.UNREADABLE, f"this is no JSON: {error}")


def _bad(detail: str, field: str) -> Refused:
    return Refused(RefusalKind.BAD_OPTION, detail, field=field)


def _elements(array: msgspec.Raw) -> Iterator[bytes]:
    """Yield the elements of a valid JSON array, undecoded, each as a line.

    A list of them, or of what they stand for, could take thirty times as much memory.
    """
    text = memoryview(array)
    start = 1
    for end in find_ends(text, start):
        element = bytes(text[start:end]).translate(_NO_LINE_BREAKS)
        if element.strip() or text[end] == ord(","):
            yield element + b"\n"
        start = end + 1
