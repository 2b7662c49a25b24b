"""Boards are stored with the results and shown on pages, in downloads, and at terminals."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import pytest
import zstandard
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Puzzle, parse
from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.engines.engine import GO_ON
from solver.formats import recognize
from solver.formats.format import Block, Recognized
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS
from web.commands.cli import main
from web.results.writers import WRITERS, select
from worker.job import JobOptions
from worker.process.chunk_runner import ChunkRunner
from worker.process.solve_block import BlockSolver, parse_block
from worker.records.boards import StoredBoard, pack_board, unpack_board
from worker.records.chunk_result import ChunkResult
from worker.service import Service
from worker.store.serialization import pack, unpack_result

FOUR = "12.4...2....4..1"
JIGSAW = "aaabcabbccdbcddd"
BLANK_6X8 = {"shape": "6x8", "size": 8, "givens": "12345678" + "." * 40}
BOX_3X2 = {"puzzle": "." * 36, "box": "3x2"}
BLANK_JIGSAW = {"puzzle": "." * 16, "regions": JIGSAW}
FROM_0 = {"shape": "4x4", "size": 4, "lowest": 0, "givens": "0123" + "." * 12}
WORDS = {"puzzle": ["red", "green", "blue", "white"] + ["."] * 12,
         "symbols": ["red", "green", "blue", "white"]}  # fmt: skip
SAMURAI = {"grids": ["r1c1", "r1c13", "r7c7", "r13c1", "r13c13"], "givens": "." * 441}
KILLER = {
    "puzzle": FOUR,
    "constraints": [{"type": "killer", "cells": ["r1c3", "r2c3"], "sum": 4}],
}
EVERY_KIND = [BLANK_6X8, BOX_3X2, BLANK_JIGSAW, FROM_0, WORDS, SAMURAI, KILLER]


def read(record: object) -> Puzzle:
    (puzzle,) = parse(json.dumps(record), format="ndjson")
    assert isinstance(puzzle, Puzzle), puzzle
    return puzzle


def solve(text: str, **options: Any) -> ChunkResult:
    """Solve an upload and return its result as it is read back from the store."""
    solver, records = block_solver(text, **options)
    result = solver.solve(0, records, flag=np.full(1, GO_ON, np.uint8))
    return unpack_result(pack(result))


def block_solver(text: str, **options: Any) -> tuple[BlockSolver, int]:
    recognized = recognize(text.encode(), final=True)
    assert isinstance(recognized, Recognized)
    records = text.count("\n")
    solver = parse_block(
        Block(text.encode(), records, 1),
        format=recognized.format.name,
        context=recognized.context,
        options=JobOptions(limit=1, **options),
    )
    return solver, records


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def upload(http: Any, service: Service, text: str, **query: str) -> str:
    """Upload puzzles, solve those of the first chunk, and return the path of the job's page."""
    answer = http.post("/api/v1/jobs", data=text, query_string=query, content_type="text/plain")
    ChunkRunner(service, worker="here").run(answer.json["id"], 0)
    return f"/jobs/{answer.json['id']}"


def back(layout: Layout, symbols: Symbols) -> StoredBoard:
    """Return a board after a round trip through the store's format."""
    packed = pack_board(layout, symbols)
    board = None if packed is None else unpack_board(packed)
    assert board is not None
    return board


def assert_same(layout: Layout, other: Layout) -> None:
    for name in ("size", "box", "houses", "links", "constraints", "shape", "holes", "lowest"):
        assert getattr(other, name) == getattr(layout, name), name


@pytest.mark.parametrize("record", EVERY_KIND, ids=str)
def test_board_is_read_back_as_it_was(record: object) -> None:
    puzzle = read(record)
    board = back(puzzle.layout, puzzle.symbols)
    assert_same(puzzle.layout, board.layout)
    assert board.symbols == puzzle.symbols


@pytest.mark.parametrize("name", [*RULES, *VARIANTS])
def test_board_with_any_rule_is_read_back(name: str) -> None:
    constraint = json.loads(RULES[name].example) if name in RULES else {"type": name}
    shape: dict[str, object] = {"puzzle": "." * 81}
    if name == "doppelganger":
        shape = {"shape": "9x9", "size": 10, "lowest": 0, "box": "3x3"}
    if name == "chaosconstruction":
        shape = {"shape": "2x2", "variables": constraint["cells"]}
    puzzle = read(shape | {"constraints": [constraint]})
    board = back(puzzle.layout, puzzle.symbols)
    assert_same(puzzle.layout, board.layout)


