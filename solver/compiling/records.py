"""NumPy records as arguments of compiled code: many arrays passed as a single pointer."""

from collections.abc import Sequence
from typing import Any

import numpy as np


class Record(np.record):  # type: ignore[misc]  # the stubs call its base final
    """A record that caches a view of its bytes.

    Numba requests the bytes at every call. NumPy would first format a text description of all
    fields, which takes longer than many searches.
    """

    _bytes: memoryview

    @property
    def data(self) -> memoryview:
        """The bytes of the record."""
        return self._bytes


def new_record(fields: Sequence[tuple[Any, ...]]) -> Any:
    """Return a record of zeros. Each field is a name, a type, and, for arrays, a shape."""
    records = np.zeros(1, np.dtype((Record, np.dtype([*fields], align=True))))
    record = records[0]
    record.__dict__["_bytes"] = records.view(np.uint8).data
    return record
