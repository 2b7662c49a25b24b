"""The command that explains how a person would solve a puzzle."""

import click
import msgspec
from rich.console import Console
from rich.text import Text

from solver.board.display import as_sentence
from solver.board.puzzle import Invalid, Puzzle
from solver.logic.deduction import Deduction
from solver.logic.explanation import Explanation, Position
from solver.logic.hint import WHOLE, hint
from solver.logic.marks import marks_of
from solver.logic.technique_table import heading_of
from solver.preparing import Code, needed
from web.boards.pencil_grid import HIGHLIGHTS, pencil_lines
from web.boards.renderers.registry import describe_rules
from web.commands.exits import SOME_NOT_SOLVED
from web.commands.interruptible import interruptibly
from web.commands.job_options import reading_options
from web.commands.option_types import Name, WholeNumber
from web.commands.prepare import make_ready
from web.commands.sources import complete_source, puzzles_in
from web.explanations.explanation_json import available_steps_json, explanation_json


@click.command()
@click.argument("puzzle", shell_complete=complete_source)
@click.option(
    "--hint",
    "strength",
    type=WholeNumber(1, 3),
    metavar="LEVEL",
    help="Give only a hint: 1 is the place, 2 is the technique, and 3 is the whole next step.",
)
@click.option(
    "--order",
    type=Name(["hodoku", "explainer"]),
    default="hodoku",
    show_default=True,
    help="The program whose order of techniques is used: HoDoKu or Sudoku Explainer.",
)
@click.option(
    "--all-steps", is_flag=True, help="List all steps that are available, not only the next one."
)
@click.option(
    "--after",
    type=WholeNumber(0),
    default=0,
    metavar="N",
    help="Number of steps to take before --all-steps lists the available ones. [default: 0]",
)
@click.option("--grids", is_flag=True, help="Draw the grid with its candidates before each step.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object per puzzle and line.")
@reading_options
def explain(
    puzzle: str,
    strength: int | None,
    order: str,
    after: int,
    *,
    all_steps: bool,
    grids: bool,
    as_json: bool,
    **options: str | None,
) -> None:
    """Explain step by step how a person would solve PUZZLE.

    PUZZLE is a puzzle, a file, or - for standard input.

    \b
    Examples:
      sudokuq explain puzzle.txt
      sudokuq explain 12.4...2....4..1 --hint 1
      sudokuq explain 12.4...2....4..1 --all-steps --after 3

    Exit codes: 0 if logic solves every puzzle, 1 if it doesn't, 2 for unreadable input or invalid
    options.
    """
    if all_steps and (strength or grids or order != "hodoku"):
        raise click.UsageError("--all-steps can't be combined with --hint, --grids, or --order")
    if after and not all_steps:
        raise click.UsageError("--after needs --all-steps")
    puzzles = puzzles_in(puzzle, options)
    console = Console(highlight=False, soft_wrap=True)
    unsolved = False
    for number, entry in enumerate(puzzles, 1):
        if len(puzzles) > 1 and not as_json:
            console.print(Text(f"# {number}"))
        if isinstance(entry, Invalid):
            unsolved = True
            _print_invalid(entry.detail, as_json=as_json)
            continue
        if all_steps:
            unsolved |= not _list_steps(console, entry, after=after, as_json=as_json)
            continue
        explanation = _explain(entry, order)
        unsolved |= not explanation.solved
        if as_json:
            click.echo(msgspec.json.encode(explanation_json(explanation)))
        elif strength:
            _show_hint(console, explanation, strength)
        else:
            _show(console, explanation, grids=grids)
    if unsolved:
        raise SystemExit(SOME_NOT_SOLVED)


def _explain(puzzle: Puzzle, order: str) -> Explanation:
    # Loading Numba takes most of a second, and the help doesn't need it.
    from solver.explaining import explain as explain_puzzle  # noqa: PLC0415

    make_ready((needed(puzzle.layout, candidates=puzzle.candidates is not None), Code.LOGIC))
    return interruptibly(lambda: explain_puzzle(puzzle, order=order))


def _list_steps(console: Console, puzzle: Puzzle, *, after: int, as_json: bool) -> bool:
    """List the steps that are available after the first `after` steps of a puzzle.

    They are printed as JSON (`as_json`), or as a grid and text. Returns whether the puzzle can be
    explained, and prints the reason if it can't. Exits with a message if the explanation has fewer
    steps.
    """
    from solver.listing import all_steps  # noqa: PLC0415

    make_ready((needed(puzzle.layout, candidates=puzzle.candidates is not None), Code.LOGIC))
    try:
        available = interruptibly(lambda: all_steps(puzzle, after=after))
    except ValueError as error:
        raise click.UsageError(f"--{error}") from error
    if available.detail is not None:
        _print_invalid(available.detail, as_json=as_json)
        return False
    if as_json:
        click.echo(msgspec.json.encode(available_steps_json(available, after=after)))
        return True
    for line in pencil_lines(available.layout, available.symbols, available.position, None):
        console.print(line)
    console.print()
    console.print(Text(available.text))
    return True


def _print_invalid(detail: str, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode({"detail": detail}))
    else:
        click.echo(as_sentence(f"Not explained: {detail}"))


def _show_hint(console: Console, explanation: Explanation, strength: int) -> None:
    """Print the hint for the next step. The strongest hint has a picture of the step, too."""
    if explanation.deductions and strength == WHOLE:
        _draw(console, explanation, explanation.start, explanation.deductions[0])
    console.print(Text(hint(explanation, strength=strength)))


def _show(console: Console, explanation: Explanation, *, grids: bool) -> None:
    """Print an explanation: the rules, the steps, and the summary.

    With `grids`, the grid before each step is drawn, and otherwise only that before the first one.
    """
    rules = describe_rules(explanation.layout, explanation.symbols)
    for rule in rules:
        console.print(Text(f"{rule.title}: {rule.sentence}"))
    if rules:
        console.print()
    if not grids:
        if explanation.deductions:
            _draw(console, explanation, explanation.start)
        console.print(Text(explanation.text))
        return
    for number, step in enumerate(explanation.steps, 1):
        deduction, sentence, notation, position = step
        console.print(Text(f"{number}. {heading_of(deduction.code)}: {sentence}", "bold"))
        if notation:
            console.print(Text(notation))
        _draw(console, explanation, position, deduction)
    console.print(Text(explanation.summary))


def _draw(
    console: Console,
    explanation: Explanation,
    position: Position,
    deduction: Deduction | None = None,
) -> None:
    """Draw the grid at a position. If a step is given, color its candidates.

    A legend explains the colors unless the output has none.
    """
    marks = None if deduction is None else marks_of(deduction, position.candidates)
    for line in pencil_lines(explanation.layout, explanation.symbols, position, marks):
        console.print(line)
    has_colors = console.color_system is not None and not console.no_color
    if has_colors and marks is not None and marks.candidates:
        highlights = (HIGHLIGHTS[role] for role in marks.candidates)
        labels = (Text(each.label, each.style) for each in highlights)
        console.print(Text("Colors: ") + Text(", ").join(labels))
    console.print()
