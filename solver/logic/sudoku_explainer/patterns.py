"""Dynamic chains with patterns (+): use locked candidates, pairs, and X-Wings along the way.

When a search has no links left to follow, it looks for patterns that the removed candidates have
made possible. The removals that a pattern depends on are the parents of its eliminations.
"""

from collections.abc import Sequence
from typing import Protocol

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype
from solver.logic.sudoku_explainer.assumptions import (
    FALSE,
    Runs,
    Tree,
    add_parent,
    queue,
    set_first_parent,
)
from solver.logic.sudoku_explainer.houses import (
    CELL_HOUSES,
    COLUMN,
    COLUMNS,
    HOUSE_CELLS,
    HOUSE_COUNTS,
    HOUSE_ORDER,
    ROW,
    ROWS,
)
from solver.logic.sudoku_explainer.links import Links
from solver.logic.sudoku_explainer.locked_candidates import SECTIONS, crossing
from solver.logic.sudoku_explainer.rules import house_count, kind_count
from solver.logic.sudoku_explainer.state import SETS, SETS_FROM, State, is_pair

_MOST_LOCKED = 6  # places of a value in a house; more rarely have common peers outside it


class Elimination(Protocol):
    """A cell and the values that a pattern or a nested chain removes from it, as bits."""

    cell: int
    values: int


ELIMINATION = record_dtype(Elimination)


@kernel
def extend(
    state: State,
    links: Links,
    runs: Runs,
    tree: Tree,
    eliminations: Sequence[Elimination],
    run: int,
) -> bool:
    """Add the eliminations of patterns to a run. Return whether any were added.

    The patterns are locked candidates, hidden pairs, naked pairs, and X-Wings. Each kind is
    searched only if the kinds before it have added nothing. Patterns that exist without the
    assumption are skipped. If cells see others than in their boxes, rows, and columns, locked
    candidates and naked pairs remove candidates from all cells that see them. `state` is the grid
    before the run's assumption, and `tree.state` is the grid that the run has reached.
    `eliminations` is scratch space.
    """
    before = runs.counts[run, FALSE]
    if state.rules.has_more_peers:
        _locked_in_sight(state, links, runs, tree, eliminations, run)
    else:
        _locked(state, links, runs, tree, eliminations, run)
    if runs.counts[run, FALSE] == before:
        _hidden_pairs(state, links, runs, tree, eliminations, run)
    if runs.counts[run, FALSE] == before:
        _naked_pairs(state, links, runs, tree, eliminations, run)
    if runs.counts[run, FALSE] == before:
        _x_wings(state, links, runs, tree, eliminations, run)
    return bool(runs.counts[run, FALSE] > before)


@kernel
def assert_removed(
    links: Links,
    runs: Runs,
    tree: Tree,
    eliminations: Sequence[Elimination],
    size: int,
    run: int,
    from_: int,
) -> None:
    """Add the first `size` entries of `eliminations` to a run as assertions.

    They are added cell by cell, in the order of a Java HashMap with the cells as keys. Eliminations
    that the run already contains are skipped. All assertions have the same parents: those that
    `put_parent` has recorded in `tree.parents` from the index `from_` on.
    """
    parents_end = tree.parent_count
    buckets = 16
    while size > buckets * 3 // 4:
        buckets *= 2
    for bucket in range(buckets):
        for entry in range(size):
            cell, values = eliminations[entry].cell, eliminations[entry].values
            if cell % buckets != bucket:
                continue
            while values:
                assertion = 2 * links.number[cell, ctz(values)]
                values &= values - 1
                if runs.complexity[run, assertion]:
                    continue
                set_first_parent(tree, assertion, tree.parents[from_])
                for number in range(from_ + 1, parents_end):
                    add_parent(tree, assertion, tree.parents[number])
                queue(runs, tree, run, assertion)


@kernel
def put_parent(tree: Tree, parent: int) -> None:
    """Record an assertion as a parent of the eliminations that `assert_removed` adds next."""
    tree.parents[tree.parent_count] = parent
    tree.parent_count += 1


