"""`sudokuq submit --wait` with a service that is busy, unavailable, or drops connections.

Options and variables select the service and the key.
"""

import itertools
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from scripted_service import service
from terminals import SUDOKUQ, use_default_signals

from web.client import retries
from web.commands.cli import main

TINY = "12.4...2....4..1"


def submit(url: str, folder: Path) -> int:
    file = folder / "tiny.txt"
    file.write_text(TINY)
    environment = {"SUDOKUQ_URL": url}
    return CliRunner(env=environment).invoke(main, ["submit", str(file), "--wait"]).exit_code


def test_polls_are_half_a_second_apart_if_the_service_responds_immediately(
    tmp_path: Path,
) -> None:
    polls = 0

    def running_for_two_seconds() -> Iterator[str]:
        nonlocal polls
        until = time.monotonic() + 2.0
        while time.monotonic() < until:
            polls += 1
            yield "running"
        yield "finished"

    with service(running_for_two_seconds()) as url:
        assert submit(url, tmp_path) == 0
    assert 1 <= polls <= 5


def test_waiting_continues_after_lost_connections_and_errors(tmp_path: Path) -> None:
    with service(iter(["running", "", "", 503, "running", 429, "", "finished"])) as url:
        assert submit(url, tmp_path) == 0


def test_waiting_ends_when_the_service_stays_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "PATIENCE", 1.0)
    with service(iter(["running", *[""] * 99])) as url:
        assert submit(url, tmp_path) == 2


def test_waiting_ends_when_the_job_is_gone(tmp_path: Path) -> None:
    with service(iter(["running", 404])) as url:
        assert submit(url, tmp_path) == 2


def test_the_job_is_named_before_the_wait_and_when_it_is_interrupted(tmp_path: Path) -> None:
    file = tmp_path / "tiny.txt"
    file.write_text(TINY)
    with (
        service(itertools.repeat("running")) as url,
        subprocess.Popen(
            [*SUDOKUQ, "submit", str(file), "--wait", "--json", "--url", url],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=use_default_signals,  # noqa: PLW1509
        ) as process,
    ):  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == "job       j\n"
        assert process.stderr.readline() == "page      http://x/jobs/j\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "`sudokuq watch j` follows it, `sudokuq cancel j` stops it" in said
    assert (out, "Traceback" in said) == ("", False)


@pytest.mark.parametrize(
    ("own", "arguments", "key"),
    [
        ("", (), "Bearer first"),
        ("mine", (), "Bearer mine"),
        ("mine", ("--api-key", "other"), "Bearer other"),
    ],
)
def test_options_select_the_service_and_the_key(
    own: str, arguments: tuple[str, ...], key: str
) -> None:
    keys: list[str | None] = []
    with service(itertools.repeat("finished"), keys) as url:
        for command in ("status", "watch"):
            found = CliRunner(
                env={
                    "SUDOKUQ_URL": "http://127.0.0.1:1",
                    "SUDOKUQ_API_KEY": own,
                    "SUDOKUQ_API_KEYS": "first:read, second",
                }
            ).invoke(main, [command, "j", "--url", url, *arguments])
            assert found.exit_code == 0, found.stderr
    assert keys == [key, key]


def test_the_port_of_the_environment_is_that_of_the_service() -> None:
    with service(itertools.repeat("finished")) as url:
        environment = {"SUDOKUQ_URL": "", "PORT": url.rpartition(":")[2]}
        assert CliRunner(env=environment).invoke(main, ["status", "j"]).exit_code == 0


@pytest.mark.parametrize("state", ["cancelled", "failed"])
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_canceled_job_does_not_count_as_all_solved(state: str, options: tuple[str, ...]) -> None:
    with service(iter([f"{state} without puzzles"])) as url:
        found = CliRunner().invoke(main, ["watch", "j", "--url", url, *options])
    assert found.exit_code == 1
