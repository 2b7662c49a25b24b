"""Splitting an upload takes linear time and bounded memory for any text between its records."""

import dataclasses
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Invalid, parse
from solver.formats import FORMATS, Splitter, read_block, recognize
from solver.formats.format import Block, Context, Format, ReadOptions, Recognized, Segments
from solver.formats.grids.line_kinds import is_title
from solver.formats.objects.json_list import find_ends

# Text that may surround records, or that starts a record which never ends.
FILLERS = ["\n", " ", "\t\r\n", "# a comment\n", "[", "<", '"', ",", "1", "[State]\n", "Grid 1\n"]
RECORD_BYTES, PIECE_BYTES = 1 << 12, 1 << 10


class Counted:
    """A format that counts the bytes that it has to scan, in total and at most in one call."""

    def __init__(self, format_: Format) -> None:
        self._format = format_
        self.looked_at = 0
        self.most_at_once = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._format, name)

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        self._count(data)
        return self._format.segment(data, line=line, final=final, context=context)

    def resume(self, data: bytes, *, context: Context) -> int | None:
        self._count(data)
        return self._format.resume(data, context=context)

    def _count(self, data: bytes) -> None:
        self.looked_at += len(data)
        self.most_at_once = max(self.most_at_once, len(data))


def split(recognized: Recognized, data: bytes) -> tuple[Counted, list[Block]]:
    counted = Counted(recognized.format)
    splitter = Splitter(
        dataclasses.replace(recognized, format=counted),
        max_bytes=RECORD_BYTES,
        max_record_bytes=RECORD_BYTES,
        piece_bytes=PIECE_BYTES,
    )
    return counted, [*splitter.feed(data), *splitter.close()]


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
@pytest.mark.parametrize("filler", FILLERS)
def test_twice_the_upload_is_twice_the_work(format_: Format, filler: str) -> None:
    example = format_.example.encode()
    recognized = recognize(example, final=True, options=ReadOptions(format=format_.name))
    assert isinstance(recognized, Recognized)
    work = []
    for size in (1 << 16, 1 << 17):
        data = example + filler.encode() * (size // len(filler)) + b"\n" + example
        counted, _ = split(recognized, data)
        assert counted.looked_at < 8 * len(data) + 8 * RECORD_BYTES
        assert counted.most_at_once <= 2 * RECORD_BYTES + 2 * PIECE_BYTES
        work.append(counted.looked_at)
    assert work[1] < 2.5 * work[0] + 8 * RECORD_BYTES


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_a_record_before_endless_blank_lines_is_cut_off(format_: Format) -> None:
    example = format_.example.encode()
    recognized = recognize(example, final=True, options=ReadOptions(format=format_.name))
    assert isinstance(recognized, Recognized)
    alone = list(split(recognized, example)[1])
    blanks = b"\n" * (8 * RECORD_BYTES)
    _, blocks = split(recognized, example + blanks)
    assert sum(block.records for block in blocks) == sum(block.records for block in alone)
    assert [block.fault for block in blocks] == [None] * len(blocks)
    assert sum(len(block.data) for block in blocks) <= len(example) + 2 * RECORD_BYTES


def test_records_keep_their_line_numbers_where_blank_lines_are_dropped() -> None:
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    recognized = recognize(f'["{puzzle}"]'.encode(), final=True)
    assert isinstance(recognized, Recognized)
    blanks = "\n" * (8 * RECORD_BYTES)
    data = f'["{puzzle}",\n"{puzzle}",{blanks}"{puzzle}",\n"{puzzle}"]'.encode()
    _, blocks = split(recognized, data)
    assert [block.fault for block in blocks] == [None] * len(blocks)
    lines: list[int] = []
    for block in blocks:
        stored = dataclasses.replace(block, segments=None)
        records = read_block(
            stored, format="json", context=recognized.context, options=ReadOptions()
        )
        lines += records.lines.tolist()
    assert lines == [1, 2, 2 + len(blanks), 3 + len(blanks)]


@pytest.mark.parametrize("text", ["grid {} .", "1{}x1", "#{}\n.", "[a]{}.", "12 {},", "A{}b."])
def test_titles_are_distinguished_from_rows_in_linear_time(text: str) -> None:
    started = time.process_time()
    is_title(text.format(" " * (1 << 18)))
    # A quadratic algorithm would take hours.
    assert time.process_time() - started < 20


def test_numbers_too_long_for_python_are_no_symbols() -> None:
    digits = "1" * 5_000
    row = f"{digits} 2 3 4\n"
    recognized = recognize(row.encode() * 4, final=True, options=ReadOptions(format="words"))
    assert isinstance(recognized, Recognized)


def test_addresses_are_looked_for_in_linear_time() -> None:
    started = time.process_time()
    (record,) = parse("http://a/" * 40_000, format="line")
    assert isinstance(record, Invalid)
    # A quadratic algorithm would take minutes.
    assert time.process_time() - started < 20


def test_titles_above_quoted_rows_are_looked_for_in_linear_time() -> None:
    rows = "\n".join(f'"{row}"' for row in ("12.4", "...2", "....", "4..1"))
    started = time.process_time()
    (record,) = parse(f"{' ' * 60_000}.\n{rows}\n")
    assert not isinstance(record, Invalid)
    # A quadratic algorithm would take minutes.
    assert time.process_time() - started < 20


def test_lines_of_one_cell_are_no_puzzles_however_many() -> None:
    grid = "12.4\n...2\n....\n4..1\n"
    found = parse(grid + "\n" + "7\n" * 5_000 + "\n" + grid)
    assert [str(one) for one in found if not isinstance(one, Invalid)] == ["12.4...2....4..1"] * 2
    assert len(found) < 100


def element_ends(data: bytes) -> list[int]:
    """Return where the elements of a JSON list end, character by character.

    The text begins after the opening bracket of the list.
    """
    ends, depth, place = [], 0, 0
    while place < len(data):
        mark = data[place : place + 1]
        if mark == b'"':
            string = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL).match(data, place)
            if string is None:
                break
            place = string.end()
            continue
        if depth == 0 and mark in (b",", b"]"):
            ends.append(place)
            if mark == b"]":
                break
        depth = max(depth + (mark in (b"[", b"{")) - (mark in (b"]", b"}")), 0)
        place += 1
    return ends


@settings(max_examples=300, deadline=None)
@given(st.text('[]{},"\\1 a', max_size=30))
def test_elements_of_a_list_end_where_they_end_character_by_character(text: str) -> None:
    assert list(find_ends(text.encode(), 0)) == element_ends(text.encode())
