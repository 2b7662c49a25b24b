"""Ratings of a job by the words for people, from the histogram that the job counts."""

from dataclasses import dataclass

from solver.logic.difficulty import word_for


@dataclass(frozen=True, slots=True)
class Band:
    """Records that the same word describes; `range` is what `rating` in a query asks them by."""

    word: str
    range: str
    records: int


def bands_of(ratings: dict[str, int]) -> list[Band]:
    """Return the bands that have records, easiest first; `ratings` are lowest first."""
    names: dict[str, list[str]] = {}
    for rating in ratings:
        names.setdefault(word_for(float(rating)), []).append(rating)
    return [
        Band(word, f"{members[0]}..{members[-1]}", sum(ratings[name] for name in members))
        for word, members in names.items()
    ]
