"""Constraints on sums: killer cages, arrows, zippers, region sums, and weighted sums."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, groupby

from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.primitive_constraints import Domain, Links, Part, Sum
from solver.rules.rule import Cells, Constraint, Machine, Rule, all_differ, fault_in, read_by
from solver.rules.wording import Wording

_LARGEST_FACTOR = 1_000
_NO_SUM = -1


def _killer(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    return _killers([constraint], layout)


def _killers(constraints: Sequence[Constraint], layout: Layout) -> tuple[Part, ...] | str:
    """Compile killer cages together.

    The first primitive contains the not-equal pairs of all cages with fewer cells than the board
    has values. A cage with as many cells as values becomes a house instead, and a larger one a
    contradiction. Each cage that has a sum and isn't larger also gets a sum constraint.

    The sum −1 stands for a cage without a sum. Returns an error message if a sum is less than that.
    Raises OverBudget if the cages have too many pairs.
    """
    parts: list[Part] = []
    pairs: list[tuple[int, int]] = []
    for constraint in constraints:
        cells = constraint.cells
        if constraint.number < _NO_SUM:
            return fault_in(
                constraint, f"needs a 'sum' of 0 or more, not {constraint.number}", layout
            )
        if len(cells) >= layout.size:
            parts.append(all_differ(cells, "cage", layout))
        else:
            charge(len(cells) ** 2 // 2)
            pairs += combinations(cells, 2)
        if constraint.number >= 0 and len(cells) <= layout.size:
            parts.append(Sum(cells, (1,) * len(cells), constraint.number))
    return (Links("in a cage", tuple(pairs)), *parts)


def _multisum_machine(length: int, value: int | tuple[int, ...], numbers: range) -> Machine:
    """Return an automaton that accepts if `length` numbers add up to one of several sums.

    `value` is the only sum or a tuple of sums. State: the sum so far.
    """
    every = (value,) if isinstance(value, int) else value
    most, least = length * numbers[-1], length * numbers[0]
    sums = sorted({total for total in every if least <= total <= most})

    def follow(total: int, number: int, place: int) -> int | None:
        total += number
        left = length - place - 1
        next_one = bisect_left(sums, total + left * numbers[0])
        is_near = next_one < len(sums) and sums[next_one] <= total + left * numbers[-1]
        return total if is_near else None

    return Machine(0, follow, lambda total: total in sums)


def _multisum(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    read = read_by(_multisum_machine)(constraint, layout)
    cage = all_differ(constraint.cells, "cage", layout)
    return read if isinstance(read, str) else (cage, *read)


def adds_up(cells: Cells, factors: Iterable[int], target: int = 0) -> tuple[Sum, ...]:
    """Return the constraint that the cells' numbers times their factors add up to the target.

    The constraint is the only item of a tuple. A cell can occur repeatedly. If all factors cancel
    out, the tuple is empty, even if the target isn't 0: then the caller has to add a contradiction.
    """
    factors = tuple(factors)
    if len({*cells}) == len(cells) == len(factors) and 0 not in factors:
        return (Sum(cells, factors, target),)
    times: Counter[int] = Counter()
    for cell, factor in zip(cells, factors, strict=True):
        times[cell] += factor
    counted = {cell: factor for cell, factor in times.items() if factor}
    return (Sum(tuple(counted), tuple(counted.values()), target),) if counted else ()


def _total(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    del layout
    return adds_up(constraint.cells, (1,) * len(constraint.cells), constraint.number)


def _weighted(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    target, *factors = constraint.values
    if len(factors) != len(constraint.cells):
        fault = f"needs the sum and then a factor for each of its {len(constraint.cells)} cells"
        return fault_in(constraint, f"{fault} as 'values', not {len(factors)}", layout)
    if max(map(abs, factors)) > _LARGEST_FACTOR:
        worst = max(factors, key=abs)
        fault = f"has the factor {worst:,}; the limits are -{_LARGEST_FACTOR:,} and"
        return fault_in(constraint, f"{fault} {_LARGEST_FACTOR:,}", layout)
    return adds_up(constraint.cells, factors, target) or _never(constraint, target)


def _never(constraint: Constraint, target: int) -> tuple[Part, ...]:
    """Return the constraints for a sum in which all factors cancel out.

    Returns () if the target is 0, or else a contradiction: an empty domain.
    """
    return () if target == 0 else (Domain(constraint.cells[0], 0),)


def _arrow(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    del layout
    return adds_up(constraint.cells, (-1,) + (1,) * (len(constraint.cells) - 1))


def _double_arrow(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    del layout
    return adds_up(constraint.cells, (-1, *(1,) * (len(constraint.cells) - 2), -1))


def _pill_arrow(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    digits = constraint.number
    if not 1 <= digits < len(constraint.cells):
        cells = len(constraint.cells)
        fault = f"needs a 'pill' of 1 to {cells - 1} of its {cells} cells, not {digits}"
        return fault_in(constraint, fault, layout)
    tens = [-(10**place) for place in reversed(range(digits))]
    return adds_up(constraint.cells, (*tens, *(1,) * (len(constraint.cells) - digits)))


def _zipper(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    del layout
    cells = constraint.cells
    half = len(cells) // 2
    pairs: list[Cells] = list(zip(cells[:half], reversed(cells), strict=False))
    if len(cells) % 2:
        return equal_sums([(cells[half],), *pairs])
    return equal_sums(pairs)


def _region_sums(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile a region sum line: its segments within a box or region have equal sums.

    Cells outside all boxes and regions are left out, and separate segments. Overlapping grids can
    share a box, but a cell in two different boxes gives an error message.
    """
    boxes_of = _boxes_of(layout)
    for cell in constraint.cells:
        own = boxes_of.get(cell, ())
        if len(own) > 1:
            fault = f"contains {layout.cell_name(cell)}, which is in {len(own)} boxes"
            return fault_in(constraint, f"{fault}; use cells that are in one box only", layout)
    runs = groupby(constraint.cells, boxes_of.get)
    return equal_sums([tuple(run) for box, run in runs if box])


