"""Unknown JSON members: data of other programs is accepted, but misspelled rules are not.

Ids and names of records reach the results, also those of invalid records.
"""

import json
from typing import Any

import pytest

from solver import Invalid
from solver.formats import read_block, recognize
from solver.formats.format import Block, ReadOptions, Recognized, Records
from solver.formats.objects.json_values import read_value
from solver.formats.objects.killer import KILLER
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

SMALL = "12.4...2....4..1"
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def read(value: dict[str, Any]) -> tuple[str, str | None]:
    """Parse a puzzle; return "ok" or the error message, and the note."""
    reading = read_value(value, text=json.dumps(value), options=ReadOptions())
    puzzle = reading.puzzle
    return (puzzle.detail if isinstance(puzzle, Invalid) else "ok"), reading.note


@pytest.mark.parametrize(
    "member",
    [
        {"custom_id": "a1", "metadata": {"x": [1, {"r1c1": 2}], "rules": "killer"}},
        {"puzzle_id": "abc", "uuid": "123"},
        {"site": "https://example.org", "share": "abcdefgh", "roles": ["admin"], "likes": 12},
        {"x": 4, "y": 5, "blanks": 51, "size_kb": 3, "n_givens": 24, "sum": 405, "type": "9x9"},
        {"fog": None, "diagonal": False, "region": "EU", "user": {"name": "Ann"}},
        {"mask": "1010", "dimensions": [4, 4], "technique": ["X-Wing"], "solve_time": 1.5},
    ],
)
def test_members_that_cannot_be_rules_are_ignored(member: dict[str, Any]) -> None:
    assert read({"puzzle": SMALL} | member) == ("ok", None)


@pytest.mark.parametrize(
    ("member", "suggestion"),
    [
        ({"constrains": [{"type": "thermo", "cells": ["r1c1", "r1c2"]}]}, "'constraints'?"),
        ({"Constraints": []}, "'constraints'?"),
        ({"variants": "diagonal"}, "'variant'?"),
        ({"boxes": "2x2"}, "'box'?"),
        ({"regoins": "1111222233334444"}, "'regions'?"),
        ({"candidats": {"r1c3": [3]}}, "'candidates'?"),
        ({"antiKnight": True}, '"variant": "antiknight"'),
        ({"isDiagonal": "true"}, '"variant": "diagonal"'),
        ({"type": "X-Sudoku diagonal"}, None),
        ({"type": "windoku"}, '"variant": "windoku"'),
        ({"killer": [{"cells": ["r1c1", "r1c2"], "sum": 3}]}, '{"type": "killer"'),
        ({"killerCages": [[[0, 0], [0, 1]]]}, '{"type": "killer"'),
        ({"thermos": [["r1c1", "r1c2"]]}, '{"type": "thermo"'),
        ({"cages": [[0, 1]]}, "'constraints'"),
        ({"constraints": [{"type": "thermoo", "cells": ["r1c1", "r1c2"]}]}, "'thermo'?"),
        ({"variant": "windouku"}, "'windoku'?"),
    ],
)
def test_misspelled_rule_gets_the_closest_match(
    member: dict[str, Any], suggestion: str | None
) -> None:
    detail, _ = read({"puzzle": SMALL} | member)
    if suggestion is None:
        assert detail == "ok"
    else:
        assert "Unknown" in detail
        assert suggestion in detail


def test_misspelled_key_of_the_cells_gets_the_closest_match() -> None:
    assert read({"puzzel": SMALL})[0].endswith("Did you mean 'puzzle'?")


def test_members_that_mention_cells_or_rules_are_listed_in_the_detail() -> None:
    member = {"tags": ["hard", "diagonal"], "hints": ["r1c1"], "note_to_self": "nice"}
    assert read({"puzzle": SMALL} | member) == ("ok", "ignored unknown keys: tags, hints")


FPUZZLES = {"size": 4, "grid": [[{}] * 4] * 4}
SCL = {"cells": [[{}] * 4] * 4, "regions": [[[r, c] for c in range(4)] for r in range(4)]}
LISUDOKU = {"gridSize": 4, "regions": [[{"row": r, "col": c} for c in range(4)] for r in range(4)]}


