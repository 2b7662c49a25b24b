"""Run calls in a pool of processes that can be ended immediately, even while they are working.

A ProcessPoolExecutor hangs if a process is killed while it sends a result. All its processes share
one pipe, and the rest of the message never comes (https://github.com/python/cpython/issues/94777
has the case of the other direction). Here, each process has its own pipe, which is closed with it.
"""

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from worker.process_setup import die_with_parent

T = TypeVar("T")

_THIS_THREAD = threading.local()  # connection: to the process of this thread


class ProcessEnded(Exception):
    """A process of the pool ended before it returned a result."""


@contextmanager
def process_pool(
    processes: int,
) -> Iterator[Callable[[Callable[[], T]], "Future[T]"]]:
    """Provide a function that runs a call in one of several processes and returns its future.

    A call is a function without arguments. The call and its result must be picklable. The future
    raises ProcessEnded if the process ends first, for example because the call raised an exception,
    which the process then prints. At the end of the `with` block, the processes are killed, and
    unfinished calls are dropped.
    """
    started: list[BaseProcess] = []
    # Each thread starts a process and waits for its results.
    threads = ThreadPoolExecutor(processes, initializer=_start_process, initargs=(started,))
    try:
        yield lambda call: threads.submit(_call, call)
    finally:
        # First, so that no thread takes another call after its process is killed.
        threads.shutdown(wait=False, cancel_futures=True)
        for process in started:
            process.kill()
        threads.shutdown()


def _start_process(started: list[BaseProcess]) -> None:
    """Start a process for this thread, and append it to `started`.

    The thread keeps the connection to the process in `_THIS_THREAD`. SIGINT is then blocked in this
    thread, which must not be the main thread.
    """
    # The process inherits this, so that Ctrl-C doesn't end it with a traceback before `_serve`.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    context = multiprocessing.get_context("spawn")
    _THIS_THREAD.connection, connection = context.Pipe()
    process = context.Process(target=_serve, args=(connection,), daemon=True)
    process.start()
    connection.close()  # so that the process has the only one, and its end closes the pipe
    started.append(process)


def _call(call: Callable[[], T]) -> T:
    """Run a call in the process of this thread, and return its result.

    Raises ProcessEnded if the process ends first.
    """
    connection: Connection[Any, Any] = _THIS_THREAD.connection
    try:
        connection.send(call)
        result: T = connection.recv()
    except (EOFError, ConnectionError):
        raise ProcessEnded from None
    return result


def _serve(connection: "Connection[Any, Any]") -> None:
    """Run the calls that arrive through a connection, and send back their results.

    This is the main function of a process of the pool. It returns when the connection is closed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    end = die_with_parent(signal.SIGKILL)
    if end is not None:
        end()
    while True:
        try:
            call = connection.recv()
        except EOFError:
            return
        connection.send(call())
