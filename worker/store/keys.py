"""Every Redis key of the project, and nothing else names one. Every key expires.

    sudokuq:{JOB}:facts      hash   the facts of a job, see `worker.job.Job`
    sudokuq:{JOB}:starts     zset   chunk -> number of its first record, from 1
    sudokuq:{JOB}:flight     zset   chunk sent or being worked on -> when it counts as lost
    sudokuq:{JOB}:leases     hash   chunk -> who works on it
    sudokuq:{JOB}:done       hash   chunk -> how many of its records have a result
    sudokuq:{JOB}:tries      hash   chunk -> starts since its last result; "careful:CHUNK"
    sudokuq:{JOB}:pictures   list   images to draw the values with, from 1
    sudokuq:{JOB}:in:CHUNK   string the records as uploaded, until they are done
    sudokuq:{JOB}:out:CHUNK  list   the results, part by part
    sudokuq:active           zset   job that is not final -> when it was opened
    sudokuq:client:HASH      zset   likewise, of one client
    sudokuq:request:HASH     string what an Idempotency-Key led to
    sudokuq:workers          zset   worker -> when it counts as gone
    sudokuq:worker:NAME      string what a worker says of itself
    sudokuq:doing:NAME       hash   process of a worker -> what it is doing
    sudokuq:sweep            string the lock of the sweep

The keys of a job share a hash tag, so that one script may touch them all.
"""

import hashlib

ACTIVE = "sudokuq:active"
WORKERS = "sudokuq:workers"
SWEEP = "sudokuq:sweep"


class JobKeys:
    """The keys of one job."""

    def __init__(self, job_id: str) -> None:
        self.prefix = f"sudokuq:{{{job_id}}}:"
        self.facts = self.prefix + "facts"
        self.starts = self.prefix + "starts"
        self.flight = self.prefix + "flight"
        self.leases = self.prefix + "leases"
        self.done = self.prefix + "done"
        self.tries = self.prefix + "tries"
        self.pictures = self.prefix + "pictures"

    def input(self, chunk: int) -> str:
        """Return the key of a chunk's records."""
        return f"{self.prefix}in:{chunk}"

    def output(self, chunk: int) -> str:
        """Return the key of a chunk's results."""
        return f"{self.prefix}out:{chunk}"

    @property
    def shared(self) -> list[str]:
        """The keys that a job has once, in the order in which the scripts expect them."""
        return [
            self.facts, self.starts, self.flight, self.leases, self.done, self.tries, self.pictures,
        ]  # fmt: skip


def client(name: str) -> str:
    """Return the key of a client's unfinished jobs; the name itself is not stored."""
    return f"sudokuq:client:{_hash(name)}"


def request(key: str, *, client: str) -> str:
    """Return the key of what an Idempotency-Key of a client led to."""
    return f"sudokuq:request:{_hash(client, key)}"


def worker(name: str) -> str:
    """Return the key of what a worker says of itself."""
    return f"sudokuq:worker:{name}"


def doing(name: str) -> str:
    """Return the key of what the processes of a worker are doing."""
    return f"sudokuq:doing:{name}"


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:32]
