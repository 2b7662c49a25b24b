import json
from pathlib import Path

import numpy as np
import pytest
from naive import solutions

from solver import Invalid, Layout, Outcome, Puzzle, parse, solve, solve_many
from solver.formats import recognize
from solver.formats.format import Recognized
from solver.formats.grids.jigsaw import JigsawFormat
from solver.rules.regions import read_regions, with_regions

SOLUTION = "364891527189374265542168739625719843213987456937456182876523914498235671751642398"
FOURS = "1112122234443334"
BOXES = "111222333111222333111222333444555666444555666444555666777888999777888999777888999"


def test_jigsaw_is_recognized_and_solved() -> None:
    found = recognize(JigsawFormat.example.encode(), final=True)
    assert isinstance(found, Recognized)
    assert found.format.name == "jigsaw"
    result = solve(JigsawFormat.example)
    assert "".join(map(str, result.solution or ())) == SOLUTION
    assert result.unique


def test_regions_that_equal_the_boxes_give_the_classic_layout() -> None:
    givens = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
    assert solve(f"{givens} {BOXES}").solution == solve(givens).solution


def test_variants_can_be_combined_with_regions_that_equal_the_boxes() -> None:
    boxes = "1122112233443344"
    diagonals = parse(f"{'.' * 16} {boxes}", format="jigsaw", variant=("diagonal",))[0]
    plain = parse(f"{'.' * 16} {boxes}", format="jigsaw")[0]
    assert isinstance(diagonals, Puzzle)
    assert isinstance(plain, Puzzle)
    assert (solve(diagonals, limit=300).solutions, solve(plain, limit=300).solutions) == (48, 288)


def test_small_jigsaws_have_exactly_the_solutions_that_the_rules_allow() -> None:
    layout = with_regions(Layout.boxed(1, 4), tuple(FOURS))
    assert isinstance(layout, Layout)
    batch = solve_many(np.zeros((1, 16), np.uint8), layout=layout, limit=600)
    latin = solutions([0] * 16, (1, 4))
    expected = {
        tuple(grid)
        for grid in latin
        if all(len({grid[i] for i in range(16) if FOURS[i] == k}) == 4 for k in "1234")
    }
    assert batch.listed is not None
    assert {tuple(grid) for grid in batch.listed[0].tolist()} == expected


@pytest.mark.parametrize(
    ("record", "detail"),
    [
        ({"regions": BOXES[:-1]}, "'regions' has 80 labels, expected 81 or another square number"),
        ({"regions": "2" + BOXES[1:]}, "region '2' has 10 cells, expected 9"),
        ({"regions": FOURS}, "'regions' has 16 labels, but the grid has 81 cells"),
        ({"regions": 7}, "'regions' must be a string or a list with a label for each cell, not 7"),
        (
            {"box": "1x9", "variant": "disjointgroups"},
            "the variant 'disjointgroups' needs a grid with boxes or regions",
        ),
    ],
)
def test_invalid_regions_are_rejected(record: dict[str, object], detail: str) -> None:
    found = parse(json.dumps({"givens": "." * 81, **record}), format="ndjson")[0]
    assert isinstance(found, Invalid)
    assert found.detail == detail


@pytest.mark.parametrize(
    "written",
    [FOURS, list(FOURS), [FOURS[i : i + 4] for i in range(0, 16, 4)],
     [[int(label) for label in FOURS[i : i + 4]] for i in range(0, 16, 4)]],
)  # fmt: skip
def test_regions_can_be_strings_lists_or_rows(written: object) -> None:
    assert read_regions(written) == tuple(FOURS)
    found = parse(json.dumps({"givens": "." * 16, "regions": written}), format="ndjson")[0]
    assert isinstance(found, Puzzle)
    assert [house.kind for house in found.layout.houses].count("region") == 4


def test_line_with_a_wrong_length_is_not_a_jigsaw() -> None:
    found = parse("1" * 100, format="jigsaw")[0]
    assert isinstance(found, Invalid)
    assert found.detail.startswith("100 characters, expected 162")


def test_public_jigsaw_layouts_have_a_solution(public_data: Path) -> None:
    text = (public_data / "variants" / "jigsaw-layouts-fillable.txt").read_text()
    outcomes = []
    for labels in text.split()[:30]:
        layout = with_regions(Layout.boxed(1, 9), tuple(labels))
        assert isinstance(layout, Layout)
        blank = np.zeros((1, 81), np.uint8)
        batch = solve_many(blank, layout=layout, limit=1, step_limit=300_000)
        outcomes.append(batch.outcomes[0])
    assert set(outcomes) == {Outcome.SOLVED}


MAP = "000000021453303021453333221453322221455566121445666111445566667488887777888887777"


def test_regions_alone_are_an_empty_jigsaw() -> None:
    found = parse(f"{MAP}\n{MAP[::-1]}")
    assert len(found) == 2
    for puzzle in found:
        assert isinstance(puzzle, Puzzle)
        assert str(puzzle) == "." * 81
        assert [house.kind for house in puzzle.layout.houses].count("region") == 9


def test_full_grid_with_a_mistake_is_not_read_as_regions() -> None:
    grid = "534678912672195348198342567859761423426853791713924856961537284287419635345286197"
    found = parse(grid)[0]
    assert isinstance(found, Puzzle)
    assert solve(found).outcome is Outcome.INVALID
