"""Compile code in advance, so that no puzzle has to wait for the compiler."""

import gc
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

import numpy as np

from solver.board.layout import Layout


class Code(IntEnum):
    """The parts of the compiled code, in the order in which they are prepared."""

    CLASSIC = 1
    MINLEX = 2
    GENERAL = 3
    LOGIC = 4
    GENERATION = 5


LABELS = {
    Code.CLASSIC: "classic 9×9 puzzles",
    Code.MINLEX: "canonical forms",
    Code.GENERAL: "all other boards",
    Code.LOGIC: "ratings and explanations",
    Code.GENERATION: "puzzle generation",
}
_EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
_THERMOMETER = '{"constraints": [{"type": "thermo", "cells": ["r1c1", "r1c2", "r1c3"]}]}'


def needed(layout: Layout, *, candidates: bool = False) -> Code:
    """Return the part of the code that solves puzzles of a layout, with or without pencil marks.

    `candidates` is whether the puzzles have pencil marks. The result is CLASSIC or GENERAL.
    """
    is_classic = layout == Layout.boxed(3, 3) and not candidates
    return Code.CLASSIC if is_classic else Code.GENERAL


def prepare(code: Code, *, on_wait: Callable[[], object] = lambda: None) -> None:
    """Compile a part of the code, or load it from the disk cache, and record that it is there.

    Later, `is_kept` returns True for it. If another process is compiling the same part, this calls
    `on_wait`, waits for that process, and then loads the code from the cache.

    All objects that exist afterwards are left out of garbage collections, because a full one takes
    0.1 s for those of the compiled code, and writes to memory that forked processes share.
    """
    from solver.compiling.cache_markers import mark_compiled
    from solver.compiling.compile_lock import compile_lock

    source = Path(__file__)
    with compile_lock(code.name, source=source, on_wait=on_wait):
        _compile(code)
        mark_compiled(code.name, source=source)
    gc.freeze()


def is_kept(code: Code) -> bool:
    """Return whether a part of the compiled code is completely in the disk cache."""
    from solver.compiling.cache_markers import is_marked

    return is_marked(code.name, source=Path(__file__))


def _compile(code: Code) -> None:
    """Run a part of the code, which compiles it or loads it from the cache."""
    from solver.generation import classic_removal
    from solver.solving import warm_up

    if code is Code.LOGIC:
        _prepare_logic()
    elif code is Code.MINLEX:
        _prepare_minlex()
    elif code is Code.GENERATION:
        classic_removal.warm_up()
    else:
        warm_up(classic_only=code is Code.CLASSIC)


def _prepare_minlex() -> None:
    """Compile the code for canonical forms, by computing those of a puzzle and of a full grid."""
    from solver.canonical.minlex import minlex

    grid = [(3 * (row % 3) + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9)]
    minlex(np.array([grid, [value if value < 4 else 0 for value in grid]], np.uint8))


def _prepare_logic() -> None:
    """Compile the code for ratings and explanations.

    This tries every technique on an empty grid, explains an easy puzzle in both orders, and on a
    board with a rule, applies the rule and tries a candidate.
    """
    from solver.board.puzzle import Puzzle
    from solver.explaining import ORDERS, explain
    from solver.formats import parse
    from solver.logic.board_tables import Unexplained, board_of
    from solver.logic.deduction_buffer import new_buffer
    from solver.logic.grid import grid_of
    from solver.logic.registry import LISTED_TECHNIQUES, SOLVING_ORDER
    from solver.logic.rule_steps.trials import Trials
    from solver.logic.rule_steps.units import rule_units

    layout = Layout.boxed(3, 3)
    board = board_of(layout)
    if isinstance(board, Unexplained):
        raise TypeError(board.detail)
    grid = grid_of(board, (0,) * layout.cells)
    for technique in (*SOLVING_ORDER, *LISTED_TECHNIQUES):
        technique.first_step(board, grid, new_buffer())
    for order in ORDERS:
        explain(_EASY, order=order)
    for puzzle in parse(_THERMOMETER):
        if isinstance(puzzle, Puzzle):
            for unit in rule_units(puzzle.layout):
                unit.filtered(unit.full)
            full = (1 << layout.size) - 1
            Trials(puzzle.layout).contradiction([full] * layout.cells, 0, 0, most_lines=1)
