"""Derive facts about each puzzle for a report from the columns of a collection."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome
from solver.logic.rating.difficulty import LEVEL_WORDS
from solver.logic.technique_table import TECHNIQUES, name_of
from web.report.claims import Cuts, Levels, cut, levels_of
from web.report.columns import NO_FORM, UNKNOWN, Columns
from web.report.patterns import NAMES, including
from web.results.equal_levels import easiest_first, equal_levels

Mask = NDArray[np.bool_]

# An outlier is farther from the middle half of the values than three times the width of that half
# (Tukey's "far out"). The width counts as at least this much.
_FAR = 3
_LEAST_WIDTHS = {"givens": 1, "rating": 5}
# If a larger share of the puzzles is unusual, none of them is reported.
_MOST_OUTLIERS = 0.05
# A property that this share of the puzzles has is expected of all.
_USUAL = 0.95
MAX_GROUPS = 20  # of duplicates, that a report lists
_RANKS = {name_of(code).casefold(): rank for rank, code in enumerate(TECHNIQUES)}
_LEVEL = re.compile("([1-9][0-9]{0,4})/([1-9][0-9]{0,4})", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Groups of equal puzzles.

    copies  (puzzles,) whether a puzzle is equal to an earlier one
    count   number of groups of two or more puzzles
    first   the positions of the puzzles in the first groups, in upload order
    """

    copies: Mask
    count: int
    first: list[NDArray[np.intp]]


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The claimed levels of a collection, compared with a measured difficulty.

    levels    the claimed levels
    cuts      the ranges of measured difficulties that fit them
    measure   the measure that fits the claims better: Sudoku Explainer's rating or HoDoKu's score
    measured  (puzzles,) the difficulty of each puzzle by this measure
    """

    levels: Levels
    cuts: Cuts
    measure: str
    measured: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """Facts about each puzzle of a collection, as masks over the columns.

    problems    the puzzles with each kind of problem, such as several solutions
    identical   groups of puzzles with the same givens
    equivalent  groups of puzzles that are equal up to symmetry, None if they are unknown
    transformed the same without those that are identical to an earlier puzzle of the group
    publishable puzzles without any problem that aren't copies of earlier ones
    compared    claimed levels, None if there are none or nothing is rated
    order       positions of the publishable, rated puzzles, easiest first
    outliers    puzzles that are unusual in the collection, by the property that is unusual
    """

    columns: Columns
    problems: dict[str, Mask]
    identical: Groups
    equivalent: Groups | None
    transformed: Groups | None
    publishable: Mask
    compared: Compared | None
    order: NDArray[np.intp]
    outliers: dict[str, Mask]

    @property
    def rated(self) -> Mask:
        """The puzzles with a rating by Sudoku Explainer."""
        return self.columns.ratings >= 0

    def level(self, number: int, of: int) -> NDArray[np.intp]:
        """Return the positions of the puzzles in one of `of` levels of about equal size.

        Levels are numbered from 1 for the easiest. Only the puzzles in `order` are in a level.
        """
        return equal_levels(self.order, of)[number - 1]

    def find(self, finding: str) -> Mask | None:
        """Return the puzzles with a finding of the report, or None if the finding is unknown.

        `finding` is the value of the query parameter of that name, such as "givens:24".
        """
        key, colon, value = finding.partition(":")
        return self._named(key) if not colon else self._with_value(key, value)

    def _named(self, key: str) -> Mask | None:
        if key.endswith("-outliers"):
            return self.outliers.get(key.removesuffix("-outliers"))
        masks: dict[str, Mask] = {
            **self.problems,
            "publishable": self.publishable,
            "identical": self.identical.copies,
            "minimal": self.columns.minimal == 1,
            "not-minimal": self.columns.minimal == 0,
        }
        if self.equivalent is not None:
            masks["equivalent"] = self.equivalent.copies
        if self.transformed is not None:
            masks["transformed"] = self.transformed.copies
        if self.compared is not None:
            masks["disagrees"] = self.compared.cuts.disagrees
        return masks.get(key)

    def _with_value(self, key: str, value: str) -> Mask | None:
        columns = self.columns
        mask: Mask | None = None
        if key == "givens" and value.isdecimal():
            mask = columns.givens == int(value[:9])
        elif key == "symmetry" and value in NAMES:
            mask = (columns.symmetry == NAMES.index(value)) & (columns.givens >= 0)
        elif key == "hardest" and value.casefold() in _RANKS:
            mask = columns.hardest == _RANKS[value.casefold()]
        elif key == "unrated" and value in LEVEL_WORDS.values():
            level = next(level for level, word in LEVEL_WORDS.items() if word == value)
            mask = ~self.rated & (columns.levels == level)
        elif key == "claim" and self.compared is not None:
            names = self.compared.levels.names
            mask = self.compared.levels.level == names.index(value) if value in names else None
        elif key == "level" and (found := _LEVEL.fullmatch(value)):
            number, of = int(found[1]), int(found[2])
            if number <= of:
                mask = np.zeros(len(columns), bool)
                mask[self.level(number, of)] = True
        return mask


def analyze(columns: Columns) -> Analysis:
    """Derive everything that a report needs from the columns of a collection.

    No puzzle of a job with a limit of 1 is publishable, because none is known to be unique. On
    boards without a canonical form, only identical puzzles count as equivalent.
    """
    unique = (columns.outcomes == Outcome.SOLVED) & (columns.counts == 1)
    unique &= columns.options.limit > 1
    problems = dict(_problems(columns, unique))
    identical = _groups(columns.same)
    equivalent = transformed = None
    if columns.options.minlex:
        # Only identical puzzles are known to be equal on boards without a canonical form.
        forms = np.where(columns.forms == NO_FORM, columns.same, columns.forms)
        equivalent = _groups(forms)
        transformed = _groups(np.where(identical.copies, NO_FORM, forms))
    publishable = unique & ~identical.copies
    if equivalent is not None:
        publishable &= ~equivalent.copies
    for mask in problems.values():
        publishable &= ~mask
    places = np.flatnonzero(publishable & (columns.ratings >= 0))
    order = places[easiest_first(columns.ratings[places], columns.scores[places])]
    return Analysis(
        columns,
        problems,
        identical,
        equivalent,
        transformed,
        publishable,
        _compared(columns),
        order,
        _outliers(columns),
    )


def _problems(columns: Columns, unique: Mask) -> Iterator[tuple[str, Mask]]:
    outcomes = columns.outcomes
    yield "invalid", outcomes == Outcome.INVALID
    yield "unsolvable", outcomes == Outcome.UNSOLVABLE
    yield "multiple", outcomes == Outcome.MULTIPLE
    known = (Outcome.INVALID, Outcome.UNSOLVABLE, Outcome.MULTIPLE)
    yield "undecided", ~unique & ~np.isin(outcomes, known)
    yield "wrong-solution", columns.wrong
    if columns.options.rate:
        yield "unrated", unique & columns.classic & (columns.levels == UNKNOWN)


def _groups(hashes: NDArray[np.int64]) -> Groups:
    """Return the groups of puzzles with equal hashes.

    Puzzles with the hash `NO_FORM`, which have no canonical form, are in no group. All copies and
    groups are counted, but the members are returned only for the first `MAX_GROUPS` groups, in the
    order of their first puzzles.
    """
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    is_copy = np.zeros(len(order) + 1, bool)  # One more, so that the last group has an end, too.
    is_copy[1:-1] = (ordered[1:] == ordered[:-1]) & (ordered[1:] != NO_FORM)
    copies = np.zeros(len(order), bool)
    copies[order[is_copy[:-1]]] = True
    begins = np.flatnonzero(~is_copy[:-1] & is_copy[1:])
    first = begins[np.argsort(order[begins])][:MAX_GROUPS].tolist()
    ends = np.flatnonzero(~is_copy)
    stops = ends[np.searchsorted(ends, first, side="right")].tolist()
    members = [order[start:stop] for start, stop in zip(first, stops, strict=True)]
    return Groups(copies, len(begins), members)


def _compared(columns: Columns) -> Compared | None:
    if columns.claimed_by is None or not (columns.levels != UNKNOWN).any():
        return None
    ratings, scores = columns.ratings.astype(np.int64), columns.scores.astype(np.int64)
    found: Compared | None = None
    for measure, measured in (("rating", ratings), ("hodoku_score", scores)):
        levels = levels_of(columns.labels, columns.claims, measured)
        if levels is None:
            return None
        cuts = cut(levels, measured)
        if found is None or cuts.disagrees.sum() < found.cuts.disagrees.sum():
            found = Compared(levels, cuts, measure, measured)
    return found


def _outliers(columns: Columns) -> dict[str, Mask]:
    puzzles = columns.givens >= 0
    found = {
        "givens": _far_out(columns.givens, puzzles, "givens"),
        "rating": _far_out(columns.ratings, columns.ratings >= 0, "rating"),
        "symmetry": _unusual_symmetry(columns.symmetry, puzzles & (columns.givens > 0)),
        "minimality": _minority(columns.minimal == 1, columns.minimal != UNKNOWN),
    }
    most = _MOST_OUTLIERS * puzzles.sum()
    return {
        kind: mask if mask.sum() <= most else np.zeros_like(mask) for kind, mask in found.items()
    }


def _far_out(values: NDArray[np.int16], there: Mask, kind: str) -> Mask:
    """Return a mask of the values that are far below or above the middle half of all values.

    `there` masks the puzzles that have a value. `kind` is "givens" or "rating". It determines how
    wide the middle half is assumed to be at least.
    """
    if not there.any():
        return there
    low, high = np.percentile(values[there], (25, 75))
    reach = _FAR * max(high - low, _LEAST_WIDTHS[kind])
    is_far: Mask = (values < low - reach) | (values > high + reach)
    return there & is_far


def _unusual_symmetry(symmetry: NDArray[np.uint8], there: Mask) -> Mask:
    """Return the puzzles without the symmetry that almost all of the others have.

    `there` are the puzzles to compare. If they have no common symmetry, no puzzle is returned.
    """
    count = int(there.sum())
    usual = np.zeros(len(there), bool)
    for name in NAMES[1:]:
        has = there & np.isin(symmetry, including(name))
        if has.sum() >= max(_USUAL * count, usual.sum() + 1):
            usual = has
    return there & ~usual if usual.any() else usual


def _minority(has: Mask, there: Mask) -> Mask:
    """Return the puzzles that differ from almost all others in a property, or none.

    `has` states whether each puzzle has the property, and `there` which puzzles to compare. No
    puzzle is returned if neither having it nor lacking it is that common.
    """
    for majority in (there & has, there & ~has):
        if majority.sum() >= max(_USUAL * there.sum(), 1):
            return there & ~majority
    return np.zeros(len(there), bool)
