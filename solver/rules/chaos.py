"""Chaos construction: regions that must be found while solving, and clues about them.

Label cells, one per cell of the grid, hold the region numbers. For pairs of cells, an auxiliary
answer cell says whether both are in the same region (1 = no, 2 = yes). All adjacent pairs have one,
and so do the other pairs that a clue compares. Clues are stated in terms of these answers, so they
don't depend on how the regions are numbered.

The general engine propagates the regions in `backtracking/connected_regions.py`.
"""

from itertools import accumulate, combinations, pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton
from solver.board.budget import ELEMENTS, charge, kept_table
from solver.board.layout import ConstraintLike, Layout
from solver.board.primitive_constraints import Domain, Part, Partition, Regular, Sum
from solver.rules.reification import NO, YES, answer
from solver.rules.relations import side_by_side
from solver.rules.rule import Cells, Constraint, Machine, Rule, fault_in, unrolled
from solver.rules.wording import Wording

# Constraints that don't depend on how regions are numbered. The clues depend on it only if their
# first cell is a label.
_INDEPENDENT = ("different", "samevalues")
_CLUES = ("chaosarrow", "chaoscount", "countdistinct")


def _construction(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    size, labels = constraint.number, constraint.cells
    if layout.holes or len(labels) != layout.cells or min(labels) < layout.cells:
        fault = "needs a variable for each cell of the grid as 'cells', and a grid without holes"
        return fault_in(constraint, fault, layout)
    if not 1 <= size <= layout.size or len(labels) % size:
        fault = f"needs a 'size' from 1 to {layout.size} that divides the number of cells"
        return fault_in(constraint, f"{fault} ({len(labels)}), not {size}", layout)
    if len(labels) // size > layout.size:
        fault = f"would have {len(labels) // size} regions; the limit is {layout.size}"
        return fault_in(constraint, f"{fault}; use a larger 'size'", layout)
    answers = _Answers(labels, size, layout)
    clues: list[Part] = []
    for other in layout.constraints:
        if isinstance(other, Constraint) and _is_clue(other, labels):
            clue = answers.translate(other)
            if isinstance(clue, str):
                return fault_in(other, clue, layout)
            clues.append(clue)
        elif isinstance(other, Constraint):
            clues += answers.implied_by(other)
    numbered = all(
        other == constraint or _is_independent(other, labels) for other in layout.constraints
    )
    allowed = (1 << len(labels) // size) - 1
    return (
        Partition(labels, size, numbered, tuple(answers.cells), tuple(answers.cells.values())),
        *(Domain(label, allowed) for label in labels),
        *map(answer, answers.cells.values()),
        *clues,
    )


class _Answers:
    """The answer cells: auxiliary cells that say whether a pair of cells is in the same region.

    Their values are 1 for no and 2 for yes. All adjacent pairs have one. Those of other pairs are
    created when they're needed.
    """

    def __init__(self, labels: Cells, size: int, layout: Layout) -> None:
        self.cells: dict[tuple[int, int], int] = {}
        self._labels = labels
        self._cell_of = {label: cell for cell, label in enumerate(labels)}
        self._size = size
        self._numbers = layout.numbers
        self._near: list[set[int]] = [set() for _ in range(layout.cells)]
        for one, other in side_by_side(layout):
            self.of(one, other)
            self._near[one].add(other)
            self._near[other].add(one)

    def of(self, one: int, other: int) -> int:
        """Return the answer cell for a pair of cells of the grid, creating it on first use.

        The order of the two doesn't matter. Answer cells are −1, −2, and so on.
        """
        pair = min(one, other), max(one, other)
        return self.cells.setdefault(pair, -len(self.cells) - 1)

    def translate(self, clue: Constraint) -> Regular | str:
        """Translate a clue about region labels to an automaton over answer cells.

        All cells of the clue but the first must be labels. Creates missing answer cells. Returns an
        error message if the clue is invalid, or its automaton too large. The clue compares the
        regions of its second cell and later cells. If its arms begin at all neighbors of the second
        cell, at least one neighbor must be in the same region, because regions of two or more cells
        are connected.
        """
        if clue.name == "countdistinct":
            return self._translate_distinct(clue)
        arms = _arms(clue, self._numbers)
        if isinstance(arms, str):
            return arms
        control, *labels = clue.cells
        start, *others = (self._cell_of[label] for label in labels)
        near = self._near[start]
        if clue.name == "chaoscount":
            others.sort(key=lambda cell: cell not in near)
        ends = [*pairwise(accumulate(arms[1:], initial=0))]
        pairs = [pair for arm in ends for pair in pairwise((start, *others[slice(*arm)]))]
        cells = (*(self.of(*pair) for pair in pairs), control)
        # the places of answers that compare `start` with a neighbor
        adjacent = [begin for begin, end in ends if begin < end and others[begin] in near]
        compares_all = {others[begin] for begin in adjacent} == near
        yes_by = max(adjacent) + 1 if self._size > 1 and compares_all else 0
        return Regular(cells, _counting(arms, yes_by, self._numbers))

    def implied_by(self, other: Constraint) -> list[Domain]:
        """Return domains of answer cells that follow from another constraint on labels.

        If the constraint requires that its labels are all different, the answers for all of their
        pairs are no. If they must all be equal, the answers for each label and the next one are
        yes. Missing answer cells are created. Other constraints imply nothing: the result is [].
        """
        cells = [self._cell_of.get(label, -1) for label in other.cells]
        if _requires_equal(other, self._labels):
            return [Domain(self.of(*pair), 1 << YES - 1) for pair in pairwise(cells)]
        if other.name == "different" and -1 not in cells:
            charge(len(cells) ** 2 // 2)
            return [Domain(self.of(*pair), 1 << NO - 1) for pair in combinations(cells, 2)]
        return []

    def _translate_distinct(self, clue: Constraint) -> Regular | str:
        """Translate a clue that counts distinct regions to an automaton over answer cells.

        For each label but the first, the automaton reads whether it has the same region as each
        earlier label. Last, it reads the count. Creates missing answer cells. Returns an error
        message if the automaton is too large.
        """
        control, *labels = clue.cells
        cells = [self._cell_of[label] for label in dict.fromkeys(labels)]
        charge(len(cells) ** 2 // 2)
        pairs = [(one, other) for place, other in enumerate(cells) for one in cells[:place]]
        automaton = unrolled(_distinct, len(pairs) + 1, 0, self._numbers)
        if isinstance(automaton, str):
            return automaton
        return Regular((*(self.of(*pair) for pair in pairs), control), automaton)


def _is_independent(other: ConstraintLike, labels: Cells) -> bool:
    """Return whether a constraint is known not to depend on how the regions are numbered.

    `labels` are the cells with the region numbers.
    """
    own = {*labels}
    if own.isdisjoint(other.cells):
        return True
    if other.name in _CLUES:
        return other.cells[0] not in own and own >= {*other.cells[1:]}
    return other.name in _INDEPENDENT and own >= {*other.cells}


def is_in_construction(clue: Constraint, layout: Layout) -> bool:
    """Return whether a chaos construction of the layout enforces one of the layout's constraints.

    This is so for clues about its regions, and for constraints that make region labels equal. The
    constraint's own rule then adds no primitive constraints. Returns False for constraints that are
    only an option of a disjunction.
    """
    charge(1 + len(layout.constraints) // 8)
    return clue in layout.constraints and any(
        each.name == "chaosconstruction"
        and (_is_clue(clue, each.cells) or _requires_equal(clue, each.cells))
        for each in layout.constraints
    )


def _is_clue(other: ConstraintLike, labels: Cells) -> bool:
    """Return whether a constraint is a clue whose cells, except the first, are all labels."""
    return other.name in _CLUES and {*other.cells[1:]} <= {*labels}


def _requires_equal(other: ConstraintLike, labels: Cells) -> bool:
    """Return whether a constraint requires that all its cells are in the same region.

    `labels` are all label cells, which hold the region numbers. Returns False if the constraint has
    a cell that isn't a label, or doesn't require that all of its cells are equal.
    """
    return (
        other.name == "samevalues"
        and other.value == len(other.cells)
        and {*other.cells} <= {*labels}
    )


def _arms(clue: Constraint, numbers: range) -> tuple[int, ...] | str:
    """Return whether a clue counts its second cell (1 or 0), followed by the lengths of its arms.

    An arm is a run of consecutive cells after the second. A clue that counts single cells has arms
    of one cell each. Returns an error message if the clue's list is invalid or doesn't fit its
    cells, or if the board has only one value.
    """
    others = len(clue.cells) - 2
    first, *lengths = clue.values
    if clue.name == "chaoscount":
        lengths = [1] * others
    if min(lengths, default=0) < 0 or sum(lengths) != others:
        needed = f"needs arm lengths that sum to {others}, its number of cells after the second"
        return f"{needed}, not {sum(lengths)}"
    if len(numbers) < YES:
        return f"needs a board of {YES} values or more"
    if first not in (0, 1):
        place = "as 'first'" if clue.name == "chaoscount" else "as the first of its 'lengths'"
        return f"needs 1 (count the second cell) or 0 (don't count it) {place}, not {first}"
    return (first, *lengths)


@kept_table
def _counting(arms: tuple[int, ...], yes_by: int, numbers: range) -> Automaton:
    """Return an automaton that reads the answers of all arms, yes or no, and then a count.

    It reads one arm after the other. The count must be arms[0], plus the number of yes answers
    before the first no of each arm. arms[1:] are the lengths of the arms. At least one of the first
    `yes_by` answers must be yes.
    """
    first, *lengths = arms
    total = sum(lengths)
    begins = {*accumulate(lengths, initial=0)}
    phases = [
        4 * (place + 1 == yes_by) + 2 * (place in begins) + (place + 1 in begins)
        for place in range(total)
    ]
    rows, steps = _counting_steps(first, total, numbers)
    return Automaton(
        phases=np.array([*phases, 8], np.int32),
        kinds=np.arange(len(numbers), dtype=np.int32),
        rows=rows,
        steps=steps,
        ends=np.ones(rows.shape[1], np.bool_),
        edges=(2 * total + 1) * rows.shape[1],
    )


@kept_table
def _counting_steps(
    first: int, total: int, numbers: range
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the rows and steps of the automaton of `_counting` for up to `total` answers.

    state  2n + 1: n cells were counted, and the arm continues. 2n: n were counted, and the arm
           has ended
    phase  below 8, for an answer: 4 if a yes must have been read by then, plus 2 if it is the
           first of an arm, plus 1 if it is the last of an arm. 8, for the count, which must be
           n + `first`
    """
    charge(50 + 9 * (2 * total + 2) * len(numbers) // ELEMENTS)
    states = np.arange(2 * total + 2)
    steps = np.full((9, len(states), len(numbers)), -1, np.int32)
    for phase, (needs_yes, begin, ends) in enumerate(product((0, 1), repeat=3)):
        counted = states & 1 | begin
        yes = states // 2 * 2 + 2 * counted + (counted & 1 - ends)
        no = states // 2 * 2
        steps[phase, :, NO - 1] = np.where(no >= 2 * needs_yes, no, -1)
        steps[phase, :, YES - 1] = np.where((yes >= 2 * needs_yes) & (yes < len(states)), yes, -1)
    is_count = states[:, None] // 2 + first == np.array(numbers)
    steps[8] = np.where(is_count, states[:, None], -1)
    rows = np.arange(9 * len(states), dtype=np.int32).reshape(9, -1)
    return rows, steps.reshape(-1, len(numbers))


def _distinct(length: int, value: int, numbers: range) -> Machine:
    """Return an automaton that checks a count of distinct labels.

    For each label but the first, it reads one answer per earlier label (yes if both are equal).
    Last, it reads the count. These are `length` numbers in all. `value` is unused. State: the
    number of distinct labels so far, and whether the current label is new.
    """
    del value
    # 1, 3, 6, …: the places after the last comparison of a label
    ends: list[int] = [*accumulate(range(1, length))]

    def follow(state: Any, number: int, place: int) -> Any:
        distinct, is_new = state
        if place == length - 1:
            return ("end", True) if number == distinct else None
        answered = number - numbers[0] + 1
        if answered not in (NO, YES):
            return None
        is_new = is_new and answered == NO
        return (distinct + is_new, True) if place + 1 in ends else (distinct, is_new)

    def phase(place: int) -> tuple[bool, bool]:
        return place == length - 1, place + 1 in ends

    return Machine((1, True), follow, lambda state: state[0] == "end", phase)


def _equal(length: int, value: int, numbers: range) -> Machine:
    """Return an automaton whose answer is yes if two cells are equal and an earlier answer is yes.

    It reads the two cells, the earlier answer (only if `length` is 4), and its own answer, which
    must be no in all other cases. `value` is unused. States: start, the number in the first cell,
    whether everything holds so far.
    """
    del value

    def follow(state: Any, number: int, place: int) -> Any:
        if place < 2:
            return number if place == 0 else number == state
        answered = number - numbers[0] + 1
        if answered not in (NO, YES):
            return None
        if place < length - 1:
            return state and answered == YES
        return "end" if state == (answered == YES) else None

    return Machine(None, follow, lambda state: state == "end")


def _clue(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    """Compile a clue that counts the cells along its arms that equal its second cell.

    Each arm counts up to its first cell with another value. An answer cell per cell of an arm says
    whether it, and all cells before it, equal the second cell. Their sum gives the count. Returns
    () if a chaos construction includes the clue, and an error message if the clue is invalid.
    """
    arms = _arms(constraint, layout.numbers)
    if isinstance(arms, str):
        return fault_in(constraint, arms, layout)
    if is_in_construction(constraint, layout):
        return ()
    control, start, *others = constraint.cells
    parts: list[Part] = []
    for begin, end in pairwise(accumulate(arms[1:], initial=0)):
        for place in range(begin, end):
            before = () if place == begin else (-place,)
            cells = (start, others[place], *before, -place - 1)
            automaton = unrolled(_equal, len(cells), 0, layout.numbers)
            if isinstance(automaton, str):
                return fault_in(constraint, automaton, layout)
            parts += [answer(cells[-1]), Regular(cells, automaton)]
    answers = tuple(-place - 1 for place in range(len(others)))
    factors = (-1, *(1 for _ in answers))
    target = len(answers) * layout.lowest - arms[0]
    return (*parts, Sum((control, *answers), factors, target))


CHAOS_RULES = (
    Rule(
        "chaosconstruction",
        Wording(
            "Chaos construction",
            "The grid divides into regions of {value} cells, connected along "
            "edges; digits don't repeat in a region.",
            parameter="N",
            note="The cells are variables for the region of each cell, in reading "
            "order. Numbering the regions differently doesn't count as another solution.",
        ),
        '{"type": "chaosconstruction", "cells": ["C1", "C2", "C3", "C4"], "size": 2}',
        _construction,
        least=1,
        value="size",
        hides=True,
    ),
    Rule(
        "chaoscount",
        Wording(
            "Chaos count",
            "The digit in the circle is the number of marked cells in the same "
            "region as the first of them.",
            note="The first cell is the circle. The number is 1 if the first marked cell "
            "counts, or 0 if it doesn't.",
        ),
        '{"type": "chaoscount", "cells": ["r1c1", "r1c5", "r2c6", "r3c7"], "first": 1}',
        _clue,
        value="first",
        usual=1,
        repeats=True,
        hides=True,
    ),
    Rule(
        "chaosarrow",
        Wording(
            "Chaos arrow",
            "The digit in the circle is the number of marked cells in the "
            "start cell's region, counted along each arm up to another region.",
            note="The cells are the circle, the start cell, and then the cells of each arm. "
            "The list contains 1 if the start cell counts, or 0 if it doesn't, and then the "
            "length of each arm.",
        ),
        '{"type": "chaosarrow", "cells": ["r1c1", "r4c4", "r5c5", "r6c6"], "lengths": [1, 2]}',
        _clue,
        value="lengths",
        many=True,
        repeats=True,
        hides=True,
    ),
)
