"""Parsing many records in bulk gives the same result as parsing them one by one."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paths import DATA

from solver.board.puzzle import Invalid
from solver.formats import FORMATS, read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized, Unreadable
from solver.formats.grids import brackets, grid
from solver.formats.grids.regular_reading import read_regular
from solver.formats.grids.regular_segments import segment_regular
from solver.formats.reading import bulk

EMPTY_SQUARE = "\u2b1c"
LABELS = "aabb\naabb\nccdd\nccdd\n"
SMALL = "12.4\n...2\n....\n4..1\n"
MIXED = [
    "# A\n#B\nGrid 1\n" + SMALL + "# C\n\n" + SMALL + "#D\n#\n" + SMALL,
    "#E\n" * 25 + SMALL + "#F\n" * 3 + SMALL,
    "\n".join([SMALL, LABELS, SMALL, SMALL]),
    "\n".join([SMALL, LABELS, SMALL, SMALL]).replace(".", EMPTY_SQUARE),
    "\n".join(["12 .4\n.. .2\n\n.. ..\n4. .1\n"] * 3 + ["1 2.4\n. ..2\n. ...\n4 ..1\n"] * 2),
]
UPLOADS = [
    *(text.encode() for text in MIXED),
    *(
        path.read_bytes()
        for path in sorted((DATA / "uploads").iterdir())
        if path.suffix not in (".gz", ".zst", ".zip")
    ),
]
EXAMPLES = [format_.example.encode() for format_ in FORMATS]
# The words of the last line are cells only up to the # of a name.
NAMED_WORDS = b"red blue . green\n. . . blue\n. . . .\ngreen . . #red\n"
BROKEN = [
    line.split(" => ")[0].replace("\\n", "\n").encode()
    for path in sorted((DATA / "broken").iterdir())
    for line in path.read_text().splitlines()[1:]
]


def read(data: bytes, options: ReadOptions) -> Any:
    recognized = recognize(data, final=True, options=options)
    if isinstance(recognized, Unreadable):
        return recognized
    return recognized.format.name, records(data, recognized, options)


def records(data: bytes, recognized: Recognized, options: ReadOptions) -> list[Any]:
    name, context = recognized.format.name, recognized.context
    found = read_block(Block(data, 0, 1), format=name, context=context, options=options)
    rows: dict[int, Any] = dict(found.invalid)
    for group in found.groups:
        for row, givens in zip(group.rows.tolist(), group.givens.tolist(), strict=True):
            rows[row] = (group.layout, group.symbols, givens)
    return [
        (line, rows[row], found.notes.get(row), found.names.get(row))
        for row, line in enumerate(found.lines.tolist())
    ]


@pytest.fixture(autouse=True)
def _nothing_read_before() -> None:
    """Clear the bulk parser's cache, whose layouts may no longer be cached elsewhere."""
    bulk._read_characters.cache_clear()


@pytest.fixture
def one_by_one() -> Any:
    """Return a function that disables the bulk parser until `undo` of its result is called."""

    def disable() -> pytest.MonkeyPatch:
        patch = pytest.MonkeyPatch()
        patch.setattr(bulk, "_read_characters", lambda *_: None)
        patch.setattr(bulk.Bulk, "add_numbers", lambda *_: None)
        patch.setattr(grid, "segment_regular", lambda *_, **__: None)
        patch.setattr(brackets, "_cut_regular", lambda *_, **__: None)
        return patch

    return disable


PLAIN = ReadOptions()
OPTIONS = [
    PLAIN,
    ReadOptions(blank="0"),
    ReadOptions(symbols=tuple("987654321")),
    ReadOptions(box=(3, 3)),
    ReadOptions(variant=("diagonal",)),
]


@pytest.mark.parametrize("data", [*UPLOADS, *EXAMPLES, *BROKEN, NAMED_WORDS * 2])
@pytest.mark.parametrize("options", OPTIONS)
def test_known_texts_are_read_alike(data: bytes, options: ReadOptions, one_by_one: Any) -> None:
    for text in (data, data * 3, data.replace(b"\n", b"\r\n")):
        at_once = read(text, options)
        patch = one_by_one()
        try:
            assert read(text, options) == at_once
        finally:
            patch.undo()


@pytest.mark.parametrize("name", ["hex.16.txt", "pictures.txt", "sudocue.sdk"])
@pytest.mark.parametrize("gap", [b"", b"\n"])
def test_gaps_pictures_and_comments_above_do_not_slow_grids_down(name: str, gap: bytes) -> None:
    record = (DATA / "uploads" / name).read_bytes().rstrip(b"\n") + b"\n"
    data = (record + gap) * 20
    recognized = recognize(data, final=True, options=PLAIN)
    assert isinstance(recognized, Recognized)
    assert recognized.format.name == "grid"
    segments = segment_regular(data, line=1, final=False)
    assert segments is not None
    assert len(segments) >= 18  # the last grid may continue in the next piece
    left = read_regular(data, segments, PLAIN)[0].left
    assert not left.any()


@pytest.mark.parametrize("between", [b"", b" "])
def test_jigsaw_with_an_unusual_blank_keeps_the_note_on_it(between: bytes) -> None:
    data = b"12~4~~~2~~~~4~~1" + between + b"aabbaabbccddccdd\n"
    _, [(_, _, note, _)] = read(data, ReadOptions(format="jigsaw"))
    assert note == "read with ~ as the empty cell"


CHANGES = [b"", b" ", b"\n", b"\n\n", b",", b"|", b"0", b"5", b"12", b"x", b"#", b"-", b"[", b"]",
           b"Grid 7\n", b"---+---\n", b".", b"A", b"\r\n", b"# a\n"]  # fmt: skip


@given(
    data=st.sampled_from([*UPLOADS, *EXAMPLES]),
    changes=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 4), st.sampled_from(CHANGES)),
        min_size=1,
        max_size=4,
    ),
    times=st.integers(1, 3),
)
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_changed_texts_are_read_alike(
    data: bytes, changes: list[tuple[float, int, bytes]], times: int, one_by_one: Any
) -> None:
    text = bytearray(data * times)
    for place, length, new in changes:
        start = int(place * len(text))
        text[start : start + length] = new
    at_once = read(bytes(text), PLAIN)
    patch = one_by_one()
    try:
        assert read(bytes(text), PLAIN) == at_once
    finally:
        patch.undo()


def test_invalid_records_are_compared_too() -> None:
    found = read(b"1" * 80 + b"\n" + b"1" * 81, PLAIN)[1]
    assert isinstance(found[0][1], Invalid)
    assert not isinstance(found[1][1], Invalid)
