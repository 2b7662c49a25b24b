"""Tools for one puzzle. They use the engines on this machine and need no service."""

from collections.abc import Callable
from threading import Lock
from typing import Annotated, Literal, TypeVar

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from solver import Invalid, Outcome, Puzzle, parse
from solver.explaining import explain as explain_puzzle
from solver.logic.explanation import Ending
from solver.logic.explanation import Explanation as Explained
from solver.logic.hint import hint as hint_for
from solver.preparing import Code, needed
from solver.solving import solve as solve_puzzle
from web.assistant.answers import Candidate, Explanation, Hint, Rating, Solution, Step
from web.commands.prepare import make_ready
from web.explanations.explanation_json import explanation_json
from web.schemas.explanation import Candidate as Candidate_
from worker.option_texts import OPTION_TEXTS

T = TypeVar("T")

PuzzleText = Annotated[
    str,
    Field(
        description="One puzzle: its cells in reading order with . or 0 for an empty cell, a drawn "
        "grid, JSON with rules, a link of SudokuPad or f-puzzles, or any other format that sudokuq "
        "recognizes."
    ),
]
Box = Annotated[str | None, Field(description=OPTION_TEXTS["box"].description)]
Variant = Annotated[
    str | None,
    Field(description=f"{OPTION_TEXTS['variant'].description} For example diagonal,antiknight."),
]
Order = Annotated[
    Literal["hodoku", "explainer"],
    Field(
        description="The program whose order of techniques is used: HoDoKu, or Sudoku Explainer "
        "(for classic 9x9 puzzles only)."
    ),
]

# The SDK runs tools in threads, and the engines and their compiler are used by one at a time.
ENGINES = Lock()


def solve(
    puzzle: PuzzleText,
    *,
    box: Box = None,
    variant: Variant = None,
    limit: Annotated[
        int, Field(ge=1, le=10_000, description=OPTION_TEXTS["limit"].description)
    ] = 2,
    step_limit: Annotated[
        int, Field(ge=0, le=10_000_000, description=OPTION_TEXTS["step_limit"].description)
    ] = 1_000_000,
) -> Solution:
    """Solve one Sudoku, and find out whether its solution is the only one.

    Boards of any size with any rules are supported. Returns the first solution, which is verified,
    and counts solutions up to `limit`. Use submit_job for many puzzles.
    """
    entry = _read(puzzle, box=box, variant=variant)
    result = _computed(entry, lambda: solve_puzzle(entry, limit=limit, step_limit=step_limit))
    if result.outcome is Outcome.INVALID:
        raise ToolError(result.detail)
    rows = None if result.solution is None else _rows(entry, result.solution)
    return Solution(
        outcome=result.outcome.label,
        unique=result.unique,
        solutions=result.solutions,
        rows=rows,
        guesses=result.steps,
        detail=result.detail,
    )


def rate(puzzle: PuzzleText, *, box: Box = None, variant: Variant = None) -> Rating:
    """Rate how hard one Sudoku is for people, as Sudoku Explainer and HoDoKu do.

    The puzzle must have exactly one solution.
    """
    difficulty = _explained(puzzle, box=box, variant=variant, order="hodoku").difficulty
    if difficulty is None:
        raise ToolError("this puzzle can't be rated, because logic alone doesn't solve it")
    return Rating(
        difficulty=difficulty.word,
        rating=difficulty.rating,
        hodoku_score=difficulty.score,
        hodoku_level=None if difficulty.level is None else difficulty.level.name.lower(),
        techniques=difficulty.techniques,
    )


def explain(
    puzzle: PuzzleText,
    *,
    box: Box = None,
    variant: Variant = None,
    order: Order = "hodoku",
    first_step: Annotated[int, Field(ge=1, description="Number of the first step to return.")] = 1,
    max_steps: Annotated[
        int, Field(ge=1, le=1000, description="Maximum number of steps to return.")
    ] = 50,
) -> Explanation:
    """Explain step by step how a person would solve one Sudoku.

    Each step has the name of its technique and the argument in words. If the person wants only a
    hint, use the tool hint instead.
    """
    explained = _explained(puzzle, box=box, variant=variant, order=order)
    shown = explanation_json(explained).deductions
    wanted = shown[first_step - 1 : first_step - 1 + max_steps]
    return Explanation(
        solved=explained.solved,
        summary=explained.summary,
        total_steps=len(shown),
        steps=[
            Step(
                number=number,
                technique=step.technique,
                sentence=step.sentence,
                placements=_candidates(step.placements),
                eliminations=_candidates(step.eliminations),
            )
            for number, step in enumerate(wanted, first_step)
        ],
    )


def hint(
    puzzle: PuzzleText,
    *,
    box: Box = None,
    variant: Variant = None,
    level: Annotated[
        Literal[1, 2, 3],
        Field(description="1 is the place to look at, 2 also the technique, 3 the whole step."),
    ] = 1,
) -> Hint:
    """Give a hint for the next step of one Sudoku, without revealing more than its level.

    The puzzle contains the givens and the values that the person has filled in so far.
    """
    explained = _explained(puzzle, box=box, variant=variant, order="hodoku")
    return Hint(text=hint_for(explained, strength=level))


def _read(text: str, *, box: str | None, variant: str | None) -> Puzzle:
    """Parse a single puzzle. Raises ToolError if the text isn't exactly one valid puzzle."""
    entries = parse(text, box=box or None, variant=variant or ())
    if len(entries) != 1:
        raise ToolError(f"expected one puzzle, found {len(entries):,}; submit_job takes many")
    entry = entries[0]
    if isinstance(entry, Invalid):
        raise ToolError(entry.detail)
    return entry


def _explained(text: str, *, box: str | None, variant: str | None, order: str) -> Explained:
    """Explain a single puzzle. Raises ToolError if it can't be explained."""
    entry = _read(text, box=box, variant=variant)
    explained = _computed(entry, lambda: explain_puzzle(entry, order=order), Code.LOGIC)
    if explained.ending is Ending.REFUSED:
        raise ToolError(explained.detail)
    return explained


def _computed(puzzle: Puzzle, compute: Callable[[], T], *more: Code) -> T:
    """Compile the code for a puzzle if necessary, and return the result of `compute`.

    Only one call computes at a time. Others wait.
    """
    with ENGINES:
        make_ready((needed(puzzle.layout, candidates=puzzle.candidates is not None), *more))
        return compute()


def _rows(puzzle: Puzzle, values: tuple[int, ...]) -> list[str]:
    """Return a solution as one text per row. Cells that aren't on the board are spaces."""
    layout, symbols = puzzle.layout, puzzle.symbols
    table = (" ", *symbols.values)
    cells = [table[value] for value in values]
    starts = range(0, len(cells), layout.columns)
    return [symbols.separator.join(cells[start : start + layout.columns]) for start in starts]


def _candidates(candidates: list[Candidate_]) -> list[Candidate]:
    return [Candidate(cell=each.cell, value=each.value) for each in candidates]
