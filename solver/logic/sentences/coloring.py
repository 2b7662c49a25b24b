"""Sentences about simple and multi coloring.

Strong links connect the places of a value. Of two linked places, one has the value. So either all
cells of one color have it, or all cells of the other.
"""

from collections.abc import Iterable
from itertools import combinations, product

from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.links import see_each_other, seen_through
from solver.logic.sentences.wording import Sentence, Wording, paragraph

Color = tuple[Candidate, ...]
_NAMES = "ABCD"


def _cells(color: Color) -> list[int]:
    return [cell for cell, _ in color]


def _clusters(deduction: Deduction, words: Wording) -> str:
    """Return the clusters: "strong links on 4: either all of A (…) or all of B (…) are 4".

    Colors C and D, if any, follow in the same form. A color with a single cell is that cell with
    the color's name: "r1c5 (C)".
    """
    value = words.value(deduction.values[0])
    names = [
        f"all of {name} ({', '.join(map(words.layout.cell_name, _cells(color)))})"
        if len(color) > 1
        else _member(color[0].cell, name, words)
        for name, color in zip(_NAMES, deduction.colors, strict=False)
    ]
    ways = [
        f"either {names[one]} or {names[one + 1]} "
        f"{'are' if len(deduction.colors[one + 1]) > 1 else 'is'} {value}"
        for one in range(0, len(names), 2)
    ]
    return f"strong links on {value}: {', and '.join(ways)}"


def _member(cell: int, name: str, words: Wording) -> str:
    """Return a cell with the name of its color, such as "r1c5 (C)"."""
    return f"{words.layout.cell_name(cell)} ({name})"


def _clash(one: Color, other: Color, words: Wording) -> tuple[int, int]:
    """Return a cell of each of two colors, such that the two cells see each other.

    There must be such a pair. `one` and `other` can be the same color.
    """
    pairs = combinations(_cells(one), 2) if one == other else product(_cells(one), _cells(other))
    return next(pair for pair in pairs if _sees([pair[0]], [pair[1]], words))


def _house_of(pair: tuple[int, int], words: Wording) -> str | None:
    """Return the house or rule through which two cells see each other, or None.

    See `seen_through`.
    """
    return seen_through(words.layout, [pair[0]], [pair[1]])


def _sees(cells: Iterable[int], others: Iterable[int], words: Wording) -> bool:
    """Return whether at least one of `cells` sees at least one of `others`."""
    return any(
        see_each_other(words.layout, [cell], [other]) for cell, other in product(cells, others)
    )


def _sentences_on_removed(
    cells: Iterable[int], colors: tuple[int, int], deduction: Deduction, words: Wording
) -> list[str]:
    """Return sentences such as "r7c6 sees r3c6 (A) and r7c4 (B), so it cannot be 9".

    `cells` are the cells that lose the value. Each of them sees both `colors`, which are indices
    into the deduction's colors, and of which one is true. Cells that see the same two cells share a
    sentence.
    """
    value = words.value(deduction.values[0])
    by_seen: dict[tuple[int, ...], list[int]] = {}
    for cell in cells:
        seen = tuple(
            next(one for one in _cells(deduction.colors[color]) if _sees([cell], [one], words))
            for color in colors
        )
        by_seen.setdefault(seen, []).append(cell)
    sentences: list[str] = []
    for seen, seers in by_seen.items():
        one, other = (
            _member(cell, _NAMES[color], words) for cell, color in zip(seen, colors, strict=True)
        )
        verb, they = ("sees", "it") if len(seers) == 1 else ("see", "they")
        sentences.append(
            f"{words.cells(seers)} {verb} {one} and {other}, so {they} cannot be {value}"
        )
    return sentences


def _trap(deduction: Deduction, words: Wording) -> str:
    return paragraph(
        _clusters(deduction, words),
        *_sentences_on_removed(
            (cell for cell, _ in deduction.eliminations), (0, 1), deduction, words
        ),
        words.outcome(deduction),
    )


def _wrap(deduction: Deduction, words: Wording) -> str:
    number, false = _false_color(deduction)
    value, pair = words.value(deduction.values[0]), _clash(false, false, words)
    return paragraph(
        _clusters(deduction, words),
        f"{words.cells(pair)} ({_house_of(pair, words)}) both belong to {_NAMES[number]} and "
        f"cannot both be {value}, so no cell of {_NAMES[number]} is {value}",
        words.outcome(deduction),
    )


def _false_color(deduction: Deduction) -> tuple[int, Color]:
    """Return the index of the color that the step removes, and its candidates."""
    gone = set(deduction.eliminations)
    number = next((n for n, color in enumerate(deduction.colors) if gone.intersection(color)), 0)
    return number, deduction.colors[number]


def _either_of_two(deduction: Deduction, words: Wording) -> str:
    """Return the sentences for two clusters with colors that exclude each other.

    One of their opposites must then be true. Several pairs of colors can exclude each other. Those
    that remove further candidates are listed.
    """
    value, colors = words.value(deduction.values[0]), list(map(_cells, deduction.colors))
    sentences: list[str] = []
    left = [cell for cell, _ in deduction.eliminations]
    for one, other in product((0, 1), (2, 3)):
        opposites = 1 - one, 5 - other
        removed = [
            cell
            for cell in left
            if all(_sees([cell], colors[opposite], words) for opposite in opposites)
        ]
        if removed and _sees(colors[one], colors[other], words):
            pair = _clash(deduction.colors[one], deduction.colors[other], words)
            ends = [_member(pair[0], _NAMES[one], words), _member(pair[1], _NAMES[other], words)]
            sentences.append(
                f"{' and '.join(ends)} cannot both be {value} ({_house_of(pair, words)}), so "
                f"{' or '.join(_NAMES[opposite] for opposite in opposites)} is {value}"
            )
            sentences += _sentences_on_removed(removed, opposites, deduction, words)
            left = [cell for cell in left if cell not in removed]
    return paragraph(_clusters(deduction, words), *sentences, words.outcome(deduction))


def _sees_both_colors(deduction: Deduction, words: Wording) -> str:
    """Return the sentences for a color that sees both colors of another cluster.

    One of these two colors is true, so the first color is false.
    """
    value = words.value(deduction.values[0])
    number, false = _false_color(deduction)
    others = (2, 3) if number < 2 else (0, 1)
    one, other = (_NAMES[seen] for seen in others)
    clashes = [_clash(false, deduction.colors[seen], words) for seen in others]
    sights = [
        f"{words.layout.cell_name(pair[0])} sees {words.layout.cell_name(pair[1])} "
        f"({_house_of(pair, words)})"
        for pair in clashes
    ]
    return paragraph(
        _clusters(deduction, words),
        f"{_NAMES[number]} sees both {one} and {other}: {', and '.join(sights)}",
        f"{one} or {other} is {value}, so "
        + (
            f"no cell of {_NAMES[number]} is {value}"
            if len(false) > 1
            else f"{words.layout.cell_name(false[0].cell)} cannot be {value}"
        ),
        words.outcome(deduction),
    )


COLORING: dict[str, Sentence] = {
    "0500": _trap,
    "0501": _wrap,
    "0502": _either_of_two,
    "0503": _sees_both_colors,
}
