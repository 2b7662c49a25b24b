"""Groups of cells with equal sets of values, where groups share cells."""

from hypothesis import given, settings
from hypothesis import strategies as st

from solver import Layout
from solver.board.primitive_constraints import Regular
from solver.rules.registry import RULES
from solver.rules.rule import Constraint
from solver.rules.sets import same_values

LAYOUT = Layout.free(3, 3, size=4)
GROUPS = st.permutations(range(9)).map(lambda cells: tuple(cells[:4]))


def accepts(regular: Regular, grid: list[int]) -> bool:
    state = 0
    for place, cell in enumerate(regular.cells):
        after = regular.automaton.follow(state, grid[cell] - 1, place)
        if after is None:
            return False
        state = after
    return bool(regular.automaton.ends[state])


@given(
    st.lists(GROUPS, min_size=0, max_size=5),
    st.lists(st.integers(1, 4), min_size=9, max_size=9)
    | st.lists(st.sampled_from([3, 3, 3, 3, 1]), min_size=9, max_size=9),
)
@settings(max_examples=50, deadline=None)
def test_parts_with_the_same_values_satisfy_the_rule(
    groups: list[tuple[int, ...]], grid: list[int]
) -> None:
    parts = same_values(Constraint(RULES["samevalues"], tuple(range(9))), groups, LAYOUT)
    assert not isinstance(parts, str)
    kept = len({tuple(sorted(grid[cell] for cell in group)) for group in groups}) <= 1
    assert all(accepts(part, grid) for part in parts) == kept


def test_cells_that_two_parts_share_are_ignored() -> None:
    groups = [(0, 1, 2, 3), (4, 5, 6, 7), (4, 5, 0, 1)]
    parts = same_values(Constraint(RULES["samevalues"], tuple(range(9))), groups, LAYOUT)
    assert not isinstance(parts, str)
    assert {part.cells for part in parts} == {(2, 3, 4, 5), (0, 1, 6, 7)}
