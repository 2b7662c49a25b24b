"""All Redis keys, except for Celery's queues. No other module names one. Every key expires.

    sudokuq:{JOB}:facts      hash   the facts of a job, see `worker.job.Job`
    sudokuq:{JOB}:deleted    hash   the same while the job is being deleted
    sudokuq:{JOB}:starts     zset   chunk -> number of its first record, from 1
    sudokuq:{JOB}:flight     zset   chunk in flight -> when it counts as lost
    sudokuq:{JOB}:leases     hash   chunk -> holder of its lease
    sudokuq:{JOB}:done       hash   chunk -> how many of its records have a result
    sudokuq:{JOB}:tries      hash   "by:CHUNK": the holders that started since its last result;
                                    "careful:CHUNK": one of them crashed; "long:CHUNK": its next
                                    record is slow -> how often it got no new checkpoint
    sudokuq:{JOB}:counts     hash   chunk -> number of its records by outcome, rating, technique
    sudokuq:{JOB}:chunk_steps  hash  chunk -> the same by outcome and class of guesses
    sudokuq:{JOB}:sums       hash   both for many chunks, see `worker.store.statistics`
    sudokuq:{JOB}:steps      hash   outcome and class of guesses -> number of records
    sudokuq:{JOB}:times      hash   time slot -> number of records done in it;
                                    "width": length of a slot in seconds
    sudokuq:{JOB}:digests    list   numbers and digests of generated puzzles, if they must be
                                    distinct, until the job is done
    sudokuq:{JOB}:pictures   list   images to draw the values with, from 1
    sudokuq:{JOB}:explained  hash   record -> its explanation, if requested after the job
    sudokuq:{JOB}:asked:N    string while record N is being explained: the key of the index of
                                    the client that requested this (explaining:HASH); "N:HASH"
                                    while the steps at a position of it are listed
    sudokuq:{JOB}:available:N:HASH  string  the steps that are available at a position of record N
    sudokuq:{JOB}:cut:N      string exists for a minute after the explanation of record N was cut
    sudokuq:{JOB}:in:CHUNK   string the records as uploaded, until they are in the results
    sudokuq:{JOB}:part:NAME  string the records of the next chunk, until it is added
                             list   one part of a chunk's results, until it is added
    sudokuq:{JOB}:out:CHUNK  list   the results, part by part
    sudokuq:{JOB}:at:CHUNK   string the checkpoint of its next record, if it was suspended
    sudokuq:active           zset   active job -> when to check it again
    sudokuq:unfinished       zset   active job -> when it expires
    sudokuq:client:HASH      zset   active job of a client -> when it expires
    sudokuq:turns:big:HASH   zset   the same for jobs of several chunks, or with a slow record
    sudokuq:turns:small:HASH zset   the same for all other jobs
    sudokuq:explaining:HASH  zset   requested explanation of a client -> when it can be repeated
    sudokuq:webhooks         zset   ended job whose webhook is pending, or JOB:test -> when to send
    sudokuq:request:HASH     string state of a client's Idempotency-Key, see `KeyClaim`
    sudokuq:requests:HASH    string number of requests of a client within a minute
    sudokuq:failures:HASH    string number of wrong API keys from a network within a minute
    sudokuq:known:HASH       string exists for an API key that worked while others failed
    sudokuq:session:DIGEST   string digest of the key that a browser is signed in with
    sudokuq:owned:HASH       zset   job of an owner -> when it was created
    sudokuq:signing          string secret that signs the cookies that name owners
    sudokuq:pace:NUMBER      string number of records done in a period of ten seconds
    sudokuq:workers          zset   worker -> when it counts as gone
    sudokuq:worker:NAME      string what a worker reports about itself
    sudokuq:doing:NAME       hash   process of a worker -> its current task
    sudokuq:done:NAME        string number of records that a worker has done since its start
    sudokuq:sweep:SCHEMA     string lock: a worker that reads this schema recovers lost chunks
    sudokuq:check            string written to check whether Redis accepts writes
    sudokuq:counters         hash   counters for /metrics, see `worker.store.counters`

The keys of a job share a hash tag, so that one script can use them all.
"""

import hashlib
import secrets

ACTIVE = "sudokuq:active"
UNFINISHED = "sudokuq:unfinished"
WORKERS = "sudokuq:workers"
CHECK = "sudokuq:check"
COUNTERS = "sudokuq:counters"
WEBHOOKS = "sudokuq:webhooks"
SIGNING = "sudokuq:signing"


# Large values are written with a plain command first. The script then only renames the key, because
# Lua would copy the argument three times. If the writer dies in between, the key expires after this
# many seconds.
TAKEN_WITHIN = 60

# Prefixes of the fields that count records: by outcome, rating, required technique, and guesses.
OUTCOME = "outcome:"
RATING = "rating:"
OWN_RATING = "sudokuq:"
TECHNIQUE = "technique:"
STEPS = "steps:"

_ONCE_A_JOB = ("facts", "deleted", "starts", "flight", "leases", "done", "tries", "counts",
               "chunk_steps", "sums", "steps", "times", "digests", "pictures",
               "explained")  # fmt: skip


