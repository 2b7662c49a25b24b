"""Lists, in words, the sequences of digits that an NFA or regex line allows, if they are few.

Each cell has one of its candidates.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from solver.board.layout import Layout
from solver.board.primitive_constraints import Regular
from solver.logic.sentences.places import must_differ
from solver.logic.sentences.wording import Wording, listed
from solver.rules.rule import Constraint

_LINES = ("nfa", "regex")  # whose digits form a sequence that an automaton accepts
_MOST_LISTED = 6
_MOST_TRIED = 5_000  # beginnings of sequences


@lru_cache(maxsize=4)  # Its callers need the sequences of the same line several times per step.
def allowed(index: int, words: Wording) -> str:
    """Return the sequences that a line allows, such as "1-2-5 or 1-5-5", or "" if they are many.

    `index` is the index of the line's constraint in the layout. Cells that see each other differ,
    and each cell has one of its candidates. Returns "" for other rules, too.
    """
    part = _regular_part(words.layout, index)
    found = _sequences(part, words) if part else []
    names = ("-".join(map(words.value, values)) for values in found)
    return listed(names, last="or") if found else ""


@lru_cache(maxsize=64)
def _regular_part(layout: Layout, index: int) -> Regular | None:
    """Return the automaton of an NFA or regex line with its cells, or None.

    The result is None for other rules, and for lines that have several automata, a closed one, or
    variables. `index` is the index of the constraint in the layout.
    """
    constraint = cast("Constraint", layout.constraints[index])
    parts = constraint.parts(layout) if constraint.name in _LINES else ()
    if len(parts) != 1 or not isinstance(parts[0], Regular) or parts[0].automaton.is_closed:
        return None
    return parts[0] if max(parts[0].cells) < layout.cells else None


def _sequences(part: Regular, words: Wording) -> list[tuple[int, ...]]:
    """Return the sequences of values from 1 that the cells of a part can have.

    Its automaton accepts them, each cell has one of its candidates, and cells that must differ do.
    They are sorted. Returns [] if there are many, or if finding them takes too many tries.
    """
    automaton, found = part.automaton, list[tuple[int, ...]]()
    waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    tried = 0
    while waiting:
        state, values = waiting.pop()
        tried += 1
        if tried > _MOST_TRIED or len(found) > _MOST_LISTED:
            return []
        place = len(values)
        if place == len(part.cells):
            found += [values] if automaton.ends[state] else []
            continue
        for value in words.candidates_of(part.cells[place]):
            after = automaton.follow(state, value - 1, place)
            if after is not None and _differs(value, values, part.cells, words):
                waiting.append((after, (*values, value)))
    return sorted(found)


def _differs(value: int, before: Sequence[int], cells: Sequence[int], words: Wording) -> bool:
    """Return whether the next cell can have `value` after the cells with the values `before`.

    `before` are the values of the first cells in `cells`. The result is False if one of these cells
    has this value and must differ from the next one.
    """
    own = cells[len(before)]
    return not any(
        value == other and must_differ(words.layout, cell, own)
        for cell, other in zip(cells, before, strict=False)
    )