def test_names_of_rules_are_unambiguous() -> None:
    assert RULES.keys().isdisjoint(rule.name for rule in EVERYWHERE_RULES)


@given(st.integers(1, 8), st.integers(1, 8))
def test_plain_board_is_read_back_as_the_same_object_and_is_short(rows: int, columns: int) -> None:
    layout = Layout.boxed(rows, columns)
    symbols = Symbols.usual(layout.size)
    assert back(layout, symbols).layout is layout
    assert len(pack_board(layout, symbols) or b"") < 60 + 3 * layout.size


_WORDS = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=4)


@given(st.lists(_WORDS, min_size=2, max_size=10, unique=True), st.data())
@settings(deadline=None)
def test_boards_with_any_symbols_are_read_again(words: list[str], data: st.DataObject) -> None:
    symbols = Symbols(tuple(words[1:]), words[0])
    cells = data.draw(st.lists(st.integers(0, len(words) - 1), min_size=1))
    assert symbols.read(symbols.write(cells)) == tuple(cells)


def test_board_with_a_rule_of_another_version_is_ignored() -> None:
    layout = read(KILLER).layout
    packed = pack_board(layout, Symbols.usual(4))
    assert packed is not None
    assert unpack_board(packed.replace(b"killer", b"future")) is None


def test_huge_board_is_not_stored() -> None:
    cells = [f"r{row}c{column}" for row in range(1, 31) for column in range(1, 31)]
    groups = [{"type": "different", "cells": cells[n : n + 29]} for n in range(170)]
    record = {"shape": "30x30", "size": 30, "givens": [None] * 900, "constraints": groups}
    puzzle = read(record)
    assert pack_board(puzzle.layout, puzzle.symbols) is None
    solver, _ = block_solver(lines(record, BLANK_JIGSAW), step_limit=0)
    result = solver.solve(0, 2, flag=np.full(1, GO_ON, np.uint8))
    assert [board is None for board in result.boards()] == [True, False]
    assert solver.give_up(0, detail="died").boards() == [None]


def test_each_record_of_a_mixed_chunk_has_its_board() -> None:
    records = [BLANK_6X8, BOX_3X2, {"puzzle": "??"}, BLANK_JIGSAW, FROM_0, WORDS] * 3
    result = solve(lines(*records), step_limit=100)
    assert len(result.kinds) == 5
    boards = result.boards()
    for record, board in zip(records, boards, strict=True):
        if record == {"puzzle": "??"}:
            assert board is None
        else:
            assert board is not None
            assert_same(read(record).layout, board.layout)
    for start in range(len(records)):
        assert result.slice(start, start + 4).boards() == boards[start : start + 4]


def test_solution_of_any_board_is_read_back_by_its_board() -> None:
    result = solve(lines(*EVERY_KIND), step_limit=10_000)
    rows = zip(result.boards(), result.puzzles.split(), result.solutions.split(),
               EVERY_KIND, strict=True)  # fmt: skip
    for board, puzzle, solution, record in rows:
        assert board is not None
        givens, solved = board.read(puzzle), board.read(solution)
        assert givens == read(record).givens
        assert solved is not None
        for house in board.layout.houses:
            assert len({solved[cell] for cell in house.cells}) == len(house.cells)


def test_record_that_was_given_up_keeps_its_board() -> None:
    solver, _ = block_solver(lines(BLANK_JIGSAW, {"puzzle": "??"}))
    (board,) = solver.give_up(0, detail="died").boards()
    assert board is not None
    assert_same(read(BLANK_JIGSAW).layout, board.layout)
    assert solver.give_up(1, detail="died").boards() == [None]


