"""A slow, obviously correct solver that tests compare against."""

from collections.abc import Iterator


def solutions(givens: list[int], box: tuple[int, int]) -> Iterator[list[int]]:
    """Yield every solution by filling the first empty cell with each value that no peer has.

    `box` are the rows and columns of a box. 0 is an empty cell. Full grids are yielded unchecked.
    """
    if 0 not in givens:
        yield givens
        return
    size = box[0] * box[1]
    cell = givens.index(0)
    row, column = divmod(cell, size)
    taken = set()
    for other, value in enumerate(givens):
        other_row, other_column = divmod(other, size)
        same_box = (
            row // box[0] == other_row // box[0] and column // box[1] == other_column // box[1]
        )
        if same_box or row == other_row or column == other_column:
            taken.add(value)
    for value in range(1, size + 1):
        if value not in taken:
            yield from solutions([*givens[:cell], value, *givens[cell + 1 :]], box)


def count(givens: list[int], box: tuple[int, int], *, limit: int) -> int:
    """Count the solutions, up to `limit`."""
    found = solutions(givens, box)
    return sum(1 for _, _ in zip(range(limit), found, strict=False))
