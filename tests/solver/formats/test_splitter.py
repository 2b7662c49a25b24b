"""An upload has the same records however it is split, and never raises an exception.

The memory and the size of blocks stay bounded.
"""

import json
from collections.abc import Collection, Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.formats import FORMATS, Splitter, read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized, Records, Unreadable
from solver.formats.splitter import block_records

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OTHER = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SMALL = "12.4...2....4..1"


def rows(puzzle: str, size: int = 9) -> list[str]:
    return [puzzle[start : start + size] for start in range(0, len(puzzle), size)]


def grid(puzzle: str, size: int = 9, *, between: str = "") -> str:
    return "".join(between.join(row) + "\n" for row in rows(puzzle, size))


def banded(puzzle: str) -> str:
    return "\n".join(grid(puzzle[start : start + 27]) for start in (0, 27, 54))


def framed(puzzle: str) -> str:
    rule = "+---+---+---+\n"
    lines = ["|" + "|".join(row[i : i + 3] for i in (0, 3, 6)) + "|\n" for row in rows(puzzle)]
    return rule + "".join(
        line + (rule if number % 3 == 0 else "") for number, line in enumerate(lines, 1)
    )


def nested(puzzle: str, size: int = 9) -> str:
    return str([[int(cell.replace(".", "0")) for cell in row] for row in rows(puzzle, size)])


# Parts of uploads by format. Format detection recognizes the first part of each.
PIECES = {
    "line": [PUZZLE + "\n", PUZZLE.replace(".", "0") + "\r\n", PUZZLE[:-1] + "\n", "# note\n",
             "\n", SMALL + "\n", " ".join(OTHER) + "\n", OTHER + " ED=8.3\n", "\x00\xff\n"],
    "grid": [grid(PUZZLE), grid(OTHER, between=" "), "\n", "Grid 07\n", "12\n", "#3\n",
             banded(PUZZLE), framed(OTHER), grid(PUZZLE)[:60] + "\n\n", grid(PUZZLE)[:79] + "\n",
             grid(PUZZLE)[:19] + "5\n" + grid(PUZZLE)[20:], "\n\n", grid(SMALL, 4), "1\n",
             grid(PUZZLE).replace("\n", "\r\n"), "15 2\n7 8459\n8 4795 6\n   5 6\n",
             "..." + grid(PUZZLE)[3:30] + "\n", "1", "\n\n\n\n\n", "by hand\n", "[State]\n"],
    "lists": [nested(PUZZLE) + "\n", nested(OTHER) + ",\n", "[" + nested(PUZZLE) + ", ", "]\n",
              nested(SMALL, 4) + ";\n", "g[9][9] = {{1,2},\n{2,1}};\n", "[1,2,3,4]\n", "'", '"',
              f"{[int(cell) for cell in PUZZLE.replace('.', '0')]}\n", "[[b, '_'], [\"1\", 2]] "],
    "csv": [f"id,puzzle\n1,{PUZZLE}\n", f"1,{OTHER}\n", f"2,{PUZZLE[:-1]}\n", "3\n",
            f'"4","{OTHER}"\r\n', "id,puzzle\n", "\n",
            f"5,{OTHER.replace('.', '0')},more\n", '6,"'],
    "ndjson": [json.dumps(PUZZLE) + "\n", json.dumps({"puzzle": SMALL, "box": "2x2"}) + "\n",
               "nope\n", "{\n", "\n", nested(SMALL, 4) + "\n", json.dumps({"x": 1}) + "\n",
               json.dumps({"puzzle": grid(PUZZLE)}) + "\n"],
    "json": ['["' + SMALL + '"', ', "' + SMALL + '"', ',\n{"puzzle": "' + SMALL + '"}', ", 5",
             ",\n\n" + nested(SMALL, 4), ', {"a, b": [1, {"c": "]"}]}', ' "\\"', "]", "}\n", ", ,",
             ', "unclosed', "\n"],
}  # fmt: skip


@st.composite
def uploads(draw: st.DrawFn, *, names: Collection[str] = tuple(PIECES)) -> tuple[str, bytes]:
    name = draw(st.sampled_from(sorted(names)))
    pieces = draw(st.lists(st.sampled_from(PIECES[name]), max_size=8))
    return name, "".join([PIECES[name][0], *pieces]).encode()


def contents(blocks: Iterable[Block], recognized: Recognized) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for block in blocks:
        records = read_block(
            block,
            format=recognized.format.name,
            context=recognized.context,
            options=ReadOptions(),
        )
        assert len(records) == block.records
        found += flatten(records)
    return found


