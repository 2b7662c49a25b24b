"""The code that workers are compiling, for pages that wait for it."""

from web.http import request_context


def compiling_code() -> str:
    """Return the names of the code a worker is compiling, or "" if any worker is completely ready.

    Also returns "" if no worker is running.
    """
    found = [worker.preparing for worker in request_context.service().registry.workers()]
    return found[0] if found and all(found) else ""
