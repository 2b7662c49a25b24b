"""Names, comments, and solutions that an upload contains in addition to its puzzles.

Solutions are compared with those that the service finds.
"""

import json
from typing import Any

import pytest

from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SMALL, SMALL_SOLVED = "12.4...2....4..1", "1234341221434321"


def results(http: Any, service: Service, text: str, **query: str) -> list[dict[str, Any]]:
    job = http.post("/api/v1/jobs", data=text, query_string=query, content_type="text/plain").json
    ChunkRunner(service, worker="here").run(job["id"], 0)
    lines = http.get(f"/api/v1/jobs/{job['id']}/results").data.decode().splitlines()
    return [json.loads(line) for line in lines]


GRID = "\n".join(PUZZLE[start : start + 9] for start in range(0, 81, 9))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"{PUZZLE}\n{PUZZLE} # hard\n{PUZZLE}\ta; b\n{PUZZLE},17\n", [None, "hard", "a; b", "17"]),
        (f"{SMALL} # small\n{SMALL}\n", ["small", None]),
        (f"Grid 01\n{GRID}\nGrid 02\n{GRID}\n\n{GRID}\n", ["Grid 01", "Grid 02", None]),
        (f"# Monday\n{GRID}\n\n# Tuesday\n# by Ann\n{GRID}\n", ["Monday", "by Ann"]),
        (f"name,puzzle\nfirst,{PUZZLE}\n,{PUZZLE}\n", ["first", None]),
        (f'puzzle,title\n{SMALL},"a, b"\n', ["a, b"]),
        (f'{{"puzzle": "{SMALL}", "name": "one"}}\n"{SMALL}"\n', ["one", None]),
        (f"1,2,3,4,{PUZZLE},Easter-Monster,20.00s\n", ["Easter-Monster"]),
        ("53..7 # short and bad\n" + f"{PUZZLE}\n" * 2, ["short and bad", None, None]),
    ],
)
def test_names_and_comments_reach_the_results(
    http: Any, service: Service, text: str, names: list[str | None]
) -> None:
    assert [row["name"] for row in results(http, service, text)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"{GRID}\nby hand\n\n{GRID}\n", ["by hand", None]),
        (f"{GRID}\nby hand\n{GRID}\n", [None, "by hand"]),
        (f"{GRID}\n\nby hand\n\n{GRID}\n", [None, "by hand"]),
        (f"{GRID}\n\n\n\nby hand\n\n\n", ["by hand"]),
        (f"{GRID}\n{GRID}\n\n\n\n\n\n\nby hand\n", [None, None, None]),
    ],
)
def test_text_names_the_grid_above_it_only_if_it_is_next_to_it_or_ends_the_upload(
    http: Any, service: Service, text: str, names: list[str | None]
) -> None:
    assert [row["name"] for row in results(http, service, text)] == names


WRONG = SOLVED.replace("5", "x").replace("3", "5").replace("x", "3")


@pytest.mark.parametrize(
    ("puzzle", "given", "detail"),
    [
        (PUZZLE, SOLVED, None),
        (PUZZLE, "", None),
        (PUZZLE, "n/a", None),
        (
            PUZZLE,
            SOLVED[:-1],
            "the solution in the upload is unreadable: it has 80 cells, expected 81",
        ),
        (
            PUZZLE,
            SOLVED[:-1] + "x",
            "the solution in the upload is unreadable: it has 'x' in r9c9, expected 1-9",
        ),
        (PUZZLE, WRONG, "the solution in the upload is wrong: it has 3 in r1c1, expected 5"),
        (SMALL, "1234341221434321", None),
        (
            "1...............",
            "1243342121344312",
            "the solution in the upload is correct, but there is another one",
        ),
        ("123....4........", SMALL_SOLVED, "the solution in the upload breaks a rule"),
    ],
)
def test_solution_in_the_upload_is_compared_with_ours(
    http: Any, service: Service, puzzle: str, given: str, detail: str | None
) -> None:
    (row,) = results(http, service, f"puzzle,solution\n{puzzle},{given}\n")
    assert row["detail"] == detail
    (row,) = results(http, service, json.dumps({"puzzle": puzzle, "solution": given}))
    assert row["detail"] == detail


@pytest.mark.parametrize(
    ("board", "detail"),
    [
        ({"shape": "4x4", "grid": SMALL, "solution": "1234341221434321"}, None),
        ({"shape": "4x4", "grid": SMALL, "solution": "1234341221434312"},
         "the solution in the upload is wrong: it has 1 in r4c3, expected 2"),
        ({"grids": ["r1c1", "r5c5"], "box": "2x2", "givens": ".." * 32,
          "solution": "1234...." * 4 + "....1234" * 4},
         "the solution in the upload is wrong: it has 1 in r2c1, expected 3"),
    ],
)  # fmt: skip
def test_solution_of_a_board_of_any_shape_is_compared_too(
    http: Any, service: Service, board: dict[str, Any], detail: str | None
) -> None:
    (row,) = results(http, service, json.dumps(board))
    assert row["detail"] == detail


def test_ignored_parts_are_reported_next_to_another_solution(http: Any, service: Service) -> None:
    cells: list[Any] = [[{}] * 4] * 4
    regions = [[[r // 2 * 2 + n // 2, r % 2 * 2 + n % 2] for n in range(4)] for r in range(4)]
    metadata = {"solution": "4321214334121234"}
    board = {"cells": cells, "regions": regions, "lines": [{}], "metadata": metadata}
    (row,) = results(http, service, json.dumps(board))
    said = [
        "the solution in the upload is correct, but there is another one",
        "ignored text and drawings (lines); rules in them aren't applied",
    ]
    assert row["detail"] == "; ".join(said)
