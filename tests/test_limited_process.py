"""Benchmarks measure single inputs in processes with limits."""

from collections.abc import Callable

import pytest
from limited_process import run_limited


def _loop() -> None:
    while True:
        pass


def test_result_is_returned_with_the_memory_used() -> None:
    ended = run_limited(lambda: [1, "two"], memory_bytes=1 << 40, cpu_seconds=60)
    assert (ended.result, ended.failure) == ([1, "two"], "")
    assert ended.megabytes > 0


@pytest.mark.parametrize(
    ("function", "failure"),
    [(_loop, "killed by SIG"), (lambda: len(bytes(1 << 32)), "exited with status 1")],
)
def test_process_over_a_limit_fails_with_the_reason(
    function: Callable[[], object], failure: str
) -> None:
    ended = run_limited(function, memory_bytes=1 << 32, cpu_seconds=1)
    assert ended.result is None
    assert ended.failure.startswith(failure)