def flatten(records: Records) -> list[tuple[object, ...]]:
    """Return (line, puzzle or error, note, name) of all records. Check that each occurs once."""
    places: dict[int, object] = dict(records.invalid)
    for group in records.groups:
        for row, givens in zip(group.rows.tolist(), group.givens.tolist(), strict=True):
            assert row not in places
            places[row] = (group.layout.box, group.symbols, tuple(givens))
    assert sorted(places) == list(range(len(records)))
    lines = records.lines.tolist()
    notes, names = records.notes, records.names
    return [(lines[row], places[row], notes.get(row), names.get(row)) for row in range(len(lines))]


def cut(recognized: Recognized, data: bytes, *, feed: int, **bounds: int) -> list[Block]:
    splitter = Splitter(recognized, **bounds)
    blocks: list[Block] = []
    for start in range(0, len(data), feed):
        blocks += splitter.feed(data[start : start + feed])
    return [*blocks, *splitter.close()]


@settings(max_examples=300, deadline=None)
@given(
    upload=uploads(),
    feed=st.integers(1, 400),
    piece_bytes=st.integers(1, 400),
    max_records=st.integers(1, 4),
    growth=st.integers(1, 3),
)
@example(  # blank lines between bands, with two extra ones before the last band
    upload=("grid", (grid(PUZZLE) + banded(PUZZLE)[:62] + "\n\n" + grid(PUZZLE)).encode()),
    feed=1,
    piece_bytes=1,
    max_records=1,
    growth=1,
)
@example(  # text several blank lines below the last grid, with blank lines after it
    upload=("grid", (grid(PUZZLE) + "\n\n\n\nby hand\n\n\n").encode()),
    feed=1,
    piece_bytes=30,
    max_records=1,
    growth=1,
)
@example(  # a long section with other data than puzzles
    upload=("grid", (grid(PUZZLE) + "[State]\n" + grid(OTHER) * 3).encode()),
    feed=1,
    piece_bytes=1,
    max_records=1,
    growth=1,
)
@example(  # two sections with other data below part of a grid
    upload=("grid", (grid(PUZZLE)[:60] + ("[State]\n" + grid(OTHER)) * 2).encode()),
    feed=1,
    piece_bytes=1,
    max_records=1,
    growth=1,
)
@example(  # several lines of text that could be a broken grid above a titled grid
    upload=("grid", (grid(PUZZLE) + PIECES["grid"][15] + "Grid 07\n" + banded(PUZZLE)).encode()),
    feed=1,
    piece_bytes=1,
    max_records=1,
    growth=1,
)
@example(  # the closing rule of a frame above a broken grid
    upload=("grid", (framed(OTHER) + grid(PUZZLE)[:60] + "\n\n").encode()),
    feed=1,
    piece_bytes=60,
    max_records=1,
    growth=1,
)
def test_splitting_an_upload_anywhere_gives_the_same_records(
    upload: tuple[str, bytes], feed: int, piece_bytes: int, max_records: int, growth: int
) -> None:
    name, data = upload
    recognized = recognize(data, final=True, options=ReadOptions(format=name))
    assert isinstance(recognized, Recognized)
    whole = contents(cut(recognized, data, feed=len(data)), recognized)
    bounds = {"piece_bytes": piece_bytes, "max_records": max_records, "growth": growth}
    blocks = cut(recognized, data, feed=feed, **bounds)
    assert all(block.records <= growth * max_records for block in blocks)
    assert contents(blocks, recognized) == whole


@settings(max_examples=300, deadline=None)
@given(
    data=st.one_of(
        st.binary(max_size=300),
        st.text(max_size=300).map(str.encode),
        st.text("123.0 \n[]{},\"'|-+#=abAB:\\", max_size=300).map(str.encode),
        uploads().map(lambda upload: upload[1]),
    ),
    name=st.sampled_from(["auto", *(format_.name for format_ in FORMATS)]),
    final=st.booleans(),
)
@example(data=b'{"puzzle":' * 900, name="ndjson", final=True)
@example(data=b"[" * 5000, name="json", final=True)
@example(data=b"[" * 5000, name="lists", final=True)
def test_every_upload_gets_a_response(data: bytes, name: str, *, final: bool) -> None:
    recognized = recognize(data, final=final, options=ReadOptions(format=name))
    if isinstance(recognized, Unreadable):
        assert recognized.detail
        return
    for bounds in ({}, {"max_records": 1, "max_record_bytes": 50, "piece_bytes": 20}):
        contents(cut(recognized, data, feed=33, **bounds), recognized)


