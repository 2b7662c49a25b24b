"""NumPy records as arguments of compiled code: many arrays passed as a single pointer."""

from collections.abc import Sequence
from typing import Annotated, Any, get_args, get_origin, get_type_hints

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


def record_dtype(record: type) -> np.dtype[Any]:
    """Return the record type that a Protocol describes.

    Fields are numbers, arrays of numbers, other records, or sequences of records. Arrays and
    sequences are annotated with their shapes.
    """
    hints = get_type_hints(record, include_extras=True)
    return np.dtype([(name, *_field(hint)) for name, hint in hints.items()], align=True)


def _field(hint: Any) -> tuple[Any, ...]:
    """Return the type of a field and, for arrays, its shape."""
    if hint in (int, float):
        return (hint,)
    if get_origin(hint) is not Annotated:
        return (record_dtype(hint),)
    content, *shape = get_args(hint)
    item = get_args(content)[-1]  # NDArray[item] is ndarray[…, dtype[item]]
    number = get_args(item)
    return (number[0] if number else record_dtype(item), tuple(shape))
