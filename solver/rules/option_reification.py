"""Reification of the options of a disjunction.

Primitive constraints are reified: an auxiliary answer cell says whether the constraint holds (1 =
no, 2 = yes). An automaton reads the answer before the constraint's cells, or a relation binds it to
a single cell. Answers follow from the grid, so they never add solutions. One more automaton reads
all answers and requires an option whose answers are all yes.
"""

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import get_args

from solver.board.automaton import Automaton, unroll
from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.primitive_constraints import Part, Partition, Regular, Relation, SatOnly
from solver.rules.auxiliary_cells import lowest_cell
from solver.rules.reification import NO, YES, Primitive, answer, primitives_of, reified
from solver.rules.rule import Cells, Constraint

_NOT_REIFIED = (*get_args(SatOnly), Partition)
_MOST_PARTS = 500  # reified constraints, of all options together
_COMPLETE = -1  # state after all answers of some group were yes


def _cannot_be_reified(part: Part) -> bool:
    """Return whether a primitive constraint can't be reified.

    That is so for partitions, for constraints that only the SAT engine supports, and for
    constraints with auxiliary cells.
    """
    return isinstance(part, _NOT_REIFIED) or lowest_cell(part) < 0


class OptionReification:
    """Reified primitive constraints, and the auxiliary answer cells that say whether they hold.

    The same constraint on the same cells is reified only once. `parts` collects the constraints
    that define the answers, and `cells` is the number of answer cells, −1, −2, and so on.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.parts: list[Part] = []
        self.cells = 0
        self._answers: dict[tuple[Hashable, Cells], int] = {}

    def _add_cell(self) -> int:
        """Return a new auxiliary cell."""
        self.cells += 1
        return -self.cells

    def reify(self, primitive: Hashable, cells: Cells) -> int | str:
        """Reify a primitive constraint on some cells; return its answer cell, a negative number.

        `primitive` is the constraint without its cells, see `primitives_of`. The constraints that
        define a new answer are added to `parts`. Returns an error message if that would be too
        large.
        """
        charge(10)
        known = self._answers.get((primitive, cells))
        if known is not None:
            return known
        # a domain: a relation between the answer and the cell is enough
        if isinstance(primitive, int):
            cell = self._answers[primitive, cells] = self._add_cell()
            self.parts += [answer(cell), *_bind_domain(cell, cells[0], primitive, self.layout.size)]
            return cell
        automaton = reified(primitive, len(cells), self.layout.numbers)
        if isinstance(automaton, str):
            return automaton
        cell = self._answers[primitive, cells] = self._add_cell()
        self.parts += [answer(cell), Regular((cell, *cells), automaton)]
        return cell

    def primitives_of(self, constraint: Constraint) -> list[Primitive] | str:
        """Return the primitive constraints to reify for a constraint, or an error message.

        The constraint holds if all of their answers are yes. A nested disjunction is reified
        immediately, and becomes a single primitive over its answers.
        """
        if constraint.options:
            groups = self.primitives_of_options(constraint)
            requirement = groups if isinstance(groups, str) else self.require_one(groups)
            return requirement if isinstance(requirement, str) else [requirement]
        parts = (constraint.rule.reified_as or constraint.rule.parts)(constraint, self.layout)
        if isinstance(parts, str):
            return parts
        if any(_cannot_be_reified(part) for part in parts):
            return f"the constraint {constraint.name!r} isn't supported inside 'or'"
        return [*primitives_of(parts, self.layout)]

    def primitives_of_options(self, constraint: Constraint) -> list[list[Primitive]] | str:
        """Return the primitive constraints to reify for each option, or an error message.

        An option holds if all answers of its primitive constraints are yes.
        """
        groups: list[list[Primitive]] = []
        for option in constraint.options:
            group: list[Primitive] = []
            for each in option:
                primitives = self.primitives_of(each)
                if isinstance(primitives, str):
                    return primitives
                group += primitives
            groups.append(group)
        return groups

    def require_one(self, groups: Sequence[Sequence[Primitive]]) -> tuple[Automaton, Cells] | str:
        """Reify the constraints of all groups, and require that one group holds.

        Each constraint gets an answer cell: an auxiliary cell with the value 2 if the constraint
        holds, and 1 if it doesn't. Equal constraints share one. The constraints that define new
        answer cells are added to `self.parts`. Returns an automaton, and the answer cells that it
        reads. It accepts if all answers of at least one group are 2, and isn't in `self.parts`.

        Returns an error message if there are more than `_MOST_PARTS` answer cells, including those
        from earlier calls, or if an automaton is too large.
        """
        answers: list[list[int]] = []
        for group in groups:
            own = [self.reify(*primitive) for primitive in group]
            fault = next((each for each in own if isinstance(each, str)), None)
            if fault is not None:
                return f"a constraint inside 'or' {fault}"
            answers.append([each for each in own if isinstance(each, int)])
        cells = tuple(dict.fromkeys(chain.from_iterable(answers)))
        if self.cells > _MOST_PARTS:
            return "the constraint 'or' is too large; use fewer or shorter options"
        places = tuple(frozenset(cells.index(cell) for cell in group) for group in answers)
        automaton = _some_group(places, len(cells), self.layout.numbers)
        if isinstance(automaton, str):
            return f"the constraint 'or' {automaton}"
        return automaton, cells


def _bind_domain(answer: int, cell: int, allowed: int, size: int) -> tuple[Relation, Relation]:
    """Return relations so that an answer cell says whether a cell has one of the values `allowed`.

    `allowed` is a bit mask (bit 0 = value 1), and `size` the number of values of the board.
    """
    every = (1 << size) - 1
    forth = (every & ~allowed, allowed, *[0] * (size - YES))
    back = tuple([1 << (YES if allowed >> value & 1 else NO) - 1 for value in range(size)])
    return Relation(((answer, cell),), forth), Relation(((cell, answer),), back)


@kept_table
def _some_group(groups: tuple[frozenset[int], ...], length: int, numbers: range) -> Automaton | str:
    """Return an automaton that accepts `length` answers if those of at least one group are all yes.

    A group is a set of indices of answers, from 0. State: as bits, the groups that have begun and
    had no "no" so far, or −1 after a complete group. Returns an error message if the automaton is
    too large.
    """
    # by place, as bits: the groups that begin there, end there, and have an answer there
    begins, ends, members = ([0] * length for _ in range(3))
    for number, group in enumerate(filter(None, groups)):
        begins[min(group)] |= 1 << number
        ends[max(group)] |= 1 << number
        for place in group:
            members[place] |= 1 << number

    def follow(state: int, number: int, place: int) -> int | None:
        if state == _COMPLETE:
            return state
        open_ = state | begins[place]
        if number - numbers[0] != YES - 1:
            return open_ & ~members[place]
        return _COMPLETE if open_ & ends[place] else open_

    return unroll(
        length,
        numbers=numbers[:2],
        start=0 if all(groups) else _COMPLETE,
        follow=follow,
        accepts=lambda state: state == _COMPLETE,
    )
