"""Find puzzles nested in other objects, as sent by dosuku, the New York Times, and others."""

from collections.abc import Iterator, Mapping

from solver.formats.objects.object_keys import PUZZLE_KEYS

_DEEPEST = 6
_FEWEST_ROWS = 4


def nested_puzzles(value: object, *, deep: int = 0) -> Iterator[Mapping[str, object]]:
    """Yield the puzzle objects inside a JSON value, down to six levels.

    `value` itself is never yielded, and neither are puzzles inside other puzzles. `deep` is its
    level.
    """
    members: list[object] = []
    if isinstance(value, dict):
        members = list(value.values())
    elif isinstance(value, list):
        members = value
    for member in members if deep < _DEEPEST else ():
        own = _puzzle_in(member)
        if own is not None:
            yield own
        else:
            yield from nested_puzzles(member, deep=deep + 1)


def _puzzle_in(value: object) -> Mapping[str, object] | None:
    """Return an object if it is a puzzle, otherwise None.

    A puzzle has cells under a known key, or N rows of N cells under `value` as sent by dosuku. The
    rows are returned under the key `puzzle` instead.
    """
    if not isinstance(value, dict):
        return None
    if any(isinstance(value.get(key), str | list) and value[key] for key in PUZZLE_KEYS):
        return value
    rows = value.get("value")
    if not isinstance(rows, list) or len(rows) < _FEWEST_ROWS:
        return None
    if not all(isinstance(row, list) and len(row) == len(rows) for row in rows):
        return None
    return {key: said for key, said in value.items() if key != "value"} | {"puzzle": rows}
