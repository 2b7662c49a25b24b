"""The command that lists the true candidates of each cell."""

import click
import msgspec

from solver.board.puzzle import Invalid, Puzzle
from solver.preparing import needed
from web.commands.exits import SOME_NOT_SOLVED
from web.commands.interruptible import interruptibly
from web.commands.job_options import reading_options
from web.commands.option_types import WholeNumber
from web.commands.prepare import make_ready
from web.commands.sources import complete_source, puzzles_in


@click.command()
@click.argument("puzzle", shell_complete=complete_source)
@click.option(
    "--bound",
    type=WholeNumber(1, 1000),
    metavar="N",
    default=1,
    show_default=True,
    help="Count at most this many solutions for each value of a cell.",
)
@click.option(
    "--step-limit",
    type=WholeNumber(0),
    metavar="N",
    default=1_000_000,
    show_default=True,
    help="Stop the search for each value of a cell after this many guesses.",
)
@reading_options
def candidates(puzzle: str, bound: int, step_limit: int, **options: str | None) -> None:
    """List the values that each cell of PUZZLE takes in some solution.

    PUZZLE is a puzzle, a file, or - for standard input.

    \b
    Example:
      sudokuq candidates 12.4...2....4... --bound 2

    Writes one JSON object per puzzle and line. For each cell, `candidates` contains these values
    and the number of solutions with each, up to the bound. `same_in_all` contains the cells that
    have the same value in all solutions.

    Exit codes: 0 if every puzzle has a solution, 1 if some have none or are undecided, 2 for
    unreadable input or invalid options.
    """
    unsolved = False
    for entry in puzzles_in(puzzle, options):
        answer = _answer(entry, bound, step_limit)
        unsolved |= answer.get("solvable") is not True
        click.echo(msgspec.json.encode(answer))
    if unsolved:
        raise SystemExit(SOME_NOT_SOLVED)


def _answer(entry: Puzzle | Invalid, bound: int, step_limit: int) -> dict[str, object]:
    """Return the true candidates of a puzzle as the JSON object that the command prints.

    The object of an invalid record contains only the reason.
    """
    if isinstance(entry, Invalid):
        return {"detail": entry.detail}
    # Loading Numba takes most of a second, and the help doesn't need it.
    from solver.candidates import true_candidates  # noqa: PLC0415

    make_ready([needed(entry.layout, candidates=entry.candidates is not None)])
    true = interruptibly(lambda: true_candidates(entry, bound=bound, step_limit=step_limit))
    layout, symbols = entry.layout, entry.symbols.values
    return {
        "solvable": true.solvable,
        "decided": bool(true.decided.all()),
        "candidates": true.by_name(layout),
        "same_in_all": {
            layout.cell_name(cell): symbols[value - 1] for cell, value in true.same_in_all.items()
        },
    }
