import gzip
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DATA

from solver import Invalid, Outcome, Puzzle, parse, solve
from solver.formats import FORMATS, Splitter, read_block, recognize
from solver.formats.format import Block, Format, ReadOptions, Recognized, Records, Unreadable

OPTIONS = ReadOptions()


def cases(name: str) -> list[tuple[str, str]]:
    lines = (DATA / name).read_text().splitlines()
    pairs = [line.split(" => ") for line in lines if not line.startswith("#")]
    return [(left.replace("\\n", "\n").replace("\\t", "\t"), right) for left, right in pairs]


@pytest.mark.parametrize(("record", "expected"), cases("readings.txt"))
def test_record_is_read_as_written(record: str, expected: str) -> None:
    (puzzle,) = parse(record)
    assert isinstance(puzzle, Puzzle)
    box = "x".join(map(str, puzzle.layout.box))
    symbols = "".join(puzzle.symbols.values)
    assert f"{puzzle.layout.size} {box} {symbols} {puzzle}" == expected


@pytest.mark.parametrize(("record", "message"), cases("bad_records.txt"))
def test_bad_record_gets_its_message(record: str, message: str) -> None:
    (found,) = parse(record)
    assert isinstance(found, Invalid)
    assert found.detail == message


@pytest.mark.parametrize(("text", "expected"), cases("pastes.txt"))
def test_pasted_text_holds_its_puzzles(text: str, expected: str) -> None:
    found = [it.detail if isinstance(it, Invalid) else str(it) for it in parse(text)]
    assert " | ".join(found) == expected


@pytest.mark.parametrize("format_", FORMATS, ids=lambda f: f.name)
def test_example_is_recognized_and_solved(format_: Format) -> None:
    recognized = recognize(format_.example.encode(), final=True)
    assert isinstance(recognized, Recognized)
    assert recognized.format is format_
    for puzzle in parse(format_.example):
        assert isinstance(puzzle, Puzzle)
        assert solve(puzzle).outcome is Outcome.SOLVED


ORIGINS = [
    line.split("|") for line in (DATA / "origins" / "answers.txt").read_text().splitlines()[1:]
]


@pytest.mark.parametrize(("name", "answer"), ORIGINS)
@pytest.mark.parametrize("indent", ["", "    "])
def test_text_from_each_program_is_read_with_any_indentation(
    name: str, answer: str, indent: str
) -> None:
    text = (DATA / "origins" / name).read_text()
    result = solve("".join(indent + line for line in text.splitlines(keepends=True)))
    said = result.detail or "".join(map(str, result.solution or ()))
    assert said == answer


@pytest.mark.parametrize(
    ("head", "detail"),
    [
        (b"", "the input is empty; expected at least one puzzle"),
        (b" \r\n\n", "the input is empty; expected at least one puzzle"),
        (b"\xff\xfe1\x002\x00", "this is UTF-16; save it as UTF-8"),
        ("12.4\n...2\n".encode("utf-16-le"), "this is UTF-16; save it as UTF-8"),
        ("12.4\n...2\n".encode("utf-16-be"), "this is UTF-16; save it as UTF-8"),
        ("1•••".encode("cp1252"), "this text isn't in UTF-8; save it as UTF-8"),
        (
            b"12\n\x00\x01",
            "this isn't text, because it contains a zero byte; send text, JSON, or CSV",
        ),
        (
            b"# only a comment\n",
            "the input contains only blank lines and comments; expected a puzzle",
        ),
        (
            b"Dear all,\nhere it is.\n",
            "No puzzle format matches. The input begins with 'Dear all,'. Compare it with "
            "the examples of the formats, at /api/v1/formats or in the documentation.",
        ),
    ],
)
def test_upload_that_cannot_be_read_is_refused_with_the_reason(head: bytes, detail: str) -> None:
    found = recognize(head, final=True)
    assert isinstance(found, Unreadable)
    assert found.detail == detail


def test_unknown_format_and_variant_are_refused_by_name() -> None:
    for options in (ReadOptions(format="nope"), ReadOptions(variant=("nope",))):
        found = recognize(b"12.4...2....4..1\n", final=True, options=options)
        assert isinstance(found, Unreadable)
        assert "'nope'" in found.detail


