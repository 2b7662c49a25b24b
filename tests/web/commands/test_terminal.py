"""Commands at a terminal, in pipes, interrupted, and on a full disk."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from services import wait_until
from terminals import CTRL_C, SUDOKUQ, Terminal, session_of, use_default_signals

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TINY = "12.4...2....4..1"
# Counting the solutions of an empty 16×16 board takes hours, until the guesses are used up.
ENDLESS = ("." * 256, "--count-only", "--limit", "100000000", "--step-limit", "1000000000000")

pytestmark = pytest.mark.usefixtures("_compiled")


def test_results_at_a_terminal_appear_without_a_bar() -> None:
    terminal = Terminal("solve", TINY)
    assert terminal.end() == 0
    assert terminal.text == (
        "1 2 | 3 4\n3 4 | 1 2\n----+----\n2 1 | 4 3\n4 3 | 2 1\n"
        "solved, the only solution, 0 guesses\n\n1 solved\n"
    )


def test_many_results_at_a_terminal_appear_without_a_bar(tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"{EASY}\n" * 300)
    terminal = Terminal("solve", str(file), "--rate", "--output", "txt")
    assert terminal.end() == 0
    lines = terminal.text.splitlines()
    assert len(lines) == 301
    assert len(set(lines[:300])) == 1
    assert lines[300] == "300 solved"


@pytest.mark.parametrize("is_compressed", [False, True])
def test_the_bar_shows_the_percentage_and_is_erased(tmp_path: Path, *, is_compressed: bool) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"{EASY}\n" * 1_000)
    if is_compressed:
        subprocess.run(["gzip", str(file)], check=True)
        file = tmp_path / "many.txt.gz"
    with (tmp_path / "results").open("wb") as output:
        terminal = Terminal("solve", str(file), "--rate", output=output)
        assert terminal.end() == 0
    assert "solving" in terminal.text
    assert " 0%" in terminal.text
    assert "100%" in terminal.text
    assert "1,000 puzzles" in terminal.text
    erased, _, after = terminal.raw.rpartition("\x1b[2K")
    assert "solving" in erased
    assert after == "1,000 solved\r\n"
    # the cursor is visible again
    assert terminal.raw.rfind("\x1b[?25h") > terminal.raw.rfind("\x1b[?25l")
    assert len((tmp_path / "results").read_text().splitlines()) == 1_000


def test_the_bar_for_a_pipe_counts_puzzles_without_a_percentage(tmp_path: Path) -> None:
    with (tmp_path / "results").open("wb") as output:
        terminal = Terminal("solve", "-", output=output)
        terminal.press(f"{TINY}\n{TINY}\n\x04".encode())
        assert terminal.end() == 0
    assert "2 puzzles" in terminal.text
    assert "%" not in terminal.text


@pytest.mark.parametrize("cores", ["1", "2"])
def test_ctrl_c_ends_a_search_at_once_with_130_and_leaves_no_process(
    tmp_path: Path, cores: str
) -> None:
    with (tmp_path / "results").open("wb") as output:
        terminal = Terminal("solve", *ENDLESS, "-j", cores, output=output)
        terminal.read_until("solving")
        time.sleep(3)  # enough time for the search to begin
        pressed = time.monotonic()
        terminal.press(CTRL_C)
        assert terminal.end() == 130
    assert time.monotonic() - pressed < 20
    assert "Interrupted after 0 puzzles." in terminal.text
    assert "Traceback" not in terminal.text
    assert terminal.raw.rfind("\x1b[?25h") > terminal.raw.rfind("\x1b[?25l")
    wait_until(lambda: not session_of(terminal.process.pid))


@pytest.mark.parametrize(
    "command",
    [("explain", "-"), ("candidates", "-"), ("bench", "--seconds", "100"), ("solve", "-")],
)
def test_ctrl_c_ends_every_command_with_130(command: tuple[str, ...]) -> None:
    terminal = Terminal(*command)
    time.sleep(5)
    terminal.press(CTRL_C)
    assert terminal.end() == 130
    assert "Traceback" not in terminal.text
    assert "Aborted" not in terminal.text


@pytest.mark.parametrize("options", [(), ("-j", "2"), ("--output", "json"), ("--output", "txt")])
def test_a_closed_pipe_ends_with_141_and_without_a_message(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"{EASY}\n" * 50_000)
    with subprocess.Popen(
        [*SUDOKUQ, "solve", str(file), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.parametrize(
    "arguments",
    [("solve", TINY), ("solve", TINY, "--output", "json"), ("solve", TINY, "-j", "2"),
     ("explain", EASY), ("candidates", TINY), ("bench", "--seconds", "0", "--json"),
     ("--help",), ("solve", "--help"), ("completion", "bash")],
)  # fmt: skip
def test_a_full_disk_ends_with_a_message(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [*SUDOKUQ, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ended.returncode == 2
    assert "No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_results_count_even_where_messages_cannot_be_written() -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [*SUDOKUQ, "solve", TINY, "--json"], stdout=subprocess.PIPE, stderr=full, check=False
        )
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["outcome"] == "solved"


def test_closed_standard_streams_are_reported() -> None:
    for redirection, message in ((">&-", "output is closed"), ("<&-", "input is closed")):
        shell = f'"$@" {redirection}'
        ended = subprocess.run(
            ["/bin/sh", "-c", shell, "sh", *SUDOKUQ, "solve", "--json", "-"],
            stdin=subprocess.DEVNULL if redirection == "<&-" else None,
            input=None if redirection == "<&-" else TINY,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)
        assert message in ended.stderr


def test_the_first_use_reports_once_that_it_compiles(tmp_path: Path) -> None:
    cache = str(tmp_path / "compiled")
    first = Terminal("solve", EASY, "--json", NUMBA_CACHE_DIR=cache)
    assert first.end() == 0
    assert first.text.count("Compiling the engines for their first use") == 1
    assert "`sudokuq prepare`" in first.text
    assert "Compiled classic 9×9 puzzles (1 of 1) in " in first.text
    again = Terminal("solve", EASY, "--json", NUMBA_CACHE_DIR=cache)
    assert again.end() == 0
    assert "ompil" not in again.text


def test_prepare_reports_that_nothing_is_left_to_compile() -> None:
    prepared = subprocess.run([*SUDOKUQ, "prepare"], capture_output=True, text=True, check=False)
    assert (prepared.returncode, prepared.stdout) == (0, "")
    assert prepared.stderr == "All engines are compiled already.\n"


def test_sigint_reaches_a_command_in_a_pipeline() -> None:
    with subprocess.Popen(
        [*SUDOKUQ, "solve", *ENDLESS],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=use_default_signals,  # noqa: PLW1509
    ) as process:  # fmt: skip
        while b"llvmlite" not in Path(f"/proc/{process.pid}/maps").read_bytes():
            time.sleep(0.1)  # until the command has started to load the engines
        time.sleep(3)  # enough time for the search to begin
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in said
