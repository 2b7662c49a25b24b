"""Forcing nets: forcing chains that also place the singles they lead to (see `forcing.nets`)."""

from typing import Any

from solver.compiling.jit import compiled
from solver.logic.closure import close
from solver.logic.forcing.conclusions import derive, open_verdict, take_next, verdicts
from solver.logic.forcing.explanations import new_reasons, note_net
from solver.logic.forcing.nets import net_of
from solver.logic.forcing.trail import branches, expand, new_trail
from solver.logic.technique import Search, small_board

_NET = 2  # offset from the codes of chains to those of nets
_ROOM = 1 << 18


@compiled
def find_forcing_net(board: Any, grid: Any, buffer: Any, every: int) -> None:
    """Search for everything that forcing nets prove.

    Unless `every` is set, the first placement is written, or the first elimination if there is
    none. Derivations that need only chains are skipped.
    """
    net = net_of(board, grid, _ROOM)
    found = net.found
    reached = close(board, grid, found)
    certain = verdicts(board, grid, reached, 1)
    ways = certain.ways
    literals = len(found.counts)
    trail, reasons = new_trail(literals), new_reasons(literals, board.value_count)
    while True:
        target = take_next(reached, certain)
        if target < 0:
            return
        turn = 0
        while True:
            code = derive(reached, certain, target, turn)
            turn += 1
            is_net = False
            for number in range(ways.many[0] if code else 0):
                expand(net, trail, ways.ends[number, 0])
                is_net |= branches(net, trail, ways.ends[number, 1])
            if code == 0 or is_net:
                break
        if code == 0:
            continue
        open_verdict(board, buffer, code + _NET, target)
        reasons.ends[1] = -1
        for number in range(ways.many[0]):
            expand(net, trail, ways.ends[number, 0])
            note_net(board, grid, net, trail, reasons, buffer, ways.ends[number, 1])
        if not every:
            return


FORCING_NET = Search(("1303", "1304"), find_forcing_net, (), small_board)