@pytest.mark.parametrize("document", [FPUZZLES, SCL, LISUDOKU])
def test_documents_of_other_programs_keep_the_clients_id(document: dict[str, Any]) -> None:
    value = document | {"custom_id": 17, "metadata": {"a": 1}}
    reading = read_value(value, text="", options=ReadOptions())
    assert not isinstance(reading.puzzle, Invalid)
    assert reading.name == "17"


@pytest.mark.parametrize("document", [FPUZZLES, LISUDOKU])
def test_unknown_rules_in_documents_of_other_programs_stay_invalid(
    document: dict[str, Any],
) -> None:
    for rule in ({"chess": True}, {"fog": [{"cells": ["R1C1"]}]}):
        reading = read_value(document | rule | {"id": "a"}, text="", options=ReadOptions())
        assert isinstance(reading.puzzle, Invalid)
        assert reading.name == "a"


def records(text: str) -> Records:
    recognized = recognize(text.encode(), final=True)
    assert isinstance(recognized, Recognized)
    name, context = recognized.format.name, recognized.context
    block = Block(text.encode(), 0, 1)
    return read_block(block, format=name, context=context, options=ReadOptions())


KILLER_LINE = KILLER.example.strip()


@pytest.mark.parametrize("bad", [PUZZLE[:-1], PUZZLE[:-1] + "Z"])
@pytest.mark.parametrize(
    "template",
    [
        "{good} k1\n{bad} k2\n{good} # k3\n",
        "{good},k1\n{bad},k2\n{good},k3\n",
        "{good}\tk1\n{bad}\tk2\n{good}\tk3\n",
        "id,puzzle\nk1,{good}\nk2,{bad}\nk3,{good}\n",
        'puzzle,custom_id,name\n{good},k1,x\n"{bad}",k2,x\n{good},"k3",\n',
        "k1;{good}\nk2;{bad}\nk3;{good}\n",
        '{{"id": "k1", "puzzle": "{good}"}}\n{{"custom_id": "k2", "id": 5, "puzzle": "{bad}"}}\n'
        '{{"title": "k3", "puzzle": \n',
        '[{{"id": "k1", "puzzle": "{good}"}}, {{"name": "k2", "puzzle": "{bad}"}},\n'
        '{{"id": "k3", "puzzle": }}]',
    ],
)
def test_ids_survive_invalid_records_in_every_format(template: str, bad: str) -> None:
    found = records(template.format(good=PUZZLE, bad=bad))
    assert 1 in found.invalid
    assert dict(sorted(found.names.items())) == {0: "k1", 1: "k2", 2: "k3"}


def test_name_after_an_invalid_killer_is_kept() -> None:
    text = f"{KILLER_LINE} a\n{KILLER_LINE[:-1]}+ b\n{KILLER_LINE[:-1]} c\n"
    assert records(text).names == {0: "a", 1: "b", 2: "c"}


def test_id_zero_is_an_id() -> None:
    assert records(f'{{"id": 0, "puzzle": "{SMALL}"}}\n').names == {0: "0"}


def test_id_of_a_record_that_is_too_long_survives() -> None:
    block = Block(b'{"custom_id": "a", "puzzle": "....', 1, 1, fault="too long")
    found = read_block(block, format="ndjson", context={}, options=ReadOptions())
    assert found.names == {0: "a"}


def test_client_data_in_a_job_reaches_the_results_as_names(http: Any, service: Service) -> None:
    puzzles = [
        {"custom_id": "a", "puzzle": SMALL, "metadata": {"k": ["v"]}},
        {"custom_id": "b", "puzzle": SMALL[:-1], "metadata": {}},
    ]
    job = http.post("/api/v1/jobs", json={"puzzles": puzzles}).json
    ChunkRunner(service, worker="here").run(job["id"], 0)
    lines = http.get(f"/api/v1/jobs/{job['id']}/results").data.decode().splitlines()
    rows = [json.loads(line) for line in lines]
    assert [(row["name"], row["outcome"]) for row in rows] == [("a", "solved"), ("b", "invalid")]
    assert rows[0]["detail"] is None