@kernel
def _locked(
    state: State,
    links: Links,
    runs: Runs,
    tree: Tree,
    eliminations: Sequence[Elimination],
    run: int,
) -> None:
    """Add the eliminations of locked candidates to a run. The arguments are those of `extend`.

    Only boxes, rows, and columns are used. Locked candidates that exist without the assumption are
    skipped.
    """
    work = tree.state
    for kind, other_kind in SECTIONS:
        for value in range(9):
            for house in range(9 * kind, 9 * kind + 9):
                other = crossing(work, house, other_kind, value)
                if other < 0:
                    continue
                size = 0
                for place in range(9):
                    cell = HOUSE_CELLS[other, place]
                    if CELL_HOUSES[cell, kind] != house and work.cells[cell] >> value & 1:
                        eliminations[size].cell = cell
                        eliminations[size].values = 1 << value
                        size += 1
                if size == 0:
                    continue
                from_ = tree.parent_count
                gone = state.places[house, value] & ~work.places[house, value]
                while gone:
                    cell = HOUSE_CELLS[house, ctz(gone)]
                    if CELL_HOUSES[cell, other_kind] != other:
                        put_parent(tree, 2 * links.number[cell, value])
                    gone &= gone - 1
                if tree.parent_count > from_:
                    assert_removed(links, runs, tree, eliminations, size, run, from_)


@kernel
def _hidden_pairs(
    state: State,
    links: Links,
    runs: Runs,
    tree: Tree,
    eliminations: Sequence[Elimination],
    run: int,
) -> None:
    """Add the eliminations of hidden pairs to a run. The arguments are those of `extend`.

    Pairs that exist without the assumption are skipped.
    """
    work = tree.state
    for place_in_order in range(house_count(state.rules)):
        house = HOUSE_ORDER[place_in_order]
        if state.open[house] <= 4:
            continue
        for number in range(SETS_FROM[2], SETS_FROM[3]):
            values = SETS[number]
            one, other = ctz(values), ctz(values & (values - 1))
            places = work.places[house, one]
            if places != work.places[house, other] or not is_pair(places):
                continue
            size = 0
            rest = places
            while rest:
                cell = HOUSE_CELLS[house, ctz(rest)]
                rest &= rest - 1
                if work.cells[cell] & ~values:
                    eliminations[size].cell = cell
                    eliminations[size].values = work.cells[cell] & ~values
                    size += 1
            from_ = tree.parent_count
            gone = 0x1FF & ~places if size else 0
            while gone:
                cell = HOUSE_CELLS[house, ctz(gone)]
                gone &= gone - 1
                lost = state.cells[cell] & values
                while lost:
                    put_parent(tree, 2 * links.number[cell, ctz(lost)])
                    lost &= lost - 1
            if tree.parent_count > from_:
                assert_removed(links, runs, tree, eliminations, size, run, from_)


@kernel
def _naked_pairs(
    state: State,
    links: Links,
    runs: Runs,
    tree: Tree,
    eliminations: Sequence[Elimination],
    run: int,
) -> None:
    """Add the eliminations of naked pairs to a run. The arguments are those of `extend`.

    They are made in the other cells of the house, or, with more peers than on classic boards, in
    all cells that see both cells. Pairs that exist without the assumption are skipped.
    """
    work = tree.state
    for place_in_order in range(house_count(state.rules)):
        house = HOUSE_ORDER[place_in_order]
        if state.open[house] < 4:
            continue
        for number in range(SETS_FROM[2], SETS_FROM[3]):
            places = SETS[number]
            one = HOUSE_CELLS[house, ctz(places)]
            other = HOUSE_CELLS[house, ctz(places & (places - 1))]
            values = work.cells[one]
            if values != work.cells[other] or not is_pair(values):
                continue
            if state.rules.has_more_peers:
                size = _put_seeing(tree, eliminations, one, other, values)
            else:
                size = 0
                for place in range(9):
                    cell = HOUSE_CELLS[house, place]
                    if not places >> place & 1 and work.cells[cell] & values:
                        eliminations[size].cell = cell
                        eliminations[size].values = work.cells[cell] & values
                        size += 1
            from_ = tree.parent_count
            if size:
                _put_lost(state, links, tree, one, values)
                _put_lost(state, links, tree, other, values)
            if tree.parent_count > from_:
                assert_removed(links, runs, tree, eliminations, size, run, from_)


@kernel
def _put_seeing(
    tree: Tree, eliminations: Sequence[Elimination], one: int, other: int, values: int
) -> int:
    """Write the eliminations of values (bits) from all cells that see two cells.

    Returns the number of entries.
    """
    work, sees = tree.state, tree.state.rules.peer_sets
    low, high = sees[one, 0] & sees[other, 0], sees[one, 1] & sees[other, 1]
    size = 0
    while values:
        value = ctz(values)
        values &= values - 1
        size = _put_eliminations(
            eliminations, size, low & work.sets[value, 0], high & work.sets[value, 1], value
        )
    return size


