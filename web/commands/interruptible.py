"""Runs functions so that Ctrl-C interrupts the main thread immediately."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def in_thread(work: Callable[[], T]) -> "Future[T]":
    """Run a function in a thread that ends with the process, and return its future.

    Python handles signals only between two of its own instructions in the main thread. If compiled
    code ran in the main thread, Ctrl-C would have no effect until that code returns, which may take
    minutes.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def interruptibly(work: Callable[[], T]) -> T:
    """Run a function, and return its result. Ctrl-C raises KeyboardInterrupt immediately."""
    return in_thread(work).result()
