"""Sentences about wings, coloring, chains, almost locked sets, and forcing chains."""

from functools import partial
from itertools import pairwise

from solver.logic.deduction import Candidate, Deduction, Node
from solver.logic.sentences.nets import contradiction, verity
from solver.logic.sentences.wording import Sentence, Wording, listed

_XYZ_WING = "0801"


def _skyscraper(deduction: Deduction, words: Wording) -> str:
    one, other, near, far = deduction.cells
    value = words.value(deduction.values[0])
    return (
        f"in {words.houses(deduction.base)}, {value} has two places each; "
        f"{words.cells((near, far))} cannot both be {value}, so one of "
        f"{words.cells((one, other))} is {value}. {words.outcome(deduction)}"
    )


def _kite(deduction: Deduction, words: Wording) -> str:
    value = words.value(deduction.values[0])
    ends = words.cells(deduction.cells[:2])
    joined = words.candidates(deduction.fins[:2])
    return (
        f"in {words.houses(deduction.base[:2])}, {value} has two places each; {joined} are in one "
        f"box and cannot both be {value}, so one of {ends} is {value}. {words.outcome(deduction)}"
    )


def _empty_rectangle(deduction: Deduction, words: Wording) -> str:
    value = words.value(deduction.values[0])
    near, far = words.cells(deduction.cells[:1]), words.cells(deduction.cells[1:2])
    places = words.cells(cell for cell, _ in deduction.fins)
    return (
        f"in {words.house(deduction.base[0])}, {value} can only be in {places}, on one row and one "
        f"column; {near} or {far} is {value}. {words.outcome(deduction)}"
    )


def _w_wing(deduction: Deduction, words: Wording) -> str:
    ends = words.cells(deduction.cells)
    value, linked = map(words.value, deduction.values[:2])
    both, house = words.values(deduction.values, last="or"), words.house(deduction.base[0])
    return (
        f"{ends} can only be {both}; in {house}, {linked} has two "
        f"places, each seen by one of them, so they are not both {linked}, and one is {value}. "
        f"{words.outcome(deduction)}"
    )


def _wing(deduction: Deduction, words: Wording) -> str:
    hinge, *pincers = deduction.cells
    value = words.value(deduction.eliminations[0].value)
    ends = deduction.cells if deduction.code == _XYZ_WING else pincers
    return (
        f"whatever {words.cells([hinge])} is, one of {words.cells(ends)} is {value}. "
        f"{words.outcome(deduction)}"
    )


def _remote_pair(deduction: Deduction, words: Wording) -> str:
    (chain,) = deduction.chains
    cells = words.cells(dict.fromkeys(cell for node in chain for cell in node.cells))
    values = words.values(deduction.values)
    return (
        f"{cells} alternate between {values}; a cell that sees both kinds can be neither. "
        f"{words.outcome(deduction)}"
    )


def _color_cells(candidates: tuple[Candidate, ...], words: Wording) -> str:
    return words.cells(cell for cell, _ in candidates)


def _trap(deduction: Deduction, words: Wording) -> str:
    one, other = deduction.colors[:2]
    value = words.value(deduction.values[0])
    are = "is" if len(one) == len(other) == 1 else "are"
    return (
        f"either {_color_cells(one, words)} or {_color_cells(other, words)} {are} {value}; "
        f"a cell that sees both kinds is not {value}. {words.outcome(deduction)}"
    )


def _wrap(deduction: Deduction, words: Wording) -> str:
    gone = set(deduction.eliminations)
    false = next((c for c in deduction.colors if gone.intersection(c)), deduction.colors[0])
    value = words.value(deduction.values[0])
    return (
        f"{_color_cells(false, words)} are all {value} or none is; two of them see each other. "
        f"{words.outcome(deduction)}"
    )


def _multi_colors(deduction: Deduction, words: Wording) -> str:
    value = words.value(deduction.values[0])
    pairs = [
        f"{_color_cells(one, words)} or else {_color_cells(other, words)}"
        for one, other in zip(deduction.colors[::2], deduction.colors[1::2], strict=True)
    ]
    return (
        f"{value} is in {', and in '.join(pairs)}; cells of one pair see cells of the other. "
        f"{words.outcome(deduction)}"
    )


def starts_true(chain: tuple[Node, ...]) -> bool:
    """Return whether a chain assumes that its first node is true, judging by its first link."""
    return len(chain) > 1 and chain[1].link == "weak"


