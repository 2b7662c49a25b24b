"""Selection in compiled code. Numba needs two seconds to compile its own sort."""

from typing import Any

from solver.compiling.jit import bare


@bare
def nth_least(numbers: Any, count: Any, place: Any) -> Any:
    """Return the number that would be at index `place` if the first `count` numbers were sorted.

    The numbers are reordered in place, with Hoare's FIND: https://doi.org/10.1145/366622.366647.
    """
    low, high = 0, count - 1
    while low < high:
        pivot = numbers[place]
        i, j = low, high
        while i <= j:
            while numbers[i] < pivot:
                i += 1
            while pivot < numbers[j]:
                j -= 1
            if i <= j:
                numbers[i], numbers[j] = numbers[j], numbers[i]
                i += 1
                j -= 1
        if j < place:
            low = i
        if place < i:
            high = j
    return numbers[place]
