"""Conversion between bytes and vectors is lossless."""

from typing import Any

import numpy as np
import pytest

from solver.compiling.jit import compiled_without_cache
from solver.compiling.packed_grids import (
    GRID_BYTES,
    GRID_WORDS,
    PACKED_BYTES,
    copy_grid,
    pack_grids,
    unpack_grids,
)
from solver.compiling.vector import align_stack, vectors
from solver.compiling.vector_bytes import comparer

differ = comparer(GRID_BYTES)


@compiled_without_cache
def pack(packed: Any, grids: Any, first: int, count: int) -> None:
    align_stack()
    pack_grids(packed, grids, first, count)


@compiled_without_cache
def unpack(packed: Any, rows: Any) -> None:
    align_stack()
    unpack_grids(packed, rows)


@compiled_without_cache
def copy(rows: Any, offset: int, grids: Any, start: int) -> None:
    copy_grid(rows, offset, grids, start)


@compiled_without_cache
def is_mismatch(pattern: Any, found: Any, offset: int) -> Any:
    return differ(pattern, found, offset)


@pytest.mark.parametrize("lanes", [4, 8, 16, 32])
@pytest.mark.parametrize("spare", [-1, 0, 5])
def test_packed_grids_are_unpacked_without_loss(lanes: int, spare: int) -> None:
    random = np.random.default_rng(lanes)
    first, count = 3, lanes + 3 + spare
    grids = random.integers(0, 256, (count, GRID_BYTES)).astype(np.uint8)
    packed, rows = vectors(GRID_WORDS, lanes), vectors(GRID_WORDS, lanes)
    pack(packed, grids.ravel(), first, count)
    unpack(packed, rows)
    there = min(lanes, count - first)
    words = packed["words"].T.copy().view(np.uint8)  # each grid's bytes in consecutive order
    assert (words[:there, :GRID_BYTES] == grids[first : first + there]).all()
    assert (rows["words"].reshape(lanes, GRID_WORDS) == packed["words"].T).all()
    found = np.zeros((count + 1, GRID_BYTES), np.uint8)
    for lane in range(there):
        copy(rows, lane * PACKED_BYTES, found.ravel(), (first + lane) * GRID_BYTES)
    assert (found[first : first + there] == grids[first : first + there]).all()
    assert not found[:first].any()
    assert not found[first + there :].any()


@pytest.mark.parametrize("cell", range(GRID_BYTES))
def test_comparer_reports_every_byte_that_differs_from_a_nonzero_one(cell: int) -> None:
    pattern, found = np.zeros(3 * GRID_BYTES, np.uint8), np.full(3 * GRID_BYTES, 7, np.uint8)
    pattern[GRID_BYTES : 2 * GRID_BYTES : 2] = 7
    pattern[GRID_BYTES - 1] = pattern[2 * GRID_BYTES] = 5
    assert not is_mismatch(pattern, found, GRID_BYTES)
    pattern[GRID_BYTES + cell] = 8
    assert is_mismatch(pattern, found, GRID_BYTES)
