"""Compiled functions: calls of helpers, reference counting, and the cache on disk."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ROOT

from solver.compiling.array_loops import nth_smallest
from solver.compiling.bitops import at_most_one_bit
from solver.compiling.jit import PATCHED, compiled_without_cache, helper, kernel

needs_patches = pytest.mark.skipif(not PATCHED, reason="tests the patches to Numba")


@helper
def _scaled(number, factor):  # type: ignore[no-untyped-def]
    return number * factor


@helper
def _summed(numbers, factor):  # type: ignore[no-untyped-def]
    total = 0
    for number in numbers:
        total += _scaled(number, factor)
    return total


@compiled_without_cache
def _twice_and_thrice(numbers):  # type: ignore[no-untyped-def]
    return _summed(numbers, 2), _summed(numbers, 3) + _scaled(np.int32(1), 5)


@needs_patches
def test_helpers_are_compiled_once_for_all_constants_and_integer_widths() -> None:
    assert _twice_and_thrice(np.arange(5)) == (20, 35)
    assert len(_summed.overloads) == len(_scaled.overloads) == 1


@helper
def _longest(array, other, turns):  # type: ignore[no-untyped-def]
    pair = array, other
    for turn in range(turns):
        if len(array) > len(other):
            other = array
        array = pair[turn % 2]
    if turns > 2:
        array = np.full(9, turns)
    return array, other


@compiled_without_cache
def _longest_of(arrays, turns):  # type: ignore[no-untyped-def]
    first, second = arrays
    for _ in range(3):
        first, second = _longest(first, second, turns)
    return first, second


@pytest.mark.parametrize("turns", range(5))
def test_helpers_do_not_leak_references_to_their_arguments(turns: int) -> None:
    arrays = np.arange(3), np.arange(5)
    held = [sys.getrefcount(array) for array in arrays]
    found = _longest_of(arrays, turns)
    expected = arrays
    for _ in range(3):
        expected = _longest.py_func(*expected, turns)
    assert [array.tolist() for array in found] == [array.tolist() for array in expected]
    del found, expected
    assert [sys.getrefcount(array) for array in arrays] == held


@needs_patches
def test_python_cannot_call_helpers() -> None:
    with pytest.raises(TypeError, match="only compiled functions can call at_most_one_bit"):
        at_most_one_bit(np.uint64(8))


@settings(deadline=None)
@given(numbers=st.lists(st.integers(-9, 9), min_size=1, max_size=30), data=st.data())
def test_nth_smallest_agrees_with_sorting(numbers: list[int], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(numbers) - 1))
    assert nth_smallest.py_func([*numbers, -10], len(numbers), place) == sorted(numbers)[place]


_RECORDS = """
import sys
import numpy as np
from solver.compiling.jit import compiled, helper

@helper
def summed(record, most):  # long enough, and called often enough, to stay a function of its own
    total = 0
    for number in record.numbers:
        if number > most:
            for other in record.numbers:
                total -= number // (other + 2) - other % (number + 3)
            continue
        for other in record.numbers:
            if other == number:
                total += number
            elif other // (number + 1) == most % (other + 4):
                total += most // (other + 5)
    return total

@compiled
def summed_of(record):
    return summed(record, 99), summed(record, 98), summed(record, 97)

for length in map(int, sys.argv[1:]):
    record = np.zeros(1, [("numbers", np.int64, (length,))])[0]
    record["numbers"] = range(length)
    print(summed_of(record)[0])
"""


def test_cached_functions_for_records_of_other_processes_are_not_mixed_up(tmp_path: Path) -> None:
    program = tmp_path / "records.py"
    program.write_text(_RECORDS)
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(ROOT),
    }

    def run(*lengths: str) -> list[str]:
        command = [sys.executable, str(program), *lengths]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    alone = [*run("3"), *run("5")]
    assert alone[0] != alone[1]
    assert run("3", "5") == alone


@needs_patches
@pytest.mark.parametrize("kind", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", [b"", b"\x80cut off", None])
def test_damaged_cache_entries_are_recompiled_and_replaced(
    tmp_path: Path, kind: str, damage: bytes | None
) -> None:
    program = tmp_path / "records.py"
    program.write_text(_RECORDS)
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(ROOT),
    }

    def run() -> tuple[str, list[bytes]]:
        command = [sys.executable, str(program), "3"]
        output = subprocess.check_output(command, env=environment, text=True)
        return output, [path.read_bytes() for path in (tmp_path / "cache").rglob(f"*{kind}")]

    result, (whole,) = run()
    (path,) = (tmp_path / "cache").rglob(f"*{kind}")
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    second_result, (replaced,) = run()
    assert second_result == result
    assert len(replaced) > len(whole) // 2


@kernel
def _itself(array):  # type: ignore[no-untyped-def]
    return array


@compiled_without_cache
def _first_of_itself(array):  # type: ignore[no-untyped-def]
    return _itself(array)[0]


@needs_patches
def test_kernels_that_return_arrays_are_rejected() -> None:
    with pytest.raises(TypeError, match="the kernel _itself returns an array"):
        _first_of_itself(np.ones(2))


def test_import_fails_with_a_reason_if_numba_is_disabled() -> None:
    found = subprocess.run(
        [sys.executable, "-c", "import solver; solver.solve('1')"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    last = found.stderr.splitlines()[-1]
    assert last.startswith("ImportError: NUMBA_DISABLE_JIT is set")
