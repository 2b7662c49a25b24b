"""Sandwich sums as automata, for engines without a propagator for them."""

from solver.board.automaton import Automaton, unroll
from solver.board.parts import Sandwich

# A filling; the second crust as a bit while it is awaited; how many values were between them.
_Begun = tuple[int, int, int]
_BEFORE, _BEHIND = -1, 0  # placeholder for the second crust


def sandwich_automaton_of(sandwich: Sandwich, size: int) -> Automaton:
    """Return the automaton that accepts lines with a sandwich, for the values 1 … size.

    A state is the set of fillings that the values read so far allow, each with its progress.
    """
    fillings = sandwich.fillings

    def step(begun: _Begun, bit: int) -> _Begun | None:
        number, wanted, came = begun
        filling = fillings[number]
        if wanted in (_BEFORE, _BEHIND):
            if bit & filling.outside:
                return begun
            if wanted == _BEFORE and bit in (filling.low, filling.high):
                return number, filling.low ^ filling.high ^ bit, 0
            return None
        if bit & filling.inside:
            return number, wanted, came + 1
        if bit != wanted or came != filling.inside.bit_count():
            return None
        return number, _BEHIND, 0

    def follow(state: frozenset[_Begun], value: int, place: int) -> frozenset[_Begun] | None:
        del place
        after = frozenset(filter(None, (step(each, 1 << value) for each in state)))
        return after or None

    automaton = unroll(
        len(sandwich.cells),
        numbers=range(size),
        start=frozenset((number, _BEFORE, 0) for number in range(len(fillings))),
        follow=follow,
        accepts=lambda state: any(wanted == _BEHIND for _, wanted, _ in state),
        phase=lambda _: None,
        most_edges=None,
    )
    assert not isinstance(automaton, str)  # noqa: S101 (for the type checker: nothing bounds it)
    return automaton
