"""Cells of which two enclose others, for an engine that knows no more than automata."""

from solver.board.automaton import Automaton, unroll
from solver.board.parts import Enclosed

# A way; the second of its two values, as a bit, while that is awaited; how many came between them.
_Begun = tuple[int, int, int]
_BEFORE, _BEHIND = -1, 0  # instead of the second value


def automaton_of(enclosed: Enclosed, size: int) -> Automaton:
    """Return what reads the cells in order; a state is the ways that are still possible."""
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
