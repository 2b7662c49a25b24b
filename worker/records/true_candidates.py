"""True candidates as they are stored in a chunk's results."""

import msgspec
import numpy as np

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.board.true_candidates import TrueCandidates


class StoredCandidates(msgspec.Struct, frozen=True, array_like=True):
    """The stored form of one record's true candidates.

    counts   cells × size uint32, little-endian: number of solutions with each value in each cell
    decided  a bit for each of these numbers: whether the count is final
    bound    maximum number of solutions that are counted for a value in a cell
    """

    counts: bytes
    decided: bytes
    bound: int

    @classmethod
    def of(cls, true: TrueCandidates) -> "StoredCandidates":
        """Convert true candidates for storage."""
        counts = true.counts.astype("<u4").tobytes()
        return cls(counts, np.packbits(true.decided).tobytes(), true.bound)

    def read(self, layout: Layout, symbols: Symbols) -> TrueCandidates:
        """Return the stored true candidates of a record with this layout and these symbols."""
        shape = (layout.cells, layout.size)
        bits = np.unpackbits(np.frombuffer(self.decided, np.uint8), count=shape[0] * shape[1])
        return TrueCandidates(
            np.frombuffer(self.counts, "<u4").astype(np.int64).reshape(shape),
            bits.astype(np.bool_).reshape(shape),
            self.bound,
            symbols,
        )