@pytest.mark.parametrize("variant", ["diagonal,antiknight", ("diagonal", "antiknight")])
def test_variants_are_a_tuple_or_a_text_with_commas(variant: str | tuple[str, ...]) -> None:
    (found,) = parse("." * 81, variant=variant)
    assert isinstance(found, Puzzle)
    assert [house.name for house in found.layout.houses[27:]] == ["diagonal 1", "diagonal 2"]
    assert found.layout.links
    assert repr(found.layout) == "<Layout 9×9, 29 houses>"


def test_byte_order_mark_and_carriage_returns_are_no_cells() -> None:
    found = parse(b"\xef\xbb\xbf12.4...2....4..1\r\n\r\n1...............\r\n")
    assert [str(puzzle) for puzzle in found] == ["12.4...2....4..1", "1..............."]


def test_reading_that_was_chosen_is_noted() -> None:
    text = ("1" + "." * 255 + "\n").encode()
    block = Block(text, 1, 1)
    records = read_block(block, format="line", context={}, options=OPTIONS)
    assert records.notes == {0: "read with the symbols 1-9, A-G"}


def test_sixteen_wide_boards_are_read_in_all_notations(public_data: Path) -> None:
    expected = {"test1.0f": "0F", "test2.16": ("1", "16"), "test4.1g": "1G", "test6.1g": "1G"}
    for name, ends in expected.items():
        found = parse((public_data / "large" / name).read_bytes())
        for puzzle in found:
            assert isinstance(puzzle, Puzzle)
            assert (puzzle.symbols.values[0], puzzle.symbols.values[-1]) == tuple(ends)


def test_project_euler_digits_add_up(public_data: Path) -> None:
    found = parse((public_data / "classic" / "project-euler-96.txt").read_bytes())
    total = 0
    for puzzle in found:
        assert isinstance(puzzle, Puzzle)
        solution = solve(puzzle).solution
        assert solution is not None
        total += int("".join(map(str, solution[:3])))
    assert (len(found), total) == (50, 24702)


def flat(records: list[Records]) -> list[tuple[int, str]]:
    """Return (line, givens or message) of every record, in order."""
    found: list[tuple[int, str]] = []
    for part in records:
        said = [""] * len(part)
        for row, invalid in part.invalid.items():
            said[row] = invalid.detail
        for group in part.groups:
            texts = group.symbols.write_many(group.givens).split()
            for row, text in zip(group.rows, texts, strict=True):
                said[row] = text
        found += zip(part.lines.tolist(), said, strict=True)
    return found


@given(
    st.binary(max_size=400)
    | st.text('0123456789.[](){},"\n |-+#aG\t', max_size=400).map(str.encode)
)
@settings(max_examples=300, deadline=None)
def test_no_text_at_all_makes_a_parser_fail(data: bytes) -> None:
    for format_ in FORMATS:
        context = format_.recognize(data, final=True, options=OPTIONS)
        if context is not None and not isinstance(context, Unreadable):
            segments = format_.segment(data, line=1, final=True, context=context)
            records = format_.parse(data, segments, context=context, options=OPTIONS)
            assert len(records) == len(segments)
            known = sorted([r for g in records.groups for r in g.rows] + list(records.invalid))
            assert known == list(range(len(records)))
    parse(data)


@pytest.mark.parametrize("name", ["line", "grid", "lists", "ndjson", "csv", "json"])
def test_record_of_ten_megabytes_costs_its_neighbors_nothing(name: str) -> None:
    format_ = next(f for f in FORMATS if f.name == name)
    good = format_.example.encode()
    ones = b"1" * 10_000_000
    huge = {
        "line": ones,
        "grid": ones,
        "ndjson": b'"' + ones,
        "csv": b"1," + ones,
        "lists": b"[" + b"1," * 5_000_000 + b"]",
        "json": b'{"puzzle": "' + ones + b'"}',
    }[name]
    recognized = recognize(good, final=True)
    assert isinstance(recognized, Recognized)
    if name == "json":
        stream = b'["12.4...2....4..1",\n' + huge + b",\n" + b'"12.4...2....4..1"]\n'
    else:
        stream = good + huge + b"\n\n" + good.removeprefix(b"id,puzzle\n")
    splitter = Splitter(recognized)
    blocks: list[Block] = []
    for start in range(0, len(stream), 100_000):
        blocks += splitter.feed(stream[start : start + 100_000])
        assert len(splitter._buffer) <= (1 << 21) + 200_000
    blocks += splitter.close()
    faults = [block for block in blocks if block.fault is not None]
    assert len(faults) == 1
    assert "1,048,576 bytes" in str(faults[0].fault)
    puzzles = flat(
        [read_block(b, format=name, context=recognized.context, options=OPTIONS) for b in blocks]
    )
    assert puzzles[0][1] == puzzles[-1][1] or puzzles[0][1][:3] == puzzles[-2][1][:3]


