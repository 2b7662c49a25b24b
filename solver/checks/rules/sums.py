"""Checks of sums."""

from itertools import groupby

from solver.checks.rules.filled import Check, Filled, all_differ


def _killer(filled: Filled) -> bool:
    # negative: the sum isn't given
    right = filled.number < 0 or sum(filled.numbers) == filled.number
    return right and all_differ(filled.numbers)


def _double_arrow(filled: Filled) -> bool:
    first, *shaft, last = filled.numbers
    return first + last == sum(shaft)


def _pill_arrow(filled: Filled) -> bool:
    pill, shaft = filled.numbers[: filled.number], filled.numbers[filled.number :]
    written = 0
    for digit in pill:
        written = 10 * written + digit
    return written == sum(shaft)


def _zipper(filled: Filled) -> bool:
    numbers = filled.numbers
    total = numbers[0] + numbers[-1]
    meets = len(numbers) % 2 == 0 or numbers[len(numbers) // 2] == total
    halves = list(zip(numbers, reversed(numbers), strict=True))[: len(numbers) // 2]
    return meets and all(there + here == total for there, here in halves)


def _region_sums(filled: Filled) -> bool:
    """Return whether all segments of the line have the same sum.

    The borders of boxes and regions cut the line into segments. Cells outside of all boxes and
    regions aren't part of a segment.
    """
    box_of = {
        cell: number
        for number, house in enumerate(filled.layout.houses)
        if house.kind.endswith(("box", "region"))  # as in "grid 2, box"
        for cell in house.cells
    }
    line = zip(filled.cells, filled.numbers, strict=True)
    stays = groupby(line, key=lambda step: box_of.get(step[0]))
    sums = {sum(number for _, number in stay) for box, stay in stays if box is not None}
    return len(sums) <= 1


def _weighted(filled: Filled) -> bool:
    target, *factors = filled.values
    return sum(n * factor for n, factor in zip(filled.numbers, factors, strict=True)) == target


SUM_CHECKS: dict[str, Check] = {
    "killer": _killer,
    "multisum": lambda filled: sum(filled.numbers) in filled.values and all_differ(filled.numbers),
    "sum": lambda filled: sum(filled.numbers) == filled.number,
    "weightedsum": _weighted,
    "littlekiller": lambda filled: sum(filled.numbers) == filled.number,
    "arrow": lambda filled: filled.numbers[0] == sum(filled.numbers[1:]),
    "doublearrow": _double_arrow,
    "pillarrow": _pill_arrow,
    "zipper": _zipper,
    "regionsum": _region_sums,
}
