"""The types of the structured output of the tools for assistants.

The MCP SDK derives the JSON schemas of the tools from them.
"""

from typing import Annotated, Any

from pydantic import BaseModel, Field

Text = Annotated[str | None, Field(description="Explanation of the outcome, or null.")]


class Solution(BaseModel, frozen=True):
    """The result of solving one puzzle."""

    outcome: Annotated[
        str,
        Field(
            description="solved: exactly one solution, or at least one if `limit` is 1. multiple: "
            "several solutions. unsolvable: proven to have none. step_limit: undecided after the "
            "maximum number of guesses."
        ),
    ]
    unique: Annotated[
        bool | None, Field(description="Whether there is exactly one solution. Null if unknown.")
    ]
    solutions: Annotated[int, Field(description="Number of solutions found, at most `limit`.")]
    rows: Annotated[
        list[str] | None, Field(description="The first solution, one text per row, or null.")
    ]
    guesses: Annotated[int, Field(description="Number of guesses that the search made.")]
    detail: Text


class Generated(BaseModel, frozen=True):
    """Puzzles that were made."""

    puzzles: Annotated[
        list[str],
        Field(description="The puzzles: a line of cells each, or JSON if there are further rules."),
    ]
    given_up: Annotated[
        int, Field(description="Number of puzzles that no attempt could make as requested.")
    ]


class Rating(BaseModel, frozen=True):
    """How hard a puzzle is for people."""

    difficulty: Annotated[
        str, Field(description="easy, medium, hard, very hard, diabolical, or extreme.")
    ]
    rating: Annotated[
        float | None,
        Field(
            description="Sudoku Explainer's rating of the hardest step (ER), from 1.0 to about "
            "11.9. Null for boards that it doesn't rate."
        ),
    ]
    hodoku_score: Annotated[
        int | None, Field(description="HoDoKu's score: the sum over all steps, or null.")
    ]
    hodoku_level: Annotated[
        str | None,
        Field(description="HoDoKu's level: easy, medium, hard, unfair, or extreme, or null."),
    ]
    techniques: Annotated[
        dict[str, int], Field(description="Number of steps with each technique, easiest first.")
    ]


class Candidate(BaseModel, frozen=True):
    """A value in a cell."""

    cell: Annotated[str, Field(description="Row and column from 1, such as r1c9.")]
    value: str


class Step(BaseModel, frozen=True):
    """One step of an explanation."""

    number: Annotated[int, Field(description="Number of the step, from 1.")]
    technique: Annotated[str, Field(description="Name of the technique, such as X-Wing.")]
    sentence: Annotated[str, Field(description="The argument in words, in one or more lines.")]
    placements: Annotated[list[Candidate], Field(description="Values that the step places.")]
    eliminations: Annotated[list[Candidate], Field(description="Candidates that it removes.")]


class Explanation(BaseModel, frozen=True):
    """The steps with which a person could solve a puzzle, or some of them."""

    solved: Annotated[bool, Field(description="Whether the steps solve the puzzle.")]
    summary: Annotated[str, Field(description="The end of the explanation and the difficulty.")]
    total_steps: Annotated[int, Field(description="Total number of steps.")]
    steps: Annotated[list[Step], Field(description="The requested steps, in order.")]


class Hint(BaseModel, frozen=True):
    """A hint for the next step."""

    text: Annotated[str, Field(description="The hint, as detailed as its level.")]


class Job(BaseModel, frozen=True):
    """The progress of a job, and some of its results."""

    id: Annotated[str, Field(description="Id of the job. Anyone who has it can read the job.")]
    name: str
    state: Annotated[
        str,
        Field(
            description="uploading, queued, running, finished, cancelled, or failed. The last "
            "three are final."
        ),
    ]
    total: Annotated[int, Field(description="Number of puzzles.")]
    done: Annotated[int, Field(description="Number of puzzles that have a result.")]
    outcomes: Annotated[dict[str, int], Field(description="Number of results by outcome.")]
    ratings: Annotated[
        dict[str, int],
        Field(description="Number of results by Sudoku Explainer rating, if the job rates."),
    ]
    fault: Annotated[str | None, Field(description="Why the job failed, or null.")]
    page: Annotated[str, Field(description="URL of the job's web page.")]
    results: Annotated[
        list[dict[str, Any]],
        Field(
            description="The requested results in order, with the members of the service's JSON "
            "lines: n (number in the upload), line, puzzle, outcome, solution, unique, rating, "
            "detail (why a record is invalid), name, and others."
        ),
    ]
