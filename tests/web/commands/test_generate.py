"""The command `sudokuq generate`: its output formats, requests from files, and errors.

The number of cores doesn't change the puzzles.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from solver import Puzzle, generate, parse, solve
from web.commands.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["generate", *arguments])


def test_puzzles_are_printed_one_per_line() -> None:
    result = run("--count", "20", "--seed", "3")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.split()
    assert [len(line) for line in lines] == [81] * 20
    assert all(solve(line).unique for line in lines)
    assert result.stderr == "20 puzzles\n"


def test_the_number_of_cores_does_not_change_the_puzzles() -> None:
    arguments = ["--count", "40", "--givens", "..24", "--seed", "9"]
    assert run(*arguments, "-j", "2").stdout == run(*arguments).stdout


@pytest.mark.parametrize("cores", ["1", "2"])
def test_distinct_puzzles_are_the_same_on_any_number_of_cores(cores: str, tmp_path: Path) -> None:
    wish: dict[str, Any] = {"count": 20, "seed": 2, "box": "2x2", "tries": 60}
    listed = [str(each.puzzle) for each in generate(count=5, seed=1, box="2x2")]
    file = tmp_path / "listed.txt"
    file.write_text("\n".join(listed))
    made = run(
        *(f"--{name}={value}" for name, value in wish.items()),
        "--distinct", "--distinct-from", str(file), "-j", cores,
    )  # fmt: skip
    expected = [each.puzzle for each in generate(**wish, distinct_from=listed)]
    assert made.stdout.split() == [str(puzzle) for puzzle in expected if puzzle is not None]


def test_printed_variants_are_complete_puzzles() -> None:
    result = run("--count", "3", "--box", "2x3", "--variant", "diagonal")
    for line in result.stdout.splitlines():
        (puzzle,) = parse(line)
        assert "diagonal" in json.dumps(json.loads(line))
        assert isinstance(puzzle, Puzzle)
        assert solve(puzzle).unique


def test_random_boards_are_made_with_options_and_with_a_request_alike(tmp_path: Path) -> None:
    file = tmp_path / "killers.json"
    wish = {
        "killer": {"count": "10..14", "largest": 4, "coverage": 0.9},
        "white": {"count": "0..3", "minimal": True},
    }
    file.write_text(json.dumps({"size": 6, "regions": "random", "random_constraints": wish}))
    result = run(
        *("--size", "6", "--regions", "random"),
        *("--random-constraints", "killer:count=10..14,largest=4,coverage=0.9"),
        *("--random-constraints", "white:count=0..3,minimal"),
    )
    assert result.exit_code == 0, result.stderr
    assert result.stdout == run("--request", str(file)).stdout
    (puzzle,) = parse(result.stdout)
    assert isinstance(puzzle, Puzzle)
    assert solve(puzzle).unique
    assert {each.name for each in puzzle.layout.constraints} >= {"killer"}


def test_results_are_written_in_any_format() -> None:
    result = run("--count", "2", "--output", "jsonl", "--rate")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["n"] for row in rows] == [1, 2]
    assert all(row["rating"] for row in rows)


def test_a_request_can_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text('{"plan": [{"count": 2, "box": "2x2"}, {"count": 1}]}')
    result = run("--request", str(file), "--seed", "1")
    assert [len(line) for line in result.stdout.split()] == [16, 16, 81]


def test_given_up_puzzles_are_reported() -> None:
    result = run("--givens", "..16", "--tries", "20", "--count", "2")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == "0 puzzles, 2 given up\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--count", "0"], "--count must be a whole number from 1 to 10,000,000, not 0"),
        (["--rating", "x"], "--rating must be a number or a range such as 6.5..7.5"),
        (["--require", "X-Win"], "Did you mean 'X-Wing'?"),
        (["--random-constraints", "kiler"], "Did you mean 'killer'?"),
        (
            ["--random-constraints", "arrow:largest=2"],
            "'largest' of 'arrow' in --random-constraints",
        ),
        (["--distinct", "--variant", "diagonal"], "--distinct is only possible for"),
    ],
)
def test_invalid_options_are_explained(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
