"""Every Redis key of the project, and nothing else names one. Every key expires.

    sudokuq:{JOB}:facts      hash   the facts of a job, see `worker.job.Job`
    sudokuq:{JOB}:deleted    hash   the same while the job is being deleted
    sudokuq:{JOB}:starts     zset   chunk -> number of its first record, from 1
    sudokuq:{JOB}:flight     zset   chunk sent or being worked on -> when it counts as lost
    sudokuq:{JOB}:leases     hash   chunk -> who works on it
    sudokuq:{JOB}:done       hash   chunk -> how many of its records have a result
    sudokuq:{JOB}:tries      hash   "by:CHUNK": the holders that began since its last result;
                                    "careful:CHUNK": one of them died; "long:CHUNK": its next
                                    record is long, and how often it was begun in vain
    sudokuq:{JOB}:counts     hash   chunk -> how many of its records have which outcome, rating
    sudokuq:{JOB}:chunk_steps  hash  chunk -> the same by outcome and class of steps
    sudokuq:{JOB}:sums       hash   both for many chunks, see `worker.store.tally`
    sudokuq:{JOB}:steps      hash   outcome and class of steps -> how many records have them
    sudokuq:{JOB}:times      hash   slot of time -> how many records were done in it;
                                    "width": that of a slot in seconds
    sudokuq:{JOB}:pictures   list   images to draw the values with, from 1
    sudokuq:{JOB}:explained  hash   record -> its explanation, where it was asked for later
    sudokuq:{JOB}:asked:N    string record N is being explained: the index of who requested it
    sudokuq:{JOB}:in:CHUNK   string the records as uploaded, until they are done
    sudokuq:{JOB}:part:NAME  string the records of the next chunk, until it is one
                             list   one part of a chunk's results, until the chunk has it
    sudokuq:{JOB}:out:CHUNK  list   the results, part by part
    sudokuq:{JOB}:at:CHUNK   string where the search of its next record stands, if it was set aside
    sudokuq:active           zset   job that is not final -> when to look at it again
    sudokuq:unfinished       zset   job that is not final -> when it expires
    sudokuq:client:HASH      zset   job of a client that is not final -> when it expires
    sudokuq:turns:big:HASH   zset   likewise, those of more than one chunk
    sudokuq:turns:small:HASH zset   likewise, those of one chunk
    sudokuq:explaining:HASH  zset   explanation that a client waits for -> when it may ask again
    sudokuq:request:HASH     string what an Idempotency-Key led to
    sudokuq:requests:HASH    string how many requests a client has sent within a minute
    sudokuq:failures:HASH    string how many wrong keys an address has sent within a minute
    sudokuq:known:HASH       string a key that worked from an address while others failed
    sudokuq:session:DIGEST   string digest of the key that a browser is signed in with
    sudokuq:owned:HASH       zset   job of whoever made it -> when
    sudokuq:signing          string what signs the cookies that name owners
    sudokuq:pace:NUMBER      string how many records were done in these ten seconds
    sudokuq:workers          zset   worker -> when it counts as gone
    sudokuq:worker:NAME      string what a worker says of itself
    sudokuq:doing:NAME       hash   process of a worker -> what it is doing
    sudokuq:sweep:SCHEMA     string the lock of the sweep, for each version that sweeps
    sudokuq:check            string written to see whether Redis takes anything
    sudokuq:counters         hash   what is counted for /metrics, see `worker.store.counters`

The keys of a job share a hash tag, so that one script may touch them all.
"""

import hashlib
import secrets

ACTIVE = "sudokuq:active"
UNFINISHED = "sudokuq:unfinished"
WORKERS = "sudokuq:workers"
CHECK = "sudokuq:check"
COUNTERS = "sudokuq:counters"
SIGNING = "sudokuq:signing"


# What is large is written by a command of its own, before the script that takes it as it is: Lua
# would copy it three times. If the writer dies between the two, it is gone after so many seconds.
TAKEN_WITHIN = 60

