"""Hints: the next deduction in three degrees (where to look, which technique, all of it)."""

from solver.board.layout import Layout
from solver.logic.deduction import Deduction
from solver.logic.explanation import Ending, Explanation
from solver.logic.sentences.rule_names import place_of
from solver.logic.sentences.wording import Wording
from solver.logic.technique_table import name_of

WHERE, WHAT, WHOLE = 1, 2, 3


def hint(explanation: Explanation, *, strength: int) -> str:
    """Return the first deduction of an explanation as a hint.

    With a `strength` of 1, the hint contains only where to look, with 2 also the technique, and
    with 3 the whole deduction. If there is no deduction, the text states that the grid is full,
    advises a guess, or is the explanation's summary.
    """
    if not explanation.deductions:
        if explanation.ending is Ending.STUCK:
            return _next_guess(explanation)
        return "The grid is already full." if explanation.solved else explanation.summary
    deduction = explanation.deductions[0]
    place = _where(deduction, Wording(explanation.layout, explanation.symbols))
    if strength == WHERE:
        return f"Look at {place}."
    name = name_of(deduction.code)
    if strength == WHAT:
        return f"{name}: look at {place}."
    return f"{name}: {next(explanation.sentences)}"


def _next_guess(explanation: Explanation) -> str:
    """Return the advice to guess in the cell with the fewest candidates, and the reason for it.

    The first such cell in reading order is chosen.
    """
    words = Wording(explanation.layout, explanation.symbols, explanation.start.domains)
    empty = [cell for cell, value in enumerate(explanation.start.values) if not value]
    cells = [cell for cell in empty if len(words.candidates_of(cell)) > 1]
    cell = min(cells, key=lambda cell: len(words.candidates_of(cell)))
    return (
        "Every technique that applies to this board was tried, from singles to chains, and none "
        f"finds a step. {words.cells([cell])} can be "
        f"{words.values(words.candidates_of(cell), last='or')}. Try one of them until it leads to "
        "a contradiction or to the solution."
    )


def _where(deduction: Deduction, words: Wording) -> str:
    """Return the name of the place to look for a deduction, without revealing the deduction."""
    if deduction.rule is not None:
        return place_of(deduction.rule, words)
    if deduction.base:
        return words.houses(deduction.base)
    if deduction.lines:
        return f"the candidates of {words.cells([deduction.eliminations[0].cell])}"
    if not deduction.cells and deduction.placements and not deduction.chains:
        return _house_around(deduction.placements[0].cell, words)
    if deduction.cells:
        return words.cells(deduction.cells)
    if deduction.sets:
        cells = (cell for group in deduction.sets for cell in group.cells)
        return words.cells(dict.fromkeys(cells))
    if len(deduction.values) == 1:
        return f"the places of {words.value(deduction.values[0])}"
    assumed = [chain[0] for chain in deduction.chains if not chain[0].link]
    ends = dict.fromkeys(cell for node in assumed for cell in node.cells)
    return f"the candidates of {words.cells(ends)}"


def _house_around(cell: int, words: Wording) -> str:
    """Return the name of a cell's box, or of its first house, or of the cell itself."""
    house = _box_of(cell, words.layout)
    return words.layout.cell_name(cell) if house is None else words.house(house)


def _box_of(cell: int, layout: Layout) -> int | None:
    mine = [number for number, house in enumerate(layout.houses) if cell in house.cells]
    boxes = [number for number in mine if layout.houses[number].kind.endswith("box")]
    return next(iter(boxes or mine), None)
