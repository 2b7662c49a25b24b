"""Conversion of explanations, lists of available steps, and difficulties to their schemas."""

from solver.board.conflict import Conflict
from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.formats.write import constraint_json
from solver.logic.available_steps import AvailableSteps
from solver.logic.deduction import Candidate, Node
from solver.logic.explanation import Explanation, Step
from solver.logic.marks import Link, marks_of
from solver.logic.rating.difficulty import Difficulty
from solver.logic.technique_table import name_of
from web.schemas import explanation as shown


def explanation_json(explanation: Explanation) -> shown.Explanation:
    """Convert an explanation to the schema of the API."""
    writer = _NameWriter(explanation.layout, explanation.symbols)
    own = explanation.own_rating
    return shown.Explanation(
        order=explanation.order,
        ending=str(explanation.ending),
        solved=explanation.solved,
        detail=explanation.detail,
        conflict=_conflict_json(explanation.conflict, explanation.layout),
        difficulty=difficulty_json(explanation.difficulty),
        own_rating=None
        if own is None
        else shown.OwnRating(rating=own.rating, word=own.word, solved=round(own.solved, 3)),
        counts=explanation.counts,
        deductions=[writer.deduction(step) for step in explanation.steps],
    )


def _conflict_json(conflict: Conflict | None, layout: Layout) -> shown.Conflict | None:
    if conflict is None:
        return None
    return shown.Conflict(
        givens=[layout.cell_name(cell) for cell in conflict.givens],
        constraints=[constraint_json(layout.constraints[n], layout) for n in conflict.constraints],
        detail=conflict.detail,
    )


def available_steps_json(available: AvailableSteps, *, after: int) -> shown.AvailableSteps:
    """Convert the steps that are available at a position to the schema of the API.

    `after` is the number of steps of the explanation that lead to the position.
    """
    writer = _NameWriter(available.layout, available.symbols)
    return shown.AvailableSteps(
        after=after,
        deductions=[writer.deduction(step) for step in available.steps],
        unlisted=[name_of(code) for code in available.unlisted],
        complete=available.is_complete,
    )


def difficulty_json(difficulty: Difficulty | None) -> shown.Difficulty | None:
    """Convert a difficulty to the schema of the API. None stays None."""
    if difficulty is None:
        return None
    return shown.Difficulty(
        word=difficulty.word,
        rating=difficulty.rating,
        pearl=difficulty.pearl,
        diamond=difficulty.diamond,
        hodoku_score=difficulty.score,
        hodoku_level=None if difficulty.level is None else difficulty.level.name.lower(),
        techniques=difficulty.techniques,
    )


class _NameWriter:
    """Converts deductions to their schema, with names for cells, values, and houses."""

    def __init__(self, layout: Layout, symbols: Symbols) -> None:
        self._layout = layout
        self._values = symbols.values

    def deduction(self, step: Step) -> shown.Deduction:
        deduction = step.deduction
        marks = marks_of(deduction, step.position.candidates)
        return shown.Deduction(
            technique=name_of(deduction.code),
            code=deduction.code,
            rating=deduction.rating,
            sentence=step.sentence,
            eureka=step.notation,
            placements=self._candidates(deduction.placements),
            eliminations=self._candidates(deduction.eliminations),
            cells=[self._layout.cell_name(cell) for cell in marks.cells],
            houses=self._houses(marks.houses),
            covers=self._houses(marks.covers),
            marks={role: self._candidates(members) for role, members in marks.candidates.items()},
            links=[self._link(link) for link in marks.links],
        )

    def _houses(self, houses: tuple[int, ...]) -> list[str]:
        return [self._layout.houses[house].name for house in houses]

    def _candidates(self, candidates: tuple[Candidate, ...]) -> list[shown.Candidate]:
        return [
            shown.Candidate(self._layout.cell_name(cell), self._values[value - 1])
            for cell, value in candidates
        ]

    def _node(self, node: Node) -> shown.Node:
        cells = [self._layout.cell_name(cell) for cell in node.cells]
        return shown.Node(cells, self._values[node.value - 1])

    def _link(self, link: Link) -> shown.Link:
        return shown.Link(self._node(link.start), self._node(link.end), link.kind)
