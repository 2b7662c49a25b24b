"""NumPy records as arguments of compiled code: many arrays passed as a single pointer."""

from collections.abc import Sequence
from typing import Any

import numpy as np


class Row(np.record):  # type: ignore[misc]  # the stubs call its base final
    """A record that caches a view of its bytes.

    Numba requests the bytes at every call. NumPy would format a text description of all fields for
    that, which takes longer than many a search.
    """

    _bytes: memoryview

    @property
    def data(self) -> memoryview:
        """The bytes of the record."""
        return self._bytes


def new_row(fields: Sequence[tuple[Any, ...]]) -> Any:
    """Return a record of zeros. Each field is a name, a type, and, for arrays, a shape."""
    rows = np.zeros(1, np.dtype((Row, np.dtype([*fields], align=True))))
    row = rows[0]
    row.__dict__["_bytes"] = rows.view(np.uint8).data
    return row
