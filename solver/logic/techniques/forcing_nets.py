"""Forcing nets: forcing chains that also place the singles they lead to (see `forcing.nets`)."""

from solver.compiling.jit import compiled
from solver.logic.board import Board, Ints
from solver.logic.closure import transitive_closure
from solver.logic.forcing.conclusions import begin_conclusion, derive, find_conclusions, take_next
from solver.logic.forcing.explanations import START, new_reasons, note_net
from solver.logic.forcing.nets import net_of
from solver.logic.forcing.trail import branches, expand, new_trail
from solver.logic.grid import Grid
from solver.logic.technique import Search, small_board

_NET = 2  # offset from the codes of chains to those of nets
_MOST_CONCLUSIONS = 1 << 18


@compiled
def find_forcing_net(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for everything that forcing nets prove, and write it to the buffer.

    Nets are chains that also place the singles they lead to. A derivation is a net only if it
    contains a single with several reasons. For each conclusion, its first net is written.
    Conclusions without one are skipped, because chains prove them. Unless `all_steps` is set, only
    the first placement is written, or the first elimination if there is none.
    """
    net = net_of(board, grid, _MOST_CONCLUSIONS)
    implications = net.implications
    closure = transitive_closure(board, grid, implications)
    conclusions = find_conclusions(board, grid, closure, 1)
    derivation = conclusions.derivation
    literals = len(implications.counts)
    trail, reasons = new_trail(literals), new_reasons(literals, board.value_count)
    while True:
        target = take_next(closure, conclusions)
        if target < 0:
            return
        turn = 0
        while True:
            code = derive(closure, conclusions, target, turn)
            turn += 1
            is_net = False
            for number in range(derivation.counts[0] if code else 0):
                expand(net, trail, derivation.ends[number, 0])
                is_net |= branches(net, trail, derivation.ends[number, 1])
            if code == 0 or is_net:
                break
        if code == 0:
            continue
        begin_conclusion(board, buffer, code + _NET, target)
        reasons.ends[START] = -1
        for number in range(derivation.counts[0]):
            expand(net, trail, derivation.ends[number, 0])
            note_net(board, grid, net, trail, reasons, buffer, derivation.ends[number, 1])
        if not all_steps:
            return


FORCING_NET = Search(("1303", "1304"), find_forcing_net, (), small_board)