def test_results_of_a_version_without_boards_are_shown_as_text(http: Any, service: Service) -> None:
    blob = {"lines": np.ones(1, "<i8").tobytes(), "outcomes": b"\0", "counts": b"\1" + bytes(7),
            "steps": bytes(8), "puzzles": FOUR, "solutions": "1234341221434321"}  # fmt: skip
    packed = zstandard.ZstdCompressor().compress(msgspec.msgpack.encode(blob))
    old = unpack_result(packed)
    job_id = service.jobs.create(
        name="old", options=JobOptions(), format="line", context={}, client="me"
    )
    service.jobs.add_chunk(job_id, Block(b"x\n", 1, 1))
    service.jobs.seal(job_id)
    service.chunks.acquire(job_id, 0, holder="me")
    service.chunks.commit(job_id, 0, done=0, total=1, result=old)
    assert FOUR in http.get(f"/jobs/{job_id}?n=1").text
    assert FOUR in http.get(f"/jobs/{job_id}/puzzles/1").text
    row = http.get(f"/api/v1/jobs/{job_id}/puzzles/1").json
    assert (row["solution"], row["grid"]) == ("1234341221434321", None)
    for name in WRITERS.keys() - {"sdm", "xlsx", "parquet"}:  # puzzles alone, and binary
        answer = http.get(f"/api/v1/jobs/{job_id}/results?format={name}")
        assert "1234341221434321" in answer.text


def shown(http: Any, path: str, number: int) -> dict[str, Any]:
    row: dict[str, Any] = http.get(f"/api/v1{path}/puzzles/{number}").json
    return row


def shape(rows: Sequence[Sequence[object]]) -> tuple[int, set[int]]:
    return len(rows), {len(row) for row in rows}


def test_6x8_is_6_rows_of_8_everywhere(http: Any, service: Service) -> None:
    path = upload(http, service, lines(BLANK_6X8), limit="1")
    row = shown(http, path, 1)
    assert (row["size"], row["box"]) == (8, "2x4")
    for member in ("grid", "solution_grid", "candidates"):
        assert shape(row[member]) == (6, {8})
    assert row["grid"][0] == list("12345678")
    title, *grid, blank = http.get(f"/api/v1{path}/results?format=grid").text.splitlines()
    assert (title, blank) == ("# 1", "")
    assert [list(line) for line in grid] == row["solution_grid"]
    for page in (http.get(f"{path}?n=1").text, http.get(f"{path}/puzzles/1").text):
        assert "<svg" in page
        assert "6×8" in page


