"""Each kind of broken upload gets its error message."""

import codecs
import json
from pathlib import Path
from typing import Any

import pytest
from paths import DATA

from solver import Invalid, parse
from solver.formats import FORMATS

BROKEN = DATA / "broken"


def cases(path: Path) -> list[tuple[bytes, str]]:
    lines = path.read_text("utf-8").splitlines()[1:]
    pairs = [line.split(" => ") for line in lines]
    return [(codecs.escape_decode(upload)[0], message) for upload, message in pairs]


ALL = [
    (upload, message, f"{path.stem}-{number}")
    for path in sorted(BROKEN.iterdir())
    for number, (upload, message) in enumerate(cases(path), 2)
]
WITHOUT_RETURNS = [case for case in ALL if b"\r" not in case[0]]


def parameters(cases: list[tuple[bytes, str, str]]) -> list[Any]:
    return [pytest.param(upload, message, id=name) for upload, message, name in cases]


def test_every_format_has_ten_broken_uploads() -> None:
    assert {path.stem for path in BROKEN.iterdir()} == {known.name for known in FORMATS}
    assert all(len(cases(path)) >= 10 for path in BROKEN.iterdir())


@pytest.mark.parametrize(("upload", "message"), parameters(ALL))
def test_broken_upload_gets_its_message(upload: bytes, message: str) -> None:
    found = [entry.detail if isinstance(entry, Invalid) else "ok" for entry in parse(upload)]
    assert " | ".join(found) == message


@pytest.mark.parametrize(("upload", "message"), parameters(WITHOUT_RETURNS))
def test_line_breaks_and_a_byte_order_mark_change_no_message(upload: bytes, message: str) -> None:
    marked = b"\xef\xbb\xbf" + upload.replace(b"\n", b"\r\n")
    found = [entry.detail if isinstance(entry, Invalid) else "ok" for entry in parse(marked)]
    assert " | ".join(found) == message


def test_nesting_deeper_than_python_can_follow_gets_a_message() -> None:
    easy = '"12.4...2....4..1"'
    found = parse(f"{easy}\n{'[' * 100_000}\n{easy}\n")
    details = [entry.detail if isinstance(entry, Invalid) else "ok" for entry in found]
    assert details == [
        "ok",
        "this isn't valid JSON: it is nested too deeply, or a number is too long",
        "ok",
    ]


def test_rows_that_are_too_long_are_not_rearranged_to_a_square() -> None:
    (found,) = parse(json.dumps({"puzzle": [["."] * 121] * 81}))  # as many cells as 99×99
    assert isinstance(found, Invalid)
    assert found.detail == "the grid has 81 rows of 121 cells; the limit is 100×100"
