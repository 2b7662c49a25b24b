"""The pool of processes ends at once, and reports a process that ends too early."""

import os
import signal
import time
from collections.abc import Callable
from functools import partial

import pytest

from web.commands.process_pool import ProcessEnded, process_pool

LARGE = 50_000_000  # bytes: sending them takes many writes


def kill_yourself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_calls_return_their_results_from_other_processes() -> None:
    with process_pool(2) as start:
        futures = [start(os.getpid) for _ in range(8)]
        found = {future.result() for future in futures}
    assert os.getpid() not in found
    assert 1 <= len(found) <= 2


@pytest.mark.parametrize(
    "call", [partial(bytes, LARGE), partial(time.sleep, 3600)], ids=["sending", "working"]
)
def test_pool_ends_while_its_processes_are_busy(call: Callable[[], object]) -> None:
    with process_pool(2) as start:
        start(os.getpid).result()
        futures = [start(call) for _ in range(20)]
    assert all(future.done() for future in futures)


def test_killed_process_is_reported_and_the_pool_ends() -> None:
    with process_pool(1) as start:
        future = start(kill_yourself)
        with pytest.raises(ProcessEnded):
            future.result()


def test_ctrl_c_cannot_interrupt_a_process_that_is_starting() -> None:
    with process_pool(1) as start:
        blocked = start(partial(signal.pthread_sigmask, signal.SIG_BLOCK, [])).result()
    assert signal.SIGINT in blocked  # inherited, so since before its first instruction