# Fields that count records: by outcome, by rating, by technique that they need, by steps.
OUTCOME = "outcome:"
RATING = "rating:"
TECHNIQUE = "technique:"
STEPS = "steps:"

_ONCE_A_JOB = ("facts", "deleted", "starts", "flight", "leases", "done", "tries", "counts",
               "chunk_steps", "sums", "steps", "times", "pictures", "explained")  # fmt: skip


class JobKeys:
    """The keys of one job; `once` are those that there is one of, by name."""

    def __init__(self, job_id: str) -> None:
        prefix = f"sudokuq:{{{job_id}}}:"
        self.once = {name: prefix + name for name in _ONCE_A_JOB}
        self.facts = self.once["facts"]
        self.starts = self.once["starts"]
        self.pictures = self.once["pictures"]
        self.explained = self.once["explained"]
        self._asked = prefix + "asked:"
        self.inputs = prefix + "in:"
        self.outputs = prefix + "out:"
        self.counts = self.once["counts"]
        self.chunk_steps = self.once["chunk_steps"]
        self.sums = self.once["sums"]
        self.steps = self.once["steps"]
        self.times = self.once["times"]
        self._standings = prefix + "at:"
        self._parts = prefix + "part:"

    def input(self, chunk: int) -> str:
        """Return the key of a chunk's records."""
        return f"{self.inputs}{chunk}"

    def asked(self, number: int) -> str:
        """Return the key that says that the explanation of a record is requested."""
        return f"{self._asked}{number}"

    def output(self, chunk: int) -> str:
        """Return the key of a chunk's results."""
        return f"{self.outputs}{chunk}"

    def new_part(self) -> str:
        """Return a key for what is on its way to a chunk, which no other call writes to."""
        return self._parts + secrets.token_hex(16)

    def standing(self, chunk: int) -> str:
        """Return the key of where the search of a chunk's next record stands."""
        return f"{self._standings}{chunk}"


def sweep(schema: int) -> str:
    """Return the key of the lock of the sweep of workers that read a schema at most."""
    return f"sudokuq:sweep:{schema}"


def client(name: str) -> str:
    """Return the key of a client's unfinished jobs; the name itself is not stored."""
    return f"sudokuq:client:{_hash(name)}"


def turns(client: str, *, small: bool) -> str:
    """Return the key of a client's unfinished jobs that take turns in one of the queues."""
    return f"sudokuq:turns:{'small' if small else 'big'}:{_hash(client)}"


def explaining(client: str) -> str:
    """Return the key of the explanations that a client has requested."""
    return f"sudokuq:explaining:{_hash(client)}"


def request(key: str, *, client: str) -> str:
    """Return the key of what an Idempotency-Key of a client led to."""
    return f"sudokuq:request:{_hash(client, key)}"


def requests(client: str) -> str:
    """Return the key of how many requests a client has sent; the name itself is not stored."""
    return f"sudokuq:requests:{_hash(client)}"


def failures(network: str) -> str:
    """Return the key of how many wrong API keys came from a network; its name is not stored."""
    return f"sudokuq:failures:{_hash(network)}"


def known_key(network: str, key_digest: str) -> str:
    """Return the key that shows that an API key worked from a network."""
    return f"sudokuq:known:{_hash(network, key_digest)}"


def session(digest: str) -> str:
    """Return the key of a signed-in browser by the digest of its session's id."""
    return f"sudokuq:session:{digest}"


def owned(owner: str) -> str:
    """Return the key of the jobs that somebody made; the name itself is not stored."""
    return f"sudokuq:owned:{_hash(owner)}"


def pace(bucket: int) -> str:
    """Return the key of the records done in a stretch of time."""
    return f"sudokuq:pace:{bucket}"


def worker(name: str) -> str:
    """Return the key of what a worker says of itself."""
    return f"sudokuq:worker:{name}"


def doing(name: str) -> str:
    """Return the key of what the processes of a worker are doing."""
    return f"sudokuq:doing:{name}"


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:32]