def _chain(deduction: Deduction, words: Wording) -> str:
    (chain,) = deduction.chains
    is_true = starts_true(chain)
    text = words.chain(chain, is_true=is_true)
    if is_true:
        return f"{text}. {words.outcome(deduction)}"
    # A chain that starts with a false node proves that its last node is true after a strong link,
    # and false after a weak one.
    ends = dict.fromkeys(
        (
            words.assertion(chain[0], is_true=True),
            words.assertion(chain[-1], is_true=chain[-1].link == "strong"),
        )
    )
    if len(ends) == 1 and deduction.placements:
        return f"{text}. {words.outcome(deduction)}"
    return f"{text}, so {listed(ends, last='or')}. {words.outcome(deduction)}"


def _round(deduction: Deduction, words: Wording, *, truth: str) -> str:
    (chain,) = deduction.chains
    text = words.chain(chain, is_true=starts_true(chain))
    return f"{text}, and so on round, the other way too: {truth}. {words.outcome(deduction)}"


_loop = partial(_round, truth="of each two that are linked one is true")
_cycle = partial(_round, truth="either all of that is so or its opposite")


def _sets(deduction: Deduction, words: Wording) -> str:
    first, *rest = deduction.sets
    parts = [words.almost_locked(first)]
    for before, group in pairwise((first, *rest)):
        linked = words.values(before.restricted, last="and")
        parts.append(f"linked by {linked} with {words.almost_locked(group)}")
    if len(deduction.sets) > 2 or len(first.restricted) == 1:
        values = sorted({value for _, value in deduction.eliminations})
        are = "is" if len(values) == 1 else "are each"
        ends = "one of them" if len(deduction.sets) == 2 else "the first or the last"
        parts[-1] += f", so {words.values(values)} {are} in {ends}"
    else:
        parts[-1] += ", so they keep all other values"
    return (
        f"each of these sets can lose one value only, and a value that links two of them is in at "
        f"most one of them: {', '.join(parts)}. {words.outcome(deduction)}"
    )


def _blossom(deduction: Deduction, words: Wording) -> str:
    petals = listed(map(words.almost_locked, deduction.sets))
    stem = words.cells(deduction.cells)
    return (
        f"whatever {stem} is, one of {petals} loses it and is left with as many candidates as "
        f"cells. {words.outcome(deduction)}"
    )


def _contradiction(deduction: Deduction, words: Wording) -> str:
    ways = [words.chain(chain, is_true=not deduction.placements) for chain in deduction.chains]
    return f"{'; '.join(ways)}, which {words.impossible(deduction)}. {words.outcome(deduction)}"


def _verity(deduction: Deduction, words: Wording) -> str:
    firsts = [(chain[0].value, chain[0].cells) for chain in deduction.chains]
    # One candidate is assumed true in one chain and false in another.
    both = len(set(firsts)) < len(firsts)
    ways = [
        words.chain(chain, is_true=not both or len(chain) == 1 or starts_true(chain))
        for chain in deduction.chains
    ]
    return f"{'; '.join(ways)}: one of them must hold. {words.outcome(deduction)}"


CHAINS: dict[str, Sentence] = {
    "0400": _skyscraper,
    "0401": _kite,
    "0402": _empty_rectangle,
    "0403": _chain,
    "0703": _remote_pair,
    "0803": _w_wing,
    "0800": _wing,
    "0801": _wing,
    "0500": _trap,
    "0501": _wrap,
    "0502": _multi_colors,
    "0503": _multi_colors,
    **dict.fromkeys(("0701", "0702", "0707", "0708", "0710", "0711"), _chain),
    **dict.fromkeys(("0706", "0709"), _loop),
    **dict.fromkeys(("0901", "0902", "0903"), _sets),
    "0904": _blossom,
    "1301": _contradiction,
    "1302": _verity,
    "1303": contradiction,
    "1304": verity,
    **dict.fromkeys(("2040", "2041", "2042"), _cycle),
    **dict.fromkeys(("2043", "2044"), _chain),
    **dict.fromkeys(("2051", "2052"), _verity),
    "2050": contradiction,
    **{f"{2060 + 10 * level}": contradiction for level in range(6)},
    **{f"{2060 + 10 * level + kind}": verity for level in range(6) for kind in (1, 2, 3)},
}