def test_reading_formats_brings_no_engine(python: str) -> None:
    code = "import sys, solver, solver.formats, web; sys.exit('numba' in sys.modules)"
    assert subprocess.run([python, "-c", code], check=False).returncode == 0


def test_nothing_is_read_from_packed_bytes() -> None:
    assert isinstance(recognize(gzip.compress(b"1"), final=True), Unreadable)


def test_plain_lines_are_read_alike_fast_and_slow() -> None:
    rng = np.random.default_rng(1)
    lines = ["".join(rng.choice(list("123456789....."), 81)) for _ in range(50)]
    fast = parse("\n".join(lines))
    slow = parse("\n".join(lines), symbols="123456789")
    assert [str(p) for p in fast] == [str(p) for p in slow] == lines


def test_blocks_are_large_even_where_the_first_records_are_bad() -> None:
    good = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
    recognized = recognize(("xx\n" * 25 + good * 60).encode(), final=True)
    assert isinstance(recognized, Recognized)
    assert recognized.block_records == 4_000


def test_small_boards_one_a_line_are_no_large_grid() -> None:
    assert {len(p.givens) for p in parse("12.4...2....4..1\n" * 120) if isinstance(p, Puzzle)} == {
        16
    }


@pytest.mark.parametrize("comment", [" b", "\tx", " 3", ", 7", " b # c"])
def test_comment_does_not_complete_a_line_that_is_too_short(comment: str) -> None:
    whole = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    for count in (1, 5):
        found = parse(f"{whole[:-1]}{comment}\n" * count)
        assert [each.detail for each in found if isinstance(each, Invalid)] == [
            "80 characters, expected 81 (or another square number)"
        ] * count
    assert str(parse(f"{whole[:40]} {whole[40:]}\n")[0]) == whole


@pytest.mark.parametrize("mark", "[{")
def test_bracket_alone_is_no_puzzle(mark: str) -> None:
    assert all(isinstance(each, Invalid) for each in parse(f"{mark}\n"))


@pytest.mark.parametrize("sizes", [
    *([4] * count for count in range(1, 12)),
    *([6] * count for count in range(1, 8)),
    [9] * 5, [4, 4, 4, 4, 6], [6, 4, 4, 4, 4], [4, 6] * 4, [9, 4, 4, 4, 4], [6] * 6 + [4] * 9,
])  # fmt: skip
def test_lines_that_make_no_grid_together_are_one_puzzle_each(sizes: list[int]) -> None:
    lines = {
        4: "12.4...2....4..1",
        6: "1.3...6....24..5...2.1..3......5.6..",
        9: "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    }
    found = parse("\n".join(lines[size] for size in sizes) + "\n")
    assert [str(puzzle) for puzzle in found] == [lines[size] for size in sizes]


@pytest.mark.parametrize(
    "link",
    [
        "https://www.sudokuwiki.org/sudoku.htm?bd={}",
        "https://www.sudokuwiki.org/Sudoku.htm?lang=en&bd={}",
        "https://sudokuexchange.com/play/?s={}&d=4",
        "number 7: http://sudokuexchange.com/play/?s={} # the hard one",
    ],
)
def test_links_are_read_for_the_puzzle_in_them(link: str) -> None:
    puzzle = "000004028406000005100030600000301000087000140000709000002010003900000507670400000"
    lines = f"{link.format(puzzle)}\n" * 2
    assert isinstance(recognize(lines.encode(), final=True), Recognized)
    assert [str(found) for found in parse(lines)] == [puzzle] * 2
    broken = parse(link.format(puzzle[:-1]), format="line")[0]
    assert isinstance(broken, Invalid)


@settings(max_examples=200, deadline=None)
@given(st.text("0123456789.", min_size=81, max_size=81))
def test_text_that_is_one_puzzle_is_read_at_once_as_it_is_in_a_line(text: str) -> None:
    assert parse(text) == parse(text + "\n") == parse(text.encode())
    assert parse(text, format="line") == parse(text + "\n", format="line")
    assert parse(text, format="grid") == parse(text + "\n", format="grid")
