"""Sandwich sums as automata, for engines without a propagator for them."""

from solver.board.automaton import Automaton, unroll
from solver.board.parts import Enclosed

# A filling; the second crust as a bit while it is awaited; how many values were between them.
_Begun = tuple[int, int, int]
_BEFORE, _BEHIND = -1, 0  # placeholder for the second crust


def automaton_of(enclosed: Enclosed, size: int) -> Automaton:
    """Return the automaton of a sandwich sum; a state is the set of fillings still possible."""
    ways = enclosed.ways

    def step(begun: _Begun, bit: int) -> _Begun | None:
        number, wanted, came = begun
        way = ways[number]
        if wanted in (_BEFORE, _BEHIND):
            if bit & way.outside:
                return begun
            if wanted == _BEFORE and bit in (way.low, way.high):
                return number, way.low ^ way.high ^ bit, 0
            return None
        if bit & way.inside:
            return number, wanted, came + 1
        return (number, _BEHIND, 0) if bit == wanted and came == way.inside.bit_count() else None

    def follow(state: frozenset[_Begun], value: int, place: int) -> frozenset[_Begun] | None:
        del place
        after = frozenset(filter(None, (step(each, 1 << value) for each in state)))
        return after or None

    automaton = unroll(
        len(enclosed.cells),
        numbers=range(size),
        start=frozenset((number, _BEFORE, 0) for number in range(len(ways))),
        follow=follow,
        accepts=lambda state: any(wanted == _BEHIND for _, wanted, _ in state),
        phase=lambda _: None,
        most_edges=None,
    )
    assert not isinstance(automaton, str)  # noqa: S101 (for the type checker: nothing bounds it)
    return automaton
