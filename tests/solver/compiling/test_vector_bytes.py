"""Conversion between bytes and vectors is lossless."""

from typing import Any

import numpy as np
import pytest

from solver.compiling.packed import GRID, PACKED, ROW, copy_grid, pack_grids, unpack_grids
from solver.compiling.parts import Outer
from solver.compiling.vector import align_stack, vectors
from solver.compiling.vector_bytes import comparer

differ = comparer(GRID)


@Outer
def pack(packed: Any, grids: Any, first: int, count: int) -> None:
    align_stack()
    pack_grids(packed, grids, first, count)


@Outer
def unpack(packed: Any, rows: Any) -> None:
    align_stack()
    unpack_grids(packed, rows)


@Outer
def copy(rows: Any, offset: int, grids: Any, start: int) -> None:
    copy_grid(rows, offset, grids, start)


@Outer
def is_other(wanted: Any, found: Any, offset: int) -> Any:
    return differ(wanted, found, offset)


@pytest.mark.parametrize("lanes", [4, 8, 16, 32])
@pytest.mark.parametrize("spare", [-1, 0, 5])
def test_grids_are_unpacked_as_they_were_packed(lanes: int, spare: int) -> None:
    random = np.random.default_rng(lanes)
    first, count = 3, lanes + 3 + spare
    grids = random.integers(0, 256, (count, GRID)).astype(np.uint8)
    packed, rows = vectors(PACKED, lanes), vectors(PACKED, lanes)
    pack(packed, grids.ravel(), first, count)
    unpack(packed, rows)
    there = min(lanes, count - first)
    words = packed["words"].T.copy().view(np.uint8)  # each grid's bytes in consecutive order
    assert (words[:there, :GRID] == grids[first : first + there]).all()
    assert (rows["words"].reshape(lanes, PACKED) == packed["words"].T).all()
    found = np.zeros((count + 1, GRID), np.uint8)
    for lane in range(there):
        copy(rows, lane * ROW, found.ravel(), (first + lane) * GRID)
    assert (found[first : first + there] == grids[first : first + there]).all()
    assert not found[:first].any()
    assert not found[first + there :].any()


@pytest.mark.parametrize("cell", range(GRID))
def test_bytes_differ_where_those_wanted_are_not_found(cell: int) -> None:
    wanted, found = np.zeros(3 * GRID, np.uint8), np.full(3 * GRID, 7, np.uint8)
    wanted[GRID : 2 * GRID : 2] = 7
    wanted[GRID - 1] = wanted[2 * GRID] = 5
    assert not is_other(wanted, found, GRID)
    wanted[GRID + cell] = 8
    assert is_other(wanted, found, GRID)
