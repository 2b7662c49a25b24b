"""Read the first puzzle of each job in a list of jobs: a small picture, and its first clues."""

from dataclasses import dataclass

from solver.board.display import how_many
from web.boards.drawing import Drawing
from web.boards.result_drawing import draw_result
from web.boards.svg import Picture
from web.http import request_context
from web.pages.board_drawing import is_small, thumbnail
from web.results.writers import rows
from worker.job import Job

_MAX_CLUES = 40  # characters
_MAX_TITLE = 100  # characters
_MAX_REMEMBERED = 500
_remembered: dict[str, "FirstPuzzle"] = {}


@dataclass(frozen=True, slots=True)
class FirstPuzzle:
    """A job's first puzzle. `drawing` and `picture` are None if its board isn't drawn.

    `clues` is the beginning of the puzzle as text, or the names of its rules if it has no givens.
    `title` is the puzzle's name, or if it has none or only a number, its rules and board, such as
    "Classic 9×9, 24 givens". It is "" if there is neither a name nor a drawing.
    """

    title: str
    clues: str
    drawing: Drawing | None
    picture: Picture | None


def first_puzzle(job: Job) -> FirstPuzzle | None:
    """Return the first puzzle of a job, or None if it isn't done yet.

    It can't change, so the first puzzles of the last 500 jobs are cached.
    """
    if job.id not in _remembered:
        found = _find(job) if job.done else None
        if found is None:
            return None
        while len(_remembered) >= _MAX_REMEMBERED:
            _remembered.pop(next(iter(_remembered)), None)
        _remembered[job.id] = found
    return _remembered.get(job.id)


def _find(job: Job) -> FirstPuzzle | None:
    part = next(iter(request_context.service().results.read(job.id, count=1)), None)
    if part is None:
        return None
    [row] = rows(part, limit=job.options.limit, listed=False)
    [board] = part[1].boards()
    drawing = None
    if board is not None and is_small(board):
        drawing = draw_result(board, row.puzzle, None, row.detail)
    picture = None if drawing is None else thumbnail(drawing, 0)
    clues = _cut(row.puzzle, _MAX_CLUES)
    if drawing is not None and not drawing.count("given", "wrong"):
        clues = _rules(drawing) or "no givens"
    # A name that is only a number, such as that of a row of a table, describes nothing.
    title = "" if row.name is None or row.name.isdecimal() else row.name
    if not title and drawing is not None:
        title = _describe(drawing)
    return FirstPuzzle(_cut(title, _MAX_TITLE), clues, drawing, picture)


def _describe(drawing: Drawing) -> str:
    """Return a puzzle's rules, board, and number of givens, such as "Classic 9×9, 24 givens"."""
    kind = _rules(drawing) or ("Classic" if drawing.shape == "9×9" else "Sudoku")
    givens = drawing.count("given", "wrong")
    return f"{kind} {drawing.shape}" + (f", {how_many(givens, 'given')}" if givens else "")


def _rules(drawing: Drawing) -> str:
    return ", ".join(dict.fromkeys(rule.title for rule in drawing.rules))


def _cut(text: str, most: int) -> str:
    return text[:most] + ("…" if text[most:] else "")
