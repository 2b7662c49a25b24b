"""Lists of cells, with ranges such as "r1c2–r1c6" for cells next to each other."""

from collections.abc import Iterable, Sequence

from solver.board.layout import Layout

_LONG_RUN = 3  # cells next to each other in a row or a column that are written as a range


def names_of_cells(layout: Layout, cells: Sequence[int]) -> list[str]:
    """Return the names of cells in their order, with ranges for long runs.

    A run consists of successive cells that go right along a row or down a column. It is long if it
    has at least three cells. Other cells are named one by one.
    """
    return [
        "–".join(map(layout.cell_name, dict.fromkeys((run[0], run[-1]))))
        for run in _runs(layout, cells)
    ]


def in_runs(layout: Layout, cells: Iterable[int]) -> list[int]:
    """Return cells in an order in which `names_of_cells` can name most of them with ranges.

    The long runs of rows are kept together, then those of columns. The first cells of all runs are
    in ascending order.
    """
    left = sorted({*cells})
    found: list[list[int]] = []
    for key in (lambda cell: cell, lambda cell: (cell % layout.columns, cell)):
        runs = [run for run in _runs(layout, sorted(left, key=key)) if len(run) >= _LONG_RUN]
        found += runs
        left = [cell for cell in left if not any(cell in run for run in runs)]
    found += [[cell] for cell in left]
    return [cell for run in sorted(found) for cell in run]


def _runs(layout: Layout, cells: Sequence[int]) -> list[list[int]]:
    """Divide a list of cells into runs, without changing its order.

    A run is a stretch of the list that goes right along a row or down a column, and is as long as
    possible. Cells that aren't in a run of three or more are runs on their own.
    """
    runs: list[list[int]] = []
    start = 0
    while start < len(cells):
        end = max(_end_of_run(layout, cells, start, move) for move in (1, layout.columns))
        if end - start < _LONG_RUN:
            end = start + 1
        runs.append([*cells[start:end]])
        start = end
    return runs


def _end_of_run(layout: Layout, cells: Sequence[int], start: int, move: int) -> int:
    """Return the index after the last cell of the run that begins at index `start` of `cells`.

    In the run, each cell has the number of the one before plus `move`. With a `move` of 1, a run
    ends at the end of a row.
    """
    end = start + 1
    while (
        end < len(cells)
        and cells[end] - cells[end - 1] == move
        and (move != 1 or cells[end] % layout.columns)
    ):
        end += 1
    return end
