"""Calls that need a thread without an event loop."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def in_own_thread(call: Callable[..., T], *arguments: object) -> T:
    """Run a call in a thread of its own, and return its result or raise its exception.

    Playwright's browser leaves a running event loop in the main thread, where asyncio.run fails.
    """
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(call, *arguments).result()
