"""Sentences about simple and multi coloring.

Strong links connect the places of a value. Of two linked places, one has the value. So either all
cells of one color have it, or all cells of the other.
"""

from itertools import combinations, product

from solver.logic.deduction import Candidate, Deduction
from solver.logic.sentences.links import see_each_other, seen_through
from solver.logic.sentences.wording import Sentence, Wording, paragraph

Color = tuple[Candidate, ...]
_NAMES = "ABCD"


def _cells(color: Color) -> list[int]:
    return [cell for cell, _ in color]


def _clusters(deduction: Deduction, words: Wording) -> str:
    """Return the clusters: "either all of A (…) or all of B (…) are 4", and likewise C and D."""
    value = words.value(deduction.values[0])
    names = [
        f"all of {name} ({', '.join(map(words.layout.cell_name, _cells(color)))})"
        for name, color in zip(_NAMES, deduction.colors, strict=False)
    ]
    pairs = zip(names[::2], names[1::2], strict=True)
    ways = "; ".join(f"either {one} or {other} are {value}" for one, other in pairs)
    return f"strong links on {value}: {ways}"


def _clash(one: Color, other: Color, words: Wording) -> str:
    """Return two cells of the colors that see each other, with the reason: "r1c1 and r1c5 (row 1)".

    `one` and `other` can be the same color.
    """
    pairs = combinations(_cells(one), 2) if one == other else product(_cells(one), _cells(other))
    cell, seen = next(
        (cell, seen) for cell, seen in pairs if see_each_other(words.layout, [cell], [seen])
    )
    return f"{words.cells((cell, seen))} ({seen_through(words.layout, [cell], [seen])})"


def _sees(one: Color, other: Color, words: Wording) -> bool:
    return any(
        see_each_other(words.layout, [cell], [seen])
        for cell, seen in product(_cells(one), _cells(other))
    )


def _trap(deduction: Deduction, words: Wording) -> str:
    value = words.value(deduction.values[0])
    return paragraph(
        _clusters(deduction, words),
        f"any cell that sees cells of both A and B cannot be {value}",
        words.outcome(deduction),
    )


def _wrap(deduction: Deduction, words: Wording) -> str:
    gone = set(deduction.eliminations)
    number = next((n for n, color in enumerate(deduction.colors) if gone.intersection(color)), 0)
    false = deduction.colors[number]
    value = words.value(deduction.values[0])
    return paragraph(
        _clusters(deduction, words),
        f"{_clash(false, false, words)} both belong to {_NAMES[number]} and cannot both be "
        f"{value}, so no cell of {_NAMES[number]} is {value}",
        words.outcome(deduction),
    )


def _either_of_two(deduction: Deduction, words: Wording) -> str:
    """Return the sentences for two clusters with colors that exclude each other.

    One of their opposites must then be true. Several pairs of colors can exclude each other. Those
    that remove candidates are listed.
    """
    value, colors = words.value(deduction.values[0]), deduction.colors
    sentences: list[str] = []
    for one, other in product((0, 1), (2, 3)):
        left, right = 1 - one, 5 - other
        removes = any(
            _sees(colors[left], (cell,), words) and _sees(colors[right], (cell,), words)
            for cell in deduction.eliminations
        )
        if removes and _sees(colors[one], colors[other], words):
            sentences += [
                f"{_clash(colors[one], colors[other], words)} cannot both be {value}, so the cells "
                f"of {_NAMES[left]} or those of {_NAMES[right]} are {value}",
                f"any cell that sees cells of both {_NAMES[left]} and {_NAMES[right]} cannot be "
                f"{value}",
            ]
    return paragraph(_clusters(deduction, words), *sentences, words.outcome(deduction))


def _sees_both_colors(deduction: Deduction, words: Wording) -> str:
    """Return the sentences for a color that sees both colors of another cluster.

    One of these two colors is true, so the first color is false.
    """
    value = words.value(deduction.values[0])
    gone = set(deduction.eliminations)
    number = next((n for n, color in enumerate(deduction.colors) if gone.intersection(color)), 0)
    false = deduction.colors[number]
    one, other = (2, 3) if number < 2 else (0, 1)
    clashes = [_clash(false, deduction.colors[seen], words) for seen in (one, other)]
    return paragraph(
        _clusters(deduction, words),
        f"{_NAMES[number]} sees both {_NAMES[one]} and {_NAMES[other]}: {clashes[0]}, and "
        f"{clashes[1]}",
        f"so no cell of {_NAMES[number]} is {value}",
        words.outcome(deduction),
    )


COLORING: dict[str, Sentence] = {
    "0500": _trap,
    "0501": _wrap,
    "0502": _either_of_two,
    "0503": _sees_both_colors,
}
