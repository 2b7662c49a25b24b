"""Compare the difficulty that a collection claims for its puzzles with the measured one.

Publishers name and number their levels as they like, so a level can't be compared with a rating
directly. But a harder level should contain harder puzzles. So the levels are put in order, and the
measured difficulties are cut into one range per level so that as many puzzles as possible are in
the range of their level. The other puzzles disagree.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

# Names of columns with the claimed difficulty, most specific first.
COLUMNS = (
    "claimed_difficulty", "claimed_level", "claim", "difficulty", "level", "stars", "grade",
    "difficulty_level", "category", "folder",
)  # fmt: skip
MAX_LEVELS = 20
_NONE = -1
# Words in the names of levels, easiest first. Words in the same group mean the same.
_WORDS = (
    ("trivial", "beginner", "beginners", "novice", "kids", "children", "starter", "very easy",
     "super easy"),
    ("easy", "simple", "gentle", "light", "mild", "quick", "low"),
    ("medium", "moderate", "normal", "intermediate", "standard", "average", "mid"),
    ("hard", "difficult", "challenging", "tricky", "high", "advanced"),
    ("very hard", "very difficult", "expert", "tough", "unfair", "fiendish", "super hard"),
    ("evil", "extreme", "extremely hard", "diabolical", "devilish", "master", "insane",
     "nightmare", "impossible", "ultimate"),
)  # fmt: skip
_RANK = {word: rank for rank, words in enumerate(_WORDS) for word in words}
_STARS = re.compile(r"[★⭐*]+[☆✩]*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The claimed levels of a collection, easiest first.

    names    their names as in the collection
    level    (puzzles,) the index of each puzzle's level, −1 for puzzles without one
    """

    names: tuple[str, ...]
    level: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """One range of measured difficulties per level, in the order of the levels.

    ranges     lowest and highest measured difficulty in the range, None if the range is empty
    fitting    (puzzles,) index of the level in whose range each puzzle is, −1 if it isn't measured
               or claims no level
    disagrees  (puzzles,) whether a puzzle is in the range of another level than it claims
    """

    ranges: tuple[tuple[int, int] | None, ...]
    fitting: NDArray[np.int64]
    disagrees: NDArray[np.bool_]


def claim_column(names: Sequence[str]) -> int | None:
    """Return the index of the column that claims a difficulty by its name, or None without one.

    If there are several, the one whose name comes first in `COLUMNS` is chosen.
    """
    plain = ["_".join(re.findall("[a-z]+", name.casefold())) for name in names]
    found = next((name for name in COLUMNS if name in plain), None)
    return None if found is None else plain.index(found)


def levels_of(
    labels: Sequence[str], claims: NDArray[np.int32], measured: NDArray[np.int64]
) -> Levels | None:
    """Put the claimed levels in order, and return them, or None if there are none or too many.

    `claims` has the index in `labels` of each puzzle's claim, −1 without one, and `measured` the
    measured difficulty, −1 without one. Levels are ordered by their numbers, stars, or well-known
    words. If any level has none of these, or if they are equal for two levels, all are ordered by
    the median of the measured difficulty. If there are more than 20 levels, and all have numbers,
    stars, or words, these are rounded to whole numbers.
    """
    folded = [" ".join(label.casefold().replace("_", " ").split()) for label in labels]
    ranks = [_rank(label) for label in folded]
    groups: dict[object, str] = {}
    keys: list[object] = [*folded]
    if all(rank is not None for rank in ranks) and len({*folded}) > MAX_LEVELS:
        keys = [round(rank) for rank in ranks if rank is not None]
        groups = {key: str(key) for key in keys}
        ranks = [float(str(key)) for key in keys]
    for key, label in zip(keys, labels, strict=True):
        groups.setdefault(key, label)
    if not groups or len(groups) > MAX_LEVELS:
        return None
    order = _order(groups, keys, ranks, claims, measured)
    place = {key: number for number, key in enumerate(order)}
    table = np.array([*(place[key] for key in keys), _NONE], np.int64)
    return Levels(tuple(groups[key] for key in order), table[claims])


def _order(
    groups: dict[object, str],
    keys: list[object],
    ranks: list[float | None],
    claims: NDArray[np.int32],
    measured: NDArray[np.int64],
) -> list[object]:
    """Return the keys of the levels, easiest first, as described in `levels_of`.

    `groups` has the label of each level by its key. `keys` and `ranks` have the level and the rank
    of each label, None without a rank.
    """
    rank_of = dict(zip(keys, ranks, strict=True))
    known = [rank for rank in rank_of.values() if rank is not None]
    if len(known) == len(groups) == len({*known}):
        return sorted(groups, key=lambda key: rank_of[key] or 0)
    table = np.array([[*groups].index(key) for key in keys] + [_NONE])
    medians = {
        key: median(found) if (found := measured[mine & (measured >= 0)].tolist()) else _NONE
        for number, key in enumerate(groups)
        if (mine := table[claims] == number) is not None
    }
    return sorted(groups, key=lambda key: (medians[key], rank_of[key] or 0))


def _rank(label: str) -> float | None:
    """Return a number that is higher for harder levels, from the label's stars, number, or words.

    Returns None if the label has none of these. Numbers count only if there is exactly one.
    """
    stars = _STARS.search(label)
    if stars is not None:
        return float(sum(each in "★⭐*" for each in stars[0]))
    numbers = _NUMBER.findall(label)
    if len(numbers) == 1:
        return float(numbers[0].replace(",", "."))
    plain = re.sub(r"[^a-z]+", " ", label).strip()
    found = _RANK.get(plain)
    if found is None:
        found = next((_RANK[word] for word in plain.split() if word in _RANK), None)
    return None if found is None else float(found)


def cut(levels: Levels, measured: NDArray[np.int64]) -> Cuts:
    """Cut the measured difficulties into ranges so that most puzzles fit their claimed level.

    There is a range for each of `levels`, in their order. `measured` has a difficulty per puzzle,
    higher if harder, and −1 if it is unknown. Puzzles of the same difficulty are in the same range.
    """
    compared = (levels.level >= 0) & (measured >= 0)
    values, at = np.unique(measured[compared], return_inverse=True)
    width, level = len(values), levels.level[compared]
    # `best` [m] is the largest number of fitting puzzles among those with the m lowest
    # difficulties, if these are cut into the ranges of the levels so far.
    best = np.zeros(width + 1, np.int64)
    begins = []
    for number in range(len(levels.names)):
        below = np.append(0, np.cumsum(np.bincount(at[level == number], minlength=width)))
        gain = best - below
        highest = np.maximum.accumulate(gain)
        is_new = np.append(True, gain[1:] > highest[:-1])
        begins.append(np.maximum.accumulate(np.where(is_new, np.arange(width + 1), 0)))
        best = highest + below
    ends = [width]
    for begin in reversed(begins):
        ends.append(int(begin[ends[-1]]))
    ends.reverse()
    ranges = tuple(
        (int(values[start]), int(values[stop - 1])) if start < stop else None
        for start, stop in pairwise(ends)
    )
    range_of = np.repeat(np.arange(len(ranges)), np.diff(ends))
    fitting = np.full(len(measured), _NONE, np.int64)
    fitting[compared] = range_of[at]
    return Cuts(ranges, fitting, compared & (fitting != levels.level))
