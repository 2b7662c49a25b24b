"""Builds the report on a collection from its analysis."""

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from solver.logic.rating.difficulty import LEVEL_WORDS, word_for
from solver.logic.technique_table import GUESS, TECHNIQUES, name_of
from web.report.against import Matches
from web.report.analysis import Analysis, Groups, Mask
from web.report.claims import MAX_LEVELS
from web.report.columns import UNKNOWN, Columns
from web.report.patterns import NAMES
from web.report.schema import (
    Book,
    BookLevel,
    ClaimedLevel,
    Claims,
    Counted,
    Defect,
    Disagreement,
    Distribution,
    Duplicates,
    Listing,
    PuzzleReference,
    Repeated,
    Report,
    Selected,
    Shared,
    SharedPuzzle,
)

MAX_LISTED = 20
USUAL_LEVELS = 4
# By kind of problem: its title, and the filter that selects its puzzles, if there is one.
_PROBLEMS = {
    "invalid": ("Invalid", {"outcome": "invalid"}),
    "unsolvable": ("No solution", {"outcome": "unsolvable"}),
    "multiple": ("Several solutions", {"outcome": "multiple"}),
    "undecided": ("Not known to be unique", None),
    "wrong-solution": ("Wrong solution in the upload", None),
    "unrated": ("Not rated", None),
}


def build_report(
    analysis: Analysis,
    *,
    name: str,
    levels: int | None = None,
    against: tuple[str, str, Columns, Matches] | None = None,
) -> Report:
    """Return the report on an analyzed collection.

    name     the collection's name
    levels   number of levels of the proposed book; by default as many as the collection claims, or
             4 if it claims none, only one, or too many
    against  another collection: its key in filters, its name, its columns, and the matches in it

    Parts of the report that need ratings are None if the puzzles aren't rated, and the minimality
    is None if no puzzle was tested.
    """
    columns = analysis.columns
    has_ratings = columns.options.rate
    tested = columns.minimal != UNKNOWN
    return Report(
        name=name,
        puzzles=len(columns),
        publishable=Selected(int(analysis.publishable.sum()), {"finding": "publishable"}),
        problems=list(_problems(analysis)),
        duplicates=_duplicates(analysis, against),
        difficulty=_difficulty(analysis) if has_ratings else None,
        claims=_claims(analysis),
        givens=_givens(analysis),
        symmetry=_symmetry(analysis),
        minimality=_minimality(analysis) if tested.any() else None,
        hardest_techniques=_hardest(columns) if has_ratings else None,
        required_techniques=_required(columns) if has_ratings else None,
        book=_book(analysis, levels) if has_ratings else None,
    )


def _problems(analysis: Analysis) -> Iterable[Defect]:
    columns = analysis.columns
    for kind, mask in analysis.problems.items():
        count = int(mask.sum())
        if count:
            title, where = _PROBLEMS[kind]
            first = [_described(columns, place) for place in _first(mask)]
            yield Defect(kind, title, count, where or {"finding": kind}, first)


def _described(columns: Columns, place: int) -> PuzzleReference:
    number = int(columns.numbers[place])
    differing = columns.differing.get(number)
    return PuzzleReference(
        number,
        columns.name(place),
        columns.details.get(number),
        [*differing.solutions] if differing else UNSET,
        differing.cells if differing else UNSET,
    )


def _reference(columns: Columns, place: int) -> PuzzleReference:
    return PuzzleReference(int(columns.numbers[place]), columns.name(place))


def _first(mask: Mask) -> list[int]:
    return [int(place) for place in np.flatnonzero(mask)[:MAX_LISTED]]


def _duplicates(
    analysis: Analysis, against: tuple[str, str, Columns, Matches] | None
) -> Duplicates:
    columns = analysis.columns

    def repeated(groups: Groups | None, kind: str) -> Repeated | None:
        return None if groups is None else _repeated(columns, groups, {"finding": kind})

    return Duplicates(
        identical=_repeated(columns, analysis.identical, {"finding": "identical"}),
        equivalent=repeated(analysis.equivalent, "equivalent"),
        transformed=repeated(analysis.transformed, "transformed"),
        against=None if against is None else _shared(columns, *against),
    )


def _repeated(columns: Columns, groups: Groups, where: dict[str, str]) -> Repeated:
    """Return the report's part about groups of equal puzzles. `where` is the filter for them."""
    first = [
        [_reference(columns, place) for place in members[:MAX_LISTED].tolist()]
        for members in groups.first
    ]
    return Repeated(int(groups.copies.sum()), groups.count, where, first)


def _shared(columns: Columns, key: str, name: str, other: Columns, matches: Matches) -> Shared:
    """Return the part of the report about puzzles that are in another collection, too.

    `key` is the id of that collection in filters, `name` is its name, and `other` has its columns.
    """
    first = [
        SharedPuzzle(
            n=int(columns.numbers[place]),
            name=columns.name(place),
            other_n=int(other.numbers[at]),
            other_name=other.name(at),
            identical=bool(matches.identical[place]),
        )
        for place, at in ((place, int(matches.other[place])) for place in _first(matches.found))
    ]
    return Shared(
        name,
        int(matches.found.sum()),
        int(matches.identical.sum()),
        {"finding": f"against:{key}"},
        first,
    )


def _difficulty(analysis: Analysis) -> Distribution:
    columns = analysis.columns
    parts = list(_words(columns, columns.ratings >= 0, {}))
    unrated = columns.ratings < 0
    for level, word in LEVEL_WORDS.items():
        count = int((unrated & (columns.levels == level)).sum())
        if count:
            name = f"{word} (other boards)"
            parts.append(Counted(name, count, {"finding": f"unrated:{word}"}))
    return Distribution(parts, _outliers(analysis, "rating"))


