"""Read the cells of GNOME Sudoku's saved games: objects with a position, from 0, and a value."""

from collections.abc import Mapping

_SIZE = 9


def placed_cells(value: Mapping[str, object]) -> str | None:
    """Return the givens of GNOME Sudoku's saved game as 81 characters, or None.

    The result is None for any other object. A dot is an empty cell. A cell whose `fixed` is false
    holds what the player entered, which isn't a given. A missing `fixed` counts as true.
    """
    listed = value.get("cells")
    if not isinstance(listed, list) or not listed:
        return None
    cells = ["."] * _SIZE**2
    for each in listed:
        place = each.get("position") if isinstance(each, dict) else None
        if not (isinstance(place, list) and [type(part) for part in place] == [int, int]):
            return None
        row, column = place
        number = each.get("value", 0)
        if not (0 <= row < _SIZE and 0 <= column < _SIZE and type(number) is int):
            return None
        if not 0 <= number <= _SIZE:
            return None
        if number and each.get("fixed", True):
            cells[row * _SIZE + column] = str(number)
    return "".join(cells)