def test_holes_of_a_samurai_are_blank(http: Any, service: Service) -> None:
    path = upload(http, service, lines(SAMURAI), limit="1")
    row = shown(http, path, 1)
    assert shape(row["solution_grid"]) == (21, {21})
    assert row["box"] == "3x3"
    holes = read(SAMURAI).layout.holes
    for cell in range(441):
        hole = cell in holes
        assert (row["solution_grid"][cell // 21][cell % 21] is None) == hole
        assert (row["candidates"][cell // 21][cell % 21] == []) == hole
    _, *grid, _ = http.get(f"/api/v1{path}/results?format=grid").text.splitlines()
    assert ["".join(cell or " " for cell in line).rstrip() for line in row["solution_grid"]] == grid
    assert "<svg" in http.get(f"{path}?n=1").text


def test_words_stay_in_their_columns_next_to_holes() -> None:
    record = {"grids": ["r1c1", "r3c3"], "box": "2x2", "givens": [None] * 36,
              "symbols": ["a", "bb", "ccc", "dd"]}  # fmt: skip
    txt = CliRunner().invoke(main, ["solve", "-", "--output", "txt"], input=lines(record))
    solution = txt.stdout.split()
    assert len(solution) == 36
    pages = select([(1, solve(lines(record)))], limit=1)
    grid = b"".join(WRITERS["grid"].write(pages, JobOptions())).decode().splitlines()[1:-1]
    for row, line in enumerate(grid):
        cells = [line[4 * column : 4 * column + 3].strip() for column in range(6)]
        assert cells == [c.replace(".", "") for c in solution[6 * row : 6 * row + 6]]


def test_record_can_have_its_own_box(http: Any, service: Service) -> None:
    row = shown(http, upload(http, service, lines(BOX_3X2), limit="1"), 1)
    assert row["box"] == "3x2"
    grid = row["solution_grid"]
    for top in (0, 3):
        for left in (0, 2, 4):
            assert len({grid[top + i][left + j] for i in range(3) for j in range(2)}) == 6


def test_any_puzzle_can_be_sent_again_for_its_solutions(http: Any, service: Service) -> None:
    marked = {"shape": "4x4", "candidates": {"r1c1": [1, 2]}}
    records: list[object] = [{"givens": "." * 16}, BOX_3X2, marked, FROM_0, BLANK_6X8]
    path = upload(http, service, lines(*records), limit="2")
    pages = [http.get(f"{path}/puzzles/{number}").text for number in range(1, 6)]
    assert ["Show where the solutions differ" in page for page in pages] == [True] * 5
    path = upload(http, service, lines(BOX_3X2), limit="2", box="3x2")
    assert "Show where the solutions differ" in http.get(f"{path}/puzzles/1").text


def test_page_of_cells_in_no_region_is_shown(http: Any, service: Service) -> None:
    record = {"shape": "4x4", "regions": "aabbaabb........"}
    path = upload(http, service, lines(record), limit="1")
    assert "<svg" in http.get(f"{path}/puzzles/1").text


def test_jigsaw_has_no_boxes(http: Any, service: Service) -> None:
    row = shown(http, upload(http, service, lines(BLANK_JIGSAW), limit="1"), 1)
    assert row["box"] is None
    solution = "".join(symbol for line in row["solution_grid"] for symbol in line)
    for label in "abcd":
        assert len({s for s, region in zip(solution, JIGSAW, strict=True) if region == label}) == 4


def test_symbols_are_those_of_the_record(http: Any, service: Service) -> None:
    path = upload(http, service, lines(WORDS, FROM_0), limit="1")
    words, from_0 = shown(http, path, 1), shown(http, path, 2)
    assert words["grid"][0] == ["red", "green", "blue", "white"]
    assert words["candidates"][1][0] == ["blue", "white"]
    assert from_0["grid"][0] == ["0", "1", "2", "3"]
    assert from_0["candidates"][1][0] == ["2", "3"]
    grids = http.get(f"/api/v1{path}/results?format=grid").text
    assert "# 1\nred green blue white\n" in grids
    assert "# 2\n0123\n" in grids


def test_candidates_follow_the_links_of_a_variant(http: Any, service: Service) -> None:
    puzzle = "5" + "." * 39 + "7" + "." * 40  # r1c1, r5c5
    path = upload(http, service, puzzle + "\n", variant="antiknight", limit="1")
    rows = shown(http, path, 1)["candidates"]
    knight = {(1, 2), (2, 1)}
    for value, (row, column) in (("5", (0, 0)), ("7", (4, 4))):
        for cell in range(81):
            down, right = abs(cell // 9 - row), abs(cell % 9 - column)
            same_box = cell // 27 == row // 3 and cell % 9 // 3 == column // 3
            seen = not down or not right or same_box or (down, right) in knight
            if cell not in (0, 40):
                assert (value in rows[cell // 9][cell % 9]) == (not seen)


def test_candidates_are_among_those_of_the_upload(http: Any, service: Service) -> None:
    marked = {"shape": "4x4", "givens": FOUR, "candidates": {"r2c2": [1, 4], "r3c2": [1, 2, 3]}}
    path = upload(http, service, lines(KILLER, marked), limit="1")
    plain, left = (shown(http, path, number)["candidates"] for number in (1, 2))
    assert (plain[1][1], left[1][1]) == (["3", "4"], ["4"])
    assert plain[2][1] == ["1", "3"]
    assert plain[2:] == left[2:]


@pytest.mark.parametrize(
    ("record", "drawn"),
    [
        (
            BLANK_JIGSAW | {"puzzle": "1" * 2 + "." * 14},
            ["1   1   . | .", "--+   +---+", ". | . | .   ."],
        ),
        (FROM_0, ["0 1 | 2 3", ". . | . ."]),
        (
            {"grids": ["r1c1", "r3c3"], "box": "2x2", "givens": "1" * 36},
            ["1 1 | 1 1", "1 1 | 1 1", "----+-----+", "1 1 | 1 1 | 1 1"],
        ),
    ],
)
def test_terminal_shows_regions_and_holes(record: dict[str, object], drawn: list[str]) -> None:
    shown = CliRunner().invoke(main, ["solve", "-", "--step-limit", "0"], input=lines(record))
    assert shown.stdout.splitlines()[: len(drawn)] == drawn
