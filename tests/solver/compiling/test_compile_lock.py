"""Two processes that need the same code at the same time: one compiles it, the other waits.

If the first one is killed, the other compiles. Without a lock, code is compiled all the same.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from paths import ROOT

from solver import preparing
from solver.compiling.jit import PATCHED
from solver.preparing import Code

# The fake code waits for a line before it is compiled. Reports go to standard output.
_PROGRAM = """
import sys
from functools import partial
from numba.core import event
from solver import preparing
from solver.compiling.jit import compiled

@compiled
def doubled(number):
    return 2 * number

def prepare_fake():
    report("ready")
    sys.stdin.readline()
    doubled(3)

report = partial(print, flush=True)
preparing._prepare_minlex = prepare_fake
with event.install_recorder("numba:compile") as events:
    preparing.prepare(preparing.Code.MINLEX, on_wait=lambda: report("waiting"))
report(len(events.buffer) // 2)
"""

needs_cache = pytest.mark.skipif(not PATCHED, reason="nothing is cached without the patches")
Start = Callable[[], "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts the program in a process, with one cache for all of them."""
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM)
    variables = {"PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    processes = []

    def start_one() -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, str(program)],
            env=os.environ | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield start_one
    for process in processes:
        process.kill()
        process.communicate()


def _next(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _rest(process: "subprocess.Popen[str]") -> list[str]:
    """Let the process compile, wait for its end, and return its last reports."""
    return process.communicate("compile\n", timeout=60)[0].split()


@needs_cache
def test_the_second_of_two_processes_waits_and_compiles_nothing(start: Start) -> None:
    first = start()
    assert _next(first) == "ready"
    second = start()
    assert _next(second) == "waiting"
    assert _rest(first) == ["1"]
    assert _rest(second) == ["ready", "0"]
    assert _rest(start()) == ["ready", "0"]  # No process has to wait for code in the cache.


@needs_cache
def test_a_process_that_is_killed_lets_the_next_one_compile(start: Start) -> None:
    first = start()
    assert _next(first) == "ready"
    second = start()
    assert _next(second) == "waiting"
    first.kill()
    assert _rest(second) == ["ready", "1"]


def test_code_is_compiled_without_a_lock_if_none_can_be_created(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "marker"
    marker.with_name("marker.lock").mkdir()
    monkeypatch.setattr("solver.compiling.compile_lock.marker_path", lambda *_: marker)
    monkeypatch.setattr("solver.compiling.compile_lock.is_marked", lambda *_, **__: False)
    monkeypatch.setattr("solver.compiling.cache_markers.marker_path", lambda *_: marker)
    compiled: list[str] = []
    monkeypatch.setattr(preparing, "_prepare_minlex", lambda: compiled.append("minlex"))
    preparing.prepare(Code.MINLEX)
    assert compiled == ["minlex"]
    assert marker.exists() == PATCHED