def recognized_as(name: str, data: bytes) -> Recognized:
    recognized = recognize(data, final=True)
    assert isinstance(recognized, Recognized)
    assert recognized.format.name == name
    return recognized


LONG = {
    "line": [PUZZLE + "\n", "1" * 5000 + "\n", OTHER + "\n"],
    "csv": [f"id,puzzle\n1,{PUZZLE}\n", f"2,{'1' * 5000}\n", f"3,{OTHER}\n"],
    "ndjson": [f'"{PUZZLE}"\n', '"' + "1" * 5000 + '"\n', f'"{OTHER}"\n'],
    "json": [f'["{PUZZLE}",', '{"name": "' + "x" * 5000 + '"},', f'"{OTHER}"]'],
    "lists": [nested(PUZZLE) + ";\n", "[[" + "1," * 5000 + "0],\n[1]]\n", nested(OTHER) + "\n"],
    "grid": [grid(PUZZLE) + "\n", "1" * 5000 + "\n\n", grid(OTHER)],
}


@pytest.mark.parametrize("name", sorted(LONG))
@pytest.mark.parametrize("feed", [7, 300, 100_000])
def test_a_record_that_is_too_long_is_reported_and_skipped_in_any_format(
    name: str, feed: int
) -> None:
    before, long, after = (part.encode() for part in LONG[name])
    recognized = recognized_as(name, before + after)
    data = before + long + after
    blocks = cut(recognized, data, feed=feed, max_record_bytes=1000, piece_bytes=256)
    found = contents(blocks, recognized)
    faults = [getattr(record, "detail", None) for _, record, *_ in found]
    assert faults == [None, "the record has more than 1,000 bytes, the limit", None]
    alone = contents(cut(recognized, before + after, feed=feed), recognized)
    assert [found[0][1], found[2][1]] == [alone[0][1], alone[1][1]]


def test_memory_stays_bounded_during_a_long_stream() -> None:
    recognized = recognized_as("line", (PUZZLE + "\n").encode())
    splitter = Splitter(recognized, max_record_bytes=10_000, piece_bytes=4_096)
    for _ in range(100):
        for block in splitter.feed(b"1" * 50_000):
            assert block.fault is not None
        assert len(splitter._buffer) + len(splitter._incoming) < 50_000


def test_blocks_keep_their_bounds() -> None:
    data = (PUZZLE + "\n").encode() * 10_000
    recognized = recognized_as("line", data[:1000])
    blocks = cut(recognized, data, feed=50_000, max_bytes=20_000)
    assert sum(block.records for block in blocks) == 10_000
    assert all(len(block.data) <= 20_000 for block in blocks)
    lines = [block.line for block in blocks]
    assert lines == [1 + sum(block.records for block in blocks[:i]) for i in range(len(blocks))]


def test_blocks_of_long_uploads_grow_to_their_bound() -> None:
    data = (PUZZLE + "\n").encode() * 2_000
    recognized = recognized_as("line", data[:1000])
    blocks = cut(recognized, data, feed=50_000, max_records=10, growth=4)
    sizes = [block.records for block in blocks]
    assert sum(sizes) == 2_000
    assert sizes[:17] == [10] * 17
    assert sizes[:-1] == sorted(sizes[:-1])
    assert sizes[-2] == max(sizes) == 40


THERMO = ".Thermo~R2C1~R2C2~R2C3"


@pytest.mark.parametrize(("cells", "records"), [(16, 4000), (81, 4000), (256, 100), (4096, 2)])
def test_blocks_are_sized_by_the_work_in_them(cells: int, records: int) -> None:
    assert block_records(cells) == records


@pytest.mark.parametrize(
    ("name", "lines", "records"),
    [
        ("line", ["1" + "." * 255], 100),
        ("line", ["." * 81, "1" + "." * 255], 100),
        ("iss", [f".~R1C1_1{THERMO}"], 100),
        ("iss", [".~R1C1_1", ".~R1C1_2", f".~R1C1_3{THERMO}"], 100),
        ("iss", [".~R1C1_1.Diagonal~1"], 4_000),
    ],
)
def test_the_first_puzzles_determine_the_size_of_blocks(
    name: str, lines: list[str], records: int
) -> None:
    data = "".join(f"{line}\n" for line in lines * 30).encode()
    assert recognized_as(name, data).block_records == records