@kernel
def _put_lost(state: State, links: Links, tree: Tree, cell: int, values: int) -> None:
    """Record as parents that the cell has lost its candidates other than `values` (bits).

    They are parents of the eliminations that are asserted next. `state` still has these candidates.
    """
    lost = state.cells[cell] & ~values
    while lost:
        put_parent(tree, 2 * links.number[cell, ctz(lost)])
        lost &= lost - 1


@kernel
def _locked_in_sight(
    state: State,
    links: Links,
    runs: Runs,
    tree: Tree,
    eliminations: Sequence[Elimination],
    run: int,
) -> None:
    """Add to a run the eliminations of values from cells that see all their places in a house.

    The arguments are those of `extend`. Houses are skipped in which the value has fewer than 2 or
    more than `_MOST_LOCKED` places, or as many as without the assumption.
    """
    work, sees = tree.state, state.rules.peer_sets
    for kind_and_value in range(9 * kind_count(state.rules)):
        kind, value = kind_and_value // 9, kind_and_value % 9
        for house in range(9 * kind, 9 * kind + HOUSE_COUNTS[kind]):
            places = work.places[house, value]
            if not 2 <= popcount(places) <= _MOST_LOCKED:
                continue
            low, high = work.sets[value, 0], work.sets[value, 1]
            rest = places
            while rest:
                cell = HOUSE_CELLS[house, ctz(rest)]
                low &= sees[cell, 0]
                high &= sees[cell, 1]
                rest &= rest - 1
            size = _put_eliminations(eliminations, 0, low, high, value)
            from_ = tree.parent_count
            gone = state.places[house, value] & ~places if size else 0
            while gone:
                put_parent(tree, 2 * links.number[HOUSE_CELLS[house, ctz(gone)], value])
                gone &= gone - 1
            if tree.parent_count > from_:
                assert_removed(links, runs, tree, eliminations, size, run, from_)


@kernel
def _put_eliminations(
    eliminations: Sequence[Elimination], size: int, low: int, high: int, value: int
) -> int:
    """Add a value to the eliminations of each cell of a set (`low`, `high`, two 64-bit words).

    The list has `size` entries before, one per cell. Returns its new size.
    """
    while low | high:
        if low:
            cell = ctz(low)
            low &= low - 1
        else:
            cell = 64 + ctz(high)
            high &= high - 1
        entry = 0
        while entry < size and eliminations[entry].cell != cell:
            entry += 1
        if entry == size:
            eliminations[size].cell = cell
            eliminations[size].values = 0
            size += 1
        eliminations[entry].values |= 1 << value
    return size


@kernel
def _x_wings(
    state: State,
    links: Links,
    runs: Runs,
    tree: Tree,
    eliminations: Sequence[Elimination],
    run: int,
) -> None:
    """Add the eliminations of X-Wings to a run. The arguments are those of `extend`.

    X-Wings that exist without the assumption are skipped.
    """
    work = tree.state
    for kind in (COLUMN, ROW):
        across = ROWS if kind == COLUMN else COLUMNS
        for number in range(SETS_FROM[2], SETS_FROM[3]):
            lines = SETS[number]
            one, other = 9 * kind + ctz(lines), 9 * kind + ctz(lines & (lines - 1))
            for value in range(9):
                cover = work.places[one, value]
                if (
                    cover != work.places[other, value]
                    or not is_pair(cover)
                    or state.placed[value] > 5
                ):
                    continue
                size = 0
                for line in range(9):
                    if cover >> line & 1:
                        rest = work.places[across + line, value] & ~lines
                        while rest:
                            eliminations[size].cell = HOUSE_CELLS[across + line, ctz(rest)]
                            eliminations[size].values = 1 << value
                            size += 1
                            rest &= rest - 1
                from_ = tree.parent_count
                for base in (one, other):
                    gone = state.places[base, value] & ~cover if size else 0
                    while gone:
                        put_parent(tree, 2 * links.number[HOUSE_CELLS[base, ctz(gone)], value])
                        gone &= gone - 1
                if tree.parent_count > from_:
                    assert_removed(links, runs, tree, eliminations, size, run, from_)
