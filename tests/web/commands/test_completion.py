"""Completions that shells request from the command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# the name of the program determines the name of the environment variable
SUDOKUQ = Path(sys.executable).with_name("sudokuq")


def completed(line: str, shell: str) -> list[str]:
    """Return the lines that a shell gets for the last word of a command line."""
    words = line.split(" ")
    done = subprocess.run(
        [SUDOKUQ], capture_output=True, text=True, check=False,
        env=os.environ | {
            "_SUDOKUQ_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.splitlines()


def offered(line: str) -> list[str]:
    """Return the completions that bash gets for the last word of a line, "file:" for files."""
    kinds = [entry.partition(",") for entry in completed(line, "bash")]
    return ["file:" if kind == "file" else value for kind, _, value in kinds]


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("sudokuq s", {"solve", "submit", "status"}),
        ("sudokuq solve --form", {"--format"}),
        ("sudokuq solve --format ", {"auto", "csv", "sudokupad"}),
        ("sudokuq submit --format su", {"sudokupad", "sumocue"}),
        ("sudokuq solve --variant anti", {"antiknight", "antiking", "antitaxicab"}),
        ("sudokuq solve --variant diagonal,anti", {"diagonal,antiknight", "diagonal,antiking"}),
        ("sudokuq candidates --variant win", {"windoku"}),
        ("sudokuq solve --output ", {"jsonl", "csv", "grid"}),
        ("sudokuq results JOB --sort ", {"rating", "steps"}),
        ("sudokuq solve ", {"file:"}),
        ("sudokuq explain ", {"file:"}),
        ("sudokuq submit ", {"file:"}),
    ],
)
def test_shells_are_offered(line: str, some: set[str]) -> None:
    found = offered(line)
    assert some <= set(found)
    last = line.rsplit(" ", maxsplit=1)[-1]
    assert found == ["file:"] or all(value.startswith(last) for value in found)


def test_a_variant_is_offered_once() -> None:
    assert "antiknight,antiknight" not in offered("sudokuq solve --variant antiknight,anti")


def test_shells_show_the_display_names_of_variants() -> None:
    assert completed("sudokuq solve --variant xv", "zsh") == [
        "plain",
        "xvnegative",
        "XV, all given",
    ]
