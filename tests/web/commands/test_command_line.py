import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner, Result
from paths import DATA

from web.commands.cli import main
from web.results.formats import RESULT_FORMATS
from web.results.writers import WRITERS
from worker.option_texts import OPTION_TEXTS
from worker.options import OPTIONS

GOOD = "12.4...2....4..1"
WITH_A_WING = "..2..81.......1.5...72...6.7.6.......8........23...89...8.1....1.4..32.6....9...3"


def run(*arguments: str, text: str | None = None, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, arguments, input=text)


ORIGINS = [
    line.split("|") for line in (DATA / "origins" / "answers.txt").read_text().splitlines()[1:]
]


@pytest.mark.parametrize(("name", "answer"), ORIGINS)
def test_origin_is_solved_from_file_and_from_standard_input(name: str, answer: str) -> None:
    path = DATA / "origins" / name
    from_file = run("solve", str(path), "--json")
    piped = run("solve", "-", "--json", text=path.read_text())
    assert from_file.stdout == piped.stdout
    row = json.loads(from_file.stdout)
    assert answer in (row["solution"], row["detail"])
    assert from_file.exit_code == (0 if row["outcome"] == "solved" else 1)


def test_one_puzzle_is_shown_as_a_grid() -> None:
    found = run("solve", "-", text=GOOD)
    assert found.stdout.splitlines() == [
        "1 2 | 3 4",
        "3 4 | 1 2",
        "----+----",
        "2 1 | 4 3",
        "4 3 | 2 1",
        "solved, the only solution, 0 guesses",
        "",
    ]
    assert found.stderr.endswith("1 solved\n")


def test_wrong_entry_of_an_unsolvable_puzzle_is_named() -> None:
    found = run("solve", "12..34...1....23")
    assert "without the 1 in r3c2, so check this entry." in found.stdout


def test_rules_of_an_unsolvable_puzzle_that_contradict_each_other_are_named() -> None:
    cage = {"type": "killer", "cells": ["r1c1", "r1c2"], "sum": 7}
    thermometer = {"type": "thermo", "cells": ["r1c1", "r2c1", "r3c1"]}
    puzzle = json.dumps({"puzzle": "." * 16, "constraints": [cage, thermometer]})
    found = run("solve", puzzle)
    detail = "The cage at r1c1 and the thermometer r1c1–r3c1 contradict each other."
    assert f"The puzzle has no solution. {detail}" in found.stdout


def test_batch_is_written_as_json_lines_by_default(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(f"{GOOD}\n" * 3)
    assert len(run("solve", str(file)).stdout.splitlines()) == 3
    assert run("solve", str(file), "--output", "txt").stdout == "1234341221434321\n" * 3
    assert run("solve", str(file), "--output", "csv").stdout.startswith("n,line,puzzle")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("report - --levels abc", "expected a whole number from 1 to 100, got 'abc'"),
        ("generate --count many", "expected a whole number, got 'many'"),
        ("solve - --jobs=-1", "expected a whole number of at least 0, got '-1'"),
        ("solve - --output cvs", "xlsx, parquet, txt, sdm, grid; got 'cvs'. Did you mean 'csv'?"),
        ("book - -o book.pdf --page a44", "Unknown page size 'a44'. Did you mean 'a4'?"),
        ("book - -o book.pdf --page 6x9", "or width x height such as 170x240mm"),
        ("book - -o book.pdf --bleed 3mm", "--bleed: must be a whole number from 0 to 20"),
    ],
)
def test_wrong_values_of_options_are_answered_with_the_expected_ones(
    arguments: str, message: str
) -> None:
    found = run(*arguments.split(), text=GOOD)
    assert found.exit_code == 2
    assert message in " ".join(found.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["--limit", "0"], GOOD, "--limit must be a whole number from 1 to 1,000,000, not 0"),
        (["--variant", "nope"], GOOD, "'nope'"),
        (["--box", "5"], GOOD, "--box must be rows x columns"),
        ([], "hello there", "line 1: No puzzle format matches."),
        ([], "", "the input is empty; expected at least one puzzle"),
    ],
)
def test_bad_usage_and_unreadable_input_end_with_two(
    arguments: list[str], text: str, message: str
) -> None:
    found = run("solve", "-", *arguments, text=text)
    assert found.exit_code == 2
    assert message in found.stderr
    assert found.stdout == ""


def test_unreachable_service_is_reported(free_port: int) -> None:
    found = run("status", "x", SUDOKUQ_URL=f"http://127.0.0.1:{free_port}")
    assert found.exit_code == 2
    assert "is it running?" in found.stderr


