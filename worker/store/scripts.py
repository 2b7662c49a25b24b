"""Run the Lua scripts in this package. Each is one atomic operation of the store.

A script begins with the names of its keys and arguments, which become its local variables:

    -- keys: facts leases input        names in `JobKeys.once`, or input, output, and
                                       checkpoint for the keys of one chunk
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
    """The words that scripts return to report what happened.

    ACQUIRED     acquire: the caller has the lease now
    BUSY         acquire: another holder has the lease
    NEWER        acquire: the job has a schema that the caller can't read
    MISSING      acquire: the chunk is not done, but its records are missing in Redis
    MORE         commit: the chunk is not complete yet
    CHUNK_DONE   commit: the chunk is complete
    JOB_DONE     commit: the chunk and the job are complete
    STALE        commit: these results were already stored
    RECOVERED    recover: followed by the chunks to send again, if any
    INTERRUPTED  recover: the job's upload was interrupted
    GONE         the job has ended or no longer exists. In acquire, also: the chunk is done
    """

    ACQUIRED = "acquired"
    BUSY = "busy"
    NEWER = "newer"
    MISSING = "missing"
    MORE = "more"
    CHUNK_DONE = "chunk_done"
    JOB_DONE = "job_done"
    STALE = "stale"
    RECOVERED = "recovered"
    INTERRUPTED = "interrupted"
    GONE = "gone"


class Scripts:
    """Runs scripts on the keys of one job. The header of each script describes what it returns."""

    def __init__(self, redis: Redis) -> None:
        folder = files("worker.store") / "lua"
        self._scripts = {
            entry.name.removesuffix(".lua"): _Script(redis, entry.read_text("utf-8"))
            for entry in folder.iterdir()
            if entry.name.endswith(".lua")
        }

    def run(self, script: str, job: JobKeys, **arguments: str | bytes | int | float) -> Any:
        """Run a script on the keys of a job, and return its reply.

        `script` is the name of the file without `.lua`. If there is an argument `chunk`, the script
        can also use the keys of this chunk. Raises TypeError if the arguments aren't exactly those
        that the script's header names.
        """
        return self._scripts[script].run(job, arguments)


class _Script:
    """A Lua script, registered in Redis. `run` passes the keys and arguments its header names."""

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
    """Return the Lua code that replaces a header line of a script.

    It assigns the script's keys or arguments to local variables with the names in the header. It is
    one line, so that line numbers stay correct.
    """
    table, names = _TABLES[header[1]], header[2].split()
    values = (f"{table}[{place}]" for place in range(1, len(names) + 1))
    return f"local {', '.join(names)} = {', '.join(values)}"
