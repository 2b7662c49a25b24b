"""Every rule rejects bad input with a message that names the rule.

Constraints with too many pairs of cells, and deeply nested ones, are rejected quickly.
"""

import json
from typing import Any

import pytest
from paths import DATA

from solver import Invalid, Outcome, Puzzle, parse, solve
from solver.rules.registry import RULES

CASES = DATA / "bad_constraints.txt"


def cases() -> list[tuple[str, str]]:
    lines = CASES.read_text().splitlines()
    parts = [line.split(" => ") for line in lines if line and not line.startswith("#")]
    return [(written, detail) for written, detail in parts]


def detail_of(record: dict[str, Any]) -> str:
    (puzzle,) = parse(json.dumps({"size": 9, "shape": "9x9"} | record), format="ndjson")
    assert isinstance(puzzle, Invalid)
    return puzzle.detail


@pytest.mark.parametrize(("written", "detail"), cases())
def test_meaningless_constraints_are_rejected_by_name(written: str, detail: str) -> None:
    value = json.loads(written)
    record = {"constraints": [value]} if "type" in value else value
    if "shape" in record and "size" not in record:
        record["size"] = None
    assert detail_of(record) == detail


def spoilt(example: dict[str, Any]) -> list[dict[str, Any]]:
    """Return broken copies of a rule's example: missing or bad cells, unknown keys, bad values."""
    made = [example | {"surprise": 1}, {"type": example["type"]}]
    if "cells" in example:
        no_cells: tuple[Any, ...] = ([], "r1c1", ["r0c1"] * 2, [7, None], [[]])
        made += [example | {"cells": bad} for bad in no_cells]
        made += [example | {"cells": [*example["cells"][:-1], "r10c1"]}]
    values = [key for key in example if key not in ("type", "cells", "options")]
    for key in values:
        no_value: tuple[Any, ...] = (None, [], [None], {}, 1.5, True, 10**9)
        made += [example | {key: value} for value in no_value]
    return made


@pytest.mark.parametrize("name", sorted(RULES))
def test_every_rule_rejects_bad_input_by_name(name: str) -> None:
    example = json.loads(RULES[name].example)
    usual = RULES[name].usual is not None
    for bad in spoilt(example):
        variables = ["C1", "C2", "C3", "C4"]
        if usual and set(bad) == {"type", "cells"}:
            continue
        assert f"constraint {name!r}" in detail_of({"constraints": [bad], "variables": variables})


@pytest.mark.parametrize("name", ["thermo", "nabner", "allpairs"])
def test_constraint_with_too_many_pairs_of_cells_is_rejected_quickly(name: str) -> None:
    cells = [f"r{row}c{column}" for row in range(1, 65) for column in range(1, 65)]
    constraint = json.loads(RULES[name].example) | {"cells": cells}
    record = {"shape": "64x64", "size": 64, "constraints": [constraint]}
    assert (
        detail_of(record)
        == f"The constraints of type {name!r} compare more than 1,000,000 pairs of "
        "cells, the limit. Use fewer or shorter ones."
    )


def test_constraints_with_too_many_pairs_in_total_are_rejected_quickly() -> None:
    cells = [f"r{row}c{column}" for row in range(1, 65) for column in range(1, 65)]
    lines = [cells[start : start + 63] for start in range(1_300)]
    constraints = [{"type": "different", "cells": line} for line in lines]
    record = {"shape": "64x64", "size": 64, "constraints": constraints}
    assert "units of work, but the limit is 2,000,000" in detail_of(record)


def test_more_cells_than_values_cannot_all_differ() -> None:
    cells = [f"r{row}c{column}" for row in range(1, 65) for column in range(1, 65)]
    for name in ("killer", "different", "renban"):
        constraint = {"type": name, "cells": cells}
        record = {"shape": "64x64", "size": 64, "constraints": [constraint]}
        result = solve(json.dumps(record))
        assert (result.outcome, result.steps) == (Outcome.UNSOLVABLE, 0)
    kept = '{"type": "odd", "cells": ["r1c1"]}'
    broken = '{"type": "different", "cells": ["r1c1", "r2c2", "r3c1"]}'
    choice = f'{{"type": "or", "options": [[{kept}], [{broken}]]}}'
    free = f'{{"shape": "3x3", "size": 2, "lines": "free", "constraints": [{choice}]}}'
    assert solve(free, limit=1000).solutions == 2**8


def test_line_shorter_than_its_modulus_is_read_quickly() -> None:
    line = {"type": "modular", "cells": ["r1c1", "r2c4"], "modulus": 1_000_000}
    (puzzle,) = parse(json.dumps({"size": 9, "shape": "9x9", "constraints": [line] * 2_000}))
    assert isinstance(puzzle, Puzzle)


def test_deeply_nested_disjunctions_are_rejected() -> None:
    """Disjunctions nested hundreds of levels deep are parsed as JSON, but not interpreted."""
    for deep in (21, 450):
        choice: dict[str, Any] = {"type": "odd", "cells": ["r1c1"]}
        for _ in range(deep):
            choice = {"type": "or", "options": [choice]}
        detail = "'or' constraints are nested more than 20 levels deep"
        assert detail_of({"constraints": [choice]}) == detail
