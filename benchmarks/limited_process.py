"""Run a function in a forked process with limits on its memory and CPU time."""

import json
import os
import resource
import signal
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple


class Ended(NamedTuple):
    """The result of a process that has ended, and the resources that it used.

    result     the function's result, read from JSON, or None if there is none
    failure    why there is no result, or "" if there is one
    seconds    CPU time
    megabytes  peak resident memory
    """

    result: Any
    failure: str
    seconds: float
    megabytes: int


def run_limited(function: Callable[[], Any], *, memory_bytes: int, cpu_seconds: int) -> Ended:
    """Call a function in a forked process with limited memory and CPU time.

    Its result is passed to this process as JSON. If it raises an exception or is killed, the
    returned `failure` contains the exit status or signal, and the traceback goes to stderr.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(json.dumps(function()).encode())
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    failure = ""
    if code < 0:
        failure = f"killed by {signal.Signals(-code).name}"
    elif code > 0:
        failure = f"exited with status {code}"
    return Ended(
        result=None if failure else json.loads(text),
        failure=failure,
        seconds=usage.ru_utime + usage.ru_stime,
        megabytes=usage.ru_maxrss // 1024,
    )