def _words(columns: Columns, mask: Mask, where: dict[str, str]) -> Iterable[Counted]:
    """Yield how many of the rated puzzles in a mask have each difficulty word.

    Easier words come first, and words without puzzles are left out. The filter of each consists of
    `where` and the lowest and highest rating of these puzzles.
    """
    tenths, counts = np.unique(columns.ratings[mask & (columns.ratings >= 0)], return_counts=True)
    found: dict[str, list[tuple[int, int]]] = {}
    for tenth, count in zip(tenths.tolist(), counts.tolist(), strict=True):
        found.setdefault(word_for(tenth / 10), []).append((tenth, count))
    for word, members in found.items():
        span = f"{members[0][0] / 10:.1f}..{members[-1][0] / 10:.1f}"
        yield Counted(word, sum(count for _, count in members), {**where, "rating": span})


def _claims(analysis: Analysis) -> Claims | None:
    columns, compared = analysis.columns, analysis.compared
    if compared is None or columns.claimed_by is None:
        return None
    names, cuts = compared.levels.names, compared.cuts
    scale = 10 if compared.measure == "rating" else 1
    levels = []
    for number, (name, span) in enumerate(zip(names, cuts.ranges, strict=True)):
        mask, where = compared.levels.level == number, {"finding": f"claim:{name}"}
        lowest, highest = (None, None) if span is None else (end / scale for end in span)
        parts = list(_words(columns, mask, where))
        levels.append(ClaimedLevel(name, int(mask.sum()), where, lowest, highest, parts))
    first = []
    for place in _first(cuts.disagrees):
        rating, score = int(columns.ratings[place]), int(columns.scores[place])
        first.append(
            Disagreement(
                n=int(columns.numbers[place]),
                name=columns.name(place),
                claimed=names[compared.levels.level[place]],
                fitting=names[cuts.fitting[place]],
                rating=None if rating < 0 else rating / 10,
                hodoku_score=None if score < 0 else score,
            )
        )
    return Claims(
        column=columns.claimed_by,
        measure=compared.measure,
        compared=int((cuts.fitting >= 0).sum()),
        levels=levels,
        disagreements=int(cuts.disagrees.sum()),
        filter={"finding": "disagrees"},
        first=first,
    )


def _givens(analysis: Analysis) -> Distribution:
    givens = analysis.columns.givens
    numbers, counts = np.unique(givens[givens >= 0], return_counts=True)
    parts = [
        Counted(str(number), count, {"finding": f"givens:{number}"})
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)
    ]
    return Distribution(parts, _outliers(analysis, "givens"))


def _symmetry(analysis: Analysis) -> Distribution:
    columns = analysis.columns
    counts = np.bincount(columns.symmetry[columns.givens >= 0], minlength=len(NAMES)).tolist()
    parts = [
        Counted(name, count, {"finding": f"symmetry:{name}"})
        for name, count in zip(NAMES, counts, strict=True)
        if count
    ]
    return Distribution(parts, _outliers(analysis, "symmetry"))


def _minimality(analysis: Analysis) -> Distribution:
    minimal = analysis.columns.minimal
    found = (("minimal", 1), ("not-minimal", 0))
    parts = [Counted(name, int((minimal == code).sum()), {"finding": name}) for name, code in found]
    return Distribution([part for part in parts if part.puzzles], _outliers(analysis, "minimality"))


def _hardest(columns: Columns) -> list[Counted]:
    hardest = columns.hardest
    counts = np.bincount(hardest[hardest >= 0], minlength=len(TECHNIQUES)).tolist()
    names = map(name_of, TECHNIQUES)
    return [
        Counted(name, count, {"finding": f"hardest:{name}"})
        for name, count in zip(names, counts, strict=True)
        if count
    ]


def _required(columns: Columns) -> list[Counted]:
    codes = (code for code in TECHNIQUES if code != GUESS)
    found = ((name_of(code), int(columns.needed[int(code)])) for code in codes)
    return [Counted(name, count, {"technique": name}) for name, count in found if count]


def _outliers(analysis: Analysis, kind: str) -> Listing:
    mask, columns = analysis.outliers[kind], analysis.columns
    first = [_reference(columns, place) for place in _first(mask)]
    return Listing(int(mask.sum()), {"finding": f"{kind}-outliers"}, first)


def _book(analysis: Analysis, levels: int | None) -> Book:
    """Return the proposed book with this number of levels, or fewer if it has fewer puzzles.

    If `levels` is None, the number is that of the claimed levels, see `build_report`.
    """
    order, columns = analysis.order, analysis.columns
    count = min(levels or _usual_levels(analysis), len(order))
    sort = {"sort": "rating"}
    found = []
    for number in range(1, count + 1):
        part = analysis.level(number, count)
        mask = np.zeros(len(columns.ratings), bool)
        mask[part] = True
        where = {"finding": f"level:{number}/{count}", **sort}
        found.append(
            BookLevel(
                level=number,
                puzzles=len(part),
                lowest=_rating(columns.ratings, part[:1]),
                highest=_rating(columns.ratings, part[-1:]),
                filter=where,
                measured=list(_words(columns, mask, where)),
            )
        )
    return Book(
        puzzles=len(order),
        filter={"finding": "publishable", **sort},
        levels=found,
    )


def _usual_levels(analysis: Analysis) -> int:
    names: Sequence[str] = () if analysis.compared is None else analysis.compared.levels.names
    return len(names) if 1 < len(names) <= MAX_LEVELS else USUAL_LEVELS


def _rating(ratings: NDArray[np.int16], places: NDArray[np.intp]) -> float:
    return float(ratings[places[0]]) / 10
