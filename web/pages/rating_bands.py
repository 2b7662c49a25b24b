"""Count a job's records by difficulty word, from their numbers by rating."""

from dataclasses import dataclass

from solver.logic.rating.difficulty import word_for


@dataclass(frozen=True, slots=True)
class Band:
    """The records of a job with the same difficulty word. `records` is their number.

    `range` is the value of the query parameter `rating` that selects them.
    """

    word: str
    range: str
    records: int


def bands_of(ratings: dict[str, int]) -> list[Band]:
    """Return the nonempty bands, easiest first.

    `ratings` maps ratings, such as "7.1", to numbers of records. It must be sorted, lowest first.
    """
    names: dict[str, list[str]] = {}
    for rating in ratings:
        names.setdefault(word_for(float(rating)), []).append(rating)
    return [
        Band(word, f"{members[0]}..{members[-1]}", sum(ratings[name] for name in members))
        for word, members in names.items()
    ]