def position_of(number: int, position: str) -> str:
    """Return the text that stands for a record, or for a position of it, in Redis keys.

    `number` is the record's number, from 1. `position` is as in
    `worker.records.explanations.StoredSteps`, or "" for the record itself.
    """
    if not position:
        return str(number)
    return f"{number}:{hashlib.sha256(position.encode()).hexdigest()[:24]}"


class JobKeys:
    """The keys of one job. The table in this module describes them.

    `once` maps the names of the keys that exist once per job, such as "facts", to these keys.
    `inputs` and `outputs` are the prefixes of the keys that exist once per chunk.
    """

    def __init__(self, job_id: str) -> None:
        prefix = f"sudokuq:{{{job_id}}}:"
        self.once = {name: prefix + name for name in _ONCE_A_JOB}
        self.facts = self.once["facts"]
        self.starts = self.once["starts"]
        self.pictures = self.once["pictures"]
        self.explained = self.once["explained"]
        self._asked = prefix + "asked:"
        self._available = prefix + "available:"
        self._cut = prefix + "cut:"
        self.inputs = prefix + "in:"
        self.outputs = prefix + "out:"
        self.counts = self.once["counts"]
        self.chunk_steps = self.once["chunk_steps"]
        self.sums = self.once["sums"]
        self.steps = self.once["steps"]
        self.times = self.once["times"]
        self.digests = self.once["digests"]
        self._checkpoints = prefix + "at:"
        self._parts = prefix + "part:"

    def input(self, chunk: int) -> str:
        """Return the key of a chunk's input, the packed block with its records."""
        return f"{self.inputs}{chunk}"

    def asked(self, record: str) -> str:
        """Return the key that exists while an explanation or the steps at a position are requested.

        `record` is a result of `position_of`.
        """
        return f"{self._asked}{record}"

    def available(self, record: str) -> str:
        """Return the key of the steps that are available at a position of a record.

        `record` is a result of `position_of`.
        """
        return f"{self._available}{record}"

    def cut(self, number: int) -> str:
        """Return the key that exists for a minute after the explanation of a record was cut.

        An explanation that takes too long is cut after some of its steps.
        """
        return f"{self._cut}{number}"

    def output(self, chunk: int) -> str:
        """Return the key of a chunk's results."""
        return f"{self.outputs}{chunk}"

    def new_part(self) -> str:
        """Return a new temporary key for data that a script will move to another key of the job."""
        return self._parts + secrets.token_hex(16)

    def checkpoint(self, chunk: int) -> str:
        """Return the key of a chunk's checkpoint.

        It holds the saved progress on the chunk's first record without a result. The key exists
        only if work on that record was suspended.
        """
        return f"{self._checkpoints}{chunk}"


def recovery_lock(schema: int) -> str:
    """Return the key of the lock for recovering lost chunks.

    There is one lock for each `schema`, the newest schema that a worker can read.
    """
    return f"sudokuq:sweep:{schema}"


def client(name: str) -> str:
    """Return the key of a client's active jobs. It contains only a hash of the client's name."""
    return f"sudokuq:client:{_hash(name)}"


def turns(client: str, *, small: bool) -> str:
    """Return the key of a client's active jobs that share its in-flight quota.

    Small jobs and big jobs share separate quotas, so they have separate keys.
    """
    return f"sudokuq:turns:{'small' if small else 'big'}:{_hash(client)}"


def explaining(client: str) -> str:
    """Return the key of a client's pending requests for explanations."""
    return f"sudokuq:explaining:{_hash(client)}"


def request(key: str, *, client: str) -> str:
    """Return the Redis key that stores which job a client's Idempotency-Key (`key`) created."""
    return f"sudokuq:request:{_hash(client, key)}"


def requests(client: str) -> str:
    """Return the key of a client's number of requests per minute.

    It contains only a hash of the name.
    """
    return f"sudokuq:requests:{_hash(client)}"


def failures(network: str) -> str:
    """Return the key of the number of wrong API keys per minute from a network.

    It contains only a hash of the network.
    """
    return f"sudokuq:failures:{_hash(network)}"


def known_key(network: str, key_digest: str) -> str:
    """Return the Redis key that records that an API key worked from a network.

    `key_digest` is the digest of the API key.
    """
    return f"sudokuq:known:{_hash(network, key_digest)}"


def session(digest: str) -> str:
    """Return the key of a signed-in browser's session. `digest` is that of the session's id."""
    return f"sudokuq:session:{digest}"


def owned(owner: str) -> str:
    """Return the key of the list of jobs that an owner created.

    It contains only a hash of the owner.
    """
    return f"sudokuq:owned:{_hash(owner)}"


def pace(bucket: int) -> str:
    """Return the key of the number of records done in a period of ten seconds.

    `bucket` is the number of the period, which is the seconds since 1970 divided by 10.
    """
    return f"sudokuq:pace:{bucket}"


def worker(name: str) -> str:
    """Return the key of a worker's latest report about itself."""
    return f"sudokuq:worker:{name}"


def doing(name: str) -> str:
    """Return the key of a hash with the current task of each process of a worker."""
    return f"sudokuq:doing:{name}"


def done(name: str) -> str:
    """Return the key of the number of records that a worker has done since its start."""
    return f"sudokuq:done:{name}"


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:32]
