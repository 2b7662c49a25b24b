"""Parse the fields 'level' and 'difficulty' of generation requests: names of levels, and words."""

from collections.abc import Collection, Mapping

from solver.board.bounds import Bounds
from solver.board.closest import unknown
from solver.logic.rating.difficulty import LEVEL_WORDS, WORDS, ratings_of
from solver.logic.technique_table import Level

ALL_WORDS = frozenset(WORDS)
_LEVEL_NAMES = tuple(level.name.lower() for level in Level)


def read_words(value: Mapping[str, object]) -> frozenset[str] | str:
    """Return the words in the field 'difficulty', all by default, or an error message."""
    return _names(value, "difficulty", WORDS)


def read_levels(
    value: Mapping[str, object], words: Collection[str], *, is_rated: bool
) -> frozenset[Level] | str:
    """Return the levels that a puzzle may have, or an error message.

    They are those in the field 'level', all by default. On boards that Sudoku Explainer doesn't
    rate (`is_rated` is False), the words depend on the level, so only the levels of `words` remain.
    """
    names = _names(value, "level", _LEVEL_NAMES)
    if isinstance(names, str):
        return names
    levels = {level for level in Level if level.name.lower() in names}
    if not is_rated:
        levels &= {level for level, word in LEVEL_WORDS.items() if word in words}
    if levels:
        return frozenset(levels)
    if not set(words) & set(LEVEL_WORDS.values()):
        return (
            f"only puzzles with a Sudoku Explainer rating are called {WORDS[-1]}; the highest "
            f"difficulty on other boards is {LEVEL_WORDS[Level.EXTREME]}"
        )
    return "no puzzle has both this 'level' and this 'difficulty'; change one of them"


def narrow(rating: Bounds, words: Collection[str]) -> Bounds | str:
    """Return the smallest range that contains the ratings in `rating` that `words` describe.

    Returns an error message if there are none.
    """
    within = [both for word in WORDS if word in words and (both := _both(rating, ratings_of(word)))]
    if not within:
        return "no puzzle has both this 'rating' and this 'difficulty'; change one of them"
    return Bounds(within[0].least, within[-1].most)


def _both(one: Bounds, other: Bounds) -> Bounds | None:
    least = max((each for each in (one.least, other.least) if each is not None), default=None)
    most = min((each for each in (one.most, other.most) if each is not None), default=None)
    if least is not None and most is not None and least > most:
        return None
    return Bounds(least, most)


def _names(value: Mapping[str, object], field: str, known: tuple[str, ...]) -> frozenset[str] | str:
    """Return the names in a field, a list or a single name, or an error message if one is unknown.

    Without the field, these are all `known` names.
    """
    if field not in value:
        return frozenset(known)
    written = value[field]
    names = [str(name) for name in (written if isinstance(written, list) else [written])]
    strange = next((name for name in names if name not in known), None)
    return frozenset(names) if strange is None else unknown(field, strange, known)
