"""How sentences name a constraint: where it is on the board, and what its rule demands."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import cast

from solver.board.layout import Layout
from solver.logic.sentences.alternatives import (
    alternatives,
    condition,
    explanations,
    grouped,
    name_of_alternatives,
    numbers_in_words,
)
from solver.logic.sentences.cell_lists import in_runs
from solver.logic.sentences.clues import PAIRS, clue_of, contents, pairs_in_words
from solver.logic.sentences.wording import Wording, listed
from solver.rules.rule import Constraint

_MOST_NAMED = 3  # cells that are listed; of longer lines, only the ends are named
_CLUE = "The clue is "
_CIRCLES = "countingcircles"
_THE_LINE = "The line "
_ON_THE_LINE = re.compile("(?<=igits) on the line| along the line$")
_SEQUENCES = "Only certain sequences of digits are allowed along the line"
_GROUPED = ("clone", "samevalues", "countdistinct")
_ALTERNATING = "Odd and even digits alternate"
_IN_THE_CAGE = re.compile(r"(?<=^Digits) in the (?:cage|group)")
# The place of a constraint, by its rule. Other rules take the form of their title.
_LINES = {
    "thermo": "thermometer", "slowthermo": "slow thermometer", "whisper": "whisper line",
    "dutchwhisper": "Dutch whisper line", "palindrome": "palindrome", "renban": "renban line",
    "nabner": "nabner line", "modular": "modular line", "entropic": "entropic line",
    "pairs": "line", "between": "between line", "lockout": "lockout line", "sumline": "sum line",
    "sumloop": "sum loop", "indexline": "indexing line", "zipper": "zipper line",
    "regionsum": "region sum line", "arrow": "arrow", "doublearrow": "double arrow",
    "pillarrow": "pill arrow", "littlekiller": "little killer diagonal", "regex": "line",
    "nfa": "line",
}  # fmt: skip
_CAGES = {
    "killer": "cage", "multisum": "cage", "equality": "equality cage", "rellik": "rellik cage",
    "lookandsay": "cage", "lunchbox": "lunchbox", "sum": "group", "weightedsum": "group",
    "allpairs": "group", "different": "extra region",
}  # fmt: skip
_SUMS = ("sum", "weightedsum")
_DOTS = {
    "white": "white dot", "black": "black dot", "x": "X", "v": "V", "greater": "sign",
    "difference": "difference dot", "ratio": "ratio dot",
}  # fmt: skip
_CLUES = {
    "sandwich": "sandwich clue", "xsum": "X-sum clue", "skyscraper": "skyscraper clue",
    "hiddenskyscraper": "hidden skyscraper clue", "numberedroom": "numbered room clue",
    "fullrank": "rank clue", "fullranktied": "rank clue",
}  # fmt: skip
_BOTH_ENDS = ("sandwich",)  # clues that mean the same at both ends of a line
_ENDS = {"row": ("left", "right"), "column": ("top", "bottom")}


def place_of(index: int, words: Wording) -> str:
    """Return the name of a constraint, such as "the thermometer r1c1–r4c1".

    `index` is its index in the layout.
    """
    return _place(cast("Constraint", words.layout.constraints[index]), words)


def condition_of(constraint: Constraint, words: Wording) -> str:
    """Return a constraint in a disjunction as a condition, such as "r1c4 must be 1"."""
    text = condition(constraint, words, _place)
    return text.replace(" is ", " must be ").replace(" are ", " must be ")


def is_either_or(index: int, words: Wording) -> bool:
    """Return whether the sentence on a constraint lists options, at least one of which holds."""
    constraint = cast("Constraint", words.layout.constraints[index])
    text = alternatives(constraint, words, _place) if constraint.options else ""
    return text.endswith(", or both") or text.startswith("at least one of these holds: ")


def is_line(index: int, words: Wording) -> bool:
    """Return whether a constraint's cells have an order, as those of a thermometer."""
    return words.layout.constraints[index].name in (*_LINES, *_CLUES)


def places_of(indices: Iterable[int], words: Wording) -> list[str]:
    """Return the names of constraints, with one text for all those of the same kind.

    For example, "the groups at r4c1 and r3c2" or "the arrows r1c1–r1c3 and r2c1–r2c3". Several in
    one place are "the cages at r1c1". `indices` are their indices in the layout.
    """
    return grouped(place_of(index, words) for index in indices)


