"""Show progress bars on standard error, if that is a terminal."""

import sys
from datetime import timedelta

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

# The remaining time is shown when the progress has been measured for this long.
_FIRST_SECONDS = 5.0


class PuzzlesColumn(ProgressColumn):
    """Progress bar column with the number of finished puzzles, and of all puzzles if it is known.

    A task whose progress isn't counted in puzzles has the number of finished puzzles in the field
    `puzzles`.
    """

    def render(self, task: Task) -> Text:
        """Return the text of the column, with thousands separators."""
        done = task.fields.get("puzzles", task.completed)
        known = task.total is not None and "puzzles" not in task.fields
        return Text(f"{done:,.0f} of {task.total:,.0f}" if known else f"{done:,.0f} puzzles")


class TimeLeftColumn(ProgressColumn):
    """Progress bar column with the remaining time, estimated from the whole run.

    Rich estimates it from the last half minute, which is unsteady, because blocks of puzzles take
    different times. Here, the measurement begins with the first progress, so that the time for
    compiling code before it doesn't count. In the first seconds, the column is empty.
    """

    def __init__(self) -> None:
        super().__init__()
        self._first: dict[TaskID, tuple[float, float]] = {}

    def render(self, task: Task) -> Text:
        """Return the text of the column, such as "0:12:05 left", or "" if it isn't known yet."""
        if task.total is None or not task.completed:
            return Text("")
        now = task.get_time()
        began, before = self._first.setdefault(task.id, (now, task.completed))
        seconds, done = now - began, task.completed - before
        if seconds < _FIRST_SECONDS or done <= 0:
            return Text("")
        left = timedelta(seconds=round(seconds * (task.total - task.completed) / done))
        return Text(f"{left} left", style="progress.remaining")


def progress_bar(label: str, *columns: ProgressColumn, visible: bool = True) -> Progress:
    """Return a progress bar with a label and the given columns. It disappears at the end.

    Nothing is shown unless `visible` is True and standard error is a terminal.
    """
    console = Console(stderr=True)
    return Progress(
        TextColumn(label),
        BarColumn(),
        *columns,
        console=console,
        transient=True,
        disable=not (visible and console.is_terminal),
    )


def puzzles_bar(label: str, *, has_end: bool = True, visible: bool = True) -> Progress:
    """Return a progress bar for puzzles.

    It shows the remaining time if `has_end` states that the total is known, else the elapsed time.
    """
    time = (TaskProgressColumn(), TimeLeftColumn()) if has_end else (TimeElapsedColumn(),)
    return progress_bar(label, PuzzlesColumn(), *time, visible=visible)


def functions_bar(label: str) -> Progress:
    """Return a progress bar that counts compiled functions and shows the elapsed time.

    Its label is "compiling", followed by `label`, which names the code. It has no task yet.
    """
    counter = TextColumn("{task.completed} functions")
    return progress_bar(f"compiling {label}", counter, TimeElapsedColumn())


def pages_bar() -> Progress:
    """Return a progress bar for the pages of a book. The caller adds its task, with a total."""
    counter = TextColumn("{task.completed:,} of {task.total:,} pages")
    return progress_bar("writing", counter, TimeElapsedColumn())


def results_on_terminal() -> bool:
    """Return whether results go to a terminal, where a progress bar would disturb them."""
    return sys.stdout is not None and sys.stdout.isatty()
