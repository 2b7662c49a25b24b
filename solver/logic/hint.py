"""Hints: the next deduction in three degrees (where to look, which technique, all of it)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice

from solver.board.layout import Layout
from solver.logic.deduction import Candidate, Deduction
from solver.logic.explanation import Ending, Explanation
from solver.logic.hint_reasons import reason_of
from solver.logic.sentences.rule_names import place_of
from solver.logic.sentences.wording import Wording
from solver.logic.technique_table import name_of

WHERE, WHAT, WHOLE = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Place:
    """The place to look for a deduction: its name and its cells, none for all places of a value."""

    name: str
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MarkedHints:
    """Hints of all strengths for one deduction, with the cells to mark on the board.

    where       the place to look at, as a text
    technique   the name of the technique, or None without a deduction
    code        the technique code, or None without a deduction
    step        the deduction as a text, with its reason
    place       the cells of the place to look at
    cells       the cells in which the deduction places or removes values
    reason      the cells that show why the deduction is correct
    placements  the values that the deduction places
    """

    where: str
    technique: str | None = None
    code: str | None = None
    step: str = ""
    place: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    reason: tuple[int, ...] = ()
    placements: tuple[Candidate, ...] = ()


def marked_hints(explanation: Explanation, *, after: int = 0) -> MarkedHints:
    """Return hints of all strengths for one deduction of an explanation.

    `after` is the number of deductions before it. If there are no more, only `where` is set, to the
    text that `hint` returns in this case.
    """
    found = next(islice(explanation.steps, after, None), None)
    if found is None:
        return MarkedHints(hint(replace(explanation, deductions=()), strength=WHERE))
    deduction, position = found.deduction, found.position
    words = Wording(explanation.layout, explanation.symbols, position.domains)
    place = _where(deduction, words)
    reason = reason_of(deduction, position, words)
    changed = (one.cell for one in (*deduction.placements, *deduction.eliminations))
    return MarkedHints(
        where=f"Look at {place.name}.",
        technique=name_of(deduction.code),
        code=deduction.code,
        step=f"{found.sentence} {reason.text}".strip(),
        place=place.cells,
        cells=tuple(dict.fromkeys(changed)),
        reason=reason.cells,
        placements=deduction.placements,
    )


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
    place = _where(deduction, Wording(explanation.layout, explanation.symbols)).name
    if strength == WHERE:
        return f"Look at {place}."
    name = name_of(deduction.code)
    if strength == WHAT:
        return f"{name}: look at {place}."
    return f"{name}: {next(explanation.sentences)}"


def _next_guess(explanation: Explanation) -> str:
    """Return the advice to guess in the cell with the fewest candidates, and the reason for it.

    It must have at least two. The first such cell in reading order is chosen.
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


def _where(deduction: Deduction, words: Wording) -> Place:
    """Return the place to look for a deduction, without revealing the deduction.

    It is the first of these that the deduction has: its rule, the houses with the pattern, the cell
    that a trial is about, the house of a placement without cells or chains, the cells of the
    pattern or of its sets, all places of its only value, or the cells from which its chains start.
    """

    def named(cells: Iterable[int], prefix: str = "") -> Place:
        unique = tuple(dict.fromkeys(cells))
        return Place(prefix + words.cells(unique), unique)

    layout = words.layout
    if deduction.rule is not None:
        cells = layout.constraints[deduction.rule].cells
        cells = tuple(cell for cell in cells if cell < layout.cells)
        return Place(place_of(deduction.rule, words), cells)
    if deduction.base:
        in_houses = (cell for house in deduction.base for cell in layout.houses[house].cells)
        return Place(words.houses(deduction.base), tuple(dict.fromkeys(in_houses)))
    if deduction.lines:
        return named([deduction.eliminations[0].cell], "the candidates of ")
    if not deduction.cells and deduction.placements and not deduction.chains:
        return _house_around(deduction.placements[0].cell, words)
    if deduction.cells:
        return named(deduction.cells)
    if deduction.sets:
        return named(cell for group in deduction.sets for cell in group.cells)
    if len(deduction.values) == 1:
        return Place(f"the places of {words.value(deduction.values[0])}", ())
    assumed = [chain[0] for chain in deduction.chains if not chain[0].link]
    return named((cell for node in assumed for cell in node.cells), "the candidates of ")


def _house_around(cell: int, words: Wording) -> Place:
    """Return the place to look for a cell's value: its box, else its first house, else the cell."""
    house = _box_of(cell, words.layout)
    if house is None:
        return Place(words.layout.cell_name(cell), (cell,))
    return Place(words.house(house), tuple(words.layout.houses[house].cells))


def _box_of(cell: int, layout: Layout) -> int | None:
    """Return the index of a cell's box, else of its first house, else None."""
    mine = [number for number, house in enumerate(layout.houses) if cell in house.cells]
    boxes = [number for number in mine if layout.houses[number].kind.endswith("box")]
    return next(iter(boxes or mine), None)