def _place(constraint: Constraint, words: Wording) -> str:
    """Return the name of a constraint, such as "the thermometer r1c1–r4c1".

    Rules without a place of this form are named by their title.
    """
    if constraint.options and (own := name_of_alternatives(constraint, words, _place)):
        return own
    name, cells = constraint.name, [c for c in constraint.cells if c < words.layout.cells]
    if not cells or constraint.rule.is_variant:
        return f"the rule “{constraint.rule.title}”"
    if name in _LINES:
        return f"the {_LINES[name]} {words.cells([cells[0]])}–{words.cells([cells[-1]])}"
    if name in _CAGES:
        return f"the {_CAGES[name]} at {words.cells([min(cells)])}"
    if name == "quadruple":
        return f"the quadruple at {words.cells([min(cells)])}"
    if name in _DOTS:
        order = cells if name == "greater" else sorted(cells)
        return f"the {_DOTS[name]} between {words.cells(order)}"
    if name in _CLUES:
        return f"the {_CLUES[name]} {_end_of_line(name, cells, words)}"
    if name == "index":
        return f"the indexing by {_pointer(constraint, words)} in {_line_indexed(cells, words)}"
    return _by_title(constraint, cells, words)


def located_in(constraint: Constraint, words: Wording) -> str:
    """Return where a constraint applies: "in the cage at r1c1" or "on the arrow r1c1–r1c4".

    Other rules are named, such as "by the rule “Count distinct”".
    """
    title = constraint.rule.title
    if constraint.name in _SUMS:
        return f"by the {title.lower()} clue"
    if constraint.name in _LINES or constraint.name in _CAGES:
        place = _place(constraint, words)
        return f"{'on' if constraint.name in _LINES else 'in'} {place}"
    return f"by the rule “{title}”"


def _by_title(constraint: Constraint, cells: list[int], words: Wording) -> str:
    """Return a name such as "the rule “Clone” for r1c1, r1c2, and 4 more cells".

    It has the title of the rule. Up to three cells are all named. More circles of the rule counting
    circles are only counted.
    """
    title = f"the rule “{constraint.rule.title}”"
    if constraint.name == _CIRCLES and len(cells) > _MOST_NAMED:
        return f"{title} for the {len(cells)} circles"
    named = [words.cells([cell]) for cell in cells]
    if len(named) > _MOST_NAMED:
        named[_MOST_NAMED - 1 :] = [f"{len(named) - _MOST_NAMED + 1} more cells"]
    return f"{title} for {listed(named)}"


def _line_indexed(cells: list[int], words: Wording) -> str:
    """Return the name of the line of an indexing constraint, such as "row 1".

    If it is read in the other direction, its first cell follows.
    """
    line = _line(cells, words)
    is_forward = cells[0] == min(cells)
    return line.removesuffix(f" (from {words.cells(cells[:1])})") if is_forward else line


def _pointer(constraint: Constraint, words: Wording) -> str:
    """Return the name of the index cell of an indexing constraint: its digit is a position."""
    return words.cells([constraint.cells[constraint.number - 1]])


def rule_key(index: int, words: Wording) -> str:
    """Return a key that is the same for constraints if `demand_of` states the same rule for them.

    Constraints with different rules have different keys.
    """
    constraint = cast("Constraint", words.layout.constraints[index])
    rules = {each.name for option in constraint.options for each in option}
    return " ".join([_sentence(words.layout, index, words), *sorted(rules)])


def reminder_of(index: int, words: Wording) -> str:
    """Return a sentence that names a constraint and its clue, for readers who know its rule."""
    constraint = cast("Constraint", words.layout.constraints[index])
    place = _place(constraint, words)
    if rule_key(index, words).startswith(_CLUE) and isinstance(constraint.value, int):
        return f"{place} is {constraint.value}"
    if constraint.name == "quadruple" and isinstance(constraint.value, tuple):
        return f"{place} lists {numbers_in_words(constraint.value, words)}"
    if constraint.name == "greater":
        return _comparison(constraint, words)
    if constraint.name in ("index", "lookandsay"):
        return demand_of(index, words)
    options = alternatives(constraint, words, _place) if constraint.options else ""
    if options:
        return options
    clue = clue_of(index, words)
    return f"use {place}{f' ({clue})' if clue else ''}"


def demand_of(index: int, words: Wording) -> str:
    """Return one or more sentences that state the place of a constraint and its requirement.

    The last one has no period.
    """
    constraint = cast("Constraint", words.layout.constraints[index])
    place, sentence = _place(constraint, words), _sentence(words.layout, index, words)
    if constraint.name == "index":
        position = f"position {constraint.number} of the row or column"
        meaning = _lowered(sentence).replace(position, _pointer(constraint, words))
        return f"{place} means: {meaning}"
    if constraint.name in _LINES or constraint.name in _CAGES:
        return _inside(constraint, place, sentence, words)
    if sentence.startswith(_CLUE) and isinstance(constraint.value, int):
        meaning = sentence.removeprefix(_CLUE)
        return f"{place} is {constraint.value}, which is {meaning}"
    if constraint.name == "greater":
        return f"{place} means: {_comparison(constraint, words)}"
    if constraint.name in _DOTS:
        return f"{place} means: {_lowered(sentence)}"
    if constraint.name == "quadruple" and isinstance(constraint.value, tuple):
        numbers = numbers_in_words(constraint.value, words)
        return f"{place} lists {numbers}; its cells contain all of these, as often as listed"
    options = alternatives(constraint, words, _place) if constraint.options else ""
    if options:
        return ". ".join([options, *explanations(constraint, words)])
    text = f"{place} states: {_lowered(sentence)}"
    return f"{text}. {_circles(constraint, words)}" if constraint.name == _CIRCLES else text


