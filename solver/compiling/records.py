"""Numpy records as arguments of compiled code: many arrays that are one pointer there."""

from collections.abc import Sequence
from typing import Any

import numpy as np


class Row(np.record):  # type: ignore[misc]  # the stubs call its base final
    """A record that has its bytes at hand.

    Compiled code asks for them at every call, and numpy would describe all fields in text for it,
    which takes longer than many a search.
    """

    _bytes: memoryview

    @property
    def data(self) -> memoryview:
        """The bytes of the record."""
        return self._bytes


def new_row(fields: Sequence[tuple[Any, ...]]) -> Any:
    """Return a record of zeros; fields are name, type and, for arrays, shape."""
    rows = np.zeros(1, np.dtype((Row, np.dtype([*fields], align=True))))
    row = rows[0]
    row.__dict__["_bytes"] = rows.view(np.uint8).data
    return row
