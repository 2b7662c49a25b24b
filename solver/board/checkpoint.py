"""Store the progress of suspended computations as checkpoints.

A checkpoint is serialized as NumPy's .npz archive, without pickles.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

_SOURCES = "made_by"  # the name in the archive
_UNREADABLE = (BadZipFile, EOFError, KeyError, OSError, ValueError)


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The progress of a suspended search, series of searches, rating, or explanation.

    arrays   the progress, by names that only the suspended computation reads
    sources  a digest of the code that suspended it. Other code may lay out the arrays differently.
    """

    arrays: Mapping[str, NDArray[Any]]
    sources: str

    def arrays_of(self, sources: str) -> dict[str, NDArray[Any]] | None:
        """Return the arrays, or None if the checkpoint has another digest than `sources`."""
        return dict(self.arrays) if self.sources == sources else None

    def pack(self) -> bytes:
        """Serialize the checkpoint to bytes, for another process."""
        archive = BytesIO()
        np.savez(archive, allow_pickle=False, **{**self.arrays, _SOURCES: np.array(self.sources)})
        return archive.getvalue()

    @staticmethod
    def unpack(packed: bytes) -> "Checkpoint | None":
        """Return the checkpoint that `pack` serialized, or None if these bytes aren't one."""
        try:
            with np.load(BytesIO(packed), allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
            return Checkpoint(arrays, sources=str(arrays.pop(_SOURCES)))
        except _UNREADABLE:
            return None
