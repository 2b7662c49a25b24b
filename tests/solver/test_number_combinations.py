"""Combinations of numbers with a given sum, in the order of itertools."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from solver.board.number_combinations import adding_up_to


@given(
    st.lists(st.integers(-3, 20), max_size=9, unique=True), st.integers(0, 9), st.integers(-5, 60)
)
def test_combinations_are_all_sets_with_the_sum(
    numbers: list[int], length: int, total: int
) -> None:
    numbers.sort()
    expected = [found for found in combinations(numbers, length) if sum(found) == total]
    assert list(adding_up_to(total, numbers, length)) == expected
