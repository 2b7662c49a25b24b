"""Write sandwich sums as automata, for engines without a propagator for them."""

from solver.board.automaton import Automaton, unroll
from solver.board.primitive_constraints import Sandwich

# The index of a filling; the second crust as a bit, while the automaton waits for it; the number of
# values read since the first crust.
_Progress = tuple[int, int, int]
_BEFORE, _AFTER = -1, 0  # in place of the second crust: before and after the sandwich


def sandwich_automaton_of(sandwich: Sandwich, size: int) -> Automaton:
    """Return the automaton that accepts lines with a sandwich, for the values 1 … size.

    It doesn't check that the cells differ. A state is the set of fillings that the values read so
    far allow, each with its progress.
    """
    fillings = sandwich.fillings

    def step(progress: _Progress, bit: int) -> _Progress | None:
        number, crust, count = progress
        filling = fillings[number]
        if crust in (_BEFORE, _AFTER):
            if bit & filling.outside:
                return progress
            if crust == _BEFORE and bit in (filling.low, filling.high):
                return number, filling.low ^ filling.high ^ bit, 0
            return None
        if bit & filling.inside:
            return number, crust, count + 1
        if bit != crust or count != filling.inside.bit_count():
            return None
        return number, _AFTER, 0

    def follow(state: frozenset[_Progress], value: int, place: int) -> frozenset[_Progress] | None:
        del place
        after = frozenset(filter(None, (step(each, 1 << value) for each in state)))
        return after or None

    automaton = unroll(
        len(sandwich.cells),
        numbers=range(size),
        start=frozenset((number, _BEFORE, 0) for number in range(len(fillings))),
        follow=follow,
        accepts=lambda state: any(crust == _AFTER for _, crust, _ in state),
        phase=lambda _: None,
        most_edges=None,
    )
    assert not isinstance(automaton, str)  # noqa: S101 (for the type checker: nothing bounds it)
    return automaton
