"""The command that tells which values the solutions of a puzzle have in each cell."""

import click
import msgspec

from solver.board.puzzle import Invalid, Puzzle
from web.commands.options import SOME_NOT_SOLVED
from web.commands.reading import puzzles_in, reading_options


@click.command()
@click.argument("puzzle")
@click.option(
    "--bound",
    type=click.IntRange(1, 1000),
    default=1,
    help="Count the solutions with each value, up to so many.",
)
@click.option("--step-limit", type=click.IntRange(0), default=1_000_000, help="For each value.")
@reading_options
def candidates(puzzle: str, bound: int, step_limit: int, **options: str | None) -> None:
    """Tell what may stand in each cell of PUZZLE: a puzzle, a file, or - for standard input.

    \b
    Example:
      sudokuq candidates 12.4...2....4... --bound 2

    Writes JSON, one line a puzzle: for each cell the values that some solution has there, each with
    the number of these solutions, up to the bound; and the cells that all solutions agree on.

    Exit code 0: all have solutions; 1: some not, or it is not known; 2: unreadable input.
    """
    unsolved = False
    for entry in puzzles_in(puzzle, options):
        answer = _answer(entry, bound, step_limit)
        unsolved |= answer.get("solvable") is not True
        click.echo(msgspec.json.encode(answer))
    if unsolved:
        raise SystemExit(SOME_NOT_SOLVED)


def _answer(entry: Puzzle | Invalid, bound: int, step_limit: int) -> dict[str, object]:
    if isinstance(entry, Invalid):
        return {"detail": entry.detail}
    # Numba takes most of a second to load, which no other command should wait for.
    from solver.candidates import true_candidates  # noqa: PLC0415

    true = true_candidates(entry, bound=bound, step_limit=step_limit)
    layout, symbols = entry.layout, entry.symbols.values
    return {
        "solvable": true.solvable,
        "decided": bool(true.decided.all()),
        "candidates": true.by_name(layout),
        "same_in_all": {
            layout.cell_name(cell): symbols[value - 1] for cell, value in true.same_in_all.items()
        },
    }
