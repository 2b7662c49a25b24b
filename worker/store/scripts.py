"""The Lua scripts in this package. Each is one atomic operation of the store.

A script begins with the names of its keys and arguments, which become its local variables:

    -- keys: facts leases input        of `JobKeys`; input, output, and
                                       checkpoint are the chunk's
    -- arguments: chunk holder         the arguments of `Scripts.run`
"""

import re
from enum import StrEnum
from importlib.resources import files
from typing import Any

from redis import Redis

from worker.store.keys import JobKeys

_HEADER = re.compile(r"^-- (keys|arguments): ([\w ]+)$", re.MULTILINE)
_TABLES = {"keys": "KEYS", "arguments": "ARGV"}


class ScriptReply(StrEnum):
    """The words that scripts return."""

    ACQUIRED = "acquired"  # acquire: the caller has the lease now
    BUSY = "busy"  # acquire: another holder has the lease
    NEWER = "newer"  # acquire: the job has a schema that the caller can't read
    MISSING = "missing"  # acquire: the chunk is not done, and its records are lost
    MORE = "more"  # commit: the chunk is not complete yet
    CHUNK_DONE = "chunk_done"  # commit: the chunk is complete
    JOB_DONE = "job_done"  # commit: the chunk and the job are complete
    STALE = "stale"  # commit: these results were already stored
    RECLAIMED = "reclaimed"  # reclaim: the chunks to send again, if any
    INTERRUPTED = "interrupted"  # reclaim: the upload was interrupted
    GONE = "gone"  # any script: the job is final or no longer exists


class Scripts:
    """Runs scripts on the keys of one job. Their headers describe what they do and return."""

    def __init__(self, redis: Redis) -> None:
        folder = files("worker.store") / "lua"
        self._scripts = {
            entry.name.removesuffix(".lua"): _Script(redis, entry.read_text("utf-8"))
            for entry in folder.iterdir()
            if entry.name.endswith(".lua")
        }

    def run(self, script: str, job: JobKeys, **arguments: str | bytes | int | float) -> Any:
        """Run one script with exactly the arguments that its header names."""
        return self._scripts[script].run(job, arguments)


class _Script:
    def __init__(self, redis: Redis, text: str) -> None:
        named = {kind: names.split() for kind, names in _HEADER.findall(text)}
        self._keys = named["keys"]
        self._arguments = named.get("arguments", [])
        self._script = redis.register_script(_HEADER.sub(_locals, text))

    def run(self, job: JobKeys, arguments: dict[str, str | bytes | int | float]) -> Any:
        if arguments.keys() != set(self._arguments):
            raise TypeError(f"the script takes {self._arguments}, not {list(arguments)}")
        known = job.once
        if "chunk" in arguments:
            chunk = int(arguments["chunk"])
            known = known | {
                "input": job.input(chunk),
                "output": job.output(chunk),
                "checkpoint": job.checkpoint(chunk),
            }
        keys = [known[name] for name in self._keys]
        return self._script(keys=keys, args=[arguments[name] for name in self._arguments])


def _locals(header: re.Match[str]) -> str:
    """Return the Lua code that replaces a header line: it assigns the arguments to local variables.

    It is one line, so that line numbers stay correct.
    """
    table, names = _TABLES[header[1]], header[2].split()
    values = (f"{table}[{place}]" for place in range(1, len(names) + 1))
    return f"local {', '.join(names)} = {', '.join(values)}"
