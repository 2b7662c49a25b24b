"""`sudokuq bridge` with a client that sends the userscript's messages."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from bridges import OTHER_ORIGIN, Editor, board, editing, packed
from click.testing import CliRunner
from websockets.exceptions import InvalidStatus

from web.commands.cli import main

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# Singles alone fill no cell of it.
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CAGE = [{"cells": ["R1C1", "R1C2"], "value": "3"}]


@pytest.fixture
def editor(bridge_port: int) -> Iterator[Editor]:
    with editing(bridge_port) as editor:
        yield editor


def values_of(response: dict[str, Any], cell: int, *, size: int = 9) -> dict[int, int]:
    """Return the numbers of solutions for the values of a cell, without zeros."""
    counts = response["solutionsPerCandidate"][cell * size : (cell + 1) * size]
    return {value: count for value, count in enumerate(counts, 1) if count}


def test_true_candidates_are_in_the_order_of_cells_and_values(editor: Editor) -> None:
    response = editor.ask("truecandidates", board(EASY))
    assert response["type"] == "truecandidates"
    assert len(response["solutionsPerCandidate"]) == 729
    assert [values_of(response, cell) for cell in range(81)] == [{int(v): 1} for v in SOLUTION]


def test_true_candidates_ignore_the_players_entries_and_obey_rules(editor: Editor) -> None:
    puzzle = board(killercage=CAGE)
    puzzle["grid"][0][0] = {"value": 9, "centerPencilMarks": [8]}
    puzzle["grid"][1][0] = {"givenPencilMarks": [3, 4]}
    response = editor.ask("truecandidates", puzzle)
    assert values_of(response, 0) == values_of(response, 1) == {1: 1, 2: 1}
    assert values_of(response, 9) == {3: 1, 4: 1}


def test_true_candidates_count_up_to_the_cap_and_mark_what_logic_leaves(editor: Editor) -> None:
    # 12 grids begin with the row 1234. 3 in r2c1 is in half of them.
    counted = board("1234", size=4, truecandidatesoptions=["truecandidatesnumsolutions=100"])
    response = editor.ask("truecandidates", counted)
    assert values_of(response, 4, size=4) == {3: 6, 4: 6}
    capped = board("1234", size=4, truecandidatesoptions=["truecandidatesnumsolutions=5"])
    assert values_of(editor.ask("truecandidates", capped), 4, size=4) == {3: 5, 4: 5}


def test_values_that_logic_leaves_are_marked(editor: Editor) -> None:
    disabled = ["tuples", "pointing", "fishes", "wings", "aic", "contradictions"]
    settings: dict[str, Any] = {"disabledlogic": disabled, "truecandidatesoptions": ["logical"]}
    response = editor.ask("truecandidates", board(HARD, **settings))
    counts = response["solutionsPerCandidate"]
    assert counts.count(1) == 81
    assert counts.count(-1) > 100
    response = editor.ask("truecandidates", board(EASY, **settings))
    assert response["solutionsPerCandidate"].count(-1) == 0


def test_solve_returns_a_value_for_each_cell(editor: Editor) -> None:
    response = editor.ask("solve", board(EASY))
    assert response == {"type": "solved", "nonce": 1, "solution": [int(v) for v in SOLUTION]}


def test_check_counts_up_to_two(editor: Editor) -> None:
    done = {"type": "count", "inProgress": False}
    assert editor.ask("check", board(EASY)) == {**done, "nonce": 1, "count": 1}
    assert editor.ask("check", board()) == {**done, "nonce": 2, "count": 2}
    assert editor.ask("check", board("11")) == {**done, "nonce": 3, "count": 0}


def test_count_is_exact_and_reports_its_progress(editor: Editor) -> None:
    assert editor.ask("count", board(size=4))["count"] == 288
    editor.send("count", board("123456", size=6))  # 28,200,960 / 720 grids
    progress = editor.receive()
    assert progress == {"type": "count", "nonce": 2, "count": 1_000, "inProgress": True}
    while (response := editor.receive())["inProgress"]:
        pass
    assert response["count"] == 39_168


def test_estimate_continues_and_has_a_confidence_interval(editor: Editor) -> None:
    editor.send("estimate", board())
    first, second = editor.receive(), editor.receive()
    assert first["type"] == second["type"] == "estimate"
    assert second["iterations"] > first["iterations"]
    assert second["ci95_lower"] < second["estimate"] < second["ci95_upper"]
    assert 1e21 < second["estimate"] < 1e23
    assert second["relErrPercent"] == pytest.approx(
        196 * second["stderr"] / second["estimate"], rel=0.01
    )


def test_estimate_respects_the_players_entries(editor: Editor) -> None:
    puzzle = board(EASY)
    puzzle["grid"][0][2] = {"value": 1}  # which contradicts the solution
    assert editor.ask("estimate", puzzle)["estimate"] == 0


def test_solve_path_leads_to_the_solution_and_lists_the_steps(editor: Editor) -> None:
    response = editor.ask("solvepath", board(EASY))
    assert response["type"] == "logical"
    assert response["isValid"]
    assert "".join(str(cell["value"]) for cell in response["cells"]) == SOLUTION
    assert "Solved by logic alone" in response["message"]


def test_steps_begin_with_the_candidates_and_continue_from_them(editor: Editor) -> None:
    puzzle = board(killercage=CAGE)
    response = editor.ask("step", puzzle)
    assert response["message"] == "Initial candidates.\n"
    for place, cell in enumerate(response["cells"]):
        puzzle["grid"][place // 9][place % 9]["centerPencilMarks"] = cell["candidates"]
    response = editor.ask("step", puzzle)
    assert response["cells"][0] == {"value": 0, "candidates": [1, 2]}
    assert "3" in response["message"]


def test_a_step_of_a_wrong_position_names_the_entry(editor: Editor) -> None:
    puzzle = board(EASY)
    puzzle["grid"][0][2] = {"value": 1}
    response = editor.ask("solvepath", puzzle)
    assert response["type"] == "invalid"
    assert "the 1 in r1c3" in response["message"]


@pytest.mark.parametrize("command", ["truecandidates", "solve"])
def test_puzzles_without_a_solution_are_invalid_with_the_conflict(
    editor: Editor, command: str
) -> None:
    response = editor.ask(command, board("11"))
    message = "The puzzle has no solution. 1 twice in row 1: r1c1, r1c2."
    assert response == {"type": "invalid", "nonce": 1, "message": message}


def test_wrong_messages_get_a_reason_and_leave_the_connection_open(editor: Editor) -> None:
    for text, part in (
        ("{", "Malformed request"),
        ('{"nonce": 5, "command": "slove"}', "Did you mean 'solve'?"),
        ('{"nonce": 5, "command": "solve", "dataType": "penpa"}', "Unknown dataType 'penpa'"),
        (request_of("not compressed"), "expected the JSON of f-puzzles"),
        (request_of(packed({"size": 9})), "expected the JSON of f-puzzles"),
        (request_of(packed(board(killercage=[{"cells": ["R0C1"], "value": "3"}]))), "killer"),
    ):
        editor.send_text(text)
        response = editor.receive()
        assert response["type"] == "invalid"
        assert response["nonce"] == (0 if text == "{" else 5)
        assert part in response["message"]
    assert editor.ask("check", board(EASY))["count"] == 1


def request_of(data: str) -> str:
    return json.dumps({"nonce": 5, "command": "solve", "dataType": "fpuzzles", "data": data})


def test_cancel_ends_the_request_and_is_confirmed(editor: Editor) -> None:
    editor.send("estimate", board())
    assert editor.receive()["type"] == "estimate"
    editor.send("cancel")
    responses = []
    while {"type": "canceled", "nonce": 1} not in responses:
        responses.append(editor.receive())
    if {"type": "canceled", "nonce": 2} not in responses:
        responses.append(editor.receive())
    assert {"type": "canceled", "nonce": 2} in responses


def test_a_new_request_cancels_the_one_before_but_not_those_of_others(
    editor: Editor, bridge_port: int
) -> None:
    with editing(bridge_port) as other:
        other.send("estimate", board())
        assert other.receive()["type"] == "estimate"
        editor.send("estimate", board())
        assert editor.ask("check", board(EASY))["count"] == 1
        assert other.receive()["type"] == "estimate"


@pytest.mark.parametrize("origin", ["https://evil.example", "http://f-puzzles.com", "null", None])
def test_other_origins_are_refused(bridge_port: int, origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused, editing(bridge_port, origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_each_named_origin_is_allowed(bridge_port: int) -> None:
    with editing(bridge_port, origin=OTHER_ORIGIN) as editor:
        assert editor.ask("check", board(EASY))["count"] == 1


def test_a_port_in_use_and_a_wrong_origin_are_reported(bridge_port: int) -> None:
    result = CliRunner().invoke(main, ["bridge", "--port", str(bridge_port)])
    assert result.exit_code == 2
    assert f"can't listen on port {bridge_port} (Address already in use)" in result.stderr
    result = CliRunner().invoke(main, ["bridge", "--origin", "f-puzzles.com"])
    assert result.exit_code == 2
    assert "isn't an origin" in result.stderr
