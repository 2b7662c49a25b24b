"""The tool that makes puzzles. It uses the engines on this machine and needs no service."""

from collections.abc import Iterator
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from solver.formats.write import write_puzzle
from solver.generating import GeneratedPuzzle
from solver.generating import generate as generate_puzzles
from solver.preparing import Code
from web.assistant.answers import Generated
from web.assistant.puzzle_tools import ENGINES
from web.commands.prepare import make_ready

_MOST_TRIES = 20_000  # per puzzle, some ten seconds

Names = list[str] | None


def generate(
    *,
    count: Annotated[int, Field(ge=1, le=50, description="Number of puzzles.")] = 1,
    seed: Annotated[
        int,
        Field(
            ge=0,
            description="Number that determines the puzzles. Another number gives other puzzles.",
        ),
    ] = 0,
    rating: Annotated[
        str | None,
        Field(description="Range of Sudoku Explainer's rating, such as 6.5..7.5, on 9x9 boards."),
    ] = None,
    difficulty: Annotated[
        str | None, Field(description="easy, medium, hard, very hard, diabolical, or extreme.")
    ] = None,
    require: Annotated[
        Names, Field(description="Techniques that each puzzle needs, such as X-Wing.")
    ] = None,
    only: Annotated[
        Names,
        Field(
            description="The only techniques that may be needed. ..X-Wing stands for X-Wing and "
            "all simpler ones."
        ),
    ] = None,
    givens: Annotated[str | None, Field(description="Range of givens, such as 24..26.")] = None,
    symmetry: Annotated[
        str | None, Field(description="Symmetry of the givens: 180, 90, mirror, diagonal, or full.")
    ] = None,
    box: Annotated[str | None, Field(description="Rows and columns of a box: 2x3.")] = None,
    variant: Annotated[str | None, Field(description="Rules, such as diagonal,antiknight.")] = None,
) -> Generated:
    """Make Sudoku puzzles that have exactly one solution.

    No given is redundant or, with `symmetry`, no group of givens that are symmetric to each other.
    The same arguments always give the same puzzles.
    """
    techniques = {"require": require, "only": only}
    fields = {
        "count": count, "seed": seed, "rating": rating, "difficulty": difficulty,
        "techniques": {name: names for name, names in techniques.items() if names} or None,
        "givens": givens, "symmetry": symmetry, "box": box, "variant": variant,
        "tries": _MOST_TRIES,
    }  # fmt: skip
    try:
        puzzles = generate_puzzles(**{name: each for name, each in fields.items() if each})
    except ValueError as error:
        raise ToolError(str(error)) from None
    with ENGINES:
        make_ready((Code.CLASSIC, Code.GENERAL, Code.LOGIC, Code.GENERATION))
        made = [*puzzles]
    return Generated(puzzles=[*_texts(made)], given_up=sum(each.puzzle is None for each in made))


def _texts(made: list[GeneratedPuzzle]) -> Iterator[str]:
    for each in made:
        if each.puzzle is not None:
            yield write_puzzle(each.puzzle) or str(each.puzzle)
