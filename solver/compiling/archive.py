"""Arrays packed for another process, with the sources that laid them out.

Packed is an archive of NumPy's, without pickles. Other sources may lay the arrays out otherwise,
and do not read it.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MADE_BY = "made_by"


def pack_arrays(arrays: Mapping[str, NDArray[Any]], *, made_by: str) -> bytes:
    """Return named arrays as bytes, see `unpack_arrays`."""
    archive = BytesIO()
    np.savez(archive, allow_pickle=False, **{**arrays, _MADE_BY: np.array(made_by)})
    return archive.getvalue()


def unpack_arrays(packed: bytes, *, made_by: str) -> dict[str, NDArray[Any]] | None:
    """Return what `pack_arrays` was given; None if others packed it."""
    with np.load(BytesIO(packed), allow_pickle=False) as archive:
        if str(archive[_MADE_BY]) != made_by:
            return None
        return {name: archive[name] for name in archive.files if name != _MADE_BY}
