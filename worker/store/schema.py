"""The version of the data stored for a job, so that different program versions don't mix.

A job has the schema of the process that created it. Every process stores the job's data in this
schema. A process that can only read older schemas leaves the job alone: workers leave its chunks to
others, the recovery of lost chunks skips it, and the web server responds with 503.

Increase `SCHEMA` with every change that would make an older version misread a job or compute
different results: another layout of blocks, results, or facts, a new option, or a new format.
`docs/operations.md` describes upgrades.
"""

SCHEMA = 1


class StoredByNewer(Exception):
    """A job has a newer schema than this process reads."""

    def __init__(self, schema: int) -> None:
        super().__init__(
            f"the job has schema {schema}, but this version of sudokuq reads at most {SCHEMA}"
        )