def test_parts_of_the_service_need_a_redis() -> None:
    for command in ("web", "worker"):
        found = run(command, REDIS_URL="")
        assert found.exit_code == 2
        assert "REDIS_URL" in found.stderr


def test_bench_measures_every_sample() -> None:
    found = run("bench", "--json", "--seconds", "0.01")
    assert {row["size"] for row in json.loads(found.stdout)} == {9, 16, 25}
    assert os.linesep in run("bench", "--seconds", "0.01").stdout


EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize("command", ["solve", "explain", "candidates"])
def test_an_argument_that_is_neither_a_file_nor_a_puzzle_is_reported(command: str) -> None:
    given = run(command, "nosuch.txt")
    assert given.exit_code == 2
    assert given.stderr.startswith("sudokuq: 'nosuch.txt' is neither a file nor a puzzle")


@pytest.mark.parametrize("command", ["report", "book"])
def test_options_without_an_effect_are_not_offered(command: str) -> None:
    offered = {*re.findall(r"--[a-z-]+", run(command, "--help").stdout)}
    assert {"--format", "--variant", "--step-limit"} <= offered
    assert not offered & {"--rate", "--limit", "--minlex", "--minimal", "--explain", "--count-only"}


def test_folders_are_read_like_zip_archives(tmp_path: Path) -> None:
    for name in ("easy/1.txt", "easy/2.txt", "hard/3.txt", ".git/4.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(GOOD)
    assert run("solve", str(tmp_path)).stderr.endswith("3 solved\n")
    (tmp_path / "empty").mkdir()
    empty = run("solve", str(tmp_path / "empty"))
    assert (empty.exit_code, empty.stdout) == (2, "")
    assert "contains no files" in empty.stderr


@pytest.mark.parametrize("command", ["explain", "candidates"])
def test_a_folder_and_a_file_that_cannot_be_read_are_reported(command: str, tmp_path: Path) -> None:
    given = run(command, str(tmp_path))
    assert (given.exit_code, given.stdout) == (2, "")
    assert "is a folder" in given.stderr
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    given = run(command, str(loop))
    assert given.exit_code == 2
    assert "symbolic links" in given.stderr


@pytest.mark.parametrize(
    "puzzle", [GOOD, "12.4\n...2\n....\n4..1", '{"puzzle": "12.4...2....4..1", "id": "a/b"}']
)
def test_a_puzzle_as_an_argument_is_solved_like_one_from_a_file(
    puzzle: str, tmp_path: Path
) -> None:
    file = tmp_path / "a.txt"
    file.write_text(puzzle)
    given = run("solve", puzzle)
    assert given.exit_code == 0
    assert given.stdout.startswith("1 2 | 3 4\n")
    assert given.stdout == run("solve", str(file)).stdout


def test_a_file_is_preferred_to_a_puzzle_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(GOOD).write_text("hello")
    assert "hello" in run("solve", GOOD).stderr


def test_tables_for_remote_commands_agree_with_job_options_and_result_formats() -> None:
    assert list(OPTION_TEXTS) == list(OPTIONS)
    for name, text in OPTION_TEXTS.items():
        assert (text.value is None) == OPTIONS[name].is_flag
        assert text.default in (None, str(OPTIONS[name].default))
    assert list(RESULT_FORMATS) == list(WRITERS)


def test_a_puzzle_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text(EASY)
    given = run("explain", EASY)
    assert given.exit_code == 0
    assert "Solved by logic alone in 51 steps." in given.stdout
    assert given.stdout.startswith("5   3 ")  # the grid with its candidates
    assert run("explain", str(file)).stdout == given.stdout
    assert run("explain", "-", text=EASY).stdout == given.stdout


def test_rules_of_a_puzzle_are_stated_before_its_explanation() -> None:
    rule = "Thermometer: Digits strictly increase from the bulb to the tip.\n"
    thermo = '{"type": "thermo", "cells": ["r1c1", "r1c2"]}'
    explained = run("explain", f'{{"puzzle": "{GOOD}", "constraints": [{thermo}]}}')
    assert explained.stdout.startswith(f"{rule}\n")


def test_hints_are_given_in_three_strengths() -> None:
    where, what, whole = (run("explain", EASY, "--hint", str(n)).stdout for n in (1, 2, 3))
    assert where == "Look at box 5.\n"
    assert what == "Naked Single: look at box 5.\n"
    assert "Colors" not in whole
    assert whole.endswith("\n\nNaked Single: r5c5 can only be 5.\n")
    assert run("explain", EASY, "--hint", "4").exit_code == 2


def test_all_available_steps_are_listed() -> None:
    listed = run("explain", GOOD, "--all-steps", "--after", "3")
    assert listed.exit_code == 0
    assert "Hidden Single\n   6. In row 2, only r2c2 can be 4." in listed.stdout
    assert listed.stdout.endswith("24 steps are available.\n")
    steps = json.loads(run("explain", GOOD, "--all-steps", "--json").stdout)
    assert steps["after"] == 0
    assert steps["complete"]
    assert steps["deductions"][0]["technique"] == "Full House"


def test_options_that_do_not_fit_all_steps_are_rejected() -> None:
    assert "--hint" in run("explain", GOOD, "--all-steps", "--hint", "1").stderr
    assert "--after needs --all-steps" in run("explain", GOOD, "--after", "1").stderr
    late = run("explain", GOOD, "--all-steps", "--after", "99")
    assert late.exit_code == 2
    assert "--after must be from 0 to 10, the number of steps, not 99" in late.stderr


def test_an_explanation_is_written_as_json() -> None:
    explained = json.loads(run("explain", EASY, "--json", "--order", "explainer").stdout)
    assert explained["order"] == "explainer"
    assert explained["solved"]
    assert len(explained["deductions"]) >= 51


def test_a_grid_is_drawn_for_each_deduction() -> None:
    drawn = run("explain", GOOD, "--grids").stdout
    assert len(re.findall(r"^-+\+-+$", drawn, re.MULTILINE)) == 10


def test_a_line_explains_the_colors_of_a_grid_if_there_are_colors() -> None:
    step = ("explain", GOOD, "--hint", "3")
    in_color = {"FORCE_COLOR": "1", "TERM": "xterm", "NO_COLOR": ""}
    colored = run(*step, **in_color).stdout
    assert "\nColors: \x1b[1;32mdigits to place\x1b[0m\n\n" in colored
    assert "Colors" not in run(*step, **in_color | {"NO_COLOR": "1"}).stdout


def test_the_colors_of_every_step_have_labels() -> None:
    in_color = {"FORCE_COLOR": "1", "TERM": "xterm", "NO_COLOR": ""}
    colored = run("explain", WITH_A_WING, "--grids", **in_color)
    assert colored.exit_code == 0, colored.stderr
    assert "key candidate" in colored.stdout
    assert "fin" in colored.stdout


def test_missing_explanation_is_reported() -> None:
    several = run("explain", "1...............")
    assert several.stdout.startswith("Not explained: the puzzle has more than one solution: ")
    assert several.exit_code == 1
    assert run("explain", "xy").exit_code == 2
    two = run("explain", "-", text=f"{GOOD}\n11..............\n")
    assert two.exit_code == 1
    assert two.stdout.startswith("# 1\n")
    assert "twice in row 1" in two.stdout


def test_invalid_puzzle_does_not_affect_explanations_of_others() -> None:
    text = f"{GOOD[:-1]}\n{GOOD}\n"
    told = run("explain", "-", text=text)
    assert told.exit_code == 1
    assert "Not explained: 15 characters, expected 81" in told.stdout
    assert "Solved by logic alone" in told.stdout
    first, second = run("explain", "-", "--json", text=text).stdout.splitlines()
    assert json.loads(first)["detail"].startswith("15 characters")
    assert json.loads(second)["solved"]


def test_ratings_are_written_if_requested() -> None:
    row = json.loads(run("solve", "-", "--json", "--rate", text=EASY).stdout)
    assert row["rating"] is not None
    assert row["difficulty"] == "easy"
    shown = run("solve", "-", "--rate", "--explain", text=EASY).stdout
    assert f"rated {row['rating']} (easy)" in shown
    assert "Solved by logic alone" in shown


@pytest.mark.parametrize("command", main.list_commands(Context(main)))
def test_help_shows_examples(command: str) -> None:
    shown = run(command, "--help").stdout
    assert re.search(rf"Examples?:\n(.*\n)*    .*sudokuq {command}", shown)


def test_the_list_of_commands_is_shown_without_importing_them() -> None:
    code = "import sys; from web.commands.cli import main; main(['--help'], standalone_mode=False)"
    loaded = "print(*sys.modules, file=sys.stderr)"
    started = subprocess.run(
        [sys.executable, "-c", f"{code}; {loaded}"], capture_output=True, text=True, check=True
    )
    assert "  bench " in started.stdout
    assert not {"httpx", "numpy", "redis", "web.commands.bench"} & set(started.stderr.split())