@kept_table
def _boxes_of(layout: Layout) -> dict[int, list[Cells]]:
    """Return the boxes and regions that contain each cell, by cell.

    A box is a tuple of its cells. Cells outside of all boxes and regions have no entry.
    """
    kinds = ("box", "region")
    boxes_of: dict[int, list[Cells]] = {}
    for box in {
        tuple(sorted(house.cells)) for house in layout.houses if house.kind.endswith(kinds)
    }:
        charge(len(box))
        for cell in box:
            boxes_of.setdefault(cell, []).append(box)
    return boxes_of


def equal_sums(runs: Sequence[Cells]) -> tuple[Sum, ...]:
    """Return constraints that all groups of cells (`runs`) have the same sum.

    They compare each other group with the shortest one.
    """
    shortest = min(runs, key=len, default=())
    here = (1,) * len(shortest)
    sums: list[Sum] = []
    for other in runs:
        if other is not shortest:
            sums += adds_up((*shortest, *other), here + (-1,) * len(other))
    return tuple(sums)


SUM_RULES = (
    Rule(
        "killer",
        Wording(
            "Killer cage",
            "Digits in the cage don't repeat and sum to {value}.",
            parameter="the clue, if there is one",
            other_names=("Cage",),
        ),
        '{"type": "killer", "cells": ["r1c1", "r1c2", "r2c1"], "sum": 15}',
        _killer,
        least=1,
        value="sum",
        usual=_NO_SUM,
        together=_killers,
    ),
    Rule(
        "multisum",
        Wording(
            "Multi-sum killer cage",
            "Digits in the cage don't repeat and sum to {value}.",
            parameter="one of the clues",
        ),
        '{"type": "multisum", "cells": ["r1c1", "r1c2", "r2c1"], "sums": [6, 15, 24]}',
        _multisum,
        least=1,
        value="sums",
        many=True,
    ),
    Rule(
        "sum",
        Wording(
            "Sum",
            "The digits sum to {value}; they can repeat.",
            parameter="N",
            other_names=("Sum cage",),
            note="A cell that is listed twice counts twice.",
        ),
        '{"type": "sum", "cells": ["r1c1", "r2c2", "r3c3"], "sum": 12}',
        _total,
        least=1,
        value="sum",
        repeats=True,
    ),
    Rule(
        "weightedsum",
        Wording(
            "Weighted sum",
            "The digits, each multiplied by the factor in its cell, sum to the clue.",
            note="The list contains the sum, then the factor of each cell in order.",
        ),
        '{"type": "weightedsum", "cells": ["r1c1", "r2c2", "r3c3"], "values": [0, 1, 1, -10]}',
        _weighted,
        least=1,
        value="values",
        many=True,
        repeats=True,
    ),
    Rule(
        "littlekiller",
        Wording("Little killer", "Digits along the diagonal sum to the clue; they can repeat."),
        '{"type": "littlekiller", "cells": ["r1c5", "r2c6", "r3c7", "r4c8", "r5c9"], "sum": 24}',
        _total,
        least=1,
        value="sum",
    ),
    Rule(
        "arrow",
        Wording(
            "Arrow",
            "Digits along the arrow sum to the digit in the circle.",
            note="The first cell is the circle.",
        ),
        '{"type": "arrow", "cells": ["r2c2", "r2c3", "r3c4"]}',
        _arrow,
        repeats=True,
    ),
    Rule(
        "doublearrow",
        Wording(
            "Double arrow",
            "Digits between the two circles have the same sum as the digits in the circles.",
            note="The first and the last cell are the circles.",
        ),
        '{"type": "doublearrow", "cells": ["r2c2", "r2c3", "r2c4", "r2c5"]}',
        _double_arrow,
        least=3,
        repeats=True,
    ),
    Rule(
        "pillarrow",
        Wording(
            "Pill arrow",
            "Digits along the arrow sum to the number in the pill.",
            note="The first cells are the digits of the pill, and the number is how "
            "many there are.",
        ),
        '{"type": "pillarrow", "cells": ["r1c1", "r1c2", "r2c2", "r3c2"], "pill": 2}',
        _pill_arrow,
        value="pill",
        usual=2,
        repeats=True,
    ),
    Rule(
        "zipper",
        Wording(
            "Zipper line",
            "Digits equally far from the center of the line have the same sum; "
            "a cell at the center holds that sum.",
        ),
        '{"type": "zipper", "cells": ["r2c2", "r2c3", "r3c4", "r2c5", "r2c6"]}',
        _zipper,
        least=3,
        repeats=True,
    ),
    Rule(
        "regionsum",
        Wording(
            "Region sum line",
            "Box borders divide the line into segments with equal sums.",
            note="Cells outside all boxes are ignored.",
        ),
        '{"type": "regionsum", "cells": ["r2c2", "r2c3", "r2c4", "r3c4"]}',
        _region_sums,
        repeats=True,
    ),
)
