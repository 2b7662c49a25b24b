"""Record types are derived from Protocols."""

from collections.abc import Sequence
from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiling.records import Int32, record_dtype


class Point(Protocol):
    """A record of numbers."""

    x: int
    kind: Int32
    weight: float


class Shape(Protocol):
    """A record with arrays and other records."""

    center: Point
    corners: Annotated[Sequence[Point], 4]
    distances: Annotated[NDArray[np.int16], 4, 4]


def test_a_protocol_describes_a_record_type() -> None:
    point = np.dtype([("x", "i8"), ("kind", "i4"), ("weight", "f8")], align=True)
    assert record_dtype(Point) == point
    fields = [("center", point), ("corners", point, (4,)), ("distances", "i2", (4, 4))]
    assert record_dtype(Shape) == np.dtype(fields, align=True)
