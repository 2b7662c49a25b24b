"""Pickling of layouts and rules, for puzzles that are sent to other processes.

Layouts are compared by identity, so a copy would count as a different board: the engine for classic
puzzles would reject it, and engines would rebuild their tables for it. A pickled layout therefore
consists of its board alone. Unpickling returns the layout that this process already has for that
board, or compiles the constraints again, once per process.
"""

import copyreg
from typing import Any
from weakref import WeakValueDictionary

from solver.board.layout import BOARD_FIELDS, Layout
from solver.rules.neighbors import EVERYWHERE_RULES
from solver.rules.registry import RULES, compile_constraints
from solver.rules.rule import Rule

_RULES = RULES | {rule.name: rule for rule in EVERYWHERE_RULES}
_layouts: WeakValueDictionary[tuple[Any, ...], Layout] = WeakValueDictionary()


def _reduce_layout(layout: Layout) -> tuple[Any, tuple[Any, ...]]:
    if layout is Layout.boxed(*layout.box):
        return Layout.boxed, layout.box
    board = layout.board
    _layouts.setdefault(board, layout)
    return _restore_layout, board


def _restore_layout(*board: Any) -> Layout:
    layout = _layouts.get(board)
    if layout is not None:
        return layout
    bare = Layout(**dict(zip(BOARD_FIELDS, board, strict=True)))
    compiled = compile_constraints(bare, ()) if bare.constraints else bare
    if isinstance(compiled, str):  # another version of the program pickled it
        raise ValueError(f"the pickled layout can't be compiled: {compiled}")
    return _layouts.setdefault(board, compiled)


def _reduce_rule(rule: Rule) -> tuple[Any, tuple[str]]:
    return _rule_named, (rule.name,)


def _rule_named(name: str) -> Rule:
    return _RULES[name]


copyreg.pickle(Layout, _reduce_layout)
copyreg.pickle(Rule, _reduce_rule)
