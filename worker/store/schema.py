"""The version of everything that is stored for a job, so that different versions don't mix.

A job has the schema of the process that opened it. Whoever works for a job stores its data in the
job's schema. A process that reads only older schemas leaves the job alone: workers leave its
chunks to others, the sweep passes it over, and the web server answers 503 for it.

Raise `SCHEMA` with every change because of which an older version would misread a job, or answer
it differently: another layout of blocks, results, or facts, a new option, or a new format.
`docs/operations.md` describes upgrades.
"""

SCHEMA = 1


class StoredByNewer(Exception):
    """A job has a newer schema than this process reads."""

    def __init__(self, schema: int) -> None:
        super().__init__(
            f"the job has schema {schema}, but this version of sudokuq reads {SCHEMA} at most"
        )
