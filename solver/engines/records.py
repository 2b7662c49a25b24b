"""Records for compiled code, declared once for NumPy and for type checkers.

    class Counters(Protocol):
        singles: Int64

    COUNTERS = record_type(Counters)

Compiled code changes the fields of `counters: Counters = array[0]` in place, if the array has the
type COUNTERS.
"""

from typing import Annotated, Any, get_type_hints

import numpy as np

Int32 = Annotated[int, np.int32]
Int64 = Annotated[int, np.int64]
UInt32 = Annotated[Any, np.uint32]  # Any, because unsigned numbers are combined with NumPy's own
UInt64 = Annotated[Any, np.uint64]
Float64 = Annotated[float, np.float64]


def record_type(fields: type) -> np.dtype[np.void]:
    """Return the NumPy type of records with the fields that a protocol declares."""
    hints = get_type_hints(fields, include_extras=True)
    return np.dtype([(name, hint.__metadata__[0]) for name, hint in hints.items()], align=True)
