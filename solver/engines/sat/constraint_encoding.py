"""Encode primitive constraints as clauses."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton, adding_up
from solver.board.branching import layers_of
from solver.board.full_rank_automaton import regulars_of
from solver.board.primitive_constraints import (
    Branched,
    Combination,
    Connected,
    Disjunction,
    Domain,
    FullRank,
    House,
    Links,
    Part,
    Partition,
    Regular,
    Relation,
    Sandwich,
    SatDisjunction,
    Sum,
)
from solver.board.sandwich_automaton import sandwich_automaton_of
from solver.engines.sat.clauses import Clauses
from solver.engines.sat.regions import add_partition, connect


@dataclass(frozen=True, slots=True)
class Candidates:
    """The variables of a board's candidates, and its numbers and columns.

    `variables` (cells, size) has the variable of each candidate, 0 for excluded ones. `numbers` are
    the board's numbers, with which rules calculate. `columns` is the number of the grid's columns.
    """

    variables: NDArray[np.int64]
    numbers: range
    columns: int

    def some(self, cell: int) -> list[int]:
        """Return the variables of the candidates of a cell, without those that are excluded."""
        return some(self.variables[cell])


def some(variables: NDArray[np.int64]) -> list[int]:
    """Return the variables in an array as a list, without the zeros."""
    chosen: list[int] = variables[variables > 0].tolist()
    return chosen


def add_constraint(made: Clauses, part: Part, board: Candidates) -> list[int]:  # noqa: C901, PLR0912
    """Add the clauses of a constraint to `made`.

    For a partition into regions, returns the variables for whether two neighboring cells are in the
    same region, because solutions can differ in them alone. For all other constraints, returns [].
    """
    match part:
        case House():
            for column in board.variables[list(part.cells)].T:
                if len(part.cells) == len(board.numbers):
                    made.one_of(some(column))
                made.at_most_one(some(column))
        case Domain():
            row = board.variables[part.cell].tolist()
            made.one_of([v for bit, v in enumerate(row) if v and part.allowed >> bit & 1])
        case Links():
            made.clauses += _differing(part, board)
        case Relation():
            made.clauses += _related(part, board)
        case Regular():
            _spell(made, part.cells, part.automaton, board)
        case Sum():
            groups = (1,) * len(part.cells)
            automaton = adding_up(part.factors, part.target, board.numbers, groups)
            _spell(made, part.cells, automaton, board)
        case Sandwich():
            _spell(made, part.cells, sandwich_automaton_of(part, len(board.numbers)), board)
        case Branched():
            made.word(board.variables[list(part.cells)].tolist(), part.automaton.layers)
        case Combination():
            _combine(made, part, board)
        case SatDisjunction() | Disjunction():
            _choose(made, part, board)
        case Connected():
            connect(made, part, board.variables)
        case FullRank():
            for regular in regulars_of(part, board.numbers):
                _spell(made, regular.cells, regular.automaton, board)
        case Partition():
            return add_partition(made, part, board.variables, columns=board.columns)
    return []


def _differing(links: Links, board: Candidates) -> Iterator[list[int]]:
    """Yield the clauses that two linked cells don't have the same value, for all pairs."""
    for pair in links.pairs:
        for one, other in board.variables[list(pair)].T.tolist():
            if one and other:
                yield [-one, -other]


def _related(relation: Relation, board: Candidates) -> Iterator[list[int]]:
    """Yield the support clauses of a relation, for all of its pairs of cells.

    If the first cell of a pair has some value, the second one has one of the values allowed with
    it.
    """
    for pair in relation.pairs:
        first, second = board.variables[list(pair)].tolist()
        for variable, allowed in zip(first, relation.allowed, strict=True):
            if variable:
                needed = [v for bit, v in enumerate(second) if v and allowed >> bit & 1]
                yield [-variable, *needed]


def _spell(made: Clauses, cells: tuple[int, ...], automaton: Automaton, board: Candidates) -> None:
    """Add clauses so that the values of cells, in order, are a word that an automaton accepts."""
    letters = board.variables[list(cells)].tolist()
    left = [[value for value, literal in enumerate(row) if literal] for row in letters]
    made.word(letters, layers_of(automaton, left))


def _combine(made: Clauses, combination: Combination, board: Candidates) -> None:
    """Add clauses so that the set of the cells' values is one of the combination's sets.

    There is a new variable per set. If it is true, the values form that set.
    """
    chosen = [made.new() for _ in combination.sets]
    made.one_of(chosen)
    for value, column in enumerate(board.variables[list(combination.cells)].T):
        literals = some(column)
        for variable, values in zip(chosen, combination.sets, strict=True):
            if values >> value & 1:
                made.add(-variable, *literals)
            else:
                made.clauses += [[-variable, -literal] for literal in literals]


def _choose(made: Clauses, disjunction: SatDisjunction | Disjunction, board: Candidates) -> None:
    """Add clauses so that all constraints of at least one option of a disjunction hold.

    There is a new variable per option. If it is true, all clauses of the option must hold. Options
    that are found to have no solution are left out.
    """
    chosen = []
    for option in disjunction.options:
        within = Clauses(made.variables)
        for part in option:
            add_constraint(within, part, board)
        made.variables = within.variables
        if not within.broken:
            chosen.append(made.new())
            made.clauses += [[-chosen[-1], *clause] for clause in within.clauses]
    made.one_of(chosen)
