"""Why a long sum excludes candidates: its least or greatest total leaves little room.

The cells are divided into parts whose cells all differ. If the sum of the least numbers of all
parts is close to the greatest total, no part can be much larger. The same holds for the greatest
numbers and the least total.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from solver.logic.sentences.open_sums import OpenSum
from solver.logic.sentences.sum_bounds import computed
from solver.logic.sentences.wording import joined

_LEAST_CELLS = 3  # of a sum that is divided into parts
_MOST_PARTS = 9
_KINDS = ("row", "column", "box", "region")

Part = tuple[int, ...]  # cells


@dataclass(frozen=True, slots=True)
class _Division:
    """A division of the longer side of a sum into parts, and an extreme of the other side.

    The longer side has the terms whose factors have the `sign` (1 or −1). If `is_most`, the
    greatest sums of the parts are compared with the other side, otherwise the least ones.
    """

    open_sum: OpenSum
    sign: int
    parts: tuple[Part, ...]
    is_most: bool

    @property
    def total(self) -> int:
        """The sum of the parts' greatest numbers if `is_most`, otherwise of their least ones."""
        return sum(map(self.end_of, self.parts))

    @property
    def other_side(self) -> int:
        """The least sum of all parts that the other side allows if `is_most`, else the greatest."""
        ends = self.open_sum.side(-self.sign).extremes()
        return self.sign * self.open_sum.total + ends[not self.is_most]

    @property
    def room(self) -> int:
        """How far a part's sum can be below its greatest one if `is_most`, else above its least."""
        return abs(self.other_side - self.total)

    def excludes(self, cell: int, number: int) -> bool:
        """Return whether a cell of the sum can't have a number because of the total."""
        part = next((part for part in self.parts if cell in part), None)
        changed = self.open_sum.with_value(cell, number)
        if not all(map(changed.words.numbers, changed.cells)):
            return True
        if part is None:
            ends = changed.side(-self.sign).extremes()
            total = self.sign * self.open_sum.total + ends[not self.is_most]
            return total > self.total if self.is_most else total < self.total
        own = replace(self, open_sum=changed).end_of(part)
        return abs(own - self.end_of(part)) > self.room

    def factor_of(self, part: Part) -> int:
        """Return the factor that all cells of a part have in the sum, without its sign."""
        return abs(dict(self.open_sum.terms)[part[0]])

    def end_of(self, part: Part) -> int:
        """Return the greatest sum of a part if `is_most`, otherwise the least, times its factor."""
        return self.factor_of(part) * sum(self.numbers_of(part))

    def numbers_of(self, part: Part) -> list[int]:
        """Return the numbers of the cells for which `end_of` returns the sum of a part."""
        own = replace(self.open_sum, terms=tuple((cell, 1) for cell in part))
        return [number for number, _ in own.extreme_numbers(is_most=self.is_most)]


def reason_by_parts(open_sum: OpenSum, removed: Mapping[int, Sequence[int]]) -> list[str]:
    """Return two sentences on why the least or greatest total of a sum excludes numbers, or [].

    `removed` has the excluded numbers of each cell. Returns [] unless a division into parts
    excludes all of them, and if its parts can vary, at least one of the cells must be in a part.
    """
    best = min(
        (
            one
            for one in _divisions(open_sum)
            if (not one.room or any(cell in part for part in one.parts for cell in removed))
            and all(one.excludes(cell, number) for cell in removed for number in removed[cell])
        ),
        key=lambda one: len(one.parts),
        default=None,
    )
    return [] if best is None else _text(best)


def _text(division: _Division) -> list[str]:
    open_sum, is_most = division.open_sum, division.is_most
    words, bound = open_sum.words, "at most" if is_most else "at least"
    parts: list[str] = []
    for part in division.parts:
        factor = "" if division.factor_of(part) == 1 else f"{division.factor_of(part)}×"
        held = "+".join(f"{factor}{number}" for number in division.numbers_of(part))
        parts.append(f"{held} in {words.cells(part)}")
    others = open_sum.side(-division.sign)
    size = "smaller" if is_most else "larger"
    if division.room:
        each = "each part" if len(parts) > 1 else "it"
        change = f"{each} can be at most {division.room} {size}"
    else:
        change = f"no part can be {size}"
    total = f"their sum is {division.other_side}"
    if others.terms:
        text = computed(division.sign * open_sum.total, others.extreme_numbers(is_most=not is_most))
        total = f"they sum to {'at least' if is_most else 'at most'} {text}"
    first = f"these cells hold {bound} {joined(parts)}, so they sum to {bound} {division.total}"
    return [first, f"{total}, so {change}"]


def _divisions(open_sum: OpenSum) -> Iterator[_Division]:
    """Yield divisions of the longer side of a sum into parts, each for both extremes.

    Yields nothing for a side with few cells, and no division into many parts.
    """
    sign = max((1, -1), key=lambda sign: len(open_sum.side(sign).terms))
    side = open_sum.side(sign)
    if len(side.terms) < _LEAST_CELLS:
        return
    for parts in dict.fromkeys(_ways_to_divide(side)):
        if len(parts) <= _MOST_PARTS:
            for is_most in (False, True):
                yield _Division(open_sum, sign, parts, is_most)


def _ways_to_divide(side: OpenSum) -> Iterator[tuple[Part, ...]]:
    """Yield divisions of a side's cells into parts: one by each kind of house, and one by all.

    In each division, the house with the most of the remaining cells is taken first. All cells of a
    part have the same factor.
    """
    houses = side.words.layout.houses
    by_factor: dict[int, list[int]] = {}
    for cell, factor in side.terms:
        by_factor.setdefault(factor, []).append(cell)
    for kind in (*_KINDS, ""):
        own = [set(house.cells) for house in houses if kind in ("", house.kind)]
        yield tuple(sorted(part for cells in by_factor.values() for part in _greedy(cells, own)))


def _greedy(cells: Iterable[int], houses: Sequence[set[int]]) -> Iterator[Part]:
    """Yield parts of some cells, the largest first: each time all remaining cells in a house.

    Cells in no house are parts on their own.
    """
    left = set(cells)
    while left:
        part = max((left & house for house in houses), key=len, default=set())
        if not part:
            yield from ((cell,) for cell in left)
            return
        yield tuple(sorted(part))
        left -= part
