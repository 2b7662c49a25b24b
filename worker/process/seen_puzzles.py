"""The puzzles that exist already in jobs whose puzzles must be distinct.

The chunks of such a job are generated one after the other. The digests of the puzzles are committed
together with the results, so the next chunk avoids all puzzles before it, in whatever process.
"""

from collections.abc import Callable, Iterable

import numpy as np

from solver.generation.distinct import Seen
from solver.generation.generator import Generated

_MOST_JOBS = 4  # whose digests a process keeps


def pack_digests(generated: Iterable[Generated]) -> bytes:
    """Return the numbers and digests of puzzles, those without a digest left out."""
    pairs = [(each.number, each.digest) for each in generated if each.digest is not None]
    return np.array(pairs, "<u8").tobytes()


class SeenPuzzles:
    """Reads digests when they are needed, and each of them only once.

    `read` returns what `pack_digests` returned for a job's results, without the first ones.
    """

    def __init__(self, read: Callable[[str, int], list[bytes]]) -> None:
        self._read = read
        self._known: dict[str, tuple[Seen, int]] = {}  # and how much of the job has been read

    def of(self, job_id: str, start: Seen) -> Seen:
        """Return all puzzles of a job that have been committed.

        `start` has the puzzles that existed before the job. It is returned in the first call, and
        the same object in further calls.
        """
        seen, count = self._known.pop(job_id, (start, 0))
        packed = self._read(job_id, count)
        for number, digest in np.frombuffer(b"".join(packed), "<u8").reshape(-1, 2).tolist():
            seen.add(digest, number=number)
        self._known[job_id] = seen, count + len(packed)
        if len(self._known) > _MOST_JOBS:
            del self._known[next(iter(self._known))]
        return seen
