"""Checks of regions that are found while solving, and of clues about them."""

from itertools import takewhile

from solver.checks.rules.filled import Check, Filled, all_differ


def _construction(filled: Filled) -> bool:
    """Return whether the region numbers divide the grid into valid regions.

    The cells of each region number must form one region that is connected along edges, has
    `filled.number` cells, and doesn't repeat a value.
    """
    columns, labels = filled.layout.columns, filled.numbers
    for label in set(labels):
        region = {cell for cell, number in enumerate(labels) if number == label}
        spread, edge = set[int](), {min(region)}
        while edge:
            spread |= edge
            near = {other for cell in edge for other in (cell - columns, cell + columns)}
            near |= {cell - 1 for cell in edge if cell % columns}
            near |= {cell + 1 for cell in edge if (cell + 1) % columns}
            edge = near & region - spread
        if spread != region or len(region) != filled.number:
            return False
        if not all_differ([filled.grid[cell] for cell in region]):
            return False
    return True


def _count(filled: Filled) -> bool:
    control, start, *others = filled.numbers
    return control == filled.number + others.count(start)


def _arrow(filled: Filled) -> bool:
    control, start, *others = filled.numbers
    first, *lengths = filled.values
    total = first
    for length in lengths:
        total += len(list(takewhile(lambda number: number == start, others[:length])))
        others = others[length:]
    return control == total and not others


CHAOS_CHECKS: dict[str, Check] = {
    "chaosconstruction": _construction,
    "chaoscount": _count,
    "chaosarrow": _arrow,
}
