"""NumPy records as arguments of compiled code: many arrays and numbers passed as a single pointer.

The fields of a record are declared by annotations, so that people and type checkers know them. If
the shapes are fixed, `record_dtype` derives the NumPy type from a Protocol. Compiled code changes
the fields of `counters: Counters = array[0]` in place, if the array has the type COUNTERS:

    class Counters(Protocol):
        singles: int
        level: Int32

    COUNTERS = record_dtype(Counters)

If the shapes depend on the board, the type is a subclass of `Record`, and `new_record` gets the
shapes:

    class Grid(Record):
        values: NDArray[np.int32]  # (cells,)
        open_cells: int

    grid = new_record(Grid, [("values", "i4", (81,)), ("open_cells", "i8")])
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

Int32 = Annotated[int, np.int32]
UInt32 = Annotated[Any, np.uint32]  # Any, because unsigned numbers are combined with NumPy's own
UInt64 = Annotated[Any, np.uint64]

# NumPy's stubs declare the base of `np.record` as final.
if TYPE_CHECKING:
    _Base = object
else:
    _Base = np.record


class Record(_Base):
    """A record that caches a view of its bytes.

    Numba requests the bytes at every call. NumPy would first format a text description of all
    fields, which takes longer than many searches.
    """

    @property
    def data(self) -> memoryview:
        """The bytes of the record."""
        view: memoryview = self.__dict__["bytes"]
        return view


R = TypeVar("R", bound=Record)


def new_record(record_type: type[R], fields: Sequence[tuple[Any, ...]]) -> R:
    """Return a record of zeros. Each field is a name, a type, and, for arrays, a shape.

    `record_type` is the class of the record. Raises TypeError if the names of the fields differ
    from those of its annotations, or are in another order.
    """
    names = [name for name, *_ in fields]
    if names != [*record_type.__annotations__]:
        raise TypeError(f"the fields of {record_type.__name__} are not those of its annotations")
    records = np.zeros(1, np.dtype((record_type, np.dtype([*fields], align=True))))
    record: R = records[0]
    record.__dict__["bytes"] = records.view(np.uint8).data
    return record


def record_dtype(record: type) -> np.dtype[Any]:
    """Return the NumPy record type that a Protocol describes with its annotations.

    Fields are numbers, arrays of numbers, other records, or sequences of records. Numbers with
    fewer than 64 bits or without a sign are annotated with their type, arrays and sequences with
    their shapes.
    """
    hints = get_type_hints(record, include_extras=True)
    return np.dtype([(name, *_field(hint)) for name, hint in hints.items()], align=True)


def _field(hint: Any) -> tuple[Any, ...]:
    """Return a tuple for the annotation of a field: its NumPy type and, for arrays, its shape."""
    if hint in (int, float):
        return (hint,)
    if get_origin(hint) is not Annotated:
        return (record_dtype(hint),)
    content, *shape = get_args(hint)
    if isinstance(shape[0], type):  # the type of a number instead of a shape
        return (shape[0],)
    item = get_args(content)[-1]  # NDArray[item] is ndarray[…, dtype[item]]
    number = get_args(item)
    return (number[0] if number else record_dtype(item), tuple(shape))
