"""Sentences about almost locked sets: n cells with n + 1 values, of which they lack just one."""

from collections.abc import Iterable, Sequence

from solver.logic.deduction import AlmostLockedSet, Deduction
from solver.logic.sentences.eureka import restricted_path
from solver.logic.sentences.links import see_each_other, seen_through
from solver.logic.sentences.wording import Sentence, Wording, paragraph

_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _named(sets: tuple[AlmostLockedSet, ...], words: Wording) -> str:
    """Return a definition of almost locked sets, followed by the sets as A, B, and so on."""
    names = [
        f"{name} = {words.almost_locked(group)}" for name, group in zip(_NAMES, sets, strict=False)
    ]
    return (
        f"almost locked sets have one {words.noun.removesuffix('s')} more than cells, so they lack "
        f"at most one of their {words.noun}: {'; '.join(names)}"
    )


def _sets(deduction: Deduction, words: Wording) -> str:
    sets = deduction.sets
    if len(sets) == 2 and len(sets[0].restricted) > 1:
        return paragraph(
            _named(sets, words),
            f"neither {words.values(sets[0].restricted, last='nor')} can be in both"
            f"{_sight(sets, sets[0].restricted, words)}, so each set lacks one of them and "
            f"contains all of its other {words.noun}",
            *_seen(deduction, words),
            words.outcome(deduction),
        )
    first, *others = sorted({value for _, value in deduction.eliminations})
    value, end = words.value(first), _NAMES[len(sets) - 1]
    links = restricted_path(sets)
    steps = [f"if A does not contain {value}, it contains {words.value(links[0])}"]
    for number, link in enumerate(links, 1):
        gained = words.value(links[number]) if number < len(links) else value
        steps.append(
            f"so {_NAMES[number]} cannot contain {words.value(link)}"
            f"{_sight(sets[number - 1 :], [link], words)} and must contain {gained}"
        )
    same = [f"the same is true of {words.values(others)}"] if others else []
    return paragraph(
        _named(sets, words),
        ", ".join(steps),
        f"any cell that sees every {value} of A and {end} cannot be {value}",
        *same,
        words.outcome(deduction),
    )


def _sight(sets: Sequence[AlmostLockedSet], values: Iterable[int], words: Wording) -> str:
    """Return why the first two sets can't both contain any of the values, such as " (row 1)".

    The text is "" if the values don't have the same reason.
    """
    one, other = sets[:2]
    reasons = {
        seen_through(words.layout, _places(one, value, words), _places(other, value, words))
        for value in values
    }
    reason = reasons.pop() if len(reasons) == 1 else None
    return f" ({reason})" if reason else ""


def _seen(deduction: Deduction, words: Wording) -> list[str]:
    """Return a clause for each value that two doubly linked sets remove, on which cells lose it."""
    sentences: list[str] = []
    for value in sorted({value for _, value in deduction.eliminations}):
        cells = [cell for cell, removed in deduction.eliminations if removed == value]
        name = words.value(value)
        if value in deduction.sets[0].restricted:
            sentences.append(
                f"one of the sets contains {name}, so any cell that sees every {name} of both "
                f"cannot be {name}"
            )
            continue
        seen = [
            set_name
            for set_name, group in zip(_NAMES, deduction.sets, strict=False)
            if value in group.values
            and any(see_each_other(words.layout, [c], _places(group, value, words)) for c in cells)
        ]
        every = " or ".join(f"every {name} of {set_name}" for set_name in seen)
        sentences.append(f"any cell that sees {every} cannot be {name}")
    return sentences


def _places(group: AlmostLockedSet, value: int, words: Wording) -> list[int]:
    return [cell for cell in group.cells if words.can_be(cell, value)]


def _blossom(deduction: Deduction, words: Wording) -> str:
    stem = words.cells(deduction.cells)
    values = [value for _, value in deduction.fins]
    ways = [
        f"if it is {words.value(value)}, {words.almost_locked(petal)} "
        f"{'loses' if len(petal.cells) == 1 else 'lose'} {words.value(value)}"
        for value, petal in zip(values, deduction.sets, strict=False)
    ]
    gone = words.values(sorted({value for _, value in deduction.eliminations}), last="or")
    return paragraph(
        f"{stem} is {words.values(values, last='or')}",
        "; ".join(ways),
        f"each set that loses a value contains all of its others, {gone} among them",
        f"any cell that sees every {gone} of the sets cannot be {gone}",
        words.outcome(deduction),
    )


ALMOST_LOCKED: dict[str, Sentence] = {
    **dict.fromkeys(("0901", "0902", "0903"), _sets),
    "0904": _blossom,
}
