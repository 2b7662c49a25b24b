"""Narrow columns of numbers for storage, to as many bytes per number as the largest one needs.

Zstandard takes longer for data with a period of eight bytes than for everything else in a result.
"""

from typing import Literal

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from worker.records.chunk_result import ChunkResult

Kind = Literal["u1", "<u2", "<u4", "<i8"]
Kinds = tuple[Kind, Kind, Kind]  # of lines, counts, and steps
_NARROW: tuple[Kind, ...] = ("u1", "<u2", "<u4")
_WIDE: Kind = "<i8"


def narrow(result: ChunkResult) -> tuple[ChunkResult, Kinds]:
    """Convert the int64 columns of a result to the narrowest types that can hold their numbers.

    Returns a result with the columns `lines`, `counts`, and `steps` converted, and the types of
    these three columns. In `lines`, each line number is replaced by its difference from the
    previous one, because most differences are 1.
    """
    lines, line = _narrow(np.diff(ChunkResult.integers(result.lines), prepend=0))
    counts, count = _narrow(ChunkResult.integers(result.counts))
    steps, step = _narrow(ChunkResult.integers(result.steps))
    return replace(result, lines=lines, counts=counts, steps=steps), (line, count, step)


def widen(result: ChunkResult, kinds: Kinds) -> ChunkResult:
    """Return the result, with int64 columns, that `narrow` converted.

    `result` and `kinds` are the return values of `narrow`.
    """
    line, count, step = kinds
    return replace(
        result,
        lines=np.cumsum(np.frombuffer(result.lines, line), dtype=_WIDE).tobytes(),
        counts=np.frombuffer(result.counts, count).astype(_WIDE).tobytes(),
        steps=np.frombuffer(result.steps, step).astype(_WIDE).tobytes(),
    )


class AscendingInts(msgspec.Struct, frozen=True, array_like=True):
    """Packed numbers, strictly ascending: the first, their count, and the differences between them.

    The differences have the integer type `kind`. They are left out if all are 1.
    """

    first: int
    count: int
    kind: Kind = "u1"
    differences: bytes = b""

    @classmethod
    def of(cls, numbers: NDArray[np.int64]) -> "AscendingInts":
        """Pack an array of numbers, which isn't empty."""
        first, count = int(numbers[0]), len(numbers)
        if numbers[-1] - first == count - 1:
            return cls(first, count)
        differences, kind = _narrow(np.diff(numbers))
        return cls(first, count, kind, differences)

    def unpack(self) -> NDArray[np.int64]:
        """Return the array of numbers."""
        if not self.differences:
            return np.arange(self.first, self.first + self.count)
        numbers = np.full(self.count, self.first)
        numbers[1:] += np.cumsum(np.frombuffer(self.differences, self.kind), dtype=np.int64)
        return numbers


def _narrow(numbers: NDArray[np.int64]) -> tuple[bytes, Kind]:
    least, most = int(numbers.min(initial=0)), int(numbers.max(initial=0))
    fitting = (kind for kind in _NARROW if least >= 0 and most <= np.iinfo(kind).max)
    kind = next(fitting, _WIDE)
    return numbers.astype(kind).tobytes(), kind
