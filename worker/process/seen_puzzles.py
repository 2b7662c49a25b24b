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
    """Return pairs of a puzzle's number and digest as little-endian 64-bit integers.

    Puzzles without a digest are left out.
    """
    pairs = [(each.number, each.digest) for each in generated if each.digest is not None]
    return np.array(pairs, "<u8").tobytes()


class SeenPuzzles:
    """Returns the puzzles of jobs so far, and reads each of their digests only once.

    `read` takes a job's id and a count. It returns the byte strings of digests that were committed
    with the job's results, packed by `pack_digests`, without the first `count` of them.
    """

    def __init__(self, read: Callable[[str, int], list[bytes]]) -> None:
        self._read = read
        self._known: dict[str, tuple[Seen, int]] = {}  # and how much of the job has been read

    def of(self, job_id: str, start: Seen) -> Seen:
        """Return the puzzles of a job so far: those in `start`, and all that have been committed.

        `start` has the puzzles that existed before the job. The first call for a job adds the
        committed ones to it and returns it. Later calls add to the same object, and ignore their
        own `start`, unless the job was forgotten because of calls for many other jobs.
        """
        seen, count = self._known.pop(job_id, (start, 0))
        packed = self._read(job_id, count)
        for number, digest in np.frombuffer(b"".join(packed), "<u8").reshape(-1, 2).tolist():
            seen.add(digest, number=number)
        self._known[job_id] = seen, count + len(packed)
        if len(self._known) > _MOST_JOBS:
            del self._known[next(iter(self._known))]
        return seen