def _comparison(constraint: Constraint, words: Wording) -> str:
    larger, smaller = map(words.layout.cell_name, constraint.cells)
    return f"{larger} is greater than {smaller}"


def _circles(constraint: Constraint, words: Wording) -> str:
    """Return the sentence on which cells are circles, and the digits if they don't start with 1."""
    circles = f"The circles are {words.cells(in_runs(words.layout, constraint.cells))}"
    if words.layout.lowest == 1:
        return circles
    every = words.ranges(range(1, words.layout.size + 1))
    return f"{circles}. The {words.noun} are {every}"


def _inside(constraint: Constraint, place: str, sentence: str, words: Wording) -> str:
    """Return the sentence of a rule about a line or cage, which begins with its place.

    For example, "in the cage at r1c1, digits do not repeat". `place` is its name, and `sentence`
    the sentence of the rule.
    """
    if constraint.name == "lookandsay":
        return f"{place} contains {contents(constraint, words)}"
    if constraint.name in _CAGES:
        return f"in {place}, {_lowered(_IN_THE_CAGE.sub('', sentence, count=1))}"
    if sentence.startswith(_THE_LINE):
        return f"{place} {sentence.removeprefix(_THE_LINE)}"
    return f"on {place}, {_lowered(_ON_THE_LINE.sub('', sentence, count=1))}"


def _sentence(layout: Layout, index: int, words: Wording) -> str:
    """Return the rule of a constraint as a sentence without its period. `index` is in `layout`."""
    constraint = cast("Constraint", layout.constraints[index])
    if constraint.name in PAIRS:
        own = pairs_in_words(constraint, words)
    elif constraint.name == "nfa":
        own = _SEQUENCES
    elif constraint.name in _GROUPED:
        own = _groups_in_words(constraint, words)
    else:
        own = _ALTERNATING if constraint.name == "modular" and constraint.number == 2 else ""
    return own or _rule_sentence(layout, index, words.symbols.values)


def _groups_in_words(constraint: Constraint, words: Wording) -> str:
    """Return a rule that compares groups of cells as a sentence with the cells of each group.

    A count of different digits has a circle and one group. Returns "" for more than two groups, for
    groups of one cell, and for constraints with variables.
    """
    first, *others = cells = constraint.cells
    if max(cells) >= words.layout.cells:
        return ""
    if constraint.name == "countdistinct":
        different = "the number of different digits in" if len(others) > 1 else "1, as is that of"
        return (
            f"The digit in the circle {words.cells([first])} is {different} {words.cells(others)}"
        )
    if len(cells) < 4 or (constraint.name == "samevalues" and constraint.number != 2):
        return ""
    half = len(cells) // 2
    one, other = words.cells(cells[:half]), words.cells(cells[half:])
    order = "in the same order" if constraint.name == "clone" else "in any order"
    return f"{one} contain the same digits as {other}, {order}"


@lru_cache(maxsize=256)
def _rule_sentence(layout: Layout, index: int, symbols: tuple[str, ...]) -> str:
    constraint = cast("Constraint", layout.constraints[index])
    values = (constraint.value,) if constraint.rule.value else ()
    sentence = constraint.rule.wording.on_board(layout.numbers, symbols, values).removesuffix(".")
    if isinstance(constraint.value, int) and not sentence.startswith(_CLUE):
        return sentence.replace("the clue", str(constraint.value))
    return sentence


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _end_of_line(name: str, cells: list[int], words: Wording) -> str:
    """Return where a clue outside the grid is, such as "at the top of column 2".

    Only the line is named, as in "for row 1", if it is neither a row nor a column, or if the clue
    counts from both ends, as a sandwich clue does.
    """
    line = _line(cells, words).partition(" (")[0]
    ends = _ENDS.get(line.partition(" ")[0])
    if ends is None or name in _BOTH_ENDS:
        return f"for {line}"
    return f"at the {ends[cells[0] != min(cells)]} of {line}"


def _line(cells: list[int], words: Wording) -> str:
    """Return the name of the house that has exactly these cells, such as "row 1 (from r1c9)".

    The first of the cells follows the name. If no house has these cells, returns the first and the
    last one, such as "r1c5 to r5c9".
    """
    for number, house in enumerate(words.layout.houses):
        if sorted(house.cells) == sorted(cells):
            return f"{words.house(number)} (from {words.cells([cells[0]])})"
    return f"{words.cells([cells[0]])} to {words.cells([cells[-1]])}"
