"""Compiling: what inner functions are to those that call them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.compiling.bits import first
from solver.compiling.jit import inner
from solver.compiling.parts import Outer
from solver.compiling.selecting import nth_least


@inner
def _scaled(number, factor):  # type: ignore[no-untyped-def]
    return number * factor


@inner
def _summed(numbers, factor):  # type: ignore[no-untyped-def]
    total = 0
    for number in numbers:
        total += _scaled(number, factor)
    return total


@Outer  # not kept, so that it is compiled each time
def _twice_and_thrice(numbers):  # type: ignore[no-untyped-def]
    return _summed(numbers, 2), _summed(numbers, 3) + _scaled(np.int32(1), 5)


def test_inner_functions_are_compiled_once_for_all_constants_and_widths_in_calls() -> None:
    assert _twice_and_thrice(np.arange(5)) == (20, 35)
    assert len(_summed.overloads) == len(_scaled.overloads) == 1


def test_python_is_refused_by_a_function_that_only_compiled_ones_can_call() -> None:
    with pytest.raises(TypeError, match="only compiled functions can call first"):
        first(np.uint64(8))


@settings(deadline=None)
@given(numbers=st.lists(st.integers(-9, 9), min_size=1, max_size=30), data=st.data())
def test_ranks_are_those_of_sorted_numbers(numbers: list[int], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(numbers) - 1))
    assert nth_least.py_func([*numbers, -10], len(numbers), place) == sorted(numbers)[place]
