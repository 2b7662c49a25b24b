"""A record that crashes a parser becomes invalid, and its neighbors are parsed as usual.

If the detection of a format crashes, the upload is left to other formats.
"""

import json
import logging
from typing import Any

import numpy as np
import pytest

from solver import Invalid, parse
from solver.formats import read_block, recognize
from solver.formats.format import Block, Context, ReadOptions, Recognized, Records, Segments
from solver.formats.grids.line import LineFormat
from solver.formats.objects.killer import KILLER
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

SMALL, OTHER, BAD = "12.4...2....4..1", "..34.4.1....2..3", "1234" + "." * 12
SIX = "123456" + "." * 30
TEXT = f"{SMALL} # first\n{OTHER}\n{BAD}\n{SMALL}\n{SIX} # six\n{OTHER}\n" * 5
KILLERS = KILLER.example * 3
LONG_NUMBER = "3x3::k:" + ":".join(["9" * 5_000] + ["0"] * 80) + "\n"


@pytest.fixture
def fragile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the line parser raise an exception on one record."""
    original = LineFormat.parse

    def breaks(
        self: LineFormat, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
    ) -> Records:
        spans = zip(segments.starts.tolist(), segments.ends.tolist(), strict=True)
        if any(data[start:end] == BAD.encode() for start, end in spans):
            raise ValueError("a bug")
        return original(self, data, segments, context=context, options=options)

    monkeypatch.setattr(LineFormat, "parse", breaks)


@pytest.mark.usefixtures("fragile")
def test_only_the_record_that_raises_is_invalid(caplog: pytest.LogCaptureFixture) -> None:
    recognized = recognize(TEXT.encode(), final=True)
    assert isinstance(recognized, Recognized)
    block, options = Block(TEXT.encode(), 30, 1), ReadOptions()
    records = read_block(block, format="line", context=recognized.context, options=options)
    assert len(records) == 30
    assert list(records.invalid) == list(range(2, 30, 6))
    invalid = records.invalid[2]
    assert (invalid.text, invalid.detail.startswith("Internal error")) == (BAD, True)
    number = invalid.detail.split("id ")[1].rstrip(".")
    logged = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert any(number in each.getMessage() and each.exc_info for each in logged)
    assert len(records.groups) == 2  # grouped by kind of puzzle, as without the crash
    for group in records.groups:
        assert (np.diff(group.rows) > 0).all()
    assert records.names == {n: ("first", "six")[n % 6 > 0] for n in range(30) if n % 6 in (0, 4)}
    assert records.lines.tolist() == list(range(1, 31))


@pytest.mark.usefixtures("fragile")
def test_an_exception_in_a_parser_is_a_result_and_no_error_500(http: Any, service: Service) -> None:
    upload: dict[str, Any] = {"query_string": {"format": "line"}, "content_type": "text/plain"}
    assert http.post("/api/v1/solve?format=line&wait=0", data=BAD).status_code == 202
    for text in (f"{BAD}\n", TEXT):
        look = http.post("/api/v1/look", data=text, **upload)
        assert look.status_code == 200
        job = http.post("/api/v1/jobs", data=text, **upload)
        assert job.status_code == 202
        ChunkRunner(service, worker="here").run(job.json["id"], 0)
        lines = http.get(f"/api/v1/jobs/{job.json['id']}/results").data.decode().splitlines()
        rows = [json.loads(line) for line in lines]
        assert {row["outcome"] for row in rows if row["puzzle"] == BAD} == {"invalid"}
        assert all(row["outcome"] != "invalid" for row in rows if row["puzzle"] != BAD)


def test_a_format_that_raises_while_looking_leaves_the_upload_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(type(KILLER), "recognize", breaks)
    assert [str(found) for found in parse(f"{SMALL}\n{OTHER}\n")] == [SMALL, OTHER]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LONG_NUMBER, "'99999999999999999999' in r1c1 isn't a whole number"),
        (f"2x2k:p,x,{'9' * 5_000}o\n", "a sum has more than 9 digits, the limit"),
        (
            json.dumps(
                {
                    "puzzle": SMALL,
                    "constraints": [
                        {"type": "nfa", "cells": ["r1c1"], "automaton": f"{'1' * 5_000}>0: 0-1-0"}
                    ],
                }
            ),
            "the constraint 'nfa' at r1c1 has an invalid automaton: expected start states > "
            "accepting states: transitions, such as 0>1,2: 0-1-1 1-5-2",
        ),
    ],
)
def test_numbers_of_five_thousand_digits_get_a_message(text: str, message: str) -> None:
    details = [each.detail if isinstance(each, Invalid) else "ok" for each in parse(text)]
    assert details == [message]
    assert parse(KILLERS + LONG_NUMBER + KILLERS)[3] == parse(LONG_NUMBER)[0]
