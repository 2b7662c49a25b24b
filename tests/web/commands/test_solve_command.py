"""`sudokuq solve`: no upload limits, multiple cores, and broken input."""

import gzip
import json
import os
import random
import signal
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from terminals import SUDOKUQ, session_of

from web.commands.cli import main

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
GOOD = "12.4...2....4..1"
pytestmark = pytest.mark.usefixtures("_compiled")
TIGHT = {
    "SUDOKUQ_MAX_UPLOAD_BYTES": "100",
    "SUDOKUQ_UPLOAD_SECONDS": "0.01",
    "SUDOKUQ_MAX_PUZZLES": "1",
    "SUDOKUQ_MAX_LIMIT": "2",
    "SUDOKUQ_MAX_STEP_LIMIT": "5",
    "PORT": "not a number",
}


def run(*arguments: str, text: str | bytes | None = None, **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, arguments, input=text)


@pytest.mark.parametrize(
    "options",
    [("--rate",), ("--explain",), ("--limit", "1000"), ("--step-limit", "10000000000"),
     ("--limit", "100000000", "--count-only")],
)  # fmt: skip
def test_work_on_this_machine_has_no_limits_of_uploads(options: tuple[str, ...]) -> None:
    text = f"{EASY}\n" * 300
    for output in ("jsonl", "csv", "json"):
        done = run("solve", "-", *options, "--output", output, text=text, **TIGHT)
        assert done.exit_code == 0, done.stderr
        assert done.stderr.endswith("300 solved\n")
        if output == "json":
            assert len(json.loads(done.stdout)) == 300
        else:
            assert len(done.stdout.splitlines()) == 300 + (output == "csv")


def test_listed_solutions_of_one_puzzle_are_bounded_because_memory_is() -> None:
    refused = run("solve", "-", "--limit", "1000001", text=GOOD)
    assert refused.exit_code == 2
    assert "--limit must be a whole number from 1 to 1,000,000, not 1,000,001" in refused.stderr


def test_a_record_that_is_too_long_is_invalid_and_others_are_solved() -> None:
    text = f"{GOOD}\n{'1' * 5_000}\n{GOOD}\n"
    done = run("solve", "-", "--json", text=text, SUDOKUQ_MAX_RECORD_BYTES="1000")
    outcomes = [json.loads(line)["outcome"] for line in done.stdout.splitlines()]
    assert outcomes == ["solved", "invalid", "solved"]
    assert done.exit_code == 1


def test_two_puzzles_are_written_as_json_lines_for_any_limit() -> None:
    done = run("solve", "-", "--limit", "9000", text=f"{GOOD}\n{GOOD}\n")
    assert [json.loads(line)["outcome"] for line in done.stdout.splitlines()] == ["solved"] * 2


@pytest.mark.parametrize("output", ["json", "jsonl", "csv"])
def test_a_file_that_breaks_off_ends_with_an_error_after_the_results_so_far(output: str) -> None:
    shuffled = random.Random(1)
    lines = "".join(
        "".join(shuffled.sample("123456789", 9)) + "." * 72 + "\n" for _ in range(20_000)
    )
    packed = gzip.compress(lines.encode())
    done = run("solve", "-", "--limit", "1", "--output", output, text=packed[: len(packed) // 2])
    assert done.exit_code == 2
    assert "the gzip data is incomplete; send the whole file; the results of the" in done.stderr
    assert done.stdout
    if output == "json":
        with pytest.raises(json.JSONDecodeError):
            json.loads(done.stdout)


@pytest.mark.parametrize(("output", "cores"), [("json", "2"), ("csv", "0")])
def test_results_are_the_same_and_in_order_on_any_number_of_cores(
    tmp_path: Path, output: str, cores: str
) -> None:
    records = [EASY, GOOD, "11..............", "." * 36, "hello", EASY.replace("5", "."), "." * 81]
    file = tmp_path / "mixed.txt"
    file.write_text("\n".join(records * 300) + "\n")
    command = ["solve", str(file), "--step-limit", "100", "--limit", "3", "--output", output]
    one = subprocess.run([*SUDOKUQ, *command], capture_output=True, check=False)
    assert one.returncode == 1
    several = subprocess.run([*SUDOKUQ, *command, "-j", cores], capture_output=True, check=False)
    assert (several.returncode, several.stderr) == (one.returncode, one.stderr)
    assert several.stdout == one.stdout


def test_a_process_that_dies_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"{EASY}\n" * 100_000)
    with subprocess.Popen(
        [*SUDOKUQ, "solve", str(file), "--rate", "-j", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        solvers = [pid for pid in session_of(process.pid) if _solves(pid)]
        assert len(solvers) == 2
        os.kill(solvers[0], signal.SIGKILL)
        _, said = process.communicate(timeout=120)
    assert process.returncode == 2
    assert b"ended unexpectedly" in said
    assert b"Traceback" not in said


def _solves(pid: int) -> bool:
    return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
