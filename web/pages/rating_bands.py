"""The ratings of a job grouped by difficulty words, from the job's histogram."""

from dataclasses import dataclass

from solver.logic.difficulty import word_for


@dataclass(frozen=True, slots=True)
class Band:
    """Records with the same difficulty word.

    `range` is the query parameter `rating` that selects them.
    """

    word: str
    range: str
    records: int


def bands_of(ratings: dict[str, int]) -> list[Band]:
    """Return the nonempty bands, easiest first; `ratings` must be sorted, lowest first."""
    names: dict[str, list[str]] = {}
    for rating in ratings:
        names.setdefault(word_for(float(rating)), []).append(rating)
    return [
        Band(word, f"{members[0]}..{members[-1]}", sum(ratings[name] for name in members))
        for word, members in names.items()
    ]
