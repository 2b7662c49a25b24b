"""Serialize arrays for another process that runs the same sources.

The format is NumPy's .npz archive, without pickles. Each archive names the sources that wrote it,
because other sources may lay out the arrays differently.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MADE_BY = "made_by"


def pack_arrays(arrays: Mapping[str, NDArray[Any]], *, made_by: str) -> bytes:
    """Serialize named arrays for `unpack_arrays`."""
    archive = BytesIO()
    np.savez(archive, allow_pickle=False, **{**arrays, _MADE_BY: np.array(made_by)})
    return archive.getvalue()


def unpack_arrays(packed: bytes, *, made_by: str) -> dict[str, NDArray[Any]] | None:
    """Return the arrays given to `pack_arrays`, or None if `made_by` differs."""
    with np.load(BytesIO(packed), allow_pickle=False) as archive:
        if str(archive[_MADE_BY]) != made_by:
            return None
        return {name: archive[name] for name in archive.files if name != _MADE_BY}
